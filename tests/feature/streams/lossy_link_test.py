"""lossy_link_test.py TAKT EXAMPLE: a flow over the example's link, whose losses are counted and drawn."""

import os
import re
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(folder, "page.html")
    done = subprocess.run([sys.executable, sys.argv[2], sys.argv[1], "--seconds", "1.5", "--loss", "5", "--page", page, "--", "--rate", "100",
                           "--size", "5k"], capture_output=True, text=True, timeout=100, check=False)
    if done.returncode == 77:
        sys.exit(77)
    assert done.returncode == 0, done.stdout + done.stderr
    figures = {name: int(number) for name, number in re.findall(r"(\w+): (\d+)\n", done.stdout)}
    assert figures["frames"] > 0 and figures["lost"] > 0 and figures["incomplete"] > 0 and figures["refused"] == 0, done.stdout
    with open(page, encoding="utf-8") as file:
        assert 'class="bad"' in file.read(), "losses are drawn"
