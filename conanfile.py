"""The recipe for Conan 2: docs/user/installing.md, "Build systems". It builds this copy of the sources, with the libraries of the Debian
packages that script/packages.txt lists, as script/bootstrap --build installs them: Conan's own builds of them are not used."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import load
from conan.tools.system.package_manager import Apt


class Takt(ConanFile):
    name = "takt"
    license = "Apache-2.0"
    description = "A real-time CORBA ORB endsystem"
    topics = ("corba", "orb", "real-time", "giop", "idl")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}
    exports = "CMakeLists.txt", "script/packages.txt"
    exports_sources = "*", "!build/*", "!build-*/*", "!.git/*"
    test_package_folder = "tests/conan"

    def set_version(self):
        self.version = re.search(r"project\(Takt VERSION ([\d.]+)", load(self, os.path.join(self.recipe_folder, "CMakeLists.txt")))[1]

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("Takt runs on Linux alone")

    def system_requirements(self):
        lines = load(self, os.path.join(self.recipe_folder, "script", "packages.txt")).splitlines()
        build = lines[lines.index("--build") + 1:]
        end = next(number for number, line in enumerate(build) if line.startswith("--"))
        Apt(self).install([line for line in build[:end] if line and not line.startswith("#")], check=True)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self, generator="Ninja")
        for other in ("TESTS", "EXAMPLES", "BENCH"):
            toolchain.cache_variables[f"TAKT_BUILD_{other}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # Takt's own files for CMake and pkg-config are used.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Takt")]
        self.cpp_info.bindirs = ["bin"]
        self.buildenv_info.prepend_path("PKG_CONFIG_PATH", os.path.join(self.package_folder, "lib", "pkgconfig"))
