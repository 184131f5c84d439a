"""Markdown notes as HTML that neither runs nor calls home: no script, no style, no image, no frame."""

import nh3
from markdown_it import MarkdownIt

# Raw HTML is text here; nh3 is the second wall, should the first one have a hole.
_markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
_TAGS = {
    "p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "a",
    "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def notes_html(text: str) -> str:
    """Safe HTML of a note, to be marked as such by the page. Headings begin at the second level."""
    return nh3.clean(
        _markdown.render(text).replace("<h1>", "<h2>").replace("</h1>", "</h2>"),
        tags=_TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
