// Random types, and the octets of random values of a type, written without the code that tests compare.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/ior.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/typecode.h>

namespace takt::test {

// The same seed gives the same types and values, in any byte order.
class RandomValues {
 public:
  explicit RandomValues(std::uint32_t seed) : random_(seed), seed_(seed) {}

  // Nested up to `depth` times.
  CORBA::typecode_reference type(int depth) {
    using CORBA::TCKind;
    const std::string number = std::to_string(seed_) + "_" + std::to_string(types_++);  // unique
    cdr::TypeCodeParts parts;
    switch (depth <= 0 ? 0 : random_() % 8) {
      case 1:
        return cdr::sequence_typecode(type(depth - 1), random_() % 2 == 0 ? 0 : 3);
      case 2:
        return cdr::array_typecode(type(depth - 1), 1 + random_() % 3);
      case 3:
      case 4:
        parts = {.kind = TCKind::tk_struct, .id = "IDL:S" + number + ":1.0", .name = "S" + number};
        for (auto left = 1 + random_() % 5; left > 0; --left)
          parts.members.push_back({"m" + std::to_string(left), type(depth - 1)});
        return cdr::make_typecode(std::move(parts));
      case 5:
        return union_type(depth, number);
      case 6:
        parts = {.kind = TCKind::tk_alias, .id = "IDL:A" + number + ":1.0", .name = "A" + number};
        parts.content = type(depth - 1);
        return cdr::make_typecode(std::move(parts));
      case 7:
        return enum_type(number);
      default:
        return leaf();
    }
  }

  void put(cdr::Encoder& out, const CORBA::TypeCode& given, int depth = 6) {
    using CORBA::TCKind;
    const CORBA::TypeCode& type = given._unaliased();
    const cdr::TypeCodeParts& parts = type._parts();
    switch (parts.kind) {
      case TCKind::tk_sequence: {
        const std::uint32_t most = depth <= 0 ? 0 : parts.length != 0 ? parts.length : 3;
        const auto count = static_cast<std::uint32_t>(random_() % (most + 1));
        out.put(count);
        for (std::uint32_t i = 0; i < count; ++i) put(out, *type.content_type(), depth - 1);
        return;
      }
      case TCKind::tk_array:
        for (std::uint32_t i = 0; i < parts.length; ++i) put(out, *type.content_type(), depth - 1);
        return;
      case TCKind::tk_except:
        out.put_raw_string(parts.id);
        [[fallthrough]];
      case TCKind::tk_struct:
        for (std::uint32_t i = 0; i < type.member_count(); ++i) put(out, *type.member_type(i), depth - 1);
        return;
      case TCKind::tk_union:
        return put_union(out, type, depth);
      case TCKind::tk_any:
        return put_any(out, depth);
      default:
        return put_leaf(out, parts);
    }
  }

 private:
  CORBA::typecode_reference leaf() {
    using CORBA::TCKind;
    static constexpr TCKind kinds[] = {TCKind::tk_octet,      TCKind::tk_boolean, TCKind::tk_char,
                                       TCKind::tk_wchar,      TCKind::tk_short,   TCKind::tk_ushort,
                                       TCKind::tk_long,       TCKind::tk_ulong,   TCKind::tk_longlong,
                                       TCKind::tk_ulonglong,  TCKind::tk_float,   TCKind::tk_double,
                                       TCKind::tk_longdouble, TCKind::tk_string,  TCKind::tk_wstring,
                                       TCKind::tk_any,        TCKind::tk_TypeCode};
    const auto which = random_() % (std::size(kinds) + 2);
    if (which < std::size(kinds)) return cdr::basic_typecode(kinds[which]);
    if (which == std::size(kinds)) return cdr::make_typecode({.kind = TCKind::tk_string, .length = 4});
    cdr::TypeCodeParts parts{.kind = TCKind::tk_fixed};
    parts.digits = static_cast<std::uint16_t>(1 + random_() % 31);
    parts.scale = static_cast<std::int16_t>(random_() % (parts.digits + 1u));
    return cdr::make_typecode(std::move(parts));
  }

  CORBA::typecode_reference enum_type(const std::string& number) {
    cdr::TypeCodeParts parts{
        .kind = CORBA::TCKind::tk_enum, .id = "IDL:E" + number + ":1.0", .name = "E" + number};
    for (auto left = 1 + random_() % 4; left > 0; --left)
      parts.members.push_back({"e" + std::to_string(left)});
    return cdr::make_typecode(std::move(parts));
  }

  // Labels are 0, 1, ...; the last member may be the default one.
  CORBA::typecode_reference union_type(int depth, const std::string& number) {
    using CORBA::TCKind;
    cdr::TypeCodeParts parts{.kind = TCKind::tk_union, .id = "IDL:U" + number + ":1.0", .name = "U" + number};
    static constexpr TCKind kinds[] = {TCKind::tk_long, TCKind::tk_short, TCKind::tk_ulonglong,
                                       TCKind::tk_boolean};
    parts.discriminator = cdr::basic_typecode(kinds[random_() % std::size(kinds)]);
    const bool is_boolean = parts.discriminator->kind() == TCKind::tk_boolean;
    const auto members = 1 + random_() % (is_boolean ? 2 : 4);
    for (std::uint32_t i = 0; i < members; ++i)
      parts.members.push_back({"u" + std::to_string(i), type(depth - 1), static_cast<std::int64_t>(i)});
    if (!is_boolean && random_() % 2 == 0) {
      parts.default_index = static_cast<std::int32_t>(members) - 1;
      parts.members.back().label = 0;
      if (members == 1) parts.default_index = -1;
    }
    return cdr::make_typecode(std::move(parts));
  }

  void put_union(cdr::Encoder& out, const CORBA::TypeCode& type, int depth) {
    const cdr::TypeCodeParts& parts = type._parts();
    const auto chosen = static_cast<std::int32_t>(random_() % parts.members.size());
    std::int64_t label = parts.members[static_cast<std::size_t>(chosen)].label;
    if (chosen == parts.default_index) label = unused_label(type);
    put_discriminator(out, parts.discriminator->_unaliased(), label);
    const cdr::TypeCodeMember* const member = type._member_with_label(label);
    if (member)
      put(out, *type.member_type(static_cast<std::uint32_t>(member - parts.members.data())), depth - 1);
  }

  // A discriminator that selects the default member.
  std::int64_t unused_label(const CORBA::TypeCode& type) {
    const cdr::TypeCodeParts& parts = type._parts();
    const cdr::TypeCodeMember* const wanted = &parts.members[static_cast<std::size_t>(parts.default_index)];
    const bool is_enum = parts.discriminator->_unaliased().kind() == CORBA::TCKind::tk_enum;
    const std::int64_t first = is_enum ? 0 : 'f';
    for (std::int64_t label = first;; ++label)
      if (type._member_with_label(label) == wanted) return label;
  }

  void put_discriminator(cdr::Encoder& out, const CORBA::TypeCode& type, std::int64_t label) {
    using CORBA::TCKind;
    switch (type.kind()) {
      case TCKind::tk_boolean:
        return out.put(label != 0);
      case TCKind::tk_char:
        return out.put(static_cast<char>(label));
      case TCKind::tk_octet:
        return out.put(static_cast<std::uint8_t>(label));
      case TCKind::tk_short:
      case TCKind::tk_ushort:
        return out.put(static_cast<std::uint16_t>(label));
      case TCKind::tk_longlong:
      case TCKind::tk_ulonglong:
        return out.put(label);
      default:
        return out.put(static_cast<std::uint32_t>(label));
    }
  }

  void put_any(cdr::Encoder& out, int depth) {
    const auto inner = type(depth > 4 ? 1 : 0);
    RandomValues values(static_cast<std::uint32_t>(random_()));
    GatherBuffer buffer;
    cdr::Encoder into(buffer, cdr::any_format());
    into.set_borrowing(false);
    values.put(into, *inner, depth - 2);
    const std::vector<std::uint8_t> octets(buffer.owned(), buffer.owned() + buffer.owned_size());
    cdr::Decoder in(octets, 0, cdr::any_format());
    CORBA::Any any;
    if (!cdr::read_any_value(in, inner, any)) out.fail(in.error());
    cdr::write_any(out, any);
  }

  template <class Char>
  std::basic_string<Char> text(std::uint32_t bound) {
    static constexpr char letters[] = "ab \"\\{}:'\t~Z09";
    std::basic_string<Char> made(random_() % (bound == 0 ? 9 : bound + 1), Char{});
    for (Char& each : made) each = static_cast<Char>(letters[random_() % (sizeof letters - 1)]);
    return made;
  }

  void put_leaf(cdr::Encoder& out, const cdr::TypeCodeParts& parts) {
    using CORBA::TCKind;
    const auto number = static_cast<std::int32_t>(random_());
    switch (parts.kind) {
      case TCKind::tk_null:
      case TCKind::tk_void:
        return;
      case TCKind::tk_octet:
        return out.put(static_cast<std::uint8_t>(number));
      case TCKind::tk_boolean:
        return out.put(number % 2 == 0);
      case TCKind::tk_char:
        return out.put(static_cast<char>('a' + random_() % 26));
      case TCKind::tk_wchar:
        return out.put(number % 2 == 0 ? L'\u20ac' : L'w');
      case TCKind::tk_short:
      case TCKind::tk_ushort:
        return out.put(static_cast<std::uint16_t>(number));
      case TCKind::tk_long:
      case TCKind::tk_ulong:
        return out.put(number);
      case TCKind::tk_enum:
        return out.put(static_cast<std::uint32_t>(random_() % parts.members.size()));
      case TCKind::tk_longlong:
      case TCKind::tk_ulonglong:
        return out.put(std::int64_t{number} * 3'000'000'000);
      case TCKind::tk_float:
        return out.put(static_cast<float>(number) / 3);
      case TCKind::tk_double:
        return out.put(number / 3.0);
      case TCKind::tk_longdouble:
        return out.put(static_cast<long double>(number) / 3);
      case TCKind::tk_string:
        return out.put_string(text<char>(parts.length));
      case TCKind::tk_wstring:
        return out.put_wstring(text<wchar_t>(parts.length) + (parts.length == 0 ? L"\u20ac" : L""));
      case TCKind::tk_TypeCode:
        return cdr::write_typecode(out, type(1));
      case TCKind::tk_fixed:
        return put_fixed(out, parts.digits);
      case TCKind::tk_objref:
        return cdr::write_ior(out, {});
      case TCKind::tk_value:
      case TCKind::tk_value_box:
        return out.put(std::uint32_t{0});  // null
      default:
        return out.fail(cdr::Error::bad_typecode);
    }
  }

  // Two digits to an octet, the last of which has the sign (CORBA 3.0.3, 15.3.2.8).
  void put_fixed(cdr::Encoder& out, std::uint16_t digits) {
    std::vector<std::uint8_t> halves;
    if (digits % 2 == 0) halves.push_back(0);
    bool zero = true;
    for (std::uint16_t i = 0; i < digits; ++i) {
      halves.push_back(static_cast<std::uint8_t>(random_() % 10));
      zero = zero && halves.back() == 0;
    }
    halves.push_back(!zero && random_() % 2 == 0 ? 0xd : 0xc);
    for (std::size_t i = 0; i < halves.size(); i += 2)
      out.put(static_cast<std::uint8_t>(halves[i] << 4 | halves[i + 1]));
  }

  std::mt19937 random_;
  const std::uint32_t seed_;
  int types_ = 0;
};

}  // namespace takt::test
