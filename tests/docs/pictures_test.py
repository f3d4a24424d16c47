#!/usr/bin/env python3
"""pictures_test.py FOLDER: in a browser, each text of the pictures in FOLDER lies within its box and within the picture, and no other
text, border or arrow crosses it. Without chromium, says so and exits with 77."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = sys.argv.pop(1)
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

LOOK = """<script>
const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
// Letters are lower than the box that the browser gives them.
function box(text) {
  const all = text.getBoundingClientRect(), size = parseFloat(getComputedStyle(text).fontSize);
  const middle = (all.top + all.bottom) / 2;
  return {left: all.left, right: all.right, top: middle - 0.35 * size, bottom: middle + 0.3 * size};
}
// Those of a line that no box hides, which is drawn later.
function points(path) {
  const all = [], length = path.getTotalLength(), to = path.getScreenCTM();
  const later = [...path.closest("svg").querySelectorAll("rect")].filter(
    each => path.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING).map(each => each.getBoundingClientRect());
  for (let i = 0; i <= 400; ++i) {
    const p = path.getPointAtLength(length * i / 400).matrixTransform(to);
    if (!later.some(each => p.x > each.left && p.x < each.right && p.y > each.top && p.y < each.bottom)) all.push(p);
  }
  return all;
}
const found = [];
for (const svg of document.querySelectorAll("svg")) {
  const say = (text, what) => found.push(svg.parentElement.id + ": '" + text.textContent + "' " + what);
  const frame = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")];
  const boxes = [...svg.querySelectorAll("rect")].map(each => each.getBoundingClientRect());
  const arrows = [...svg.querySelectorAll("path")].filter(each => !each.closest("marker")).map(points);
  texts.forEach((text, i) => {
    const own = box(text);
    if (!inside(own, frame)) say(text, "is cut at the edge of the picture");
    if (boxes.some(each => meet(own, each) && !inside(own, each))) say(text, "crosses the border of a box");
    if (texts.some((other, k) => k > i && meet(own, box(other)))) say(text, "lies upon another text");
    if (arrows.some(each => each.some(p => p.x > own.left && p.x < own.right && p.y > own.top && p.y < own.bottom)))
      say(text, "is crossed by a line");
  });
}
document.body.innerHTML = "<pre id=seen></pre>";
document.getElementById("seen").textContent = JSON.stringify(found);
</script>"""


class Pictures(unittest.TestCase):
    maxDiff = None

    def test_texts_are_where_they_can_be_read(self):
        names = sorted(glob.glob(os.path.join(FOLDER, "*.svg")))
        names.remove(os.path.join(FOLDER, "streams-flow.svg"))  # a program has drawn it
        self.assertGreater(len(names), 5)
        page = "<!doctype html><meta charset=utf-8><body>"
        for name in names:
            with open(name, encoding="utf-8") as file:
                page += f'<div id="{os.path.basename(name)}" style="width:900px">{file.read()}</div>'
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pictures.html")
            with open(path, "w", encoding="utf-8") as file:
                file.write(page + LOOK)
            done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                   "--user-data-dir=" + os.path.join(folder, "profile"), "--dump-dom", "file://" + path],
                                  capture_output=True, text=True, timeout=90, check=False)
        seen = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
        self.assertIsNotNone(seen, done.stderr[-2000:])
        self.assertEqual(json.loads(seen[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")), [])


if __name__ == "__main__":
    if not BROWSER:
        print("chromium is not installed")
        sys.exit(77)
    unittest.main()
