"""Object references as octets, in either byte order."""

import struct


class Encapsulation:
    """A CDR encapsulation, from its byte order octet on."""

    def __init__(self, little=False):
        self.octets = bytearray([1 if little else 0])
        self.order = "<" if little else ">"

    def number(self, letter, value):
        size = struct.calcsize("=" + letter)
        self.octets += bytes(-len(self.octets) % size) + struct.pack(self.order + letter, value)
        return self

    def octet(self, value):
        return self.number("B", value)

    def ushort(self, value):
        return self.number("H", value)

    def short(self, value):
        return self.number("h", value)

    def ulong(self, value):
        return self.number("I", value)

    def sequence(self, octets):
        self.ulong(len(octets))
        self.octets += octets
        return self

    def string(self, text):
        return self.sequence(text.encode("latin-1") + b"\0")

    def __bytes__(self):
        return bytes(self.octets)


def profile(host, port, key, components=(), minor=2, little=False):
    """The body of an IIOP profile."""
    body = Encapsulation(little).octet(1).octet(minor).string(host).ushort(port).sequence(key)
    if minor:
        body.ulong(len(components))
        for tag, data in components:
            body.ulong(tag).sequence(bytes(data))
    return 0, bytes(body)


def ior(type_id, profiles, little=False):
    octets = Encapsulation(little).string(type_id).ulong(len(profiles))
    for tag, data in profiles:
        octets.ulong(tag).sequence(data)
    return "IOR:" + bytes(octets).hex()
