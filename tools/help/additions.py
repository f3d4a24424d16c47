"""Texts of the manual pages that the programs' --help does not have."""

NAMES = {
    "takt": "tools for real-time CORBA",
    "takt-bridge": "pass requests on to other CORBA servers",
    "takt-call": "call any operation of an object, with JSON",
    "takt-describe": "show the operations of an interface, with examples",
    "takt-events": "serve event channels, and show what passes",
    "takt-idl": "compile OMG IDL to C++",
    "takt-idl-diff": "report what a change of IDL breaks",
    "takt-idl-format": "format IDL files in one style",
    "takt-idl-lsp": "serve an editor of IDL files",
    "takt-idl-rules": "list the rules of takt idl diff",
    "takt-idtable": "make a perfect hash table of object ids",
    "takt-ifr": "serve, fill and show an interface repository",
    "takt-ior": "show the contents of an object reference, and find faults in it",
    "takt-list": "list the operations of an object, or the interfaces of IDL files",
    "takt-metrics": "serve the state of ORBs to Prometheus",
    "takt-name": "list and change the bindings of a naming service",
    "takt-naming": "serve a CORBA naming service",
    "takt-options": "show the options of an ORB",
    "takt-ping": "call an object repeatedly and report round-trip times",
    "takt-rt": "check this machine's settings for real-time threads",
    "takt-schedule": "analyse and serve schedules of operations",
    "takt-top": "show the state of an ORB: queues, calls, durations",
    "takt-trace": "show traces over processes, and send them to a collector",
}

EXIT_STATUS = {
    "takt": [(0, "success"), (1, "the answer is no: an object does not answer, a deadline may be missed, a check found something"),
             (2, "the command line or an input cannot be used, or no ORB can be made")],
    "takt-call": [(0, "the operation returned"), (1, "a system exception, or a result that cannot be shown"),
                  (2, "the command line, the IDL or an argument cannot be used"),
                  (3, "the operation raised a user exception, which is on standard output")],
    "takt-idl": [(0, "success"), (1, "the IDL has errors"),
                 (2, "the command line cannot be used, or a file cannot be read or written")],
    "takt-idtable": [(0, "success"), (1, "the list has errors"),
                     (2, "the command line cannot be used, or a file cannot be read or written")],
}

EXAMPLES = {
    "takt": [("What an object reference says", "takt ior hello.ior"), ("The options of takt ping", "takt help ping")],
    "takt-bridge": [("A door for one object", "takt bridge --listen iiop://:2809 --to Hello=file:///run/hello.ior")],
    "takt-call": [("One call", "takt call hello.ior greet '\"World\"' --idl hello.idl"),
                  ("A thousand calls, and how long they took", "takt call hello.ior greet '\"World\"' --idl hello.idl --repeat 1000")],
    "takt-describe": [("The operations of an object whose server has -ORBReflection on", "takt describe hello.ior"),
                      ("The arguments of an operation, for a user to change", "takt describe greet --idl hello.idl --msg-template")],
    "takt-events": [("A channel for clients on other machines", "takt events serve --listen iiop://:11169 --channel weather"),
                    ("Who is connected, and what waits for whom", "takt events list"), ("What passes", "takt events watch weather")],
    "takt-idl": [("Stubs and skeletons of hello.idl, in the folder made", "takt-idl -o made hello.idl")],
    "takt-idl-diff": [("What breaks since the last release", "takt idl diff --against git#v1 idl")],
    "takt-idl-format": [("Whether the files of a folder are formatted", "takt idl format --check idl")],
    "takt-idl-lsp": [("The language server, as an editor starts it", "takt idl lsp -I idl")],
    "takt-idl-rules": [("The table", "takt idl rules")],
    "takt-idtable": [("The function known_ids() of the ids in a file", "takt-idtable --name known_ids ids.txt")],
    "takt-ifr": [("The definitions of two files", "takt ifr load hello.idl bank.idl"),
                 ("One of them, as IDL", "takt ifr show Hello::Greeter"),
                 ("The same for clients of any ORB", "takt ifr serve --listen iiop://:2811")],
    "takt-ior": [("What is wrong with a reference in a file", "takt ior --doctor hello.ior")],
    "takt-list": [("The interfaces of a file", "takt list --idl hello.idl"),
                  ("The operations of an object whose server has -ORBReflection on", "takt list hello.ior")],
    "takt-metrics": [("Two servers of this machine", "takt metrics unix:/run/one/admin unix:/run/two/admin")],
    "takt-name": [("The names in a naming service", "takt name tree corbaloc::localhost:2809/NameService")],
    "takt-naming": [("Names that last as long as the process", "takt naming --memory")],
    "takt-options": [("All options whose names contain TLS", "takt options TLS")],
    "takt-ping": [("Three calls to an object with a plain key", "takt ping --count 3 corbaloc::localhost:2809/Hello")],
    "takt-rt": [("Look at this machine for a minute", "takt rt check --seconds 60")],
    "takt-schedule": [("Which deadlines are met", "takt schedule analyse flight.toml")],
    "takt-top": [("A server of this machine", "takt top unix:/run/server/admin")],
    "takt-trace": [("The newest trace of two processes", "takt trace show client.spans server.spans"),
                   ("What is new, once a second, to a collector of this machine",
                    "takt trace export --interval 1s --otlp http://localhost:4318 client.spans server.spans")],
}


def see_also(name):
    near = [other for other in NAMES if name.startswith("takt-idl") and other.startswith("takt-idl")]
    return [other for other in sorted(NAMES) if other != name and (name == "takt" or other in ("takt", "takt-idl", "takt-ior", *near))]
