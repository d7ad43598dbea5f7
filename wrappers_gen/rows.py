"""What people write about a CUDA-X function: rows.

A rows page (``<library>/rows/<page>.py``) is a module with

``TITLE``   one line,
oracles     plain functions written from NVIDIA's or LAPACK's documentation (numpy, scipy, mpmath through ``lazy``),
``ROWS``    a tuple of :class:`Row`; ``like(row, field=...)`` is another row with those fields instead.

Nothing else: no logic outside oracles (``check`` refuses it). Everything here is frozen and keyword-only; conditions
are strings in a small checked grammar (see :mod:`scale_x.wrappers_gen.expr`): names of the function's arguments,
integers, ``+ - *``, comparisons, ``in``, ``and or not``, ``a if c else b``, and

    max(a, b) min(a, b) abs(a)      integers
    value(alpha)                    a scalar behind a pointer, readable only in host pointer mode; a comparison with it
                                    is false when it cannot be read
    null(x) aligned(x, 16)          of pointer arguments
    multiple(n, 4)                  an integer is a multiple of another
    same(x, y)                      two pointer arguments are equal
    host_mode                       the handle is in host pointer mode
    complex_type, real_type         of the row's T, decided at emit time
    N T C CONJ LOWER UPPER FULL LEFT RIGHT NON_UNIT UNIT ...   enumerators, named in ``<library>/rows/types.py``

Families: in ``symbols`` (and in ``call``, ``xerbla``, ``native``) ``{T}`` is each key of ``T`` in turn, ``{t}`` the
same in lower case, ``{_64}`` is both "" and "_64". A row that names a symbol exactly wins over a family.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

# --- kinds, weakest first ---------------------------------------------------------------------------------------------

DIRECT = "direct"  # same arguments; enums and status translated
ADAPTED = "adapted"  # reordered, defaulted; declarative
COMPOSED = "composed"  # several ROCm calls
NATIVE = "native"  # a C++ body in <library>/native; no single ROCm function behind it
STUB = "stub"  # exported, answers NOT_SUPPORTED, says why
KINDS = (DIRECT, ADAPTED, COMPOSED, NATIVE, STUB)

# evidence of a ROCm fact, strongest first
MEASURED, HEADER, SOURCE, DOCUMENTATION, INFERRED = "measured", "header", "source", "documentation", "inferred"

IN, OUT, INOUT, SCRATCH = "in", "out", "inout", "scratch"


class _Lazy:
    """A module imported at first use, so that ``emit`` runs under ``python -S``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


def lazy(name: str) -> Any:
    return _Lazy(name)


# --- steps: what happens before the backend, in NVIDIA's measured order -----------------------------------------------


@dataclass(frozen=True)
class Handle:
    """The handle must be live, else ``status``; ``nvidia`` is "crash" where NVIDIA's own library dies of any other,
    "reads" where it takes whatever is not NULL for a handle."""

    arg: str = "handle"
    status: str = "NOT_INITIALIZED"
    nvidia: str = "same"


@dataclass(frozen=True)
class Provider:
    """Load the provider first (functions without a handle); in the CUDA runtime a failure is its own error code."""

    status: str = "NOT_INITIALIZED"


@dataclass(frozen=True)
class Check:
    """``holds`` must be true, else ``status``; ``number`` is the parameter that xerbla names (None: silent). ``nvidia``
    is "crash" where NVIDIA's own library does not look and dies."""

    holds: str
    number: int | None = None
    status: str = "INVALID_VALUE"
    nvidia: str = "same"


@dataclass(frozen=True)
class Quick:
    """Return ``status`` at once when ``when`` is true; ``zero`` names result scalars (by pointer mode) set to 0. An
    info on the device becomes ``info``; None: stays."""

    when: str
    status: str = "SUCCESS"
    zero: tuple[str, ...] = ()
    info: int | None = 0


@dataclass(frozen=True)
class NotNull:
    """``args`` must not be NULL (``unless`` says when they may), else ``status``; no xerbla. ``nvidia`` is "crash"
    where NVIDIA's own library dies of it or faults on the device (so that nobody asks it); ``nvidia_unless`` says when
    it does not, where that is less often than ``unless`` ("": it always does). ``number`` is what an Info hears."""

    args: tuple[str, ...]
    unless: str = ""
    status: str = "INVALID_VALUE"
    nvidia: str = "same"
    nvidia_unless: str | None = None
    number: int | None = None


@dataclass(frozen=True)
class SkipNull:
    """NVIDIA answers SUCCESS and does nothing visible when one of ``args`` is NULL: so does the wrapper."""

    args: tuple[str, ...]
    unless: str = ""


@dataclass(frozen=True)
class Info:
    """``arg``, an integer on the host, is 0 from here on; a later check that refuses makes it minus its number."""

    arg: str


@dataclass(frozen=True)
class ChipLimit:
    """NVIDIA's library answers ``status`` unless ``holds``, only because its chip cannot do it (shapes, alignments).
    scale-x computes it, and refuses as NVIDIA does under ``SCALE_X_COMPAT=exact``. Stands after all other steps."""

    holds: str
    status: str = "NOT_SUPPORTED"


@dataclass(frozen=True)
class DeviceInfo:
    """``arg``, an integer on the device (the first of several), hears of what a later step refuses: ``sign`` times its
    number, in the stream's order, and the others become 0; nothing happens when it is NULL. A Quick and a call that
    has no info of its own set all ``count`` of them to 0."""

    arg: str
    sign: int = -1
    count: str = "1"


@dataclass(frozen=True)
class Zero:
    """``args``, results on the host, are 0 from here on, whatever a later step refuses; a NULL one is left out."""

    args: tuple[str, ...]


Step = Handle | Provider | Check | Quick | NotNull | SkipNull | Info | DeviceInfo | Zero | ChipLimit

# --- paths: what is called --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Ops:
    """Device operations that a path, or a row's native body, adds to the ROCm calls themselves: all that a call makes,
    and the most that a body makes (asserted on the host engine's counters)."""

    allocations: int = 0
    copies: int = 0
    syncs: int = 0
    launches: int = 0


@dataclass(frozen=True, kw_only=True)
class Work:
    """Device memory of the caller's for the ROCm calls of this row: ``arg``, of ``size`` elements of ``T`` ("bytes":
    bytes). Too little or none is answered by memory of the stream's."""

    arg: str
    size: str
    T: str = "T"


@dataclass(frozen=True, kw_only=True)
class Size:
    """The row answers how much device memory its path's ROCm call takes, in elements of ``T`` ("bytes": bytes), in the
    integer behind ``arg``. Pointers of the call that nothing is said about are NULL. ``extra`` more elements are for
    the body's own use; ``least`` is the smallest answer."""

    arg: str
    T: str = "T"
    extra: str = "0"
    least: int = 1


@dataclass(frozen=True, kw_only=True)
class Path:
    """One way to do it. Paths are tried in order; the first whose conditions hold is taken; the last is unconditional.

    ``call`` is one ROCm function. Its parameters are matched with the CUDA parameters by position (direct) or by name,
    case-insensitively (adapted); ``args`` overrides by ROCm parameter name with an expression. By-value 64-bit integers
    of a ``_64`` symbol are narrowed when all fit, else ``call + "_64"`` is used when this ROCm has it, else
    NOT_SUPPORTED.
    ``wide_result`` names an integer result behind a pointer: a ``_64`` symbol then needs ``call + "_64"``; without it a
    host-pointer-mode result is widened and device pointer mode is NOT_SUPPORTED.
    A path for a rare case that no single call covers names a C++ body of <library>/native in ``native`` instead of a
    ``call``: it has the symbol's own signature and runs after the steps, so it may trust the arguments.
    ``own`` is an entry point of the same library instead (``{symbol}``: the symbol's own name): parameters are matched
    by position after the handle, see :mod:`scale_x.wrappers_gen.emit.own`; ``args`` then names further ones.
    """

    call: str = ""
    native: str = ""
    own: str = ""
    args: Mapping[str, str] = field(default_factory=dict)
    when: str = ""
    since: str = ""
    archs: tuple[str, ...] = ()
    evidence: str = HEADER
    wide_result: str = ""
    ops: Ops = Ops()


# --- arguments behind pointers ----------------------------------------------------------------------------------------
# Dimensions are expressions over the arguments. T: "T" the row's type, "R" its real type, or a letter:
# S D C Z (float, double, complex), H (float16), B (bfloat16), I (int32), L (int64; a _64 twin's integer).


@dataclass(frozen=True, kw_only=True)
class Scalar:
    """One value; residency by pointer mode unless ``host``."""

    T: str = "T"
    dir: str = IN
    host: bool = False
    count: str = "1"


@dataclass(frozen=True, kw_only=True)
class Vec:
    n: str
    inc: str = "1"
    T: str = "T"
    dir: str = IN
    stride: str = ""  # between batch members, with batch
    batch: str = ""
    array: bool = False  # a device array of ``batch`` pointers


@dataclass(frozen=True, kw_only=True)
class Mat:
    """Column-major rows x cols. ``part``: full, or an expression naming the referenced triangle ("uplo"); ``packed``
    (no ld), or a band with ``kl``/``ku`` diagonals stored LAPACK-style. An oracle sees the dense rows x cols matrix
    that a packed or band argument stands for (0 outside the band); what it finds in an unreferenced triangle or on an
    unreferenced diagonal is unspecified, and what it returns there is not compared."""

    rows: str
    cols: str
    ld: str = ""
    T: str = "T"
    dir: str = IN
    part: str = "full"
    packed: bool = False
    kl: str = ""
    ku: str = ""
    unit: str = ""  # expression: the diagonal is not referenced
    stride: str = ""
    batch: str = ""
    array: bool = False


@dataclass(frozen=True, kw_only=True)
class Buf:
    """Bytes, or ``count`` elements of T."""

    count: str
    T: str = "T"
    dir: str = IN
    host: bool = False


@dataclass(frozen=True, kw_only=True)
class Scratch:
    """Device memory without a meaning before and after the call, of as many elements of T ("bytes": bytes) as the
    function ``query`` says (a symbol; its arguments are matched by name), which is also what ``size`` is passed."""

    query: str
    size: str
    T: str = "T"
    dir: str = SCRATCH
    host: bool = False


Arg = Scalar | Vec | Mat | Buf | Scratch

# --- numerics ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Componentwise:
    """|got - want| <= factor * (length + 2) * eps * M, M the oracle of absolute values; length an expression."""

    length: str = "1"
    factor: float = 2.0


@dataclass(frozen=True, kw_only=True)
class Residual:
    """``fn(a, got) -> float``: LAPACK's scale-free residual, below ``bound``; ``got`` maps each output argument to its
    value after the call, ``a.eps`` is the machine epsilon of the row's type."""

    fn: Callable[..., float]
    bound: float = 30.0


@dataclass(frozen=True)
class Exact:
    """Equal, bit for bit (integers, statuses, copies)."""


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Inputs. ``base``: one value per swept argument. ``grid``: axes crossed at the quick level. ``vary``: values tried
    one at a time from the base (crossed pairwise at the full level). Leading dimensions and increments not named get
    the tight value and a padded one. The runner adds pointer modes, streams, NaN rules, bad arguments by itself.
    Enumerators are written by their short names; a complex number loses its imaginary part for a real type.
    A key of several names, separated by spaces, sweeps them together: its values are tuples.
    ``make(a, kind, rng) -> {argument: logical array}`` makes inputs that belong together or need a structure: ``a`` has
    the sizes, enumerators and the type's ``letter``. ``classes``: the kinds; the first everywhere, each at the base."""

    base: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    vary: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    make: Callable[..., Mapping[str, Any]] | None = None


# --- rows -------------------------------------------------------------------------------------------------------------

_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Row:
    """One family of symbols and everything known about it.

    ``oracle(a) -> {argument: expected}``: ``a`` has one attribute per argument: integers, enumerators as short names
    ("N", "LOWER"), scalars as Python numbers, matrices as numpy (rows, cols) and vectors as numpy (n,) arrays in at
    least double precision in BLAS order (batched ones with a leading batch axis); for INOUT arguments the value before
    the call. It may not modify what it is given.
    """

    symbols: str
    kind: str
    T: str | Mapping[str, str] | tuple[str, ...] = ""  # "SDCZ", {"Sc": "C"}: infix -> type letter, or untyped infixes
    why: str = ""
    xerbla: str = ""  # routine name in NVIDIA's message, "" = silent
    steps: tuple[Step, ...] = ()
    paths: tuple[Path, ...] = ()
    native: str = ""  # the C++ function <library>/native defines, same signature
    ops: Ops | None = Ops()  # of the native body; None: as many as the sizes and a parameter of the handle make
    work: Work | None = None
    size: Size | None = None
    args: Mapping[str, Arg] = field(default_factory=dict)
    oracle: Callable[..., Mapping[str, Any]] | None = None
    compare: Componentwise | Residual | Exact | None = None
    sweep: Sweep | None = None
    nvidia: str = "same"  # or "differs: why", "crash: why"
    #: words, as for -k, of a case's id and of what was found wrong with it -> how NVIDIA's library answers
    differs: Mapping[str, str] = field(default_factory=dict)
    capture: str = "fine"  # fine | refuse | pre-grow
    source: str = ""  # document the semantics come from


def like(row: Row, **changes: Any) -> Row:
    """``row`` with some fields written anew: of rows that differ in a line, the later ones say only that line."""
    return replace(row, **changes)


# --- tables of a library: <library>/rows/types.py ---------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class EnumMap:
    """``cuda`` enumerators to ``rocm`` ones by explicit switch; ``short`` are the names expressions use."""

    cuda: str
    rocm: str
    values: Mapping[str, str]  # CUDA enumerator -> ROCm enumerator
    short: Mapping[str, str] = field(default_factory=dict)  # short name -> CUDA enumerator


@dataclass(frozen=True, kw_only=True)
class StatusMap:
    """ROCm status -> this library's status; anything else is ``default``."""

    cuda: str
    rocm: str
    values: Mapping[str, str]
    default: str
    prefix: str  # "CUBLAS_STATUS_": what step statuses are prefixed with
    not_supported: str = "NOT_SUPPORTED"
