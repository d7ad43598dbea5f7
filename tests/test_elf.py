"""The libraries are link-complete: each soname exports exactly the symbols that the spec says, under its own node."""

from __future__ import annotations

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerSymSection
from elftools.elf.relocation import RelocationSection

from scale_x.bindings._locate import own_directories
from scale_x.wrappers_gen import spec

LIB = own_directories()[0]
CASES = [
    (library, suffix) for library, (_, by_major) in spec.SONAMES.items() for suffix in dict.fromkeys(by_major.values())
]


def open_library(name: str) -> ELFFile:
    return ELFFile((LIB / name).open("rb"))


def exports(elf: ELFFile) -> dict[str, str]:
    """Exported function or data symbol -> version node."""
    versions = elf.get_section_by_name(".gnu.version")
    definitions = elf.get_section_by_name(".gnu.version_d")
    assert isinstance(versions, GNUVerSymSection) and isinstance(definitions, GNUVerDefSection)
    nodes = {v["vd_ndx"]: next(iter(aux)).name for v, aux in definitions.iter_versions()}
    out = {}
    for i, symbol in enumerate(elf.get_section_by_name(".dynsym").iter_symbols()):
        if symbol["st_shndx"] == "SHN_UNDEF" or symbol["st_shndx"] == "SHN_ABS" or not symbol.name:
            continue
        index = versions.get_symbol(i)["ndx"]
        assert index not in ("VER_NDX_LOCAL", "VER_NDX_GLOBAL"), f"{symbol.name} carries no version"
        assert not index & 0x8000, f"{symbol.name} is a hidden version"
        out[symbol.name] = nodes[index]
    return out


def dynamic(elf: ELFFile, tag: str) -> list[str]:
    section = elf.get_section_by_name(".dynamic")
    assert isinstance(section, DynamicSection)
    attribute = {"DT_NEEDED": "needed", "DT_SONAME": "soname", "DT_RUNPATH": "runpath", "DT_RPATH": "rpath"}[tag]
    return [getattr(t, attribute) for t in section.iter_tags(tag)]


@pytest.mark.parametrize(("library", "suffix"), CASES, ids=[f"{a}.{b}" for a, b in CASES])
def test_exports_exactly_what_the_spec_says(library: str, suffix: str) -> None:
    link_name = spec.SONAMES[library][0]
    soname = f"{link_name}.{suffix}"
    elf = open_library(soname)
    assert dynamic(elf, "DT_SONAME") == [soname]
    want = set(spec.load(library).exports(suffix))
    got = exports(elf)
    assert sorted(want - got.keys()) == [], "missing"
    assert sorted(got.keys() - want) == [], "not in the spec"
    assert set(got.values()) == {soname}


@pytest.mark.parametrize(("library", "suffix"), CASES, ids=[f"{a}.{b}" for a, b in CASES])
def test_needs_only_its_neighbours_and_the_system(library: str, suffix: str) -> None:
    elf = open_library(f"{spec.SONAMES[library][0]}.{suffix}")
    system = ("libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "libpthread.so", "libdl.so", "ld-linux", "librt.so")
    strangers = [n for n in dynamic(elf, "DT_NEEDED") if not n.startswith((*system, "libscalex_core.so.0"))]
    assert strangers == []
    assert dynamic(elf, "DT_RPATH") == []
    assert all(p.startswith("$ORIGIN") for r in dynamic(elf, "DT_RUNPATH") for p in r.split(":"))


@pytest.mark.parametrize(("library", "suffix"), CASES, ids=[f"{a}.{b}" for a, b in CASES])
def test_calls_of_own_functions_stay_inside(library: str, suffix: str) -> None:
    """Nothing that another library of the process exports can come between a library and its own functions."""
    elf = open_library(f"{spec.SONAMES[library][0]}.{suffix}")
    symbols = elf.get_section_by_name(".dynsym")
    own, asked = set(exports(elf)), set()
    for section in elf.iter_sections():
        if isinstance(section, RelocationSection):
            asked |= {symbols.get_symbol(r["r_info_sym"]).name for r in section.iter_relocations()}
    assert asked & own == set()


def test_no_product_file_needs_or_claims_a_rocm_soname() -> None:
    rocm = ("libamdhip64", "librocblas", "librocsolver", "libhipblaslt", "libhipfft", "librocfft")
    for path in LIB.glob("lib*.so*"):
        elf = ELFFile(path.open("rb"))
        assert not [n for n in dynamic(elf, "DT_NEEDED") + dynamic(elf, "DT_SONAME") if n.startswith(rocm)], path.name


def test_the_engine_exports_its_table_only() -> None:
    names = {
        s.name
        for s in open_library("libscalex_host.so.0").get_section_by_name(".dynsym").iter_symbols()
        if s["st_shndx"] not in ("SHN_UNDEF", "SHN_ABS") and s.name
    }
    assert {n for n in names if not n.startswith("sx_host_")} == set()
    assert "sx_host_table" in names
