#include "octets/type_bytes.h"

#include <gtest/gtest.h>

#include <chrono>

namespace takt::octets {
namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 20;

CORBA::typecode_reference pair_of(const CORBA::typecode_reference& type) {
  return cdr::make_typecode({.kind = CORBA::TCKind::tk_struct,
                             .id = "IDL:Pair:1.0",
                             .name = "Pair",
                             .members = {{.name = "first", .type = type}, {.name = "second", .type = type}}});
}

TEST(TypeBytes, AreThoseOfNamesAndParts) {
  const auto number = cdr::basic_typecode(CORBA::TCKind::tk_long);
  EXPECT_EQ(type_bytes(number, most), 0u);
  EXPECT_EQ(type_bytes(cdr::basic_typecode(CORBA::TCKind::tk_string), most), 0u);
  EXPECT_GT(type_bytes(cdr::make_alias("IDL:A:1.0", std::string(5'000, 'x'), number), most), 5'000u);
  const auto pair = pair_of(number);
  EXPECT_GT(type_bytes(pair_of(pair), most), 2 * type_bytes(pair, most));
}

TEST(TypeBytes, EndAtARecursion) {
  const auto again = cdr::make_typecode(
      {.kind = CORBA::TCKind::tk_sequence, .content = cdr::make_recursion("IDL:Pair:1.0")});
  EXPECT_LT(type_bytes(pair_of(again), most), 10'000u);
}

// The type has few parts, but each path to one of them counts: 2 to the power of 60.
TEST(TypeBytes, EndWhenTheyAreTooMany) {
  auto type = cdr::basic_typecode(CORBA::TCKind::tk_long);
  for (int i = 0; i < 60; ++i) type = pair_of(type);
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t bytes = type_bytes(type, most);
  EXPECT_GT(bytes, most);
  EXPECT_LT(bytes, 2 * most);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

}  // namespace
}  // namespace takt::octets
