"""What `conan create .` tries the package with: it builds examples/hello by find_package(Takt), and a call passes."""

import os
import subprocess

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class TestTakt(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=os.path.join(self.source_folder, "..", "..", "examples", "hello"))
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        with subprocess.Popen([os.path.join(self.build_folder, "hello_server")], stdout=subprocess.PIPE, text=True) as server:
            try:
                client = [os.path.join(self.build_folder, "hello_client"), server.stdout.readline().strip(), "Conan"]
                said = subprocess.run(client, capture_output=True, text=True, timeout=30, check=True).stdout
            finally:
                server.kill()
        if said != "Hello, Conan!\n":
            raise AssertionError(f"the client of the package printed {said!r}")
