"""A server of omniORBpy for the checks of a client: server.py FILE [ORB OPTION...]. Its stubs are in PYTHONPATH."""

import sys

from omniORB import CORBA, PortableServer, PortableServer__POA, any as anys

import Interop
import Interop__POA


class Caller(Interop__POA.Caller):
    def called(self, n):
        return 2 * n


class Types(Interop__POA.Types):
    """Each swap_ returns its arguments in another order, whatever their type."""

    def __init__(self):
        self.taken = {}

    def __getattr__(self, name):
        if not name.startswith("swap_"):
            raise AttributeError(name)
        return lambda low, value: (low, low, value)

    def take(self, name, value):
        self.taken[name] = value

    def give(self, name):
        return self.taken[name]

    def echo(self, value):
        return value

    def type_of(self, value):
        return value.typecode()


class Values(Interop__POA.Values):
    def same(self, value):
        return value

    pass_null = pass_graph = pass_derived = pass_large = pass_text = pass_numbers = pass_any = same

    def pass_shared(self, one, both):
        if one is not both.one or one is not both.two:
            raise Interop.Mismatch("shared")
        return both

    def pass_truncated(self, value, after):
        if after != 77 or type(value) is not Interop.Derived:
            raise Interop.Mismatch("truncated")
        return Interop.Wide(value.small, value.large, value.inner, value.data, value.last, Interop.Base(9), -1, "label")

    def type_of(self, value):
        return value.typecode()


class Calls(Interop__POA.Calls):
    def __init__(self):
        self.title, self.last = "", 0
        self.kinds = self.valued = self.own_giver = self.elsewhere = self.gone = None

    def _get_title(self):
        return self.title

    def _set_title(self, title):
        self.title = title

    def _get_kinds(self):
        return self.kinds

    def _get_valued(self):
        return self.valued

    def ping(self):
        pass

    def note(self, value):
        self.last = value

    def noted(self):
        return self.last

    def in_context(self, n, _unused, _context):
        return 3 * n

    def refuse(self, why, code):
        raise Interop.Refused(why, code) if code else Interop.Nothing()

    def fail(self):
        raise CORBA.NO_PERMISSION(7, CORBA.COMPLETED_MAYBE)

    def crash(self):
        raise ValueError("no clause has this")

    def call_back(self, other, n):
        return other.called(n) + 1

    def giver(self):
        return self.own_giver

    def same(self, reference):
        return reference

    def forwarded(self):
        return self.elsewhere

    def absent(self):
        return self.gone

    def any_of(self, other):
        return CORBA.Any(CORBA.TypeCode("IDL:Interop/Caller:1.0"), other)

    def call_any(self, other, n):
        return self.call_back(anys.from_any(other), n)

    def itself(self, value):
        return value

    pass_link = pass_wide = pass_narrow = echo_octets = echo_strings = itself


def forwarding(root, target):
    class Locator(PortableServer__POA.ServantLocator):
        def preinvoke(self, _id, _adapter, _operation):
            raise PortableServer.ForwardRequest(target)

        def postinvoke(self, _id, _adapter, _operation, _cookie, _servant):
            pass
    adapter = root.create_POA("forwarding", root._get_the_POAManager(),
                              [root.create_servant_retention_policy(PortableServer.NON_RETAIN),
                               root.create_request_processing_policy(PortableServer.USE_SERVANT_MANAGER)])
    locator = Locator()
    adapter.set_servant_manager(locator._this())
    return adapter.create_reference("IDL:Interop/Calls:1.0")._narrow(Interop.Calls)


def main():
    orb = CORBA.ORB_init(sys.argv, CORBA.ORB_ID)
    root = orb.resolve_initial_references("RootPOA")
    root._get_the_POAManager().activate()
    orb.unregister_value_factory("IDL:Interop/Wide:1.0")  # the servants know the others
    calls, kinds, valued, caller = Calls(), Types(), Values(), Caller()
    calls.kinds, calls.valued, calls.own_giver = kinds._this(), valued._this(), caller._this()
    reference = calls._this()
    calls.elsewhere = forwarding(root, reference)
    gone = Calls()
    calls.gone = gone._this()
    root.deactivate_object(root.servant_to_id(gone))
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write(orb.object_to_string(reference))
    print("ready", flush=True)
    orb.run()


main()
