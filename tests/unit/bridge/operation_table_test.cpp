// The operations whose bodies a bridge parses.
#include "bridge/known_operations.h"

#include <gtest/gtest.h>

#include <takt/cdr/mapping/type_code.h>

namespace takt::bridge {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

const auto number = cdr::basic_typecode(TCKind::tk_long);
const auto any = cdr::basic_typecode(TCKind::tk_any);
const auto object = cdr::make_named(TCKind::tk_objref, "IDL:M/Thing:1.0", "Thing");

typecode_reference holder(TCKind kind, const char* id, typecode_reference member) {
  cdr::TypeCodeParts parts;
  parts.kind = kind;
  parts.id = id;
  parts.name = "Holder";
  parts.members.push_back({.name = "number", .type = number});
  parts.members.push_back({.name = "member", .type = std::move(member)});
  return cdr::make_typecode(std::move(parts));
}

OperationTypes operation(std::vector<typecode_reference> arguments, std::vector<typecode_reference> results,
                         std::vector<typecode_reference> exceptions = {},
                         std::string interface_id = "IDL:A:1.0", std::string name = "run") {
  return {std::move(interface_id), std::move(name), std::move(arguments), std::move(results),
          std::move(exceptions)};
}

TEST(OperationsOfABridge, ReferWhereTheirTypesDo) {
  const auto refers = [](const typecode_reference& type) {
    const KnownOperations table({operation({type}, {})});
    EXPECT_FALSE(table.find("IDL:A:1.0", "run")->results_refer);
    return table.find("IDL:A:1.0", "run")->arguments_refer;
  };
  EXPECT_FALSE(refers(number));
  EXPECT_TRUE(refers(any));
  EXPECT_TRUE(refers(object));
  EXPECT_TRUE(refers(cdr::sequence_typecode(object)));
  EXPECT_FALSE(refers(cdr::sequence_typecode(number)));
  EXPECT_TRUE(refers(cdr::make_alias("IDL:T:1.0", "T", cdr::array_typecode(object, 3))));
  EXPECT_TRUE(refers(holder(TCKind::tk_struct, "IDL:S:1.0", object)));
  EXPECT_FALSE(refers(holder(TCKind::tk_struct, "IDL:S:1.0", number)));
  EXPECT_TRUE(refers(holder(TCKind::tk_value, "IDL:V:1.0", number)));  // a derived value may
  const auto tree = cdr::sequence_typecode(cdr::make_recursion("IDL:R:1.0"));
  EXPECT_FALSE(refers(holder(TCKind::tk_struct, "IDL:R:1.0", tree)));
}

TEST(OperationsOfABridge, ReferByTheirExceptionsToo) {
  const auto raised = holder(TCKind::tk_except, "IDL:E:1.0", object);
  const KnownOperations table({operation({}, {number}, {raised})});
  const auto* const found = table.find("IDL:A:1.0", "run");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->results_refer);
  ASSERT_TRUE(found->exception("IDL:E:1.0"));
  EXPECT_FALSE(found->exception("IDL:F:1.0"));
}

TEST(OperationsOfABridge, AreFoundByNameWhereNoInterfacesDiffer) {
  const KnownOperations same({operation({object}, {}), operation({object}, {}, {}, "IDL:B:1.0")});
  EXPECT_TRUE(same.find("IDL:A:1.0", "run"));
  EXPECT_TRUE(same.find("", "run"));
  EXPECT_TRUE(same.find("IDL:Unknown:1.0", "run"));
  EXPECT_FALSE(same.find("IDL:A:1.0", "walk"));
  const KnownOperations different({operation({object}, {}), operation({number}, {}, {}, "IDL:B:1.0")});
  EXPECT_TRUE(different.find("IDL:A:1.0", "run")->arguments_refer);
  EXPECT_FALSE(different.find("IDL:B:1.0", "run")->arguments_refer);
  EXPECT_FALSE(different.find("", "run"));
}

TEST(OperationsOfABridge, OfEveryObjectAreKnown) {
  const KnownOperations table({operation({}, {})}), none({});
  EXPECT_TRUE(table.find("IDL:A:1.0", "_component")->results_refer);
  EXPECT_FALSE(table.find("", "_is_a")->results_refer);
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.find("", "_is_a"));
}

}  // namespace
}  // namespace takt::bridge
