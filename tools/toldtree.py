"""What `tools.told` asks of a syntax tree: where a name was bound, what an expression may be, how a place is called."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Scope = ast.FunctionDef | None


@dataclass
class Module:
    """A parsed file: its constants, and of each node the function around it."""

    name: str
    tree: ast.Module
    constants: dict[str, ast.expr] = field(default_factory=dict)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)


def is_text(node: ast.expr) -> bool:
    """Whether an addition is one of texts."""
    if isinstance(node, ast.BinOp):
        return is_text(node.left) or is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def note_scopes(module: Module, node: ast.AST, scope: Scope) -> None:
    for child in ast.iter_child_nodes(node):
        module.scopes[child] = scope
        note_scopes(module, child, child if isinstance(child, ast.FunctionDef) else scope)


def assigned(node: ast.AST) -> tuple[str, ast.expr | None]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    if isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value
    return "", None


def bound_to(scope: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """What a function binds a name to: by assignment, or as an element of what it goes over."""
    for node in ast.walk(scope):
        target, value = assigned(node)
        if target == name and value is not None:
            yield value
        elif isinstance(node, ast.For | ast.comprehension):
            if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node.target)):
                yield node.iter
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            for at, one in enumerate(node.targets[0].elts):
                if isinstance(one, ast.Name) and one.id == name:
                    yield node.value.elts[at] if isinstance(node.value, ast.Tuple) else node.value


def parameters_of(scope: ast.FunctionDef) -> list[str]:
    names = [one.arg for one in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def owner_of(module: Module, scope: ast.FunctionDef) -> str:
    """The name a function is called by: that of its class if it is a constructor."""
    if scope.name != "__init__":
        return scope.name
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef) and scope in node.body:
            return node.name
    return ""


def called_name(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


def choices(node: ast.expr) -> list[ast.expr]:
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


def place_name(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id.strip("_").lower()
        case ast.Attribute():
            return node.attr.strip("_").lower()
        case ast.Call(func=ast.Attribute(attr="join"), args=[first, *_]):
            return place_name(first)
        case ast.Call(args=[first, *_]):
            return place_name(first)
        case ast.Subscript():
            return place_name(node.value)
        case ast.GeneratorExp() | ast.ListComp():
            return place_name(node.generators[0].iter)
        case ast.BoolOp():
            return place_name(node.values[0])
        case ast.IfExp():
            return place_name(node.body)
        case _:
            return "value"


def literals(text: str) -> str:
    """A text without its places."""
    kept, depth = [], 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if not depth and char not in "{}":
            kept.append(char)
    return "".join(kept)
