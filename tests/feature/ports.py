"""Ports for the servers of tests."""

import socket


def free_port():
    """A TCP port of loopback that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
