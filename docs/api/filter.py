#!/usr/bin/env python3
"""filter.py HEADER: the header with comments that doxygen reads. Comments of Takt are plain ones, with //.

A comment directly above code describes that code, one at the end of a line describes what is declared there, and the first one
of a file describes the file. A comment above an empty line describes nothing in particular and stays as it is. Each line of
the header stays one line, so that doxygen's line numbers are right."""

import re
import sys

ONLY = re.compile(r"^(\s*)//(?!/) ?(.*)$")
TRAILING = re.compile(r"""^((?:[^"'/]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<=\w)'|/(?!/))*\S)(\s+)// ?(.*)$""")


def text_of(comment):
    """The comment's text without meaning for doxygen, but for code between backquotes."""
    text = comment.replace("\\", "\\\\").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    text = text.replace("#", "\\#").replace("&\\#64;", "&#64;").replace("%", "\\%")
    text = re.sub(r"(?<!\w)::", r"\\::", text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def filtered(lines):
    made, number = [], 0
    while number < len(lines):
        only = ONLY.match(lines[number])
        if not only:
            trailing = not lines[number].lstrip().startswith("}") and TRAILING.match(lines[number])
            column = trailing and len(trailing[1] + trailing[2])
            made.append(f"{trailing[1]}{trailing[2]}///< {text_of(trailing[3])}" if trailing else lines[number])
            number += 1
            while trailing and number < len(lines) and (more := ONLY.match(lines[number])) and len(more[1]) == column:
                made.append(f"{more[1]}///< {text_of(more[2])}")
                number += 1
            continue
        end = number
        while end < len(lines) and ONLY.match(lines[end]):
            end += 1
        block = [ONLY.match(line) for line in lines[number:end]]
        if number == 0 and lines[end:end + 1] == ["#pragma once"]:
            made += [f"{each[1]}/// {text_of(each[2])}" for each in block] + ["/// @file"]
            end += 1
        elif end < len(lines) and lines[end].strip() and not lines[end].lstrip().startswith(("}", "#", "public:", "private:", "protected:")):
            made += [f"{each[1]}/// {text_of(each[2])}" for each in block]
        else:
            made += lines[number:end]
        number = end
    return made


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        print("\n".join(filtered(header.read().splitlines())))
