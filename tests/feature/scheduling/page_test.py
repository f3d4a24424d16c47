"""`takt schedule page` as a browser renders it: page_test.py TAKT OPERATIONS.toml ...

Without chromium, says so and exits with 77.
"""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TAKT, *OPERATIONS = sys.argv[1:]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

# Added to a copy of the page: the positions of elements as JSON.
LOOK = """<pre id="seen"></pre><script>
const seen = {resources: performance.getEntriesByType("resource").map(each => each.name), sections: []};
for (const heading of document.querySelectorAll("h2")) {
  let next = heading.nextElementSibling;
  while (next && next.tagName != "H2" && next.tagName != "svg") next = next.nextElementSibling;
  const svg = next && next.tagName == "svg" ? next : null;
  const section = {title: heading.textContent, picture: null, outside: []};
  if (svg) {
    const frame = svg.getBoundingClientRect();
    section.picture = {width: frame.width, height: frame.height, rects: svg.querySelectorAll("rect").length,
                       texts: [...svg.querySelectorAll("text")].map(each => each.textContent)};
    for (const each of svg.querySelectorAll("text, rect")) {
      const box = each.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
          box.bottom > frame.bottom + 1)
        section.outside.push(each.tagName + " " + each.textContent);
    }
  }
  seen.sections.push(section);
}
document.getElementById("seen").textContent = JSON.stringify(seen);
</script>"""


def seen(folder, *options):
    """The browser's result for the page; None if the browser failed."""
    page = os.path.join(folder, "page.html")
    subprocess.run([TAKT, "schedule", "page", *OPERATIONS, "--output", page, *options], check=True, timeout=30)
    with open(page) as file:
        text = file.read()
    with open(page, "w") as file:
        file.write(text.replace("</body>", LOOK + "</body>"))
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           "--window-size=1200,900", "--user-data-dir=" + os.path.join(folder, "profile"), "--dump-dom",
                           "file://" + page], capture_output=True, text=True, timeout=90)
    found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    if not found:
        raise AssertionError(f"{BROWSER} has made nothing of the page: {done.stderr[-2000:]}")
    return json.loads(html.unescape(found[1]))


class Page(unittest.TestCase):
    def check(self, page, titles):
        self.assertEqual(page["resources"], [], "it loads nothing else")
        self.assertEqual([section["title"] for section in page["sections"]], titles)
        for section in page["sections"]:
            picture = section["picture"]
            self.assertIsNotNone(picture, section["title"] + " has a picture")
            self.assertGreater(picture["width"], 300, section["title"])
            self.assertGreater(picture["height"], 30, section["title"])
            self.assertGreater(picture["rects"], 2, section["title"])
            self.assertEqual(section["outside"], [], section["title"] + ": nothing is cut off")

    def test_every_section_has_its_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            page = seen(folder)
        self.check(page, ["Who runs when", "Use of processors", "Response times", "Dependencies"])
        for section in (0, 2, 3):
            texts = " ".join(page["sections"][section]["picture"]["texts"])
            self.assertIn("Steering::command", texts)

    def test_a_run_is_shown_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            run = os.path.join(folder, "run.json")
            names = "Navigation::update", "Steering::command", "Display::draw", "Maintenance::log"
            with open(run, "w") as file:
                json.dump({"operations": [{"entry_point": "Avionics::" + name, "jobs": 10, "misses": 0,
                                           "median_ns": 10_000_000, "p99_ns": 11_000_000, "longest_ns": 12_000_000,
                                           "jitter_ns": 2_000_000} for name in names]}, file)
            page = seen(folder, "--measured", run)
        self.check(page, ["Predicted and measured", "Who runs when", "Use of processors", "Response times",
                          "Dependencies"])


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: there is no chromium to lay the page out")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
