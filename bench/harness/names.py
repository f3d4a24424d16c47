"""Options with comma-separated names."""

import argparse


def add_names(parser, option, known, what, default=None):
    """An option that lists some of `known`, or all if there is no default; its value is a list."""
    def listed(text):
        names = text.split(",") if text else []
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(f"unknown {what} {', '.join(unknown)}; known: {', '.join(known)}")
        return names

    default = ",".join(known) if default is None else default
    parser.add_argument(option, type=listed, default=default, metavar=option[2:].upper(),
                        help=f"some of {', '.join(known)}" + (f"; default: {default}" if default else ""))
