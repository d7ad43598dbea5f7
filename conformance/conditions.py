"""Evaluates the small expressions of rows (grammar: ``wrappers_gen/rows.py``) on the values of one case.

Enumerators are their short names here ("N", "LOWER"), so an enumerator out of range is an integer and equals none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any


class _Unreadable:
    """A scalar in device memory: every comparison with it is false."""

    def _no(self, other: object) -> bool:
        return False

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no
    __hash__ = None  # type: ignore[assignment]


UNREADABLE = _Unreadable()


@dataclass
class Situation:
    """What an expression may ask about: the argument values of one call and its pointers."""

    values: Mapping[str, Any]
    nulls: Collection[str] = ()
    host_mode: bool = True
    complex_type: bool = False
    misaligned: Mapping[str, int] = field(default_factory=dict)  # address modulo 256
    aliases: Collection[frozenset[str]] = ()  # pairs of pointer arguments that are equal
    host_scalars: Collection[str] = ()  # readable in either pointer mode

    def value(self, name: str) -> Any:
        if name in self.nulls or not (self.host_mode or name in self.host_scalars):
            return UNREADABLE
        value = self.values.get(name, UNREADABLE)
        return value[0] if isinstance(value, tuple) else value  # of several, the first

    def null(self, name: str) -> bool:
        return name in self.nulls

    def same(self, one: str, other: str) -> bool:
        return (one in self.nulls and other in self.nulls) or frozenset((one, other)) in self.aliases

    def aligned(self, name: str, to: int) -> bool:
        return self.misaligned.get(name, 0) % to == 0


class _Rewrite(ast.NodeTransformer):
    def __init__(self, arguments: Collection[str], enumerators: Collection[str]) -> None:
        self.arguments, self.enumerators = arguments, enumerators

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        if node.func.id in ("null", "aligned", "value", "same"):
            first = node.args[0]
            assert isinstance(first, ast.Name)
            if node.func.id == "same":
                second = node.args[1]
                assert isinstance(second, ast.Name)
                method = ast.Attribute(ast.Name("_s", ast.Load()), "same", ast.Load())
                return ast.Call(method, [ast.Constant(first.id), ast.Constant(second.id)], [])
            method = ast.Attribute(ast.Name("_s", ast.Load()), node.func.id, ast.Load())
            return ast.Call(method, [ast.Constant(first.id), *map(self.visit, node.args[1:])], [])
        return ast.Call(node.func, [self.visit(a) for a in node.args], [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = node.id
        if name == "host_mode" or name == "complex_type":
            return ast.Attribute(ast.Name("_s", ast.Load()), name, ast.Load())
        if name == "real_type":
            return ast.UnaryOp(ast.Not(), ast.Attribute(ast.Name("_s", ast.Load()), "complex_type", ast.Load()))
        if name in self.enumerators:  # the matrix C is a pointer: a bare C can only be the enumerator
            return ast.Constant(name)
        if name in self.arguments:
            return ast.Subscript(ast.Name("_v", ast.Load()), ast.Constant(name), ast.Load())
        raise NameError(f"unknown name {name!r} in an expression")


_BUILTINS = {"__builtins__": {}, "max": max, "min": min, "abs": abs, "multiple": lambda a, of: a % of == 0}


@cache
def compiled(text: str, arguments: frozenset[str], enumerators: frozenset[str]) -> Callable[[Mapping, Situation], Any]:
    tree = ast.fix_missing_locations(_Rewrite(arguments, enumerators).visit(ast.parse(text.strip(), mode="eval")))
    lambda_ = ast.parse("lambda _v, _s: 0", mode="eval")
    lambda_.body.body = tree.body  # type: ignore[attr-defined]
    return eval(compile(ast.fix_missing_locations(lambda_), f"<{text}>", "eval"), dict(_BUILTINS))


@cache
def names_in(text: str) -> frozenset[str]:
    """Every name an expression mentions, those behind null(), aligned() and value() included."""
    called = {"max", "min", "abs", "multiple", "null", "aligned", "value", "same"}
    return frozenset(n.id for n in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(n, ast.Name)) - called
