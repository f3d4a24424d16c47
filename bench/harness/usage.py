"""usage.py FILE COMMAND...: runs the command, and writes its processor time: user, system, in seconds."""

import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    file.write(f"{used.ru_utime} {used.ru_stime}\n")
sys.exit(status)
