#include "model/model.h"

#include <gtest/gtest.h>

#include "json_dump.h"
#include "parsed.h"

namespace takt::idl {
namespace {

TEST(Model, ATypedefResolvesToWhatItStandsFor) {
  const Parsed parsed("typedef long A; typedef A B; typedef B C[2];");
  ASSERT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.find("B")->type->resolved().kind, TypeKind::int32);
  const Type& array = parsed.find("C")->type->resolved();
  EXPECT_EQ(array.kind, TypeKind::array);
  EXPECT_EQ(array.bound, 2u);
}

TEST(Model, ArraysOfSeveralDimensionsNest) {
  const Parsed parsed("typedef octet Grid[2][3];");
  const Type& outer = *parsed.find("Grid")->type;
  EXPECT_EQ(outer.bound, 2u);
  EXPECT_EQ(outer.element->bound, 3u);
  EXPECT_EQ(outer.element->element->kind, TypeKind::octet);
}

TEST(Model, AForwardDeclarationLeadsToTheDefinition) {
  const Parsed parsed("struct S; typedef sequence<S> Many; struct S { Many more; };");
  ASSERT_EQ(parsed.said(), "");
  const Type* const element = parsed.find("Many")->type->element;
  ASSERT_EQ(element->kind, TypeKind::named);
  EXPECT_EQ(element->declaration->kind, DeclarationKind::struct_);
}

TEST(Model, AModuleOpenedAgainIsADeclarationOfItsOwn) {
  const Parsed parsed(
      "module M { typedef long A; }; module N { typedef M::A B; }; module M { typedef N::B C; };");
  ASSERT_EQ(parsed.said(), "");
  ASSERT_EQ(parsed.unit.root.contents.size(), 3u);
  EXPECT_EQ(parsed.unit.root.contents[2]->name, "M");
  EXPECT_EQ(parsed.unit.root.contents[2]->contents[0]->scoped_name(), "::M::C");
}

TEST(Model, WhatIncludedFilesDeclareIsNotOfTheMainFile) {
  const Parsed parsed(
      "#line 1 \"/x/main.idl\"\n#line 1 \"part.idl\"\nmodule M { typedef long A; };\n"
      "#line 2 \"/x/main.idl\"\nmodule M { typedef A B; };\n");
  ASSERT_EQ(parsed.said(), "");
  EXPECT_FALSE(parsed.unit.root.contents[0]->in_main_file);
  EXPECT_FALSE(parsed.unit.root.contents[0]->contents[0]->in_main_file);
  EXPECT_TRUE(parsed.unit.root.contents[1]->contents[0]->in_main_file);
}

TEST(Model, APrefixBelongsToItsFileAndScope) {
  const Parsed parsed(
      "#line 1 \"/x/main.idl\"\n#pragma prefix \"main\"\n#line 1 \"part.idl\"\ntypedef long A;\n"
      "#pragma prefix \"part\"\ntypedef long B;\n#line 3 \"/x/main.idl\"\ntypedef long C;\n"
      "module M {\n#pragma prefix \"inner\"\ntypedef long D;\n};\ntypedef long E;\n");
  ASSERT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.find("A")->repository_id, "IDL:A:1.0");
  EXPECT_EQ(parsed.find("B")->repository_id, "IDL:part/B:1.0");
  EXPECT_EQ(parsed.find("C")->repository_id, "IDL:main/C:1.0");
  EXPECT_EQ(parsed.find("M")->repository_id, "IDL:main/M:1.0");
  EXPECT_EQ(parsed.find("M")->contents[0]->repository_id, "IDL:inner/D:1.0");
  EXPECT_EQ(parsed.find("E")->repository_id, "IDL:main/E:1.0");
}

TEST(Model, APrefixOfAnIncludedFileEndsWithItAlsoInsideAModule) {
  const Parsed parsed(
      "#line 1 \"/x/main.idl\"\n#pragma prefix \"main\"\nmodule M {\n#line 1 \"part.idl\"\nstruct A { long "
      "x; };\n"
      "#pragma prefix \"part\"\nstruct B { long x; };\n#line 4 \"/x/main.idl\"\nstruct C { long x; };\n};\n");
  ASSERT_EQ(parsed.said(), "");
  const auto& contents = parsed.find("M")->contents;
  EXPECT_EQ(contents[0]->repository_id, "IDL:M/A:1.0") << "a file begins without a prefix";
  EXPECT_EQ(contents[1]->repository_id, "IDL:part/B:1.0");
  EXPECT_EQ(contents[2]->repository_id, "IDL:main/M/C:1.0");
}

// The example of CORBA 3.0.3, 10.7.5.5.
const std::string prefix_in_modules =
    "module M1 {\n typedef long T1;\n typedef long T2;\n#pragma ID T2 "
    "\"DCE:d62207a2-011e-11ce-88b4-0800090b5d3e:3\"\n};\n"
    "#pragma prefix \"P1\"\nmodule M2 {\n module M3 {\n#pragma prefix \"P2\"\n  typedef long T3;\n"
    "  module M4 { typedef long T5; };\n };\n typedef long T4;\n#pragma version T4 2.4\n};\n";

TEST(Model, APrefixInAModuleStandsForTheNamesOfTheModulesAroundIt) {
  const Parsed parsed(prefix_in_modules);
  ASSERT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.find("M1")->contents[0]->repository_id, "IDL:M1/T1:1.0");
  EXPECT_EQ(parsed.find("M1")->contents[1]->repository_id, "DCE:d62207a2-011e-11ce-88b4-0800090b5d3e:3");
  const auto& outer = parsed.find("M2")->contents;
  EXPECT_EQ(outer[0]->repository_id, "IDL:P1/M2/M3:1.0");
  EXPECT_EQ(outer[1]->repository_id, "IDL:P1/M2/T4:2.4");
  EXPECT_EQ(outer[0]->contents[0]->repository_id, "IDL:P2/T3:1.0");
  EXPECT_EQ(outer[0]->contents[1]->contents[0]->repository_id, "IDL:P2/M4/T5:1.0");
}

TEST(Model, APrefixInAModulePrecedesWholeNamesIfAsked) {
  Unit unit;
  unit.prefixes_whole_names = true;
  Diagnostics diagnostics;
  Parser(prefix_in_modules, unit, diagnostics).parse();
  EXPECT_EQ(diagnostics.errors(), 0U);
  const auto& outer = unit.root.contents[1]->contents;
  EXPECT_EQ(outer[0]->contents[0]->repository_id, "IDL:P2/M2/M3/T3:1.0");
  EXPECT_EQ(outer[1]->repository_id, "IDL:P1/M2/T4:2.4");
}

TEST(Model, ATypePrefixKeepsVersionsAndHoldsInEachOpeningOfAModule) {
  const Parsed parsed(
      "module M { interface I {};\n#pragma version I 2.3\n}; module M { interface J {}; };"
      "typeprefix M \"acme.com\"; module M { interface K {}; };");
  ASSERT_EQ(parsed.said(), "");
  EXPECT_EQ(parsed.unit.root.contents[0]->contents[0]->repository_id, "IDL:acme.com/M/I:2.3");
  EXPECT_EQ(parsed.unit.root.contents[1]->contents[0]->repository_id, "IDL:acme.com/M/J:1.0");
  EXPECT_EQ(parsed.unit.root.contents[2]->contents[0]->repository_id, "IDL:acme.com/M/K:1.0");
}

TEST(Model, TheIdOfAForwardDeclarationIsThatOfItsDefinition) {
  const std::string first = "interface X;\n#pragma ID X \"IDL:own/X:1.0\"\ninterface X {};\n";
  EXPECT_EQ(Parsed(first + "#pragma ID X \"IDL:own/X:1.0\"\n").said(), "");
  EXPECT_NE(
      Parsed(first + "#pragma ID X \"IDL:other/X:1.0\"\n").said().find("already has another repository id"),
      std::string::npos);
}

TEST(Model, UnionsKnowTheirLabelsAndWhetherAllAreCovered) {
  const Parsed parsed(
      "enum E { a, b }; union Whole switch (E) { case a: long x; case b: short y; };"
      "union Part switch (E) { case a: long x; };");
  ASSERT_EQ(parsed.said(), "");
  EXPECT_FALSE(parsed.find("Whole")->has_implicit_default);
  EXPECT_TRUE(parsed.find("Part")->has_implicit_default);
}

TEST(Model, AnnotationsAreKept) {
  const Parsed parsed("@final @range(min = 1, max = 2) struct S { @key long a; };");
  ASSERT_EQ(parsed.said(), "");
  const Declaration& made = *parsed.find("S");
  EXPECT_NE(made.find_annotation("final"), nullptr);
  ASSERT_NE(made.find_annotation("range"), nullptr);
  EXPECT_EQ(made.find_annotation("range")->arguments[1].first, "max");
  EXPECT_NE(made.contents[0]->find_annotation("key"), nullptr);
}

TEST(Model, ABooleanAnnotationMayBeFalseOrOfTheFileItself) {
  const Parsed parsed(
      "struct S { @optional long a; @optional(TRUE) long b; @optional(FALSE) long c; long d; };"
      "interface I { @oneway void e(); @oneway(FALSE) void f(); };");
  ASSERT_EQ(parsed.said(), "");
  const auto& members = parsed.find("S")->contents;
  EXPECT_TRUE(members[0]->is_optional);
  EXPECT_TRUE(members[1]->is_optional);
  EXPECT_FALSE(members[2]->is_optional);
  EXPECT_FALSE(members[3]->is_optional);
  EXPECT_TRUE(parsed.find("I")->contents[0]->is_oneway);
  EXPECT_FALSE(parsed.find("I")->contents[1]->is_oneway);
  const Parsed own("@annotation optional { string why; }; struct S { @optional(\"x\") long a; };");
  ASSERT_EQ(own.said(), "");
  EXPECT_FALSE(own.find("S")->contents[0]->is_optional);
  EXPECT_NE(Parsed("struct S { @optional(7) long a; };").said().find("@optional is TRUE or FALSE"),
            std::string::npos);
}

TEST(Model, OnlyMembersOfStructsAndExceptionsAreOptional) {
  const Parsed parsed("exception E { @optional long a; };");
  ASSERT_EQ(parsed.said(), "");
  EXPECT_TRUE(parsed.find("E")->contents[0]->is_optional);
  EXPECT_NE(Parsed("union U switch(long) { case 1: @optional long a; };")
                .said()
                .find("error: a member of a union cannot be @optional"),
            std::string::npos);
  EXPECT_NE(
      Parsed("valuetype V { @optional public long a; };").said().find("warning: @optional has no effect"),
      std::string::npos);
  EXPECT_NE(Parsed("bitset B { @optional bitfield<3> a; };").said().find("warning: @optional has no effect"),
            std::string::npos);
}

TEST(Model, TextThatIsNotUtf8CanBeDumped) {
  EXPECT_NE(to_json(Parsed("@unit(\"\xff\") typedef long A; const string s = \"\xff\xfe\";").unit), "");
}

}  // namespace
}  // namespace takt::idl
