// Converting the contents of Anys with every type from one byte order to the other.
#include "cdr/text/transcoder.h"

#include <gtest/gtest.h>

#include <takt/cdr/environment.h>

#include "body_forms.h"
#include "octets.h"
#include "values.h"

namespace takt::cdr::test {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

typecode_reference of(TypeCodeParts parts) { return make_typecode(std::move(parts)); }
typecode_reference of_enum() {
  return of({.kind = TCKind::tk_enum, .id = "IDL:E:1.0", .name = "E", .members = {{"A"}, {"B"}}});
}
typecode_reference structure(TCKind kind, const std::vector<typecode_reference>& types) {
  TypeCodeParts parts{.kind = kind, .id = "IDL:S:1.0", .name = "S"};
  for (const auto& type : types) parts.members.push_back({.type = type});
  return of(std::move(parts));
}
typecode_reference array_of(const typecode_reference& type, std::uint32_t length) {
  return of({.kind = TCKind::tk_array, .content = type, .length = length});
}
// Has an octet for that label, and nothing for others.
typecode_reference union_of(const typecode_reference& discriminator, std::int64_t label) {
  return of({.kind = TCKind::tk_union,
             .id = "IDL:U:1.0",
             .name = "U",
             .members = {{.name = "m", .type = basic_typecode(TCKind::tk_octet), .label = label}},
             .discriminator = discriminator});
}

struct Result {
  std::string octets;
  Error error = Error::none;
  std::size_t left = 0;
};
Result copied(const typecode_reference& type, const Octets& content, ByteOrder from, ByteOrder to) {
  Decoder in(content, 0, format(from));
  Result result;
  const Octets written_octets = written(format(to), [&](Encoder& out) {
    if (!Transcoder(in, out).copy(type) && out.ok()) out.fail(in.error());
    result.error = out.error();
  });
  result.octets = hex(written_octets);
  result.left = in.remaining();
  return result;
}
void expect_swapped(const typecode_reference& type, const char* big, const char* little) {
  SCOPED_TRACE(std::string(big) + ", kind " + std::to_string(static_cast<int>(type->kind())));
  const struct {
    const char *content, *expected;
    ByteOrder from, to;
  } ways[] = {{big, little, ByteOrder::big, ByteOrder::little},
              {little, big, ByteOrder::little, ByteOrder::big},
              {big, big, ByteOrder::big, ByteOrder::big}};
  for (const auto& way : ways) {
    const Result result = copied(type, octets(way.content), way.from, way.to);
    EXPECT_EQ(result.error, Error::none);
    EXPECT_EQ(result.octets, hex(way.expected));
    EXPECT_EQ(result.left, 0u);
  }
}
Error refusal(const typecode_reference& type, const char* content) {
  return copied(type, octets(content), ByteOrder::big, ByteOrder::little).error;
}

TEST(Transcoder, numbers_are_swapped) {
  const auto expect = [](TCKind kind, const char* big, const char* little) {
    expect_swapped(basic_typecode(kind), big, little);
  };
  expect(TCKind::tk_null, "", "");
  expect(TCKind::tk_void, "", "");
  expect(TCKind::tk_short, "fffe", "feff");
  expect(TCKind::tk_ushort, "1234", "3412");
  expect(TCKind::tk_long, "fffffffe", "feffffff");
  expect(TCKind::tk_ulong, "12345678", "78563412");
  expect(TCKind::tk_longlong, "0102030405060708", "0807060504030201");
  expect(TCKind::tk_ulonglong, "fffefdfcfbfaf9f8", "f8f9fafbfcfdfeff");
  expect(TCKind::tk_float, "3f800000", "0000803f");
  expect(TCKind::tk_double, "3ff0000000000000", "000000000000f03f");
  expect(TCKind::tk_longdouble, "3fff0102030405060708090a0b0c0d0e", "0e0d0c0b0a0908070605040302 01ff3f");
  expect(TCKind::tk_boolean, "01", "01");
  expect(TCKind::tk_char, "41", "41");
  expect(TCKind::tk_octet, "ff", "ff");
  expect(TCKind::tk_wchar, "02 20ac", "02 20ac");
}

TEST(Transcoder, texts_and_references_are_copied) {
  expect_swapped(basic_typecode(TCKind::tk_string), "00000003 414200", "03000000 414200");
  expect_swapped(basic_typecode(TCKind::tk_wstring), "00000002 20ac", "02000000 20ac");
  expect_swapped(of({.kind = TCKind::tk_fixed, .digits = 5, .scale = 2}), "12345c", "12345c");
  expect_swapped(basic_typecode(TCKind::tk_any), "00000003 00000007", "03000000 07000000");
  expect_swapped(basic_typecode(TCKind::tk_TypeCode), "00000005", "05000000");
  expect_swapped(basic_typecode(TCKind::tk_Principal), "00000002 0102", "02000000 0102");
  for (const TCKind kind : {TCKind::tk_objref, TCKind::tk_component, TCKind::tk_home})
    expect_swapped(make_named(kind, "IDL:I:1.0", "I"), "00000001 00000000 00000000",
                   "01000000 00000000 00000000");
}

TEST(Transcoder, references_stay_what_they_are_where_the_environment_has_no_use_for_them) {
  Factories environment;
  Format from = format();
  from.environment = &environment;
  const auto type = make_named(TCKind::tk_objref, "IDL:I:1.0", "I");
  const Octets reference =
      written(format(), [](Encoder& out) { write_ior(out, {"IDL:I:1.0", {{7, {1, 2, 3, 4}}, {8, {}}}}); });
  Decoder in(reference, 0, from);
  const Octets copy = written(format(), [&](Encoder& out) { EXPECT_TRUE(Transcoder(in, out).copy(type)); });
  EXPECT_EQ(hex(copy), hex(reference));
}

TEST(Transcoder, constructed_types_are_copied_part_by_part) {
  const auto& of_short = basic_typecode(TCKind::tk_short);
  const auto& of_octet = basic_typecode(TCKind::tk_octet);
  expect_swapped(make_alias("IDL:A:1.0", "A", of_short), "1234", "3412");
  expect_swapped(of_enum(), "00000001", "01000000");
  expect_swapped(structure(TCKind::tk_struct, {of_octet, of_short}), "05001234", "05003412");
  expect_swapped(structure(TCKind::tk_except, {of_short}), "00000002 4500 1234", "02000000 4500 3412");
  expect_swapped(sequence_typecode(structure(TCKind::tk_struct, {of_short, of_octet})),
                 "00000002 1234 0500 5678 06", "02000000 3412 0500 7856 06");
}

TEST(Transcoder, sequences_and_arrays_of_numbers_are_copied_in_runs) {
  const auto expect = [](TCKind kind, const char* big, const char* little) {
    expect_swapped(array_of(basic_typecode(kind), 2), big, little);
  };
  expect(TCKind::tk_octet, "0102", "0102");
  expect(TCKind::tk_short, "0102 0304", "0201 0403");
  expect(TCKind::tk_ushort, "0102 0304", "0201 0403");
  expect(TCKind::tk_long, "01020304 05060708", "04030201 08070605");
  expect(TCKind::tk_ulong, "01020304 05060708", "04030201 08070605");
  expect(TCKind::tk_float, "3f800000 bf800000", "0000803f 000080bf");
  expect(TCKind::tk_longlong, "0102030405060708 1112131415161718", "0807060504030201 1817161514131211");
  expect(TCKind::tk_ulonglong, "0102030405060708 1112131415161718", "0807060504030201 1817161514131211");
  expect(TCKind::tk_double, "3ff0000000000000 bff0000000000000", "000000000000f03f 000000000000f0bf");

  Octets big = octets("00004e20"), little = octets("204e0000");  // 20,000: larger than the transcoder's run
  for (int i = 0; i < 20'000; ++i) {
    big.insert(big.end(), {static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i)});
    little.insert(little.end(), {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)});
  }
  const auto of_shorts = sequence_typecode(basic_typecode(TCKind::tk_short));
  EXPECT_EQ(copied(of_shorts, big, ByteOrder::big, ByteOrder::little).octets, hex(little));
}

TEST(Transcoder, the_discriminator_selects_what_is_copied) {
  const auto expect = [](TCKind kind, std::int64_t label, const char* big, const char* little) {
    expect_swapped(union_of(basic_typecode(kind), label), big, little);
  };
  expect(TCKind::tk_boolean, 1, "01 07", "01 07");
  expect(TCKind::tk_char, 'A', "41 07", "41 07");
  expect(TCKind::tk_octet, 200, "c8 07", "c8 07");
  expect(TCKind::tk_wchar, 0x20ac, "02 20ac 07", "02 20ac 07");
  expect(TCKind::tk_short, -2, "fffe 07", "feff 07");
  expect(TCKind::tk_ushort, 0xfffe, "fffe 07", "feff 07");
  expect(TCKind::tk_long, -2, "fffffffe 07", "feffffff 07");
  expect(TCKind::tk_ulong, 0xfffffffe, "fffffffe 07", "feffffff 07");
  expect(TCKind::tk_longlong, 5, "0000000000000005 07", "0500000000000000 07");
  expect(TCKind::tk_ulonglong, 6, "0000000000000006 07", "0600000000000000 07");
  expect(TCKind::tk_short, 3, "0004", "0400");  // no member
  expect_swapped(union_of(of_enum(), 1), "00000001 07", "01000000 07");
}

TEST(Transcoder, nil_values_and_abstract_interfaces_are_copied) {
  for (const TCKind kind : {TCKind::tk_value, TCKind::tk_event})
    expect_swapped(of({.kind = kind, .id = "IDL:V:1.0", .name = "V"}), "00000000", "00000000");
  const auto boxed = of({.kind = TCKind::tk_value_box,
                         .id = "IDL:B:1.0",
                         .name = "B",
                         .content = basic_typecode(TCKind::tk_short)});
  expect_swapped(boxed, "00000000", "00000000");
  const auto abstract = make_named(TCKind::tk_abstract_interface, "IDL:I:1.0", "I");
  expect_swapped(abstract, "00000000 00000000", "00000000 00000000");
  expect_swapped(abstract, "01000000 00000001 00000000 00000000", "01000000 01000000 00000000 00000000");
}

TEST(Transcoder, content_that_its_type_does_not_have_is_refused) {
  EXPECT_EQ(refusal(of_enum(), "00000002"), Error::bad_enum);
  EXPECT_EQ(refusal(union_of(of_enum(), 1), "00000002 07"), Error::bad_enum);
  EXPECT_EQ(refusal(string_typecode(TCKind::tk_string, 2), "00000004 41424300"), Error::too_long);
  EXPECT_EQ(refusal(sequence_typecode(basic_typecode(TCKind::tk_octet), 1), "00000002 0102"),
            Error::too_long);
  EXPECT_EQ(refusal(basic_typecode(TCKind::tk_boolean), "02"), Error::bad_boolean);
  EXPECT_EQ(refusal(basic_typecode(TCKind::tk_long), "0000"), Error::underflow);
  EXPECT_EQ(refusal(union_of(basic_typecode(TCKind::tk_long), 1), "0000"), Error::underflow);
  EXPECT_EQ(refusal(sequence_typecode(basic_typecode(TCKind::tk_short)), "00000002 0001"), Error::underflow);
  EXPECT_EQ(refusal(basic_typecode(TCKind::tk_any), "00000063"), Error::bad_typecode);
  EXPECT_EQ(refusal({}, ""), Error::bad_typecode);
  const auto six_digits = of({.kind = TCKind::tk_fixed, .digits = 6, .scale = 2});
  EXPECT_EQ(refusal(six_digits, "9123456c"), Error::bad_value) << "seven digits";
  EXPECT_EQ(refusal(six_digits, "0123456c"), Error::none);
  for (const TCKind kind : {TCKind::tk_native, TCKind::tk_local_interface})
    EXPECT_EQ(refusal(make_named(kind, "IDL:N:1.0", "N"), ""), Error::local_object);
}

TEST(Transcoder, bounds_of_texts_count_characters) {
  constexpr CodeSets latin{CodeSetId::iso_8859_1, CodeSetId::utf_16};
  const Octets four = octets("00000005 4dfc6c6c 00"), five = octets("00000006 4dfc6c6c6c 00");
  const auto type = string_typecode(TCKind::tk_string, 4);
  for (const Octets& text : {four, five}) {
    Decoder in(text, 0, format(ByteOrder::big, 2, &latin));
    const Octets copy = written(format(), [&](Encoder& out) { Transcoder(in, out).copy(type); });
    EXPECT_EQ(in.error(), text == four ? Error::none : Error::too_long);
    EXPECT_EQ(hex(copy).starts_with(hex("00000006 4dc3bc6c6c 00")), text == four);
  }
}

// A value of which only the TypeCode is known: members of its base come first.
TEST(Transcoder, states_of_values_begin_with_their_bases) {
  const auto member = [](TCKind kind) { return TypeCodeMember{.name = "m", .type = basic_typecode(kind)}; };
  const auto base = of({.kind = TCKind::tk_value,
                        .id = "IDL:Base:1.0",
                        .name = "Base",
                        .members = {member(TCKind::tk_short)}});
  const auto derived = of({.kind = TCKind::tk_value,
                           .id = "IDL:Derived:1.0",
                           .name = "Derived",
                           .members = {member(TCKind::tk_octet)},
                           .content = make_alias("IDL:Alias:1.0", "Alias", base)});
  const Octets content = octets("1234 05");
  Decoder in(content, 0, format(ByteOrder::big));
  const Octets out = written(format(ByteOrder::little), [&](Encoder& encoder) {
    EXPECT_TRUE(Transcoder(in, encoder).copy_state(*derived));
  });
  EXPECT_EQ(hex(out), hex("3412 05"));
}

// The joined octets of the TypeCode are charged, and given back once.
TEST(Transcoder, long_typecodes_in_anys_that_still_arrive_are_given_back_once) {
  const auto named = of({.kind = TCKind::tk_alias,
                         .id = "IDL:A:1.0",
                         .name = std::string(200'000, 'n'),
                         .content = basic_typecode(TCKind::tk_octet)});
  const auto text = of({.kind = TCKind::tk_string});
  MemoryBudget budget(16 << 20);
  Format from = format(ByteOrder::big);
  const Octets body = written(from, [&](Encoder& out) {
    for (int i = 0; i < 20; ++i) {
      write_typecode(out, named);
      out.put(std::uint8_t{7});
      out.put_raw_string(std::string(10'000, 't'));
    }
  });
  StreamOf stream(body, {100});
  from.memory = &budget;
  Decoder in(stream.first(), 0, from);
  stream.attach(in);
  Octets(written(format(ByteOrder::little), [&](Encoder& out) {
    Transcoder copy(in, out);
    for (int i = 0; i < 20 && in.ok(); ++i) {
      copy.copy(basic_typecode(TCKind::tk_any));
      copy.copy(text);
      EXPECT_LT(in.costs().bytes(), (i + 1) * 220'000u + 250'000u) << i;
      EXPECT_GE(in.costs().bytes(), (i + 1) * 200'000u) << i;
    }
  }));
  EXPECT_EQ(in.error(), Error::none);
}

}  // namespace
}  // namespace takt::cdr::test
