"""The driving article's tables with the texts of their cells, in every form that a person may paste."""

import html
from collections.abc import Sequence

Table = Sequence[Sequence[str]]

SHORT: Table = (
    ("Runtime en GPU-vermogenslimiet", "Samplingtemperatuur", "Totaal tok/s, node", "Totaal tok/s/GPU",
     "Uitvoer tok/s, node", "Mediane TTFT", "Mediane TPOT"),
    ("Paiton, 6 GPUs × 800 W", "0", "5.661", "944", "629", "0,65 s", "20,4 ms"),
    ("Paiton, 6 GPUs × 800 W", "1,0", "4.535", "756", "504", "1,23 s", "30,6 ms"),
    ("ATOM, 8 GPUs, limiet onbekend", "Niet vermeld", "7.484", "936", "831,6", "0,821 s", "16,36 ms"),
    ("vLLM, 8 GPUs, limiet onbekend", "Niet vermeld", "6.015", "752", "668,4", "1,875 s", "22,06 ms"),
)  # fmt: skip
"""8K in, 1K out."""

LONG: Table = (
    ("Runtime en GPU-vermogenslimiet", "Samplingtemperatuur", "Totaal tok/s, node", "Totaal tok/s/GPU", "Mediane TTFT"),
    ("Paiton, 6 GPUs × 800 W", "0", "12.768", "2.128", "122 s"),
    ("Paiton, 6 GPUs × 800 W", "1,0", "12.885", "2.148", "100 s"),
    ("ATOM, 8 GPUs, limiet onbekend", "Niet vermeld", "14.005", "1.751", "27,9 s"),
    ("vLLM, 8 GPUs, limiet onbekend", "Niet vermeld", "17.678", "2.210", "105,5 s"),
)
"""128K in, 100 out."""

CONDITIONS: Table = (
    ("Instelling", "Paiton", "ATOM, gepubliceerd door AMD", "vLLM, gepubliceerd door AMD"),
    ("GPUs", "6 × MI355X", "8 × MI355X", "8 × MI355X"),
    ("Vermogenslimiet per GPU", "800 W", "Niet vermeld", "Niet vermeld"),
    ("Gezamenlijke GPU-vermogenslimiet", "4,8 kW", "Niet vermeld", "Niet vermeld"),
    ("Gemeten GPU-verbruik, 8K/1K, T=0", "4,18 kW, circa 696 W/GPU", "Niet gepubliceerd", "Niet gepubliceerd"),
    ("Samplingtemperatuur", "0 en 1,0, apart gerapporteerd", "Niet vermeld", "Niet vermeld"),
    ("Speculative decoding", "DSpark, Inferact-drafter", "DSpark, vijf drafts",
     "Instelling bij doorvoertabel niet vermeld"),
)  # fmt: skip


def tsv(table: Table) -> str:
    """As a browser copies a table."""
    return "\n".join("\t".join(row) for row in table)


def csv(table: Table) -> str:
    return "\n".join(";".join(f'"{cell}"' if ";" in cell else cell for cell in row) for row in table)


def markdown(table: Table) -> str:
    head, *rows = ("| " + " | ".join(row) + " |" for row in table)
    return "\n".join((head, "|" + "---|" * len(table[0]), *rows))


def as_html(table: Table) -> str:
    def line(row: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"

    body = "".join(line(row, "td") for row in table[1:])
    return f"<div><p>…</p><table><thead>{line(table[0], 'th')}</thead><tbody>{body}</tbody></table></div>"


def borders(table: Table) -> str:
    return "\n".join("|".join(row) for row in table)


def cell_a_line(table: Table) -> str:
    return "\n\n".join(cell for row in table for cell in row)


def run_together(table: Table) -> str:
    """As the text of a page that lost its cells."""
    return "\n".join("".join(row) for row in table)


FORMS = {"TSV": tsv, "CSV": csv, "Markdown": markdown, "HTML": as_html, "cell borders": borders,
         "one cell a line": cell_a_line}  # fmt: skip
