#include <gtest/gtest.h>

#include "parsed.h"

namespace takt::idl {
namespace {

TEST(Diagnostics, ShowFileLineColumnTheLineAndACaret) {
  EXPECT_EQ(Parsed("struct S {\n\tMissing a;\n};\n").said(),
            "<input>:2:2: error: 'Missing' is not declared\n"
            "  \tMissing a;\n"
            "  \t^\n");
}

TEST(Diagnostics, StopAfterALimit) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "typedef Missing T" + std::to_string(i) + ";\n";
  const Parsed parsed(text);
  EXPECT_EQ(parsed.diagnostics.errors(), Diagnostics::max_errors);
  EXPECT_NE(parsed.said().find("too many errors"), std::string::npos);
}

TEST(Diagnostics, ReadingGoesOnAfterAMistake) {
  const Parsed parsed(
      "module M { struct A { Missing a; }; enum E { , }; typedef long T; };\ntypedef M::T U;\n");
  EXPECT_EQ(parsed.diagnostics.errors(), 2u);
  EXPECT_NE(parsed.find("U"), nullptr);
}

// Stack and time must be bounded even for absurd input.
TEST(Diagnostics, DeepNestingIsAnErrorRatherThanACrash) {
  constexpr int deep = 20000;
  const auto repeated = [](const std::string& text) {
    std::string all;
    for (int i = 0; i < deep; ++i) all += text;
    return all;
  };
  EXPECT_TRUE(Parsed("const long a = " + repeated("(")).diagnostics.failed());
  EXPECT_TRUE(Parsed("const long a = " + repeated("-") + "1;").diagnostics.failed());
  EXPECT_TRUE(Parsed("typedef " + repeated("sequence<") + "long").diagnostics.failed());
  EXPECT_TRUE(Parsed(repeated("module M {")).diagnostics.failed());
  EXPECT_TRUE(Parsed("struct S " + repeated("{ struct S ")).diagnostics.failed());
  EXPECT_TRUE(Parsed(repeated("struct S { union U switch (enum E { a }) { case a: ")).diagnostics.failed());
}

TEST(Diagnostics, LongChainsOfTypesAreBounded) {
  std::string structs = "struct S0 { long a; };\n", bases = "interface I0 {};\n";
  for (int i = 1; i < 2000; ++i) {
    const std::string before = std::to_string(i - 1), here = std::to_string(i);
    structs += "struct S" + here + " { S" + before + " a; };\n";
    bases += "interface I" + here + " : I" + before + " {};\n";
  }
  EXPECT_NE(Parsed(structs).said().find("deeper than 256"), std::string::npos);
  EXPECT_NE(Parsed(bases).said().find("deeper than 256"), std::string::npos);
}

TEST(Diagnostics, ADiamondOfDiamondsTakesNoExponentialTime) {
  std::string text = "interface A0 { void op(); };\ninterface B0 : A0 {};\n";
  for (int i = 1; i < 200; ++i) {
    const std::string before = std::to_string(i - 1), here = std::to_string(i);
    for (const char* name : {"A", "B"})
      text.append("interface ").append(name).append(here).append(" : A" + before + ", B" + before + " {};\n");
  }
  const Parsed parsed(text);
  EXPECT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.unit.all_operations(*parsed.find("A199")).size(), 1u);
  EXPECT_FALSE(parsed.find("A199")->derives_from(*parsed.find("A199")));
  EXPECT_TRUE(parsed.find("A199")->derives_from(*parsed.find("A0")));
}

}  // namespace
}  // namespace takt::idl
