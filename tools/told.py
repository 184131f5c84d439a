"""The English texts that the domain, the readers and the services tell: found where they flow into a message.

A text is told when it is an argument of one of `SINKS`, at its place. From there it is followed back, by the syntax
tree alone: through names and parameters, f-strings, choices, constants of modules and functions that return text. An
f-string becomes a text with named places, ``{task}: only a part of the task was run``. See docs/decisions/0004.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

SINKS: dict[str, dict[str, int]] = {
    "Remark": {"text": 1},
    "Problem": {"expected": 2, "seen": 3},
    "ReadError": {"expected": 2, "seen": 3},
    "UnknownFormatError": {"expected": 2, "seen": 3},
    "RefusedError": {"message": 1},
    "PlanError": {"expected": 1, "seen": 2},
    "Warned": {"text": 1, "expected": 4, "seen": 5},
    "FileAnswer": {"text": 6},
    "Window": {"note": 5},
    "Check": {"formula": 2},
}
"""Constructors whose arguments (by name and by place) are read by people."""

ROOTS = {
    "DomainError": {"message": 0},
    "RunnerError": {"message": 0},
    "CursorError": {"message": 0},
    "Stopped": {"message": 0},
    "end": {"reason": 1},
    "_no": {"reason": 0},
}
"""Errors whose first argument is; those that derive from one of these or of `SINKS` take after it."""

KEYWORDS = frozenset({"problem", "problems", "reason", "note"})
"""Arguments of these names are told, whatever they are given to."""

LISTS = frozenset({"problems", "said", "errors"})
"""What is put into a list of one of these names is told."""

RETURNING = frozenset({"verdict", "simulated", "_upload", "_no"})
"""Functions whose texts are kept and shown without passing a constructor."""

WORDS = frozenset(
    {"nothing", "none", "neither", "both", "more", "another", "text", "administrator", "begins", "ends", "start", "end"}
)
"""Told words that stand alone. Others without a space are names of fields and formats: not for people."""

TRANSLATED = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "say"})
LEAST_LETTERS = 3
PLACE = re.compile(r"\{\w+\}")
Scope = ast.FunctionDef | None


@dataclass
class Module:
    """A parsed file: its constants, and of each node the function around it."""

    name: str
    tree: ast.Module
    constants: dict[str, ast.expr] = field(default_factory=dict)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Place:
    """An expression, with the module and the function that it stands in."""

    node: ast.expr
    module: Module
    scope: Scope


class Told:
    """All texts told in the files given: `texts` maps each to the first file that tells it."""

    def __init__(self, files: Iterable[tuple[str, Path]]) -> None:
        self.texts: dict[str, str] = {}
        self.shapes: dict[str, str] = {}
        self.functions: dict[str, list[tuple[Module, ast.FunctionDef]]] = defaultdict(list)
        self.constants: dict[str, list[tuple[Module, ast.expr]]] = defaultdict(list)
        self.sinks = {name: dict(places) for name, places in (SINKS | ROOTS).items()}
        self.seen: set[tuple[ast.AST, bool]] = set()
        self.modules = [self._module(name, path) for name, path in files]
        self._classes()
        size = -1
        while size != (size := self._size()):
            self._walk()

    def _size(self) -> int:
        return len(self.texts) + sum(map(len, self.sinks.values()))

    def _module(self, name: str, path: Path) -> Module:
        module = Module(name, ast.parse(path.read_bytes()))
        _scoped(module, module.tree, None)
        for node in module.tree.body:
            target, value = _assigned(node)
            if target and value is not None:
                module.constants[target] = value
                self.constants[target].append((module, value))
        for one in ast.walk(module.tree):
            if isinstance(one, ast.FunctionDef):
                self.functions[one.name].append((module, one))
        return module

    def _classes(self) -> None:
        """What derives from a sink is one, unless it has a constructor of its own."""
        classes = [one for module in self.modules for one in ast.walk(module.tree) if isinstance(one, ast.ClassDef)]
        for _round in range(4):
            for one in classes:
                for base in (base.id for base in one.bases if isinstance(base, ast.Name)):
                    own = any(isinstance(item, ast.FunctionDef) and item.name == "__init__" for item in one.body)
                    if base in self.sinks and not own:
                        self.sinks.setdefault(one.name, self.sinks[base])

    def _walk(self) -> None:
        self.seen.clear()
        for module in self.modules:
            for node in ast.walk(module.tree):
                for told in self._told(module, node):
                    self._follow(Place(told, module, module.scopes[node]))

    def _told(self, module: Module, node: ast.AST) -> Iterator[ast.expr]:
        """The expressions that a node of the tree tells to people."""
        scope = module.scopes.get(node)
        if isinstance(node, ast.Call):
            yield from self._given(node, self.sinks.get(_name(node.func), {}))
            into = node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "append" else None
            if isinstance(into, ast.Name) and into.id in LISTS:
                yield from node.args
            if ast.unparse(node.func) == "super().__init__":
                yield from node.args[:1]
        elif isinstance(node, ast.Return) and scope is not None and scope.name in RETURNING and node.value is not None:
            yield node.value
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Subscript | ast.Attribute) and _told_name(one) for one in targets):
                yield node.value

    @staticmethod
    def _given(call: ast.Call, places: dict[str, int]) -> Iterator[ast.expr]:
        yield from (one.value for one in call.keywords if one.arg in tuple(places) or one.arg in KEYWORDS)
        for at in tuple(places.values()):
            if at < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: at + 1]):
                yield call.args[at]

    def _follow(self, place: Place, *, whole: bool = True) -> None:
        """Note every text that an expression may be. ``whole``: it stands alone; else it fills a place of another."""
        node = place.node
        if (node, whole) in self.seen:
            return
        self.seen.add((node, whole))
        for text in self._texts(place):
            if _reads(text):
                # "one of: {kinds}" and "one of: {states}" are one text: the first name of the place stands.
                kept = self.shapes.setdefault(PLACE.sub("{}", text.strip()), text.strip())
                self.texts.setdefault(kept, place.module.name)

    def _texts(self, place: Place) -> Iterator[str]:
        node = place.node
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr() | ast.BinOp(op=ast.Add()) if _is_text(node):
                yield self._template(place)
            case ast.Name():
                self._named(place, node.id)
            case ast.Call():
                self._called(place, node)
            case _:
                for part in _choices(node):
                    yield from self._texts(Place(part, place.module, place.scope))

    def _template(self, place: Place) -> str:
        names: dict[str, int] = {}
        return "".join(self._pieces(place, names))

    def _pieces(self, place: Place, names: dict[str, int]) -> Iterator[str]:
        node = place.node
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and _is_text(node):
            for side in (node.left, node.right):
                yield from self._pieces(Place(side, place.module, place.scope), names)
        elif isinstance(node, ast.JoinedStr):
            for part in node.values:
                inner = part.value if isinstance(part, ast.FormattedValue) else part
                yield from self._pieces(Place(inner, place.module, place.scope), names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.replace("{", "{{").replace("}", "}}")
        else:
            name = _place_name(node)
            names[name] = names.get(name, 0) + 1
            self._follow(place, whole=False)
            yield f"{{{name}{names[name] if names[name] > 1 else ''}}}"

    def _named(self, place: Place, name: str) -> None:
        """Follow a name to whatever was bound to it: here, in the function's callers, or as a module's constant."""
        if place.scope is not None:
            if name in (parameters := _parameters(place.scope)):
                owner = _owner(place.module, place.scope)
                if owner and not name.startswith("_"):
                    places = self.sinks.setdefault(owner, {})
                    places.setdefault(name, parameters.index(name))
            bound = list(_bound(place.scope, name))
            for value in bound:
                self._follow(Place(value, place.module, place.scope))
            if bound or name in parameters:
                return
        own = place.module.constants.get(name)
        found = [(place.module, own)] if own is not None else self.constants.get(name, [])
        for module, value in found:
            self._follow(Place(value, module, None))

    def _called(self, place: Place, call: ast.Call) -> None:
        """Follow a call to what the function returns; ``"…".format()`` to its text, ``join`` to what it joins."""
        name = _name(call.func)
        if name in TRANSLATED or name in self.sinks:
            return
        if isinstance(call.func, ast.Attribute) and name in ("format", "get", "strip", "rstrip", "capitalize"):
            self._follow(Place(call.func.value, place.module, place.scope))
            return
        if name == "join" and call.args:
            self._follow(Place(call.args[0], place.module, place.scope), whole=False)
            return
        for module, function in self.functions.get(name, []):
            if function.returns is not None and "str" in ast.unparse(function.returns):
                for node in ast.walk(function):
                    if isinstance(node, ast.Return | ast.Yield) and node.value and module.scopes[node] is function:
                        self._follow(Place(node.value, module, function))


def _reads(text: str) -> bool:
    """Whether a text is for people: of several words, or one that is known to stand alone."""
    words = _literals(text).split()
    letters = sum(map(str.isalpha, "".join(words)))
    return text in WORDS or (letters >= LEAST_LETTERS and " " in text.strip() and any(map(str.isalpha, words)))


def _is_text(node: ast.expr) -> bool:
    """Whether an addition is one of texts."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _told_name(node: ast.Subscript | ast.Attribute) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node.slice, "value", "")
    return name in KEYWORDS


def _scoped(module: Module, node: ast.AST, scope: Scope) -> None:
    for child in ast.iter_child_nodes(node):
        module.scopes[child] = scope
        _scoped(module, child, child if isinstance(child, ast.FunctionDef) else scope)


def _assigned(node: ast.AST) -> tuple[str, ast.expr | None]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    if isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value
    return "", None


def _bound(scope: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """What a function binds a name to: by assignment, or as an element of what it goes over."""
    for node in ast.walk(scope):
        target, value = _assigned(node)
        if target == name and value is not None:
            yield value
        elif isinstance(node, ast.For | ast.comprehension):
            if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node.target)):
                yield node.iter
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            for at, one in enumerate(node.targets[0].elts):
                if isinstance(one, ast.Name) and one.id == name:
                    yield node.value.elts[at] if isinstance(node.value, ast.Tuple) else node.value


def _parameters(scope: ast.FunctionDef) -> list[str]:
    names = [one.arg for one in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _owner(module: Module, scope: ast.FunctionDef) -> str:
    """The name a function is called by: that of its class if it is a constructor."""
    if scope.name != "__init__":
        return scope.name
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef) and scope in node.body:
            return node.name
    return ""


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def _choices(node: ast.expr) -> list[ast.expr]:
    """The expressions of which a value is one, or which it holds."""
    match node:
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.BoolOp() | ast.Dict():
            return node.values
        case ast.Tuple() | ast.List() | ast.Set():
            return node.elts
        case ast.NamedExpr() | ast.Subscript():
            return [node.value]
        case ast.GeneratorExp() | ast.ListComp():
            return [node.elt]
        case _:
            return []


def _place_name(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id.strip("_").lower()
        case ast.Attribute():
            return node.attr.strip("_").lower()
        case ast.Call(func=ast.Attribute(attr="join"), args=[first, *_]):
            return _place_name(first)
        case ast.Call(args=[first, *_]):
            return _place_name(first)
        case ast.Subscript():
            return _place_name(node.value)
        case ast.GeneratorExp() | ast.ListComp():
            return _place_name(node.generators[0].iter)
        case ast.BoolOp():
            return _place_name(node.values[0])
        case ast.IfExp():
            return _place_name(node.body)
        case _:
            return "value"


def _literals(text: str) -> str:
    """A text without its places."""
    kept, depth = [], 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if not depth and char not in "{}":
            kept.append(char)
    return "".join(kept)
