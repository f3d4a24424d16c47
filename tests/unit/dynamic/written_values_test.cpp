// The octets of a dynamic request's arguments are those of any other way to write the same values.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>
#include <string>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/mapping/type_code.h>

#include "dynamic/request/results.h"

namespace takt::dynamic {
namespace {

using CORBA::TCKind;
using Octets = std::vector<std::uint8_t>;
using Random = std::mt19937;

const std::vector<TCKind> leaves = {TCKind::tk_octet,    TCKind::tk_boolean, TCKind::tk_char,
                                    TCKind::tk_short,    TCKind::tk_long,    TCKind::tk_float,
                                    TCKind::tk_longlong, TCKind::tk_double,  TCKind::tk_string,
                                    TCKind::tk_any,      TCKind::tk_wstring};

CORBA::typecode_reference type_of(Random& random, int depth) {
  switch (depth == 0 ? 0 : random() % 4) {
    case 1:
      return cdr::sequence_typecode(type_of(random, depth - 1));
    case 2:
      return cdr::array_typecode(type_of(random, depth - 1), 1 + random() % 3);
    case 3: {
      cdr::TypeCodeParts parts;
      parts.kind = TCKind::tk_struct;
      parts.id = "IDL:S:1.0";
      for (auto left = 1 + random() % 5; left > 0; --left)
        parts.members.push_back({"m" + std::to_string(left), type_of(random, depth - 1)});
      return cdr::make_typecode(std::move(parts));
    }
    default:
      return cdr::basic_typecode(leaves[random() % leaves.size()]);
  }
}

void put_leaf(cdr::Encoder& out, TCKind kind, Random& random) {
  const auto number = static_cast<std::int32_t>(random());
  switch (kind) {
    case TCKind::tk_octet:
      return out.put(static_cast<std::uint8_t>(number));
    case TCKind::tk_boolean:
      return out.put(number % 2 == 0);
    case TCKind::tk_char:
      return out.put(static_cast<char>('a' + random() % 26));
    case TCKind::tk_short:
      return out.put(static_cast<std::int16_t>(number));
    case TCKind::tk_long:
      return out.put(number);
    case TCKind::tk_float:
      return out.put(static_cast<float>(number));
    case TCKind::tk_longlong:
      return out.put(std::int64_t{number} * 3'000'000'000);
    case TCKind::tk_double:
      return out.put(number * 0.5);
    case TCKind::tk_string:
      return out.put_string(std::string(random() % 9, 's'));
    case TCKind::tk_wstring:
      return out.put_wstring(std::wstring(random() % 9, L'w'));
    default: {
      CORBA::Any inner;
      inner <<= number;
      return cdr::write_any(out, inner);
    }
  }
}

// Writes a value without any code that is tested here. The same random numbers give the same value.
void put_value(cdr::Encoder& out, const CORBA::TypeCode& type, Random& random) {
  switch (type.kind()) {
    case TCKind::tk_sequence: {
      const auto count = static_cast<std::uint32_t>(random() % 4);
      out.put(count);
      for (std::uint32_t i = 0; i < count; ++i) put_value(out, *type.content_type(), random);
      return;
    }
    case TCKind::tk_array:
      for (std::uint32_t i = 0; i < type.length(); ++i) put_value(out, *type.content_type(), random);
      return;
    case TCKind::tk_struct:
      for (std::uint32_t i = 0; i < type.member_count(); ++i) put_value(out, *type.member_type(i), random);
      return;
    default:
      return put_leaf(out, type.kind(), random);
  }
}

// The octets that `write` appends behind `before` octets.
template <class Write>
Octets written(const cdr::Format& format, std::size_t before, Write write) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer, format);
  out.set_borrowing(false);
  for (std::size_t i = 0; i < before; ++i) out.put(std::uint8_t{0xee});
  write(out);
  RC_ASSERT(out.ok());
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

CORBA::Any any_of(const CORBA::typecode_reference& type, const Octets& octets) {
  cdr::Decoder in(octets, 0, cdr::any_format());
  CORBA::Any any;
  RC_ASSERT(cdr::read_any_value(in, type, any));
  return any;
}

void check(const CORBA::typecode_reference& type, std::uint32_t seed) {
  const auto put = [&](cdr::Encoder& out) {
    Random random(seed);
    put_value(out, *type, random);
  };
  const CORBA::Any any = any_of(type, written(cdr::any_format(), 0, put));
  for (const auto order : {cdr::ByteOrder::little, cdr::ByteOrder::big})
    for (std::size_t before = 0; before <= 8; ++before) {
      cdr::Format format = cdr::any_format();
      format.order = order;
      RC_ASSERT(written(format, before, [&](cdr::Encoder& out) { write_value(out, any); }) ==
                written(format, before, put));
    }
}

TEST(WrittenValues, HaveTheOctetsOfAnyOtherWayInBothByteOrders) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) {
    Random random(seed);
    const int depth = static_cast<int>(random() % 4);
    check(type_of(random, depth), seed);
  }));
}

// A struct with 16 members, each of which has 16 members, and so on.
CORBA::typecode_reference wide_type(int depth) {
  if (depth == 0) return cdr::basic_typecode(TCKind::tk_octet);
  cdr::TypeCodeParts parts;
  parts.kind = TCKind::tk_struct;
  parts.id = "IDL:Wide" + std::to_string(depth) + ":1.0";
  const auto member = wide_type(depth - 1);
  for (int i = 0; i < 16; ++i) parts.members.push_back({"m" + std::to_string(i), member});
  return cdr::make_typecode(std::move(parts));
}

TEST(WrittenValues, OfLargeTypesHaveTheSameOctets) {
  EXPECT_TRUE(rc::check([](std::uint32_t seed) { check(cdr::sequence_typecode(wide_type(2)), seed); }));
}

// The type has 16 to the power of 15 parts, too many to look at.
TEST(WrittenValues, WithoutElementsDoNotDependOnTheSizeOfTheirType) {
  const auto type = cdr::sequence_typecode(wide_type(15));
  const CORBA::Any any(type, [] {
    auto content = std::make_shared<cdr::AnyContent>();
    content->octets.resize(4);
    return content;
  }());
  const auto octets = written(cdr::any_format(), 0, [&](cdr::Encoder& out) { write_value(out, any); });
  EXPECT_EQ(octets, Octets(4));
}

}  // namespace
}  // namespace takt::dynamic
