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
const probe = document.body.appendChild(document.createElement("span"));
// What is readable: text by its class against what it stands on, as WCAG 2 defines contrast.
function luminance(colour) {
  const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map(each => each / 255)
    .map(each => each <= 0.04045 ? each / 12.92 : Math.pow((each + 0.055) / 1.055, 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
function fill(type) {
  const rect = document.querySelector("svg").appendChild(document.createElementNS("http://www.w3.org/2000/svg", "rect"));
  rect.setAttribute("class", type);
  const colour = getComputedStyle(rect).fill;
  rect.remove();
  return colour;
}
const paper = getComputedStyle(document.body).backgroundColor;
const contrasts = {paragraph: contrast(getComputedStyle(document.querySelector("p")).color, paper),
                   body: contrast(getComputedStyle(document.body).color, paper), tick: contrast(fill("tick"), paper)};
for (const bar of ["c0", "c1", "c2", "c3", "c4", "c5"]) contrasts[bar] = contrast(fill("inside"), fill(bar));
const seen = {contrasts: contrasts, dark: luminance(paper) < 0.1, width: document.documentElement.scrollWidth, window: innerWidth,
  resources: performance.getEntriesByType("resource").map(each => each.name), sections: []};
for (const heading of document.querySelectorAll("h2")) {
  let next = heading.nextElementSibling;
  while (next && next.tagName != "H2" && next.className != "chart") next = next.nextElementSibling;
  const svg = next && next.className == "chart" ? next.querySelector("svg") : null;
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


def seen(folder, *options, browser=("--window-size=1200,900",)):
    """The browser's result for the page."""
    page = os.path.join(folder, "page.html")
    subprocess.run([TAKT, "schedule", "page", *OPERATIONS, "--output", page, *options], check=True, timeout=30)
    with open(page) as file:
        text = file.read()
    with open(page, "w") as file:
        file.write(text.replace("</body>", LOOK + "</body>"))
    done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           *browser, "--user-data-dir=" + os.path.join(folder, "profile"), "--dump-dom",
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
        self.check(page, ["Who runs when", "Processor utilisation", "Response times", "Dependencies"])
        for section, name in (0, "Avionics::Steering::command"), (2, "Avionics::Steering::command: "), (3, "command"):
            texts = page["sections"][section]["picture"]["texts"]
            self.assertTrue(any(text.startswith(name) for text in texts), texts)

    def test_its_texts_can_be_read_by_day_and_by_night(self):
        for scheme, dark in ("preferredColorScheme=0", True), ("preferredColorScheme=1", False):
            with tempfile.TemporaryDirectory() as folder:
                page = seen(folder, browser=("--window-size=1200,900", "--blink-settings=" + scheme))
            self.assertEqual(page["dark"], dark)
            for what, contrast in page["contrasts"].items():
                self.assertGreaterEqual(contrast, 4.5, what)

    # Charts scroll within their frames; the page itself does not.
    def test_on_a_phone_the_page_is_as_wide_as_the_window(self):
        with tempfile.TemporaryDirectory() as folder:
            page = seen(folder, browser=("--window-size=500,900",))
        self.assertLessEqual(page["window"], 500)
        self.assertLessEqual(page["width"], page["window"])
        self.check(page, ["Who runs when", "Processor utilisation", "Response times", "Dependencies"])

    def test_an_overloaded_schedule_shows_its_first_miss(self):
        with tempfile.TemporaryDirectory() as folder:
            operations, page = os.path.join(folder, "over.toml"), os.path.join(folder, "page.html")
            with open(operations, "w") as file:
                file.write('[[operation]]\nname = "a"\nwcet = "12 ms"\nperiod = "20 ms"\n'
                           '[[operation]]\nname = "b"\nwcet = "24 ms"\nperiod = "40 ms"\n')
            environment = dict(os.environ, SOURCE_DATE_EPOCH="86400")
            done = subprocess.run([TAKT, "schedule", "page", operations, "--output", page], timeout=30, env=environment)
            self.assertEqual(done.returncode, 1, "as analyse says it")
            with open(page) as file:
                text = html.unescape(file.read())
        self.assertIn("deadlines are missed", text)
        self.assertIn("The first is missed at 40 ms, by 'b'.", text)
        self.assertIn('class="missed"', text)
        self.assertIn(f"on 1970-01-02 00:00 UTC from {operations}, with: takt schedule page {operations} --output", text)

    def test_a_run_is_shown_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            run = os.path.join(folder, "run.json")
            names = "Navigation::update", "Steering::command", "Display::draw", "Maintenance::log"
            with open(run, "w") as file:
                figures = {"count": 10, "missed": 0, "left_out": 0, "shortest_ns": 10_000_000, "median_ns": 10_000_000,
                           "p99_ns": 11_000_000, "longest_ns": 12_000_000}
                json.dump({"run_record": 1, "operations": [{"operation": "Avionics::" + name, "responses": figures}
                                                           for name in names]}, file)
            page = seen(folder, "--measured", run)
        self.check(page, ["Predicted and measured", "Who runs when", "Processor utilisation", "Response times",
                          "Dependencies"])


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: there is no chromium to lay the page out")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
