"""Every caveat that a rule can give has its sentence in both languages."""

import ast
import re
from pathlib import Path

from runs.domain.caveat_texts import TEXTS

RULE_FILES = ("caveats.py", "caveats_power.py", "caveats_pair.py", "consistency.py")
DOMAIN = Path(__file__).parents[2] / "runs" / "domain"


def ids_in_rules() -> set[str]:
    """String literals of the rule files that look like ids and stand where an id is given."""
    found: set[str] = set()
    for name in RULE_FILES:
        for node in ast.walk(ast.parse((DOMAIN / name).read_text())):
            if isinstance(node, ast.Call):
                found |= {
                    argument.value
                    for argument in node.args[:2]
                    if isinstance(argument, ast.Constant)
                    and isinstance(argument.value, str)
                    and re.fullmatch(
                        r"[a-z]+(-[a-z]+)+|historical|superseded|corrected|withdrawn|estimated|disputed|noted",
                        argument.value,
                    )
                }
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "caveat_id":
                found |= {
                    leaf.value
                    for leaf in ast.walk(node.value)
                    if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str) and "-" in leaf.value
                }
    return found


def test_every_id_has_a_text_and_every_text_an_id() -> None:
    assert ids_in_rules() == set(TEXTS)


def test_both_languages_name_the_same_parameters() -> None:
    for key, text in TEXTS.items():
        names = set(re.findall(r"{(\w+)}", text.en))
        assert names == set(re.findall(r"{(\w+)}", text.nl)), key
        assert text.en != text.nl or names == {"text"}, key
        assert text.title_en, key
        assert text.title_nl, key
