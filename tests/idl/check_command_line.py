#!/usr/bin/env python3
"""takt-idl's options: exit status, dependency file, names of the output files.

usage: check_command_line.py TAKT_IDL FOLDER_OF_ITS_OWN_IDL
"""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SECONDS = 20  # a watchdog, not a measure


class Check:
    def __init__(self, compiler, folder):
        self.compiler, self.folder, self.failures = compiler, folder, 0

    def run(self, *options):
        return subprocess.run([self.compiler, *options], cwd=self.folder, capture_output=True, text=True,
                              timeout=SECONDS)

    def expect(self, what, condition, done):
        if not condition:
            self.failures += 1
            print(f"{what}: status {done.returncode}\n{done.stdout or ''}{done.stderr or ''}")


def state_of(process):
    """The letter that the kernel has for it, as S if it sleeps; empty if it is gone."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0].replace("Z", "")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def comes_true(condition):
    end = time.monotonic() + SECONDS
    while not condition() and time.monotonic() < end:
        time.sleep(0.001)
    return bool(condition())


def preprocessor_that_waits(check):
    """A compiler that is stopped, so that its preprocessor waits for it to read; the preprocessor is 0 if it has ended before."""
    compiler = subprocess.Popen([check.compiler, "--check", "huge.idl"], cwd=check.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
    children = pathlib.Path(f"/proc/{compiler.pid}/task/{compiler.pid}/children")
    if not comes_true(lambda: children.read_text() or state_of(compiler.pid) == ""):
        raise TimeoutError("no preprocessor is started")
    started = children.read_text().split() if state_of(compiler.pid) else []
    if not started:
        return compiler, 0
    compiler.send_signal(signal.SIGSTOP)
    comes_true(lambda: state_of(started[0]) in ("", "S"))
    return compiler, started[0] if state_of(started[0]) == "S" else 0


def check_killed(check):
    (check.folder / "huge.idl").write_text("".join(f"struct S{i} {{ long a; }};\n" for i in range(200_000)))
    for _ in range(20):
        compiler, preprocessor = preprocessor_that_waits(check)
        compiler.kill()
        compiler.wait()
        if preprocessor:
            break
    check.expect("a preprocessor that waits for its compiler", preprocessor, compiler)
    check.expect("the preprocessor ends after a compiler that was killed", comes_true(lambda: not state_of(preprocessor)),
                 compiler)


def check_schedules(check):
    folder = check.folder
    plain = "interface Flight { void steer(); };\n"
    annotated = plain.replace("void", '@period("20 ms") @priority(5) @calls("::Other::op") void')
    for name, text in ("plain", plain), ("annotated", annotated):
        (folder / name).mkdir()
        (folder / name / "flight.idl").write_text(text)
        check.run("-o", f"{name}/out", f"{name}/flight.idl")
    written = [{path.name: path.read_text() for path in (folder / name / "out").glob("*")}
               for name in ("plain", "annotated")]
    done = check.run("--schedule", "-o", "annotated/out", "annotated/flight.idl")
    check.expect("annotations that nobody asked for leave the code as it is",
                 len(written[0]) == 4 and written[0] == written[1], done)
    schedule = folder / "annotated" / "out" / "flight.schedule.toml"
    check.expect("--schedule", done.returncode == 0 and schedule.read_text() ==
                 '# Made by takt-idl from flight.idl; changes will be lost.\n\n[[operation]]\n'
                 'name = "Flight::steer"\nperiod = "20 ms"\ncalls = ["Other::op"]\n', done)
    check.expect("--schedule, in C++", '.name = "Flight::steer"' in
                 (folder / "annotated" / "out" / "flight_schedule.h").read_text(), done)
    done = check.run("--schedule", "-o", "none", "plain/flight.idl")
    check.expect("--schedule without annotations", done.returncode == 1 and "@period" in done.stderr and
                 not (folder / "none").exists(), done)


def check_asynchronous(check):
    """What --ami adds: the annotation, pragma and option choose interfaces, the base of another file too."""
    write = lambda name, text: (check.folder / name).write_text(text)
    header = lambda folder, name: (check.folder / folder / name).read_text()
    write("based.idl", "interface Base { void op(); };\n")
    write("some.idl", '#pragma corba_ami "M::Second"\n#include "based.idl"\nmodule M { @ami interface First { void op(); };\n'
          "interface Second { void op(); }; interface Third { void op(); oneway void fire(); }; };\n")
    done = check.run("-o", "chosen", "some.idl")
    text = header("chosen", "someC.h")
    check.expect("@ami and #pragma corba_ami", done.returncode == 0 and "AMI_FirstHandler" in text and
                 "AMI_SecondHandler" in text and "AMI_ThirdHandler" not in text, done)
    done = check.run("--ami", "-o", "all", "some.idl")
    text = header("all", "someC.h")
    check.expect("--ami", done.returncode == 0 and "AMI_ThirdHandler" in text and "sendc_op" in text and
                 "sendc_fire" not in text and "class AMI_BaseHandler" not in text, done)
    write("excluded.idl", "@ami(FALSE) interface Alone { void op(); };\ninterface Other { void op(); };\n")
    check.run("--ami", "-o", "excluded", "excluded.idl")
    text = header("excluded", "excludedC.h")
    check.expect("@ami(FALSE)", "AMI_OtherHandler" in text and "AMI_AloneHandler" not in text, done)
    write("derived.idl", '#include "based.idl"\n@ami interface Derived : Base { void more(); };\n')
    done = check.run("-o", "derived", "derived.idl")
    check.expect("a base of another file without --ami", done.returncode == 1 and "use --ami for both files" in done.stderr,
                 done)
    done = check.run("--ami", "-o", "derived", "derived.idl")
    check.expect("a base of another file with --ami", done.returncode == 0 and
                 "class AMI_DerivedHandler : public virtual AMI_BaseHandler" in header("derived", "derivedC.h"), done)
    write("taken.idl", '#pragma prefix "p"\nmodule M { interface AMI_FooHandler {}; @ami interface Foo { void op(); }; };\n')
    check.run("-o", "taken", "taken.idl")
    source = header("taken", "takenC.cpp")
    check.expect("a handler's name that is taken", '"IDL:p/M/AMI_AMI_FooHandler:1.0"' in source, done)
    done = check.run("--ami", "--mapping", "classic", "-o", "classic", "based.idl")
    check.expect("--ami in the classic mapping", done.returncode == 0 and "virtual void sendc_op(" in header("classic", "basedC.h"), done)


def check_recursive(check):
    """Types that all contain each other need output and time of a power of their number, not of its factorial."""
    count = 14
    values = range(count)
    (check.folder / "values.idl").write_text("".join(f"valuetype V{i};\n" for i in values) + "".join(
        f"valuetype V{i} {{ {' '.join(f'public V{k} m{k};' for k in values)} }};\n" for i in values) +
        "interface Uses { V0 take(in V5 five); };\n")
    (check.folder / "structs.idl").write_text("".join(f"struct S{i};\ntypedef sequence<S{i}> Q{i};\n" for i in values) + "".join(
        f"struct S{i} {{ {' '.join(f'Q{k} m{k};' for k in values)} }};\n" for i in values) +
        "interface Uses { Q0 take(in S5 five); };\n")
    for file in ("values.idl", "structs.idl"):
        done = check.run("-o", "recursive", file)
        octets = sum(made.stat().st_size for made in (check.folder / "recursive").glob(f"{pathlib.Path(file).stem}*"))
        check.expect(f"{file}: types that all contain each other: {octets} octets", done.returncode == 0 and 0 < octets < 1_000_000, done)


def check_diamonds(check):
    """Interfaces that reach one base by 2 to the power of 40 ways need no time of that order."""
    lines = ["interface A0 { void op(); };", "interface B0 : A0 {};"]
    for i in range(1, 40):
        lines += [f"interface {name}{i} : A{i - 1}, B{i - 1} {{}};" for name in "AB"]
    (check.folder / "diamonds.idl").write_text("\n".join(lines) + "\ninterface Last : A39 { struct Own { long x; }; Own get(); };\n")
    done = check.run("-o", "diamonds", "diamonds.idl")
    check.expect("a diamond of diamonds", done.returncode == 0, done)


def check_many(check):
    """Ten thousands of parameters, members and labels need time in proportion: otherwise minutes."""
    many = range(60_000)
    (check.folder / "parameters.idl").write_text("interface I { void f(" + ",\n".join(f"in long p{i}" for i in many) + "); };\n")
    check.expect("many parameters", not (done := check.run("--check", "parameters.idl")).returncode, done)
    (check.folder / "labels.idl").write_text("union U switch(long) { " + "\n".join(f"case {i}: long m{i};" for i in range(30_000)) + " };\n")
    check.expect("many labels", not (done := check.run("-o", "many", "labels.idl")).returncode, done)
    (check.folder / "members.idl").write_text("struct S { " + "\n".join(f"long m{i};" for i in range(8_000)) + " };\n")
    check.expect("many members", not (done := check.run("-o", "many", "members.idl")).returncode, done)


def check_helper_names(check):
    """IDL has a name that generated code needs for a helper."""
    (check.folder / "init.idl").write_text("module M { valuetype V { public long x; }; valuetype V_init { }; };\n")
    (check.folder / "obv.idl").write_text("valuetype V { public long x; }; module obv { struct V { long x; }; };\n")
    (check.folder / "poa.idl").write_text("module M { interface I {}; struct POA { long x; }; };\n")
    (check.folder / "state.idl").write_text("module M { valuetype obv { public long x; }; };\n")
    for file, taken, of in (("init.idl", "::M::V_init", "::M::V"), ("obv.idl", "::obv::V", "::V"), ("poa.idl", "::M::POA", "::M::I"),
                            ("state.idl", "::M::obv", "::M::obv")):
        done = check.run("-o", "helpers", file)
        check.expect(f"{taken} is taken", done.returncode == 2 and
                     f"'{taken}' ({file}:1) has the name that generated code has for a helper of '{of}' ({file}:1)" in done.stderr, done)
    check.expect("no skeletons", not (done := check.run("--no-server", "-o", "helpers", "poa.idl")).returncode, done)
    (check.folder / "std.idl").write_text("module M { interface I { typedef double std; void takt(in long IDL); }; };\n")
    done = check.run("-o", "helpers", "std.idl")
    check.expect("a type called std", done.returncode == 2 and
                 "'::M::I::std' (std.idl:1) has the name of a namespace that generated code uses; rename it" in done.stderr, done)
    (check.folder / "kept.idl").write_text("module obv { valuetype V { public long x; }; }; interface Foo {}; struct Foo_var { obv::V v; };\n")
    done = check.run("-o", "helpers", "kept.idl")
    check.expect("names of another mapping's helpers", done.returncode == 0 and not done.stderr, done)


def check_components(check):
    (check.folder / "defined.idl").write_text("interface I {};\ncomponent Unit { provides I port; };\n")
    (check.folder / "used.idl").write_text("component Unit {};\ninterface I { void f(in Unit u); };\n"
                                           "typedef sequence<Unit> Units;\n")
    done = check.run("-o", "components", "defined.idl")
    check.expect("a component", done.returncode == 0 and "defined.idl:2:11: warning: no code is generated for 'Unit'"
                 in done.stderr and (check.folder / "components" / "definedC.h").exists(), done)
    done = check.run("-o", "components", "used.idl")
    check.expect("uses of a component", done.returncode == 1 and "used.idl:2:20: error: 'f' uses 'Unit'" in done.stderr
                 and "used.idl:3:24: error: 'Units' uses 'Unit'" in done.stderr
                 and not (check.folder / "components" / "usedC.h").exists(), done)
    done = check.run("--check", "used.idl")
    check.expect("components are read", done.returncode == 0 and not done.stderr, done)


def check_folders(check):
    texts = {
        "top/main.idl": '#include "beside.idl"\n#include "deep/first.idl"\n#include <found.idl>\nstruct M { B one; Two t; };\n',
        "top/beside.idl": "struct B { long a; };\n#include \"deep/second.idl\"\n",
        "top/deep/first.idl": '#include "second.idl"\n#include "../../outer.idl"\n\nstruct One { Two t; };\n',
        "top/deep/second.idl": "#ifndef SECOND\n#define SECOND\nstruct Two { long a; };\n#endif\n",
        "outer.idl": "struct Outer { long a; };\n",
        "elsewhere/found.idl": '#include "inner/beside.idl"\nstruct Found { long a; };\n',
        "elsewhere/inner/beside.idl": "struct Inner { long a; };\n",
        "top/wrong.idl": '#include "deep/wrong.idl"\nstruct Right { long a; };\n',
        "top/deep/wrong.idl": '#include "second.idl"\nstruct Wrong { Nothing a; };\n',
        "top/wrong_later.idl": '#include "deep/first.idl"\nstruct Wrong { Nothing a; };\n',
    }
    for name, text in texts.items():
        (check.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (check.folder / name).write_text(text)
    done = check.run("--check", "--depfile", "folders.d", "-Ielsewhere", "top/main.idl")
    words = (check.folder / "folders.d").read_text().replace("\\\n", " ").split()
    listed = {pathlib.Path(check.folder / word).resolve().relative_to(check.folder.resolve()).as_posix()
              for word in words[1:]}
    check.expect("--depfile, with folders", done.returncode == 0 and
                 listed == {name for name in texts if "wrong" not in name} and len(words) == 1 + len(listed), done)
    done = check.run("--check", "top/wrong.idl")
    check.expect("an error in an included file has its folder", done.returncode == 1 and
                 done.stderr.startswith("top/deep/wrong.idl:2:16: error: "), done)
    done = check.run("--check", "top/wrong_later.idl")
    check.expect("an error after an included file", done.returncode == 1 and
                 done.stderr.startswith("top/wrong_later.idl:2:16: error: "), done)


def check_links(check):
    (check.folder / "real" / "in").mkdir(parents=True)
    (check.folder / "real" / "in" / "linked.idl").write_text("struct Linked { long x; };\n")
    (check.folder / "link").symlink_to("real")
    (check.folder / "links.idl").write_text('#include "in/linked.idl"\nstruct Links { Linked x; };\n')
    real = str((check.folder / "real" / "in" / "linked.idl").resolve())
    for given, listed in ("link", "link/in/linked.idl"), ("real", real), ("./link/", "./link/in/linked.idl"):
        done = check.run("--check", "--depfile", "links.d", f"-I{given}", "links.idl")
        words = (check.folder / "links.d").read_text().replace("\\\n", " ").split()
        check.expect(f"--depfile through -I{given}", done.returncode == 0 and words == ["links.idl:", "links.idl", listed], done)


def check_kept_folders(check):
    texts = {
        "kept/src/a/same.idl": "module A { struct Same { long x; }; };\n",
        "kept/src/b/same.idl": '#include "a/same.idl"\nmodule B { struct Same { A::Same x; }; };\n',
        "kept/src/b/deep/lone.idl": '#include "../same.idl"\n#include <beside.idl>\nstruct Lone { B::Same x; Beside y; };\n',
        "kept/more/beside.idl": "struct Beside { long x; };\n",
    }
    for name, text in texts.items():
        (check.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (check.folder / name).write_text(text)
    (check.folder / "kept" / "link").symlink_to("src")
    out = check.folder / "kept" / "out"
    files = ["kept/src/a/same.idl", str(check.folder / "kept/src/b/same.idl"), "kept/link/b/deep/lone.idl"]
    done = check.run("--keep-folders", "-Ikept/src", "-Ikept/more", "-o", "kept/out", *files)
    made = {path.relative_to(out).as_posix() for path in out.rglob("*.h")}
    check.expect("--keep-folders", done.returncode == 0 and made == {
        "a/sameC.h", "a/sameS.h", "b/sameC.h", "b/sameS.h", "b/deep/loneC.h", "b/deep/loneS.h"}, done)
    lone = (out / "b" / "deep" / "loneC.h").read_text() + (out / "b" / "deep" / "loneC.cpp").read_text()
    check.expect("--keep-folders, includes", all(f'#include "{name}"' in lone for name in (
        "a/sameC.h", "b/sameC.h", "besideC.h", "b/deep/loneC.h")), done)
    done = check.run("--keep-folders", "-o", "kept/plain", "kept/more/beside.idl")
    check.expect("--keep-folders without -I keeps the path that is given", done.returncode == 0 and
                 (check.folder / "kept/plain/kept/more/besideC.h").exists(), done)
    done = check.run("--keep-folders", "-o", "kept/outside", str(check.folder / "kept/more/beside.idl"))
    check.expect("--keep-folders, an absolute path in no -I folder", done.returncode == 0 and
                 (check.folder / "kept/outside/besideC.h").exists(), done)
    (check.folder / "kept" / "out" / "sub").mkdir()
    done = subprocess.run([check.compiler, "--keep-folders", "../../more/beside.idl"], cwd=out / "sub",
                          capture_output=True, text=True, timeout=SECONDS)
    check.expect("--keep-folders never leaves the output folder", done.returncode == 0 and
                 (out / "sub" / "besideC.h").exists(), done)
    for option in "--keep-folders", "--tie", "--tasks":
        done = check.run(option, "--mapping", "classic", "-o", "kept/classic", "kept/more/beside.idl")
        check.expect(f"{option} with the classic mapping", done.returncode == 2 and
                     f"{option} is an option of the C++11 mapping" in done.stderr, done)


def check_own_idl(check, idl):
    (check.folder / "seqs.idl").write_text("#include <orb.idl>\ninterface I { CORBA::StringSeq names(); };\n")
    done = check.run("-o", "seqs", "seqs.idl")
    check.expect("orb.idl, not installed", done.returncode == 1 and "orb.idl" in done.stderr, done)
    done = check.run("-I", str(idl), "-o", "seqs", "seqs.idl")
    check.expect("orb.idl, by -I", done.returncode == 0 and (check.folder / "seqs" / "seqsC.h").exists(), done)
    # Installed, it finds the IDL beside itself.
    installed = check.folder / "prefix" / "bin" / "takt-idl"
    installed.parent.mkdir(parents=True)
    shutil.copy(check.compiler, installed)
    shutil.copytree(idl, check.folder / "prefix" / "share" / "takt" / "idl")
    check.compiler, built = installed, check.compiler
    done = check.run("--check", "seqs.idl")
    check.compiler = built
    check.expect("orb.idl, installed", done.returncode == 0 and not done.stderr, done)


def main():
    compiler = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check = Check(compiler, folder)
        (folder / "parts").mkdir()
        (folder / "parts" / "part.idl").write_text("struct Part { long a; };\n")
        (folder / "main.idl").write_text('#include "part.idl"\nstruct Whole { Part first; };\n')
        (folder / "macro.idl").write_text("#if VALUE != 3 || defined(GONE)\nbroken\n#endif\nstruct S { long a; };\n")
        (folder / "bad.idl").write_text("struct S { Nothing a; };\n")
        (folder / "nul.idl").write_bytes(b"struct S { long a; };\0\n")
        (folder / "long.idl").write_bytes(b"//" + b"x" * 70000 + b"\n")

        done = check.run("--version")
        check.expect("--version", done.returncode == 0 and done.stdout.startswith("takt-idl "), done)
        done = check.run()
        check.expect("no file", done.returncode == 2, done)
        done = check.run("--check", "absent.idl")
        check.expect("an absent file", done.returncode == 2 and "absent.idl" in done.stderr, done)
        done = check.run("--check", "main.idl")
        check.expect("an include that is not found", done.returncode == 1 and "main.idl:1" in done.stderr, done)
        done = check.run("--check", "-I", "parts", "main.idl")
        check.expect("-I", done.returncode == 0 and not done.stderr, done)
        done = check.run("--check", "-DVALUE=3", "-DGONE", "-UGONE", "macro.idl")
        check.expect("-D and -U", done.returncode == 0, done)
        done = check.run("--check", "-Iparts", "bad.idl", "main.idl")
        check.expect("one bad file of two", done.returncode == 1 and "bad.idl:1:12" in done.stderr, done)
        for bad in ("nul.idl", "long.idl"):
            done = check.run("--check", bad)
            check.expect(bad, done.returncode == 1 and f"{bad}:1" in done.stderr, done)
        done = check.run("--dump", "json", "-Iparts", "main.idl")
        names = [one["name"] for one in json.loads(done.stdout)]
        check.expect("--dump json", done.returncode == 0 and names == ["Whole"], done)
        done = check.run("--check", "--depfile", "main.d", "-Iparts", "main.idl")
        rule = (folder / "main.d").read_text().replace("\\\n", " ").split()
        names = [pathlib.Path(word).name for word in rule]
        check.expect("--depfile", done.returncode == 0 and names == ["main.idl:", "main.idl", "part.idl"], done)
        done = check.run("-o", "out", "--client-header", "_c.hh", "--client-source", "_c.cc", "--no-server",
                         "-DVALUE=3", "macro.idl")
        written = sorted(path.name for path in (folder / "out").glob("*"))
        check.expect("names of what is generated", done.returncode == 0 and written == ["macro_c.cc", "macro_c.hh"]
                     and '#include "macro_c.hh"' in (folder / "out" / "macro_c.cc").read_text(), done)
        check_killed(check)
        check_recursive(check)
        check_diamonds(check)
        check_many(check)
        check_helper_names(check)
        check_schedules(check)
        check_components(check)
        check_asynchronous(check)
        check_folders(check)
        check_kept_folders(check)
        check_links(check)
        check_own_idl(check, pathlib.Path(sys.argv[2]).resolve())
        print(f"{check.failures} failures")
        return check.failures != 0


if __name__ == "__main__":
    sys.exit(main())
