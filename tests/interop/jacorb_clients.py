"""Clients of services with JacORB's stubs: the programs of the folder jacorb_services."""

import os
import shutil
import subprocess


class JacOrb:
    """Builds the programs, or has `missing` with the reason why there are none."""

    def __init__(self, build):
        self.folder, self.missing = os.path.join(build, "tests", "interop", "jacorb_services"), None
        for tool in ("mvn", "javac"):
            if not shutil.which(tool):
                self.missing = tool + " is not installed"
                return
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jacorb_services", "build")
        made = subprocess.run([script, self.folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.missing = (made.stdout.strip().splitlines() or ["it cannot be built"])[-1] if made.returncode else None

    def command(self, *words):
        """The command line of a program and its arguments."""
        properties = {"org.omg.CORBA.ORBClass": "org.jacorb.orb.ORB", "org.omg.CORBA.ORBSingletonClass": "org.jacorb.orb.ORBSingleton",
                      "OAIAddr": "127.0.0.1", "jacorb.log.default.verbosity": "0", "org.slf4j.simpleLogger.defaultLogLevel": "off"}
        return ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{self.folder}/classes:{self.folder}/lib/*",
                *(f"-D{name}={value}" for name, value in properties.items()), *words]
