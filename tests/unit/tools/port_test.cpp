// The findings of `takt port check` in sources, build files and settings.
#include <gtest/gtest.h>

#include "port/findings.h"
#include "port/source_text.h"

namespace takt::command::port {
namespace {

using Names = std::vector<std::string_view>;

TEST(LinesOfSources, HaveNoComments) {
  const auto lines = lines_of("int a; // omniORB::x\nint /* omniORB::y\n still */ b;\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].code, "int a; ");
  EXPECT_EQ(lines[1].code, "int ");
  EXPECT_EQ(lines[2].code, " b;");
}

TEST(LinesOfSources, HaveLiteralsApart) {
  const auto lines = lines_of("f(\"say \\\"hi\\\" // no comment\", 'x', '\"', 1'000); // end\n\"next\"");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].strings, std::vector<std::string>{"say \\\"hi\\\" // no comment"});
  EXPECT_EQ(lines[0].code, "f(\"\", \"\", \"\", 1000); ");
  EXPECT_EQ(lines[1].strings, std::vector<std::string>{"next"});
}

TEST(LinesOfSources, HaveRawStringsThatSpanLines) {
  const auto lines = lines_of("auto s = R\"x(one \" )\" two\nthree)x\"; g();\nNOT_R\"(\" h();\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].strings, std::vector<std::string>{"one \" )\" two\nthree"});
  EXPECT_EQ(lines[1].code, "; g();");
  EXPECT_EQ(lines[2].code, "NOT_R\"\" h();");
}

TEST(LinesOfSources, NameIncludedHeaders) {
  const auto lines =
      lines_of("#include <omniORB4/CORBA.h>\n  # include \"tao/corba.h\" // why\nif (a < b) c = d > e;\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].include, "omniORB4/CORBA.h");
  EXPECT_EQ(lines[1].include, "tao/corba.h");
  EXPECT_EQ(lines[2].include, "");
  EXPECT_EQ(lines[2].code, "if (a < b) c = d > e;");
}

TEST(LinesOfSources, AreReadToTheEndWhateverTheyAre) {
  for (const std::string text :
       {"", "\"", "'", "/*", "//", "R\"", "R\"(", "R\"x(", "#include <", "#include \"", "\\", "a\\", "\"\\",
        "R\"01234567890123456789(x)01234567890123456789\""})
    EXPECT_LE(lines_of(text).size(), 1u) << text;
  std::string octets;
  for (int i = 0; i < 256; ++i) octets += static_cast<char>(i);
  EXPECT_EQ(lines_of(octets + octets).size(), 3u);
}

TEST(NamesOfCode, HaveTheirScopes) {
  EXPECT_EQ(names_in("::omniORB::setLogFunction(&f); a.b->c(7up, x::);"),
            (Names{"omniORB::setLogFunction", "f", "a", "b", "c", "x"}));
  EXPECT_EQ(names_in("A::B ::C"), (Names{"A::B", "C"}));
}

using Check = void (*)(const std::string&, std::string_view, Findings&);

// "line verdict what" of each finding.
std::vector<std::string> found(Check check, std::string_view text) {
  Findings findings;
  check("file", text, findings);
  std::vector<std::string> all;
  for (const Finding& one : findings)
    all.push_back(std::to_string(one.line) + " " + std::string(word_of(one.verdict)) + " " + one.what);
  return all;
}

using Texts = std::vector<std::string>;

TEST(Port, KnowsTheNamesOfTheStandardsModules) {
  EXPECT_EQ(found(check_source,
                  "CORBA::Principal p;\n"
                  "CORBA::ORB::BOA_init();\n"
                  "CORBA::PollableSet_var set;\n"
                  "o->_get_interface();\n"
                  "q->sendp_get_quote();\n"
                  "CORBA::Obj x;\n"),
            (Texts{"1 missing CORBA::Principal", "2 missing CORBA::ORB::BOA_init",
                   "3 as it is CORBA::PollableSet_var", "4 missing _get_interface",
                   "5 as it is sendp_get_quote", "6 missing CORBA::Obj"}));
}

TEST(Port, JudgesSources) {
  EXPECT_EQ(found(check_source,
                  "#include <omniORB4/CORBA.h>\n"
                  "#include <omniORB3/CORBA.h>\n"
                  "#include <tao/CDR.h>\n"
                  "#include <vector>\n"
                  "CORBA::ORB_var orb; // giopStream\n"
                  "omniORB::setLogFunction(0); int mine;\n"
                  "e._tao_print_exception(\"giopStream\");\n"
                  "orb->resolve_initial_references(\"omniINSPOA\");\n"),
            (Texts{"1 as it is <omniORB4/CORBA.h>", "2 change <omniORB3/CORBA.h>", "3 missing <tao/CDR.h>",
                   "5 as it is CORBA::ORB_var", "6 missing omniORB::setLogFunction",
                   "7 as it is _tao_print_exception", "8 as it is \"omniINSPOA\""}));
}

TEST(Port, JudgesInterceptorsOfTao) {
  EXPECT_EQ(found(check_source,
                  "#include <tao/PI_Server/PI_Server.h>\n"
                  "#include <tao/ORBInitializer_Registry.h>\n"
                  "#include <tao/PI/ORBInitInfo.h>\n"
                  "PortableInterceptor::register_orb_initializer(init.in());\n"),
            (Texts{"1 as it is <tao/PI_Server/PI_Server.h>", "2 as it is <tao/ORBInitializer_Registry.h>",
                   "3 as it is <tao/PI/ORBInitInfo.h>",
                   "4 as it is PortableInterceptor::register_orb_initializer"}));
}

TEST(Port, JudgesOptionsOfTheOrb) {
  EXPECT_EQ(
      found(check_source, "argv = {\"-ORBendPoint\", \"giop:tcp::1\", \"-ORBInitRef\"};\nint x = a -ORBfoo;"),
      (Texts{"1 as it is -ORBendPoint", "1 as it is -ORBInitRef"}));
  EXPECT_EQ(found(check_text, "server -ORBNoSuchThing 1 -ORB --ORBx x-ORBy\n'-ORBInitRef' a=b\n"),
            (Texts{"1 missing -ORBNoSuchThing", "2 as it is -ORBInitRef"}));
}

TEST(Port, JudgesBuildFiles) {
  EXPECT_EQ(found(check_build,
                  "pkg_check_modules(ORB REQUIRED omniORB4)\n"
                  "target_link_libraries(server omniORB4 omnithread)\n"
                  "omniidl -bcxx -Wba -Wbtf echo.idl  # omniORB4\n"
                  "LIBS = -lTAO_PortableServer -lACE $(X)/bin/tao_idl -GC -Wall\n"
                  "CXXFLAGS = -St -Wbx\n"),
            (Texts{"1 as it is omniORB4", "2 change omniORB4", "2 change omnithread", "3 as it is omniidl",
                   "3 as it is -bcxx", "3 as it is -Wba", "3 change -Wbtf", "4 change -lTAO_PortableServer",
                   "4 as it is -lACE", "4 as it is tao_idl", "4 as it is -GC"}));
}

TEST(Port, JudgesSettings) {
  EXPECT_EQ(found(check_settings,
                  "# endPoint = x\n"
                  "endPoint = giop:tcp::2810\n"
                  "  InitRef= NameService=corbaloc::x/y\n"
                  "colour = red\n"
                  "static Server_Strategy_Factory \"-ORBConcurrency reactive\"\n"),
            (Texts{"2 as it is -ORBendPoint", "3 as it is -ORBInitRef",
                   "5 as it is static Server_Strategy_Factory ", "5 as it is -ORBConcurrency"}));
  EXPECT_EQ(found(check_settings, "throwTransientOnTimeOut = 1\nsslKeyPassword = 1\n-ORBDaemon\n"),
            (Texts{"1 as it is -ORBthrowTransientOnTimeOut", "2 change -ORBsslKeyPassword",
                   "3 change -ORBDaemon"}));
}

TEST(Port, KnowsFilesByTheirNames) {
  for (const auto& [name, kind] :
       std::initializer_list<std::pair<const char*, FileKind>>{{"a.CC", FileKind::source},
                                                               {"b/c.hh", FileKind::source},
                                                               {"CMakeLists.txt", FileKind::build},
                                                               {"Makefile.am", FileKind::build},
                                                               {"dir.mk", FileKind::build},
                                                               {"omniORB.cfg", FileKind::settings},
                                                               {"svc.conf", FileKind::settings},
                                                               {"x.idl", FileKind::idl},
                                                               {"start.sh", FileKind::text},
                                                               {"picture.png", FileKind::other},
                                                               {"notes.txt", FileKind::other},
                                                               {"", FileKind::other},
                                                               {".idl", FileKind::other},
                                                               {"server.tar.gz", FileKind::other}})
    EXPECT_EQ(kind_of(name), kind) << name;
}

}  // namespace
}  // namespace takt::command::port
