"""Calls of omniORBpy at a server with the interfaces of idl/calls.idl: client.py REFERENCE [ORB OPTION...]. Its stubs are in PYTHONPATH.
Prints a line for each check, as the other clients do."""

import sys

from omniORB import CORBA, any as anys, fixed

import Interop
import Interop__POA

RED, GREEN, BLUE = Interop.red, Interop.green, Interop.blue
LOW = Interop.Record(0, -0.5, -1, -2, "a", -3)
HIGH = Interop.Record(255, 1e300, 32767, 9223372036854775807, "z", 2147483647)
OCTETS, STRINGS = bytes((0, 1, 127, 128, 255)), [["a", ""], [], ["bcd"]]
# The samples that the server compares with, as in takt/samples.h: by the name of the swap_ operation, low and high.
SAMPLES = {
    "boolean": (False, True), "octet": (0, 255), "short": (-32768, 32767), "ushort": (0, 65535), "long": (-2147483648, 2147483647),
    "ulong": (0, 4294967295), "longlong": (-9223372036854775808, 9223372036854775807), "ulonglong": (0, 18446744073709551615),
    "char": ("\1", "~"), "double": (-sys.float_info.max, sys.float_info.max), "string": ("", "a string"),
    "wstring": ("", "Za\u017c\u00f3\u0142\u0107 \u65e5\u672c \u20ac"), "text": ("Gr\u00fc\u00dfe", "Za\u017c\u00f3\u0142\u0107 \u65e5\u672c \u20ac"),
    "word": ("", "words"), "money": (fixed("-99999999999999.9999"), fixed("1234.5")), "colour": (RED, BLUE), "record": (LOW, HIGH),
    "octets": (b"", OCTETS), "doubles": ([], [0.25, -1e300, 3.0]), "flags": ([], [True, False, True]), "table": ([], STRINGS),
    "records": ([], [LOW, HIGH, LOW]), "few": ([], [-32768, 0, 32767]),
    "variable": (Interop.Variable("", b"", RED, [], False), Interop.Variable("variable", OCTETS, GREEN, [LOW, HIGH, LOW], True)),
    "choice": (Interop.Choice(-1, -5), Interop.Choice(3, "chosen")), "fallback": (Interop.Choice(2, ""), Interop.Choice(0, HIGH)),
}


def require(holds, what):
    if not holds:
        raise AssertionError(what)


def same(one, other):
    """Equal values; structs and unions have no equality of their own."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "_NP_RepositoryId") and hasattr(one, "__dict__"):
        return type(one) is type(other) and same(sorted(vars(one).items()), sorted(vars(other).items()))
    return str(one) == str(other) if isinstance(one, type(fixed("1"))) else one == other


def raised(kind, call):
    try:
        call()
    except kind as exception:
        return exception
    raise AssertionError(f"no {kind.__name__}")


class Caller(Interop__POA.Caller):
    def called(self, n):
        return 2 * n


def check_calls(calls, check):
    def attribute():
        calls._set_title("a title")
        require(calls._get_title() == "a title", "another value")

    def user():
        refused = raised(Interop.Refused, lambda: calls.refuse("why not", -7))
        require((refused.why, refused.code) == ("why not", -7), "members differ")
        raised(Interop.Nothing, lambda: calls.refuse("", 0))

    def system():
        failure = raised(CORBA.NO_PERMISSION, calls.fail)
        require((failure.minor, failure.completed) == (7, CORBA.COMPLETED_MAYBE), "minor or completion differs")
        raised(CORBA.UNKNOWN, calls.crash)
        raised(CORBA.OBJECT_NOT_EXIST, lambda: calls.absent().ping())

    def references():
        require([calls.call_back(Caller()._this(), n) for n in range(10)] == [2 * n + 1 for n in range(10)], "another number")
        require(calls.giver().called(21) == 42, "another number of the giver")
        require(calls.same(calls)._is_equivalent(calls) and calls.same(None) is None, "another object")
        back = calls.pass_link(Interop.Link(7, calls.giver(), None))
        require((back.o, back.to.called(4), back.nobody) == (7, 8, None), "another member")
        calls.forwarded().ping()
        require(calls._is_a("IDL:Interop/Calls:1.0") and calls.absent()._non_existent(), "it is not what it is")

    def sizes():
        for size in (0, 1000, 8190, 65536, 1048577):
            octets = bytes(i * 31 % 256 for i in range(size))
            require(calls.echo_octets(octets) == octets, f"other octets of {size}")
        texts = ["x" * (i % 13) + str(i) for i in range(3000)]
        require(calls.echo_strings(texts) == texts, "other strings")

    def texts():
        for call in (calls.pass_wide, calls.pass_narrow):  # a character beyond the basic plane
            require(call("a\U0001d11eb") == "a\U0001d11eb", "another text")
    for one in (calls.ping, attribute, user, system, references, sizes, texts):
        check("call." + one.__name__, one)


def check_types(types, check):
    def swap(name, low, high):
        result = getattr(types, "swap_" + name)(low, high)
        require(same(result, (low, low, high)), f"another value: {result}")

    def give(name, high):
        value = types.give(name)
        require(same(value.value(), high), f"another value: {value}")
        types.take(name, value)
        back = types.echo(value)
        require(same(back.value(), high) and back.typecode().equal(value.typecode()), "the echo differs")
        require(types.type_of(value).equal(value.typecode()), "the TypeCode differs")
    # omniORBpy sends a wchar, but cannot read one, from omniORBpy either.
    check("any.wchar", lambda: types.take("wchar", CORBA.Any(CORBA.TC_wchar, "\u20ac")))
    for name, (low, high) in SAMPLES.items():
        check("type." + name, lambda name=name, low=low, high=high: swap(name, low, high))
        check("any." + name, lambda name=name, high=high: give(name, high))


def node(number):
    return Interop.Node(number, str(number), None, [])


def graph():
    first, second, third = map(node, (1, 2, 3))
    first.next, second.next, third.next = second, third, first
    first.others = [second, None, second]
    return first


def is_graph(first):
    second, third = first.next, first.next.next
    return (first.number, second.number, third.number, third.name) == (1, 2, 3, "3") and third.next is first \
        and first.others[0] is second and first.others[1] is None and first.others[2] is second


MEMBERS_OF_DERIVED = (7, 2.5, Interop.Derived(8, -0.5, None, b"", ""), b"\1\2\3", "last")


def derived():
    return Interop.Derived(*MEMBERS_OF_DERIVED)


def wide():
    return Interop.Wide(*MEMBERS_OF_DERIVED, Interop.Base(9), -1, "label")


def check_values(values, check):
    def shared():
        one = node(7)
        back = values.pass_shared(one, Interop.Pair(one, 9, one))
        require(back.one is back.two and (back.one.number, back.between) == (7, 9), "another pair")

    def passes_derived():
        back = values.pass_derived(derived())
        require(type(back) is Interop.Derived and (back.small, back.last, back.inner.large) == (7, "last", -0.5), "another value")

    def truncated():
        back = values.pass_truncated(wide(), 77)
        require(type(back) is Interop.Derived and (back.small, back.last, back.inner.large) == (7, "last", -0.5), "another value")

    def in_any():
        raised(Interop.Mismatch, lambda: values.pass_any(anys.to_any(7)))
        require(values.type_of(anys.to_any(7)).kind() == CORBA.tk_long, "another type")
    check("value.null", lambda: require(values.pass_null(None) is None, "a value"))
    check("value.graph", lambda: require(is_graph(values.pass_graph(graph())), "another graph"))
    check("value.shared", shared)
    check("value.derived", passes_derived)
    check("value.truncated", truncated)
    check("value.text", lambda: require(values.pass_text("boxed") == "boxed", "another text"))
    check("value.numbers", lambda: require(values.pass_numbers([1, -2, 3]) == [1, -2, 3], "other numbers"))
    check("value.any", in_any)


def main():
    orb = CORBA.ORB_init(sys.argv, CORBA.ORB_ID)
    orb.unregister_value_factory("IDL:Interop/Wide:1.0")  # as in the other clients
    orb.resolve_initial_references("RootPOA")._get_the_POAManager().activate()
    calls = orb.string_to_object(sys.argv[1])._narrow(Interop.Calls)

    def check(name, body):
        try:
            body()
            print("PASS", name)
        except Exception as failure:  # pylint: disable=broad-except
            print(f"FAIL {name}: {type(failure).__name__} {failure}")
    check_calls(calls, check)
    check_types(calls._get_kinds(), check)
    check_values(calls._get_valued(), check)


main()
