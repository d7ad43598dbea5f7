"""The names of cusolverSp's functions, by what they do with the device."""

from __future__ import annotations


def _typed(*names: str) -> tuple[str, ...]:
    return tuple(t + name for name in names for t in "SDCZ")


def _hosted(*names: str) -> tuple[str, ...]:
    return tuple(name + "Host" for name in names)


#: systems in one call
LU_HOST = _typed("csrlsvluHost")
QR, QR_HOST = _typed("csrlsvqr"), _typed("csrlsvqrHost")
CHOLESKY, CHOLESKY_HOST = _typed("csrlsvchol"), _typed("csrlsvcholHost")
LEAST_SQUARES_HOST = _typed("csrlsqvqrHost")
EIGENPAIR, EIGENPAIR_HOST = _typed("csreigvsi"), _typed("csreigvsiHost")
COUNT_HOST = _typed("csreigsHost")
ORDERINGS_HOST = _hosted("Xcsrsymrcm", "Xcsrsymmdq", "Xcsrsymamd")
STRUCTURE_HOST = (*_hosted("Xcsrissym", "Xcsrperm_bufferSize", "Xcsrperm"), *_typed("csrzfdHost"))

#: factorisations in steps: those that copy from or to the device, those that do not, and those of the host
_SETTERS = ("csrqrSetup", "csrqrFactor", "csrqrSolve", "csrcholFactor", "csrcholSolve")
_ASKERS = ("csrqrBufferInfo", "csrqrZeroPivot", "csrcholBufferInfo", "csrcholZeroPivot")
OBJECTS = tuple(
    what + name
    for name in ("CsrqrInfo", "CsrqrInfoHost", "CsrcholInfo", "CsrcholInfoHost", "CsrluInfoHost")
    for what in ("Create", "Destroy")
)
STEPS_COPY = ("XcsrqrAnalysis", "XcsrqrAnalysisBatched", "XcsrcholAnalysis", *_typed(*_SETTERS, "csrcholDiag"))
STEPS_STILL = _typed(*_ASKERS, "csrqrBufferInfoBatched")
STEPS_HOST = (
    *_hosted("XcsrqrAnalysis", "XcsrcholAnalysis", "XcsrluAnalysis", "XcsrluNnz"),
    *_typed(*_hosted(*_SETTERS, *_ASKERS)),
    *_typed(*_hosted("csrluBufferInfo", "csrluFactor", "csrluZeroPivot", "csrluSolve", "csrluExtract")),
)
BATCHED = _typed("csrqrsvBatched")
