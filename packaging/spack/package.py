"""Spack recipe of camber. Nobody here has run it: names of dependencies and options follow the
CMakeLists.txt of this version, and no published archive exists yet, so that it installs from a clone:

    spack dev-build camber@0.1.0
"""
from spack.package import *


class Camber(CMakePackage, CudaPackage):
    """Benchmark harness for memory access techniques of cellular automata on GPUs; also gates the
    memory traffic of CUDA kernels without a GPU."""

    license("MIT")

    version("0.1.0")

    variant("mpi", default=False, description="Several processes with MPI")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("benchmark@1.7:")
    depends_on("cli11@2:")
    depends_on("fmt@9:")
    depends_on("libpng")
    depends_on("nlohmann-json@3.11:")
    depends_on("cuda@12.6:", when="+cuda")
    depends_on("mpi", when="+mpi")
    # Compiles kernels from files for the executor.
    depends_on("gcc@12:", type="run")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("CAMBER_TESTS", False),
            self.define("CAMBER_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", not self.spec.satisfies("+mpi")),
        ]
        if self.spec.satisfies("+cuda"):
            architectures = self.spec.variants["cuda_arch"].value
            if "none" not in architectures:
                args.append(self.define("CMAKE_CUDA_ARCHITECTURES", list(architectures)))
        return args

    @property
    def build_targets(self):
        return ["camber-complete"]
