// Descriptions of interfaces, by honest servers and by hostile ones.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include <takt/cdr/mapping/type_code.h>

#include "common/command.h"
#include "types/describe.h"
#include "types/described.h"

namespace takt::command {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;
using Takt::Reflection::AttributeDescription;
using Takt::Reflection::AttributeMode;
using Takt::Reflection::ExceptionDescription;
using Takt::Reflection::OperationDescription;
using Takt::Reflection::OperationMode;
using Takt::Reflection::ParameterDescription;
using Takt::Reflection::ParameterMode;

typecode_reference of_kind(TCKind kind) { return cdr::basic_typecode(kind); }
typecode_reference struct_of(const std::string& id, const std::string& name,
                             const std::vector<typecode_reference>& types, TCKind kind = TCKind::tk_struct) {
  cdr::TypeCodeParts parts{.kind = kind, .id = id, .name = name};
  for (const auto& type : types)
    parts.members.push_back({.name = "m" + std::to_string(parts.members.size()), .type = type});
  return cdr::make_typecode(std::move(parts));
}

ParameterDescription parameter(const std::string& name, const typecode_reference& type,
                               ParameterMode mode = ParameterMode::PARAM_IN) {
  return {name, type, {}, mode};
}
OperationDescription operation(const std::string& name, std::vector<ParameterDescription> parameters = {}) {
  return {name,  "IDL:M/I/" + name + ":1.0", "IDL:M/I:1.0",
          "1.0", of_kind(TCKind::tk_void),   OperationMode::OP_NORMAL,
          {},    std::move(parameters),      {}};
}
AttributeDescription attribute(const std::string& name, AttributeMode mode) {
  return {name, "IDL:M/I/" + name + ":1.0", "IDL:M/I:1.0", "1.0", of_kind(TCKind::tk_long), mode};
}
Description description(std::vector<OperationDescription> operations,
                        std::vector<AttributeDescription> attributes = {}) {
  return {"I", "IDL:acme.com/M/I:1.0",  "", "1.0", std::move(operations), std::move(attributes),
          {},  of_kind(TCKind::tk_null)};
}

std::string refusal(const Description& given) {
  try {
    (void)catalogue_of(given);
  } catch (const Failure& failure) {
    const std::string begin = "the description of the object's interface is invalid: ";
    EXPECT_EQ(failure.text.substr(0, begin.size()), begin);
    EXPECT_EQ(failure.status, negative);
    return failure.text.substr(begin.size());
  }
  return "";
}

TEST(Described, BecomesACatalogue) {
  const auto point = struct_of("IDL:acme.com/M/Point:1.0", "Point", {of_kind(TCKind::tk_long)});
  auto move =
      operation("move", {parameter("by", point), parameter("to", point, ParameterMode::PARAM_OUT),
                         parameter("all", cdr::sequence_typecode(point), ParameterMode::PARAM_INOUT)});
  move.result(of_kind(TCKind::tk_double));
  move.exceptions().push_back(
      {"Bad", "IDL:M/Bad:1.0", "IDL:M:1.0", "1.0", struct_of("IDL:M/Bad:1.0", "Bad", {}, TCKind::tk_except)});
  auto tell = operation("tell");
  tell.mode(OperationMode::OP_ONEWAY);
  tell.contexts().push_back("user*");
  const Catalogue catalogue =
      catalogue_of(description({move, tell}, {attribute("x", AttributeMode::ATTR_NORMAL),
                                              attribute("y", AttributeMode::ATTR_READONLY)}));
  ASSERT_EQ(catalogue.interfaces.size(), 1u);
  const Interface& interface = catalogue.interfaces.front();
  EXPECT_EQ(interface.id, "IDL:acme.com/M/I:1.0");
  EXPECT_EQ(interface.name, "M::I");
  ASSERT_NE(interface.find("move"), nullptr);
  EXPECT_EQ(signature_of(*interface.find("move")),
            "double move(in M::Point by, out M::Point to, inout sequence<M::Point> all) raises (M::Bad)");
  EXPECT_TRUE(interface.find("tell")->is_oneway);
  EXPECT_TRUE(interface.find("tell")->has_contexts);
  EXPECT_NE(interface.find("_set_x"), nullptr);
  EXPECT_NE(interface.find("_get_y"), nullptr);
  EXPECT_EQ(interface.find("_set_y"), nullptr);
  EXPECT_TRUE(catalogue.type_named("M::Point"));
  EXPECT_TRUE(catalogue.type_named("IDL:M/Bad:1.0"));
}

TEST(Described, ExceptionsOfAttributesAreThoseOfTheirOperations) {
  const Takt::Reflection::ExceptionDescription bad{"Bad", "IDL:M/Bad:1.0", "IDL:M:1.0", "1.0",
                                                   struct_of("IDL:M/Bad:1.0", "Bad", {}, TCKind::tk_except)};
  const Takt::Reflection::ExceptionDescription worse{
      "Worse", "IDL:M/Worse:1.0", "IDL:M:1.0", "1.0",
      struct_of("IDL:M/Worse:1.0", "Worse", {}, TCKind::tk_except)};
  ExtDescription described("I", "IDL:M/I:1.0", "", "1.0", {}, {}, {}, of_kind(TCKind::tk_null));
  described.attributes() = {{"x",
                             "IDL:M/I/x:1.0",
                             "IDL:M/I:1.0",
                             "1.0",
                             of_kind(TCKind::tk_long),
                             AttributeMode::ATTR_NORMAL,
                             {bad},
                             {bad, worse}}};
  const Catalogue catalogue = catalogue_of(described);
  const Interface& interface = catalogue.interfaces.front();
  ASSERT_EQ(interface.find("_get_x")->exceptions.size(), 1u);
  EXPECT_EQ(interface.find("_get_x")->exceptions[0]->id(), "IDL:M/Bad:1.0");
  EXPECT_EQ(interface.find("_set_x")->exceptions.size(), 2u);

  const auto refused = [](ExtDescription given) {
    try {
      (void)catalogue_of(given);
      return std::string("accepted");
    } catch (const Failure& failure) {
      return failure.text;
    }
  };
  described.attributes()[0].put_exceptions()[0].type(of_kind(TCKind::tk_long));
  EXPECT_NE(refused(described).find("an exception's type is none of an exception"), std::string::npos);
  described.attributes()[0].put_exceptions().assign(most_described + 1, worse);
  EXPECT_NE(refused(described).find("exceptions of an attribute, more than"), std::string::npos);
}

TEST(Described, NamesAreThoseOfIdl) {
  for (const std::string name : {"", "_set_x", "two words", "\x1b[2J", "1st", "a\nb"})
    EXPECT_EQ(refusal(description({operation(name)})), "the name of an operation is no identifier") << name;
  EXPECT_EQ(refusal(description({operation("f", {parameter("a\tb", of_kind(TCKind::tk_long))})})),
            "the name of a parameter is no identifier");
  EXPECT_EQ(refusal(description({}, {attribute("", AttributeMode::ATTR_NORMAL)})),
            "the name of an attribute is no identifier");
  Description unnamed = description({});
  unnamed.name("");
  EXPECT_EQ(refusal(unnamed), "the name of the interface is no identifier");
  Description hidden = description({});
  hidden.id("IDL:\x1b[2J:1.0");
  EXPECT_EQ(refusal(hidden), "the repository id of the interface has characters that no id has");
}

TEST(Described, NamesInTypesAreThoseOfIdl) {
  const auto refusal_of = [](const typecode_reference& type) {
    return refusal(description({operation("f", {parameter("a", type)})}));
  };
  const auto deep = [](const typecode_reference& type) {
    return cdr::sequence_typecode(struct_of("IDL:S:1.0", "S", {cdr::array_typecode(type, 2)}));
  };
  EXPECT_EQ(refusal_of(deep(struct_of("IDL:T\n:1.0", "T", {}))),
            "the repository id of a type has characters that no id has");
  EXPECT_EQ(refusal_of(deep(struct_of("IDL:T:1.0", "\x7f", {}))), "the name of a type is no identifier");
  cdr::TypeCodeParts parts{.kind = TCKind::tk_enum, .id = "IDL:E:1.0", .name = "E"};
  parts.members.push_back({.name = "no name"});
  EXPECT_EQ(refusal_of(deep(cdr::make_typecode(std::move(parts)))), "the name of a member is no identifier");
  EXPECT_EQ(refusal_of(deep(struct_of("", "", {of_kind(TCKind::tk_long)}))), "");
}

TEST(Described, TypesAreThoseOfValues) {
  const auto refusal_of = [](const typecode_reference& type) {
    return refusal(description({operation("f", {parameter("a", type)})}));
  };
  const std::string none = "the type of a parameter or attribute is none of a value";
  EXPECT_EQ(refusal_of(of_kind(TCKind::tk_void)), none);
  EXPECT_EQ(refusal_of(of_kind(TCKind::tk_null)), none);
  EXPECT_EQ(refusal_of(struct_of("IDL:X:1.0", "X", {}, TCKind::tk_except)), none);
  EXPECT_EQ(refusal_of({}), "a type is missing");
  auto raising = operation("f");
  raising.exceptions().push_back({"X", "IDL:X:1.0", "", "1.0", of_kind(TCKind::tk_long)});
  EXPECT_EQ(refusal(description({raising})), "an exception's type is none of an exception");
}

TEST(Described, NamesAreNotRepeated) {
  EXPECT_EQ(refusal(description({operation("f"), operation("f")})),
            "it has two operations or attributes 'f'");
  EXPECT_EQ(refusal(description({}, {attribute("x", AttributeMode::ATTR_READONLY),
                                     attribute("x", AttributeMode::ATTR_READONLY)})),
            "it has two operations or attributes '_get_x'");
}

TEST(Described, ListsAreBounded) {
  EXPECT_EQ(refusal(description(std::vector<OperationDescription>(most_described + 1, operation("f")))),
            "it has 10001 operations, more than 10000");
  EXPECT_EQ(refusal(description({}, std::vector<AttributeDescription>(
                                        most_described + 1, attribute("x", AttributeMode::ATTR_NORMAL)))),
            "it has 10001 attributes, more than 10000");
  const std::vector<ParameterDescription> many(most_described + 1, parameter("p", of_kind(TCKind::tk_long)));
  EXPECT_EQ(refusal(description({operation("f", many)})),
            "it has 10001 parameters of an operation, more than 10000");
  auto raising = operation("f");
  raising.exceptions().resize(most_described + 1);
  EXPECT_EQ(refusal(description({raising})), "it has 10001 exceptions of an operation, more than 10000");
}

// Each type has the one before twice, so a value has 2 to the 40 numbers. Arrays of arrays are as large.
TEST(Described, ExamplesOfTypesThatAreLargerThanTheyLookAreBounded) {
  typecode_reference doubled = of_kind(TCKind::tk_long), arrays = of_kind(TCKind::tk_long);
  for (int i = 0; i < 40; ++i) {
    doubled = struct_of("IDL:S" + std::to_string(i) + ":1.0", "S", {doubled, doubled});
    arrays = cdr::array_typecode(arrays, 4'000'000'000);
  }
  const Catalogue catalogue =
      catalogue_of(description({operation("f", {parameter("a", doubled), parameter("b", arrays)})}));
  const auto example = example_arguments(*catalogue.interfaces.front().find("f"));
  EXPECT_LT(example.dump().size(), 1'000'000u);
  EXPECT_TRUE(example["a"].contains("m1"));
}

// Inside refers to the type around it, which the catalogue has too.
TEST(Described, TypesThatReferToTheTypeAroundThemAreOffered) {
  const auto inside =
      struct_of("IDL:Inside:1.0", "Inside", {cdr::sequence_typecode(cdr::make_recursion("IDL:Outer:1.0"))});
  const auto outer = struct_of("IDL:Outer:1.0", "Outer", {inside});
  const Catalogue catalogue = catalogue_of(description({operation("f", {parameter("a", outer)})}));
  EXPECT_TRUE(catalogue.type_named("Outer"));
  EXPECT_TRUE(catalogue.type_named("Inside"));
}

TEST(Described, TypesThatReferToNothingAreNotOffered) {
  const auto lost =
      struct_of("IDL:Lost:1.0", "Lost", {cdr::sequence_typecode(cdr::make_recursion("IDL:Nowhere:1.0"))});
  const Catalogue catalogue = catalogue_of(description({operation("f", {parameter("a", lost)})}));
  EXPECT_FALSE(catalogue.type_named("Lost"));
}

}  // namespace
}  // namespace takt::command
