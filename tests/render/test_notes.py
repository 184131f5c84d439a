"""Notes neither run nor call home."""

import pytest

from dashboard.render.notes import notes_html


def test_markdown_is_rendered() -> None:
    text = notes_html("# Head\n\n*one* **two** [here](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert "<h2>Head</h2>" in text
    assert "<em>one</em> <strong>two</strong>" in text
    assert 'rel="noopener noreferrer nofollow"' in text
    assert "<td>1</td>" in text


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "![x](https://evil.example/pixel.png)",
        '<img src="https://evil.example/pixel.png">',
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,AAAA)",
        '<a href="#" onclick="x()">x</a>',
        '<svg onload="x()"></svg>',
        '<iframe src="https://evil.example"></iframe>',
        "<style>@import 'https://evil.example'</style>",
        '<p style="background:url(https://evil.example)">x</p>',
        "![x][y]\n\n[y]: https://evil.example/p.png",
    ],
)
def test_nothing_runs_or_loads(hostile: str) -> None:
    import re

    text = notes_html(hostile)
    tags = re.findall(r"<[^>]*>", text)
    assert not re.search(r"<(script|img|svg|iframe|style)|\son\w+=|src=|style=|javascript:|data:", " ".join(tags))
