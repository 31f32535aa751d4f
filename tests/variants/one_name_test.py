#!/usr/bin/env python3
"""Kernels and classes of two workloads have no name in common.

All variants live in one inline namespace, and what templates and inline functions define there is
merged by the linker without a word: of two classes of one name, one workload would run the other's
code. So a name that objects of several workloads define must come from a header that they share,
not from a workload's own folder.

one_name_test.py SOURCE_DIR CXX NM OBJECT...: first plants such a clash, to see that it is found;
then checks the objects. Fails with a line for each name.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

NAMESPACE = re.compile(r"\bcamber::on_(?:host|device)::((?:\w+::)*\w+)")


def workload_of(path, workloads):
    """The folder of variants/ that an object was compiled from."""
    found = [w for w in workloads if f"/variants/{w}/" in path or f"variants_{w}_" in path]
    return max(found, key=len, default=None)


def names_in(nm, path):
    """Names in the inline namespace that the object has in what it defines for all others, its weak
    symbols."""
    lines = subprocess.run([nm, "-C", "--defined-only", path], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    names = set()
    for line in lines:
        parts = line.split(None, 2)
        if len(parts) == 3 and parts[1] in "WVu":
            # A class may show as an argument of a shared template only.
            for match in NAMESPACE.finditer(parts[2]):
                names.add(match.group(1))
                names.add(match.group(1).split("::")[0])
    return names


def declared_in(folder):
    """Names that a workload's own files declare at namespace level, with the file. Code is
    formatted: what stands at the beginning of a line stands in no class. Specialisations belong to
    the template's place."""
    declared = {}
    for path in sorted([*folder.glob("*.hpp"), *folder.glob("*.cu")]):
        own = []  # namespaces inside the inline one
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(
                r"^(?:namespace (?P<open>[\w:]+)? ?\{|\}  // namespace(?P<close>.*)$|"
                r"(?:struct|class) (?P<type>\w+)\b(?!<)|"
                r"(?:__global__|inline|constexpr|CAMBER_\w+)[^;{=(]*?"
                r"(?:__launch_bounds__\([^)]*\)\s*)?(?P<other>\w+)\s*[({=])", text, re.M):
            if match["open"]:
                own.append(match["open"])
            elif match["close"] is not None and own:
                own.pop()
            elif match["type"] or match["other"]:
                inner = [part for name in own for part in name.split("::") if part != "camber"]
                declared["::".join([*inner, match["type"] or match["other"]])] = path
    return declared


def clashes(source, nm, objects):
    folders = {path.name: path for path in (source / "variants").iterdir() if path.is_dir()}
    definers = collections.defaultdict(set)
    for path in objects:
        workload = workload_of(path, folders)
        if workload is None:
            sys.exit(f"{path} belongs to no folder of {source / 'variants'}")
        for name in names_in(nm, path):
            definers[name].add(workload)
    lines = []
    for workload, folder in sorted(folders.items()):
        for name, path in declared_in(folder).items():
            others = definers[name] - {workload}
            if workload in definers[name] and others:
                lines.append(f"{path.relative_to(source)}: `{name}` is a name of "
                             f"{', '.join(sorted(others))} too")
    return lines


def plant(cxx, nm):
    """Two workloads with a class and a kernel of one name, a shared header, and names that differ."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        begin = "namespace camber {\ninline namespace on_host {\n"
        end = "}\n}\n"
        (root / "variants").mkdir()
        (root / "variants/shared.hpp").write_text(
            f"{begin}template <class T>\nstruct Shared {{\n    T f() {{ return 1; }}\n}};\n{end}")
        objects = []
        for workload in ("ice", "fire", "fire_two"):
            folder = root / "variants" / workload
            folder.mkdir()
            source = folder / f"{workload}.cu"
            kernel = "same_kernel" if workload != "fire_two" else "other_kernel"
            stage = "SameStage" if workload != "fire" else "OtherStage"
            source.write_text(
                f"#include \"variants/shared.hpp\"\n{begin}"
                f"struct {stage} {{\n    virtual ~{stage}() = default;\n}};\n"
                f"template <class T>\nstruct {workload}Fine {{\n    T f() {{ return 2; }}\n}};\n"
                f"template <class T>\n__global__ void __launch_bounds__(32, 2)\n"
                f"    {kernel}(T* p) {{\n    *p = sizeof(\"{workload}\");\n}}\n{end}"
                f"namespace camber::{workload} {{\nstruct Own {{\n    virtual ~Own() = default;\n"
                f"}};\n}}  // namespace camber::{workload}\n"
                f"int {workload}(int* p) {{\n    camber::{stage} s;\n    camber::{workload}::Own o;\n"
                f"    camber::{kernel}(p);\n"
                f"    return camber::Shared<int>().f() + camber::{workload}Fine<int>().f();\n}}\n")
            objects.append(str(root / f"variants_{workload}_x.o"))
            subprocess.run([cxx, "-std=c++20", "-x", "c++", "-D__global__=",
                            "-D__launch_bounds__(...)=", "-I", root, "-c", source, "-o",
                            objects[-1]], check=True)
        found = clashes(root, nm, objects)
    expected = ["variants/fire/fire.cu: `same_kernel` is a name of ice too",
                "variants/fire_two/fire_two.cu: `SameStage` is a name of ice too",
                "variants/ice/ice.cu: `SameStage` is a name of fire_two too",
                "variants/ice/ice.cu: `same_kernel` is a name of fire too"]
    if sorted(found) != expected:
        sys.exit("the planted clashes are not found as they are: " + "; ".join(found))


def main():
    source, cxx, nm, *objects = sys.argv[1:]
    plant(cxx, nm)
    found = clashes(pathlib.Path(source), nm, objects)
    print("\n".join(found) or f"no name in common in {len(objects)} objects")
    sys.exit(1 if found or not objects else 0)


main()
