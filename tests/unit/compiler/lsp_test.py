"""takt idl lsp as an editor uses it, through the client of pygls: lsp_test.py TAKT SOURCE"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TAKT, SOURCE = sys.argv[1:3]
sys.path.insert(0, os.path.join(SOURCE, "build", "python"))  # where script/bootstrap installs it
try:
    from lsprotocol import types as lsp
    from pygls.exceptions import JsonRpcException
    from pygls.lsp.client import BaseLanguageClient
except ImportError:
    print("skipped: pygls is not installed; script/bootstrap installs it")
    sys.exit(77)

PATIENCE_S = 20
SHAPES = """module Shapes {
  struct Point { long x, y; };
  exception Outside { Point at; };
  interface Canvas {
    attribute string title;
    void draw(in Point to) raises (Outside);
  };
};
"""
MAIN = """#include "shapes.idl"
interface Plotter : Shapes::Canvas {
  // größer und 𝛼
  Shapes::Point move(in Shapes::Point to, inout string why) raises (Shapes::Outside);
  const long most = 1 + 2;
};
"""


class Editor:
    """A session with one server."""

    def __init__(self, folder, *options):
        self.folder, self.options = Path(folder), options
        self.client = BaseLanguageClient("test", "1")
        self.published = {}
        self.changed = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(parameters):
            self.published[parameters.uri] = parameters.diagnostics
            self.changed.set()

    async def __aenter__(self):
        await self.client.start_io(TAKT, "idl", "lsp", *self.options)
        self.answer = await self.client.initialize_async(lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(), root_uri=self.folder.as_uri(),
            workspace_folders=[lsp.WorkspaceFolder(self.folder.as_uri(), "folder")]))
        self.client.initialized(lsp.InitializedParams())
        return self

    async def __aexit__(self, *_):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await asyncio.wait_for(self.client._server.wait(), PATIENCE_S)
        self.status = self.client._server.returncode
        await self.client.stop()

    def uri(self, name):
        return (self.folder / name).as_uri()

    def document(self, name):
        return lsp.TextDocumentIdentifier(self.uri(name))

    async def diagnostics(self, name):
        async def wait():
            while self.uri(name) not in self.published:
                self.changed.clear()
                await self.changed.wait()
        await asyncio.wait_for(wait(), PATIENCE_S)
        return self.published[self.uri(name)]

    async def open(self, name, text=None):
        self.published.pop(self.uri(name), None)
        text = (self.folder / name).read_text() if text is None else text
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(self.uri(name), "idl", 1, text)))
        return await self.diagnostics(name)

    async def change(self, name, text):
        self.published.pop(self.uri(name), None)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(2, self.uri(name)),
            [lsp.TextDocumentContentChangeEvent_Type2(text)]))
        return await self.diagnostics(name)

    def at(self, name, text, word, nth=0):
        """Where the nth `word` of the text is, in UTF-16 code units."""
        offset = -1
        for _ in range(nth + 1):
            offset = text.index(word, offset + 1)
        line = text.count("\n", 0, offset)
        begin = text.rfind("\n", 0, offset) + 1
        return lsp.Position(line, len(text[begin:offset].encode("utf-16-le")) // 2)


def covered(text, place):
    """The text in a range."""
    line = text.splitlines()[place.start.line].encode("utf-16-le")
    return line[2 * place.start.character:2 * place.end.character].decode("utf-16-le")


class Session(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(os.path.realpath(self.temporary.name))
        (self.folder / "shapes.idl").write_text(SHAPES)
        (self.folder / "main.idl").write_text(MAIN)

    def tearDown(self):
        self.temporary.cleanup()

    async def test_a_correct_file_has_no_diagnostics_and_the_session_ends_in_good_order(self):
        editor = Editor(self.folder)
        async with editor:
            self.assertEqual(editor.answer.server_info.name, "takt idl lsp")
            self.assertEqual(await editor.open("main.idl"), [])
        self.assertEqual(editor.status, 0)

    async def test_errors_come_as_one_types_and_go_when_they_are_corrected(self):
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            wrong = MAIN.replace("Shapes::Point move", "Shapes::Pint move")
            said = await editor.change("main.idl", wrong)
            self.assertEqual([each.message for each in said], ["'Pint' is not declared in Shapes"])
            self.assertEqual(said[0].severity, lsp.DiagnosticSeverity.Error)
            self.assertEqual(covered(wrong, said[0].range), "Pint")
            self.assertEqual(await editor.change("main.idl", MAIN), [])

    async def test_an_error_in_an_included_file_names_the_file(self):
        (self.folder / "shapes.idl").write_text(SHAPES.replace("long x", "lang x"))
        async with Editor(self.folder) as editor:
            said = await editor.open("main.idl")
            self.assertTrue(said and said[0].message.startswith(str(self.folder / "shapes.idl") + ":2: "), said)
            self.assertEqual(said[0].range.start.line, 0)

    async def test_notes_lead_to_the_other_place(self):
        async with Editor(self.folder) as editor:
            text = "struct A { long x; };\nstruct A { long y; };\n"
            said = await editor.open("twice.idl", text)
            self.assertEqual(len(said), 1)
            self.assertEqual(said[0].related_information[0].location.range.start.line, 0)

    async def test_a_missing_include_is_an_error(self):
        async with Editor(self.folder) as editor:
            said = await editor.open("none.idl", '#include "nothing.idl"\n')
            self.assertEqual(len(said), 1)
            self.assertIn("nothing.idl", said[0].message)

    async def test_an_include_folder_may_be_given(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (self.folder / "shapes.idl").rename(elsewhere / "shapes.idl")
        async with Editor(self.folder, "-I", str(elsewhere)) as editor:
            self.assertEqual(await editor.open("main.idl"), [])

    async def test_definitions_are_found_in_included_files(self):
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            for word, nth, name in (("Point", 0, "struct Point"), ("Canvas", 0, "interface Canvas"),
                                    ("Outside", 0, "exception Outside"), ("Shapes", 1, "module Shapes")):
                found = await editor.client.text_document_definition_async(lsp.DefinitionParams(
                    editor.document("main.idl"), editor.at("main.idl", MAIN, word, nth)))
                self.assertEqual(found.uri, editor.uri("shapes.idl"))
                self.assertEqual(covered(SHAPES, found.range), word)
                self.assertIn(name, SHAPES.splitlines()[found.range.start.line])
            nothing = await editor.client.text_document_definition_async(lsp.DefinitionParams(
                editor.document("main.idl"), lsp.Position(2, 0)))
            self.assertIsNone(nothing)

    async def test_hovering_shows_the_repository_id_and_cpp(self):
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            for word, shows in (("move", "Shapes::Point move(const Shapes::Point& to, std::string& why)"),
                                ("Plotter", "IDL::traits<Plotter>::ref_type"),
                                ("Outside", "`IDL:Shapes/Outside:1.0`"),
                                ("most", "constexpr std::int32_t Plotter::most = 3")):
                shown = await editor.client.text_document_hover_async(lsp.HoverParams(
                    editor.document("main.idl"), editor.at("main.idl", MAIN, word)))
                self.assertIn(shows, shown.contents.value)
                self.assertEqual(covered(MAIN, shown.range), word)

    async def completions(self, editor, text, marker):
        await editor.change("main.idl", text)
        place = editor.at("main.idl", text, marker)
        place.character += len(marker)
        found = await editor.client.text_document_completion_async(lsp.CompletionParams(editor.document("main.idl"), place))
        return {each.label for each in found}

    async def test_names_are_completed_while_a_statement_is_unfinished(self):
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            typed = MAIN.replace("  const long", "  Shapes::\n  const long")
            self.assertEqual(await self.completions(editor, typed, "  Shapes::\n".rstrip("\n")), {"Point", "Outside", "Canvas"})
            typed = MAIN.replace("  const long", "  Sh\n  const long")
            found = await self.completions(editor, typed, "  Sh")
            self.assertLessEqual({"Shapes", "Plotter", "move", "title", "draw", "sequence", "readonly"}, found)
            self.assertNotIn("Point", found)

    async def test_names_of_a_diamond_of_diamonds_are_completed(self):
        text = "interface A0 { void op(); };\ninterface B0 : A0 {};\n" + "".join(
            f"interface {name}{i} : A{i - 1}, B{i - 1} {{}};\n" for i in range(1, 40) for name in "AB") + "interface Z : A39 {\n  o\n};\n"
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            await editor.change("main.idl", text.replace("  o\n", ""))  # the last text without a mistake is what is known
            self.assertIn("op", await asyncio.wait_for(self.completions(editor, text, "  o"), PATIENCE_S))

    async def test_enumerators_in_labels_are_names(self):
        text = "enum Col { RED, GREEN };\nunion U switch(Col) { case RED: long a; default: long b; };\nconst fixed G = 1.5d;\n"
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            await editor.change("main.idl", text)
            made = await editor.client.text_document_rename_async(lsp.RenameParams(
                editor.document("main.idl"), editor.at("main.idl", text, "RED"), "PINK"))
            self.assertEqual(self.edited(text, made.changes[editor.uri("main.idl")]), text.replace("RED", "PINK"))
            shown = await editor.client.text_document_hover_async(lsp.HoverParams(
                editor.document("main.idl"), editor.at("main.idl", text, "G =")))
            self.assertIn('constexpr IDL::Fixed<31, 1> G = IDL::Fixed<31, 1>("1.5")', shown.contents.value)

    async def test_a_name_is_changed_in_all_files_of_the_workspace(self):
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            made = await editor.client.text_document_rename_async(lsp.RenameParams(
                editor.document("main.idl"), editor.at("main.idl", MAIN, "Point"), "Spot"))
            changed = {name: self.edited(text, made.changes[editor.uri(name)])
                       for name, text in (("main.idl", MAIN), ("shapes.idl", SHAPES))}
            self.assertEqual(changed["main.idl"], MAIN.replace("Point", "Spot"))
            self.assertEqual(changed["shapes.idl"], SHAPES.replace("Point", "Spot"))
            for name, text in changed.items():
                (self.folder / name).write_text(text)
            self.assertEqual(await editor.change("main.idl", changed["main.idl"]), [])

    def edited(self, text, edits):
        lines = text.splitlines(keepends=True)
        for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
            line = lines[edit.range.start.line].encode("utf-16-le")
            lines[edit.range.start.line] = (line[:2 * edit.range.start.character] + edit.new_text.encode("utf-16-le") +
                                            line[2 * edit.range.end.character:]).decode("utf-16-le")
        return "".join(lines)

    async def test_a_name_that_does_not_fit_is_refused(self):
        async with Editor(self.folder) as editor:
            await editor.open("shapes.idl")
            for wanted, says in (("canvas", "already declared"), ("module", "is a keyword"), ("Module", "is a keyword"),
                                 ("a b", "not an IDL name"), ("", "not an IDL name"), ("_x", "not an IDL name")):
                with self.assertRaises(JsonRpcException) as refused:
                    await editor.client.text_document_rename_async(lsp.RenameParams(
                        editor.document("shapes.idl"), editor.at("shapes.idl", SHAPES, "Point"), wanted))
                self.assertIn(says, str(refused.exception))

    async def test_references_are_found(self):
        async with Editor(self.folder) as editor:
            await editor.open("shapes.idl")
            found = await editor.client.text_document_references_async(lsp.ReferenceParams(
                lsp.ReferenceContext(include_declaration=False), editor.document("shapes.idl"),
                editor.at("shapes.idl", SHAPES, "Outside")))
            self.assertEqual([(Path(each.uri).name, each.range.start.line) for each in found],
                             [("main.idl", 3), ("shapes.idl", 5)])

    async def test_formatting_is_that_of_takt_idl_format(self):
        ragged = MAIN.replace("  const", "      const")
        async with Editor(self.folder) as editor:
            await editor.open("main.idl", ragged)
            options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
            edits = await editor.client.text_document_formatting_async(lsp.DocumentFormattingParams(
                editor.document("main.idl"), options))
            formatted = subprocess.run([TAKT, "idl", "format"], input=ragged, capture_output=True, text=True, check=True)
            self.assertEqual([each.new_text for each in edits], [formatted.stdout])
            await editor.change("main.idl", formatted.stdout)
            self.assertEqual(await editor.client.text_document_formatting_async(lsp.DocumentFormattingParams(
                editor.document("main.idl"), options)), [])

    async def test_symbols_are_a_tree(self):
        async with Editor(self.folder) as editor:
            await editor.open("shapes.idl")
            found = await editor.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(editor.document("shapes.idl")))
            self.assertEqual([each.name for each in found], ["Shapes"])
            self.assertEqual([each.name for each in found[0].children], ["Point", "Outside", "Canvas"])
            self.assertEqual([each.name for each in found[0].children[2].children], ["title", "draw"])

    async def test_a_change_of_an_included_file_is_seen_when_it_is_saved(self):
        async with Editor(self.folder) as editor:
            await editor.open("shapes.idl")
            await editor.open("main.idl")
            editor.published.clear()
            (self.folder / "shapes.idl").write_text(SHAPES.replace("Outside", "Beyond"))
            await editor.change("shapes.idl", SHAPES.replace("Outside", "Beyond"))
            self.assertEqual([each.message for each in await editor.diagnostics("main.idl")],
                             ["'Outside' is not declared in Shapes"])


    async def test_each_place_of_a_name_is_changed_once(self):
        text = ("interface Node;\ntypedef sequence<Node> Nodes;\ninterface Node { Node next(); };\n"
                "union Link switch (long) { case 1: Node left; default: Node right; };\n"
                "interface Leaf : Node { const long Nodes = 1; };\nmodule M { typedef ::Node Node2; };\n")
        async with Editor(self.folder) as editor:
            self.assertEqual(await editor.open("node.idl", text), [])
            made = await editor.client.text_document_rename_async(lsp.RenameParams(
                editor.document("node.idl"), editor.at("node.idl", text, "Node", 1), "Knot"))
            self.assertEqual(self.edited(text, made.changes[editor.uri("node.idl")]), re.sub(r"\bNode\b", "Knot", text))

    async def test_unfinished_and_odd_text_is_borne(self):
        async with Editor(self.folder) as editor:
            await editor.open("main.idl")
            for text in ("", "}", "{" * 300, "module M {", "/*", '"', "#include", "struct S { sequence<", "\0", "é" * 1000):
                await editor.change("main.idl", text)
                last = text.count("\n")
                for place in (lsp.Position(0, 0), lsp.Position(last, len(text)), lsp.Position(99, 99)):
                    where = {"text_document": editor.document("main.idl"), "position": place}
                    await editor.client.text_document_completion_async(lsp.CompletionParams(**where))
                    await editor.client.text_document_hover_async(lsp.HoverParams(**where))
                    await editor.client.text_document_definition_async(lsp.DefinitionParams(**where))


class Octets(unittest.TestCase):
    """What no editor sends."""

    def run_with(self, octets):
        return subprocess.run([TAKT, "idl", "lsp"], input=octets, capture_output=True, timeout=PATIENCE_S)

    def message(self, content):
        return b"Content-Length: %d\r\n\r\n%s" % (len(content), content)

    def test_input_that_is_no_message_ends_the_session(self):
        for octets in (b"", b"\r\n\r\n", b"Content-Length: 5\r\n\r\n{}", b"Content-Length: -1\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n",
                       b"Content-Length:\r\n\r\n", b"x" * 100_000, b"Content-Length: 4294967296\r\n\r\n{}"):
            ended = self.run_with(octets)
            self.assertEqual(ended.returncode, 1, octets[:40])
            self.assertEqual(ended.stdout, b"")

    def test_wrong_messages_get_errors_and_the_session_goes_on(self):
        start = self.message(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}')
        end = self.message(b'{"jsonrpc": "2.0", "id": 9, "method": "shutdown"}') + self.message(b'{"jsonrpc": "2.0", "method": "exit"}')
        for content, code in ((b"{", b"-32700"), (b"[]", b"-32600"), (b'{"id": 2, "method": "none"}', b"-32601"),
                              (b'{"id": 2, "method": "textDocument/hover"}', b"-32602"),
                              (b'{"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///%zz"}}}', b"-32602"),
                              (b'{"id": 2, "method": "textDocument/rename", "params": 7}', b"-32602"),
                              (b'{"id": 2, "method": "initialize"}', b"-32600"),
                              (b'{"method": "shutdown", "id": ' + 100_000 * b"[" + 100_000 * b"]" + b"}", b"-32700"),
                              (b'{"method": "shutdown", "id": [[2]]}', b"-32600"),
                              (100_000 * b"[", b"-32700")):
            ended = self.run_with(start + self.message(content) + end)
            self.assertEqual(ended.returncode, 0, content)
            self.assertIn(b'"code":' + code, ended.stdout, content)
            self.assertIn(b'"id":9', ended.stdout)

    def test_nothing_is_served_before_it_is_initialized(self):
        ended = self.run_with(self.message(b'{"id": 2, "method": "textDocument/hover"}'))
        self.assertIn(b'"code":-32002', ended.stdout)


unittest.main(argv=sys.argv[:1])
