"""The small checked grammar in which rows write conditions and sizes, to C++ and to Python.

Names of the function's arguments, integers, ``+ - *``, comparisons, ``in``, ``and or not``, ``a if c else b`` and the
calls of :data:`CALLS`. One grammar, two readings: :class:`Cpp` makes plain branch code whose integer arithmetic cannot
overflow; ``conformance/conditions.py`` evaluates the same text on the values of a case (a test compares the two). An
argument and an enumerator may share a name (the matrix ``C``, the operation ``C``): in an expression of integers and
enums it is the enumerator, as a pointer the argument.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

CALLS = ("max", "min", "abs", "multiple", "value", "null", "aligned", "same")
FACTS = ("host_mode", "complex_type", "real_type")
_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
#: comparison of two-byte floating-point types, by the bits of one
_HALF_ONES = {"__half": "sx_half_is<0x3c00>", "__nv_bfloat16": "sx_half_is<0x3f80>"}


class ExprError(Exception):
    """An expression that is not in the grammar, or whose types do not fit."""


@lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as e:
        raise ExprError(f"{text!r} is no expression: {e.msg}") from None
    _allowed(node, text)
    return node


def _allowed(node: ast.expr, text: str) -> None:
    ok = isinstance(
        node, ast.Name | ast.BoolOp | ast.IfExp | ast.Compare | ast.Tuple | ast.BinOp | ast.UnaryOp | ast.Call
    )
    if isinstance(node, ast.Constant):
        ok = isinstance(node.value, int) or node.value is None
    elif isinstance(node, ast.BinOp):
        ok = type(node.op) in _ARITHMETIC
    elif isinstance(node, ast.UnaryOp):
        ok = isinstance(node.op, ast.Not | ast.USub)
    elif isinstance(node, ast.Compare):
        ok = all(type(o) in _COMPARE or isinstance(o, ast.In | ast.NotIn) for o in node.ops)
    elif isinstance(node, ast.Call):
        ok = isinstance(node.func, ast.Name) and node.func.id in CALLS and not node.keywords
    if not ok:
        raise ExprError(f"{text!r}: {ast.unparse(node)!r} is not in the grammar")
    children = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    for child in children:
        if isinstance(child, ast.expr):
            _allowed(child, text)


def names(text: str) -> set[str]:
    """Every name that an expression mentions, calls aside."""
    found = set()
    todo: list[ast.AST] = [parse(text)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        todo += node.args if isinstance(node, ast.Call) else list(ast.iter_child_nodes(node))
    return found


# ---- C++ -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """A piece of C++: its text, and what it is: bool, int (of ``bits``), enum (``type``), pointer, scalar, null..."""

    text: str
    kind: str
    bits: int = 0
    type: str = ""
    constant: bool | None = None
    guard: str = ""  # scalar: what must hold for reading it

    @property
    def wrapped(self) -> str:
        return self.text if re.fullmatch(r"-?[\w.:]+|\w+[({][^(){}]*[)}]", self.text) else f"({self.text})"


@dataclass(frozen=True)
class Var:
    """An argument as C++ sees it."""

    kind: str  # int enum pointer real struct
    bits: int = 0  # of an int; 64 and unsigned counts as 65
    type: str = ""  # tag of an enum, element type of a pointer
    by_mode: bool = False  # a pointer whose residency the pointer mode decides


@dataclass
class Cpp:
    """Translator of one function's expressions."""

    variables: Mapping[str, Var]
    shorts: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # short -> (enum, enumerator)
    enumerators: Mapping[str, str] = field(default_factory=dict)  # ROCm enumerator -> ROCm enum
    complex_type: bool | None = None
    host_mode: str = ""  # C++ for "in host pointer mode", "" where it is not known yet

    def condition(self, text: str) -> Node:
        node = self._node(parse(text), text)
        if node.kind != "bool":
            raise ExprError(f"{text!r} is no condition")
        return node

    def any(self, text: str) -> Node:
        return self._node(parse(text), text)

    # -- by syntax

    def _node(self, node: ast.expr, text: str, enum: str = "") -> Node:
        if isinstance(node, ast.Constant):
            return self._constant(node, text)
        if isinstance(node, ast.Name):
            return self._name(node.id, text, enum)
        if isinstance(node, ast.BoolOp):
            return self._bool(node, text)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node, text)
        if isinstance(node, ast.BinOp):
            op = _ARITHMETIC[type(node.op)]
            return self._arithmetic(op, self._int(node.left, text), self._int(node.right, text))
        if isinstance(node, ast.IfExp):
            return self._if(node, text, enum)
        if isinstance(node, ast.Compare):
            return self._compare(node, text)
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            return self._call(node.func.id, node.args, text)
        raise ExprError(f"{text!r}: a tuple stands only after 'in'")

    def _constant(self, node: ast.Constant, text: str) -> Node:
        if node.value is None:
            return Node("nullptr", "null")
        value = node.value
        assert isinstance(value, int)
        if isinstance(value, bool):
            return Node(str(value).lower(), "bool", constant=value)
        if abs(value) >= 2**62:
            raise ExprError(f"{text!r}: {value} is too large")
        return Node(f"{value}" if abs(value) < 2**31 else f"{value}LL", "int", max(value.bit_length() + 1, 2))

    def _name(self, name: str, text: str, enum: str) -> Node:
        short = self.shorts.get(name)
        if enum and short and short[0] == enum:
            return Node(short[1], "enum", type=enum)
        if name in self.variables:
            v = self.variables[name]
            if v.kind == "int" and v.bits == 65:
                return Node(f"sx_signed({name})", "int", 64)
            if v.kind == "int" and v.bits == 33:
                return Node(f"int64_t{{{name}}}", "int", 33)
            return Node(name, v.kind, v.bits, v.type)
        if short:
            return Node(short[1], "enum", type=short[0])
        if name == "host_mode":
            return Node(self._mode(text), "bool")
        if name in ("complex_type", "real_type"):
            if self.complex_type is None:
                raise ExprError(f"{text!r}: the row has no T, so {name} is not known")
            fact = self.complex_type == (name == "complex_type")
            return Node(str(fact).lower(), "bool", constant=fact)
        if name in self.enumerators:
            return Node(name, "rocm", type=self.enumerators[name])
        raise ExprError(f"{text!r}: {name!r} is neither an argument nor an enumerator")

    def _mode(self, text: str) -> str:
        if not self.host_mode:
            raise ExprError(f"{text!r} needs the pointer mode before the handle is checked")
        return self.host_mode

    def _bool(self, node: ast.BoolOp, text: str) -> Node:
        stop = isinstance(node.op, ast.Or)
        parts = []
        for v in node.values:
            part = self._node(v, text)
            if part.kind != "bool":
                raise ExprError(f"{text!r}: {ast.unparse(v)!r} is no condition")
            if part.constant is None:
                parts.append(part)
            elif part.constant == stop:
                if not parts:
                    return part
                parts.append(part)
                break
        if not parts:
            return Node(str(not stop).lower(), "bool", constant=not stop)
        if len(parts) == 1:
            return parts[0]
        return Node((" || " if stop else " && ").join(p.wrapped for p in parts), "bool")

    def _unary(self, node: ast.UnaryOp, text: str) -> Node:
        if isinstance(node.op, ast.USub):
            if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, int):
                return Node(f"-{node.operand.value}", "int", max(node.operand.value.bit_length() + 1, 2))
            return self._arithmetic("-", Node("0", "int", 2), self._int(node.operand, text))
        operand = self._node(node.operand, text)
        if operand.kind != "bool":
            raise ExprError(f"{text!r}: 'not' of something that is no condition")
        if operand.constant is not None:
            return Node(str(not operand.constant).lower(), "bool", constant=not operand.constant)
        return Node(f"!{operand.wrapped}", "bool")

    def _int(self, node: ast.expr, text: str) -> Node:
        n = self._node(node, text)
        if n.kind != "int":
            raise ExprError(f"{text!r}: {ast.unparse(node)!r} is no integer")
        return n

    def _arithmetic(self, op: str, a: Node, b: Node) -> Node:
        """Plain where the result fits in 64 bits for every argument, saturating otherwise."""
        bits = a.bits + b.bits if op == "*" else max(a.bits, b.bits) + 1
        if bits <= 64:
            return Node(f"{_long(a)} {op} {_long(b)}", "int", max(bits, 33))
        name = {"+": "sx_add", "-": "sx_sub", "*": "sx_mul"}[op]
        return Node(f"{name}({a.text}, {b.text})", "int", 64)

    def _if(self, node: ast.IfExp, text: str, enum: str) -> Node:
        test = self._node(node.test, text)
        if test.kind != "bool":
            raise ExprError(f"{text!r}: {ast.unparse(node.test)!r} is no condition")
        if test.constant is not None:
            return self._node(node.body if test.constant else node.orelse, text, enum)
        a, b = self._node(node.body, text, enum), self._node(node.orelse, text, enum)
        if a.kind == "enum" and b.kind != "enum":
            b = self._node(node.orelse, text, a.type)
        elif b.kind == "enum" and a.kind != "enum":
            a = self._node(node.body, text, b.type)
        kinds = {a.kind, b.kind} - {"null"}
        if len(kinds) > 1 or (a.kind in ("enum", "rocm") and a.type != b.type):
            raise ExprError(f"{text!r}: {ast.unparse(node)!r} has two types")
        if a.kind == "int" and (a.bits > 32) != (b.bits > 32):
            a, b = Node(_long(a), "int", a.bits), Node(_long(b), "int", b.bits)
        some = b if a.kind == "null" else a
        return Node(f"{test.wrapped} ? {a.wrapped} : {b.wrapped}", some.kind, max(a.bits, b.bits), some.type)

    # -- comparisons

    def _compare(self, node: ast.Compare, text: str) -> Node:
        sides, parts = [node.left, *node.comparators], []
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(op, ast.In | ast.NotIn):
                parts.append(self._member(left, right, isinstance(op, ast.In), text))
            else:
                parts.append(self._pair(_COMPARE[type(op)], left, right, text))
        if len(parts) == 1:
            return parts[0]
        return Node(" && ".join(p.wrapped for p in parts), "bool")

    def _sure_enum(self, node: ast.expr) -> str:
        """The enum of a side that can be nothing else."""
        if isinstance(node, ast.IfExp):
            return self._sure_enum(node.body) or self._sure_enum(node.orelse)
        if isinstance(node, ast.Name):
            v = self.variables.get(node.id)
            return v.type if v and v.kind == "enum" else ""
        return ""

    def _member(self, left: ast.expr, right: ast.expr, positive: bool, text: str) -> Node:
        if not isinstance(right, ast.Tuple) or not right.elts:
            raise ExprError(f"{text!r}: 'in' needs a tuple")
        op = "==" if positive else "!="
        parts = [self._pair(op, left, e, text) for e in right.elts]
        if len(parts) == 1:
            return parts[0]
        return Node((" || " if positive else " && ").join(p.wrapped for p in parts), "bool")

    def _pair(self, op: str, left: ast.expr, right: ast.expr, text: str) -> Node:
        enum = self._sure_enum(left) or self._sure_enum(right)
        a, b = (self._node(s, text, "" if self._sure_enum(s) else enum) for s in (left, right))
        if a.kind == "scalar" or b.kind == "scalar":
            return self._scalar(op, a, b, text)
        if a.kind == "enum" and b.kind == "enum":
            if a.type != b.type:
                raise ExprError(f"{text!r} compares {a.type} with {b.type}")
            if op not in ("==", "!="):
                raise ExprError(f"{text!r} orders enumerators")
            return Node(f"{a.wrapped} {op} {b.wrapped}", "bool")
        a, b = (Node(f"static_cast<int>({n.text})", "int", 32) if n.kind == "enum" else n for n in (a, b))
        if a.kind == "real" and b.kind == "real":
            return Node(f"{a.wrapped} {op} {b.wrapped}", "bool")
        if a.kind != "int" or b.kind != "int":
            raise ExprError(f"{text!r}: cannot compare {ast.unparse(left)!r} with {ast.unparse(right)!r}")
        return Node(f"{a.wrapped} {op} {b.wrapped}", "bool")  # both signed, so the usual conversions keep values

    def _scalar(self, op: str, a: Node, b: Node, text: str) -> Node:
        if b.kind == "scalar":
            a, b = b, a
            op = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        if b.kind != "int" or not re.fullmatch(r"-?\d+", b.text):
            raise ExprError(f"{text!r}: a value behind a pointer is compared with an integer")
        if op in ("==", "!="):
            test = f"{'!' if op == '!=' else ''}{_HALF_ONES.get(a.type, 'sx_is')}({a.text}, {b.text})"
        elif a.type in ("float", "double", "int", "int64_t"):
            test = f"({a.text} {op} {b.text})"
        else:
            raise ExprError(f"{text!r} orders values of type {a.type}")
        return Node(f"{a.guard} && {test}", "bool")

    # -- calls

    def _call(self, name: str, args: list[ast.expr], text: str) -> Node:
        want = {"max": 2, "min": 2, "multiple": 2, "same": 2, "aligned": 2}.get(name, 1)
        if len(args) < want or (len(args) > want and name not in ("max", "min")):
            raise ExprError(f"{text!r}: {name} takes {want} arguments")
        if name in ("max", "min"):
            found = self._int(args[0], text)
            for other in args[1:]:
                b = self._int(other, text)
                bits = max(found.bits, b.bits)
                pair = f"{found.text}, {b.text}" if bits <= 32 else f"{_long(found)}, {_long(b)}"
                found = Node(f"sx_{name}({pair})", "int", bits)
            return found
        if name == "abs":
            a = self._int(args[0], text)
            return Node(f"sx_abs({_long(a)})", "int", max(a.bits, 33))
        if name == "multiple":
            of = args[1]
            if not isinstance(of, ast.Constant) or not isinstance(of.value, int) or of.value < 1:
                raise ExprError(f"{text!r}: multiple of a positive number")
            return Node(f"{self._int(args[0], text).wrapped} % {of.value} == 0", "bool")
        pointer = self._node(args[0], text)
        if pointer.kind != "pointer":
            raise ExprError(f"{text!r}: {name} is of pointer arguments")
        if name == "null":
            return Node(f"{pointer.text} == nullptr", "bool")
        if name == "same":
            second = self._node(args[1], text)
            if second.kind != "pointer":
                raise ExprError(f"{text!r}: same is of two pointer arguments")
            return Node(f"sx_same({pointer.text}, {second.text})", "bool")
        if name == "aligned":
            return Node(f"sx_aligned({pointer.text}, {self._int(args[1], text).text})", "bool")
        return self._value(args[0], pointer, text)

    def _value(self, node: ast.expr, pointer: Node, text: str) -> Node:
        assert isinstance(node, ast.Name)
        v = self.variables[node.id]
        if v.type in ("", "void"):
            raise ExprError(f"{text!r}: the type behind {node.id!r} is not known; give its Scalar a T")
        guard = f"{node.id} != nullptr"
        if v.by_mode:
            guard = f"{self._mode(text)} && {guard}"
        read = "uint16_t" if v.type in _HALF_ONES else v.type
        return Node(f"sx_load<{read}>({pointer.text})", "scalar", type=v.type, guard=guard)


def _long(n: Node) -> str:
    """The text as a 64-bit integer."""
    if re.fullmatch(r"-?\d+", n.text) or n.text.startswith(("int64_t{", "sx_abs(", "sx_add(", "sx_sub(", "sx_mul(")):
        return n.text if not re.fullmatch(r"-?\d+", n.text) else f"int64_t{{{n.text}}}"
    if n.bits > 32 and not re.search(r"\s", n.text):
        return n.text
    return f"int64_t{{{n.text}}}" if n.bits <= 32 else f"({n.text})"
