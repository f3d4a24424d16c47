#include <dlfcn.h>
#include <gtest/gtest.h>
#include <iconv.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "octets.h"

namespace takt::cdr::test {
namespace {

// Counts converters made by the iconv_open() below: in total, open now, and the maximum open at once.
std::atomic<int> opened{0}, open_now{0}, most_open{0};

constexpr auto latin_9 = static_cast<CodeSetId>(0x0001000f);

TEST(CodeSets, utf_8_becomes_iso_8859_1_where_nothing_was_negotiated) {
  const auto how = format(ByteOrder::big, 2, &default_code_sets);
  EXPECT_EQ(hex(encoded(std::string("é"), how)), hex("00000002 e900"));
  EXPECT_EQ(decoded<std::string>(octets("00000002 e900"), how).value, "é");
  EXPECT_TRUE(encoded(std::string("€"), how).empty());
}

TEST(CodeSets, iconv_knows_the_others) {
  static constexpr CodeSets sets{latin_9, CodeSetId::none};
  const auto how = format(ByteOrder::big, 2, &sets);
  EXPECT_EQ(hex(encoded(std::string("€"), how)), hex("00000002 a400"));
  EXPECT_EQ(decoded<std::string>(octets("00000002 a400"), how).value, "€");
  EXPECT_EQ(encoded(std::string("\xff\xff"), how).size(), 0u);
}

void convert_some(CodeSetId narrow) {
  const CodeSets sets{narrow, CodeSetId::none};
  const auto how = format(ByteOrder::big, 2, &sets);
  encoded(std::string("á"), how);
  decoded<std::string>(octets("00000002 e100"), how);
}

TEST(CodeSets, converters_stay_open_from_text_to_text) {
  const int before = opened;
  std::thread([] {
    for (int text = 0; text < 100; ++text) convert_some(latin_9);
  }).join();
  EXPECT_EQ(opened - before, 2) << "one in each direction";
}

TEST(CodeSets, a_thread_keeps_few_converters_open_and_none_when_it_ends) {
  const int others = open_now, before = opened;
  most_open = others;
  std::thread([] {
    for (int round = 0; round < 3; ++round)
      for (std::uint32_t part = 2; part <= 9; ++part) convert_some(static_cast<CodeSetId>(0x00010000 + part));
  }).join();
  EXPECT_GE(opened - before, 16) << "eight code sets in both directions";
  EXPECT_LE(most_open - others, 5) << "four, and for a moment the one that takes a place";
  EXPECT_EQ(open_now, others);
}

// An incomplete text must not affect the next one.
TEST(CodeSets, a_text_that_cannot_be_converted_harms_no_other) {
  static constexpr CodeSets sets{latin_9, CodeSetId::none};
  const auto how = format(ByteOrder::big, 2, &sets);
  for (int text = 0; text < 3; ++text) {
    EXPECT_TRUE(encoded(std::string("\xe2\x82"), how).empty()) << "the beginning of a character";
    EXPECT_EQ(hex(encoded(std::string("€"), how)), hex("00000002 a400"));
  }
}

// The character at 0xe1 in each code set, or in ASCII, by the names in OSF's registry.
TEST(CodeSets, each_of_iso_8859_is_the_one_that_the_registry_numbers) {
  const std::pair<std::uint32_t, const char*> letters[] = {
      {0x00010001, "á"}, {0x00010002, "á"}, {0x00010003, "á"}, {0x00010004, "á"},
      {0x00010005, "с"}, {0x00010006, "ف"}, {0x00010007, "α"}, {0x00010008, "ב"},
      {0x00010009, "á"}, {0x0001000a, "á"}, {0x0001000f, "á"}};
  for (const auto& [number, letter] : letters) {
    const CodeSets sets{static_cast<CodeSetId>(number), CodeSetId::none};
    EXPECT_TRUE(can_convert(sets)) << number;
    const auto how = format(ByteOrder::big, 2, &sets);
    EXPECT_EQ(hex(encoded(std::string(letter), how)), hex("00000002 e100")) << letter;
    EXPECT_EQ(decoded<std::string>(octets("00000002 e100"), how).value, letter);
  }
}

TEST(CodeSets, ascii_has_no_more_characters_than_it_has) {
  const CodeSets sets{CodeSetId::iso_646, CodeSetId::none};
  const auto how = format(ByteOrder::big, 2, &sets);
  EXPECT_EQ(hex(encoded(std::string("~"), how)), hex("00000002 7e00"));
  EXPECT_TRUE(encoded(std::string("é"), how).empty());
  EXPECT_EQ(decoded<std::string>(octets("00000002 e900"), how).error, Error::unmappable);
}

TEST(CodeSets, what_is_no_code_set_of_ours_cannot_be_converted) {
  EXPECT_FALSE(can_convert({static_cast<CodeSetId>(0x00030001), CodeSetId::none}));
  EXPECT_FALSE(can_convert({CodeSetId::utf_8, CodeSetId::utf_8})) << "for wide characters";
  EXPECT_TRUE(can_convert({CodeSetId::none, CodeSetId::ucs_2}));
  const CodeSets sets{static_cast<CodeSetId>(0x00030001), CodeSetId::none};
  const auto how = format(ByteOrder::big, 2, &sets);
  EXPECT_TRUE(encoded(std::string("é"), how).empty());
  EXPECT_EQ(decoded<std::string>(octets("00000002 e900"), how).error, Error::unmappable);
}

TEST(CodeSets, text_that_is_no_utf_8_is_not_sent) {
  const CodeSets latin{CodeSetId::iso_8859_1, CodeSetId::none};
  const auto how = format(ByteOrder::big, 2, &latin);
  EXPECT_EQ(decoded<std::string>(octets("00000007 417f80bfc0ff00"), how).value,
            "A\x7f\u0080\u00bf\u00c0\u00ff");
  // Ill-formed: a lone continuation, a truncated sequence, an overlong one, a surrogate, and a value beyond
  // Unicode.
  for (const char* const bad :
       {"\x80", "\xc3", "\xc3\x28", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_TRUE(encoded(std::string(bad), how).empty());
}

TEST(CodeSets, wide_characters_need_a_code_set_and_giop_1_1) {
  GatherBuffer buffer;
  Encoder none(buffer, format(ByteOrder::big, 2, &default_code_sets));
  none.put(L'x');
  EXPECT_EQ(none.error(), Error::no_wide_code_set);
  Encoder old(buffer, format(ByteOrder::big, 0));
  old.put_wstring(L"x");
  EXPECT_EQ(old.error(), Error::wide_in_giop_1_0);
}

// As TAO sends them where no code sets are negotiated.
TEST(CodeSets, wide_characters_may_have_the_byte_order_of_the_message) {
  static constexpr CodeSets assumed{CodeSetId::utf_8, CodeSetId::utf_16_of_message};
  const auto little = format(ByteOrder::little, 2, &assumed), big = format(ByteOrder::big, 2, &assumed);
  EXPECT_EQ(hex(encoded(L'\u00e9', little)), hex("02 e900"));
  EXPECT_EQ(hex(encoded(L'\u00e9', big)), hex("02 00e9"));
  EXPECT_EQ(hex(encoded(std::wstring(L"h\U0001f600"), little)), hex("06000000 6800 3dd800de"));
  EXPECT_EQ(decoded<std::wstring>(octets("04000000 68006900"), little).value, L"hi");
  EXPECT_EQ(decoded<wchar_t>(octets("02e900"), little).value, L'\u00e9');
  EXPECT_EQ(decoded<wchar_t>(octets("0200e9"), big).value, L'\u00e9');
  EXPECT_EQ(decoded<std::wstring>(octets("06000000 feff 0068 0069"), little).value, L"hi") << "a mark rules";
  for (const wchar_t mark : {L'\ufeff', L'\ufffe'})
    for (const auto& how : {little, big})
      EXPECT_EQ(decoded<std::wstring>(encoded(std::wstring(2, mark), how), how).value, std::wstring(2, mark));
  EXPECT_EQ(decoded<std::wstring>(octets("02000000 00d8"), little).error, Error::bad_value);
  EXPECT_FALSE(can_convert(assumed)) << "no peer can choose it";
}

TEST(CodeSets, characters_outside_the_basic_plane_are_pairs) {
  EXPECT_EQ(hex(encoded(std::wstring(L"\U0001f600"))), hex("00000004 d83dde00"));
  EXPECT_EQ(decoded<std::wstring>(octets("00000004 d83dde00")).value, L"\U0001f600");
  EXPECT_EQ(decoded<std::wstring>(octets("00000002 d83d")).error, Error::bad_value);
  EXPECT_EQ(decoded<std::wstring>(octets("00000002 de00")).error, Error::bad_value);
  EXPECT_EQ(decoded<std::wstring>(octets("00000003 00680069")).error, Error::bad_value);
}

TEST(CodeSets, what_is_no_character_is_not_sent) {
  EXPECT_TRUE(encoded(std::wstring(1, static_cast<wchar_t>(0xd800))).empty());
  EXPECT_TRUE(encoded(std::wstring(1, static_cast<wchar_t>(0x110000))).empty());
  EXPECT_TRUE(encoded(static_cast<wchar_t>(0xdfff)).empty());
}

using Ids = std::vector<CodeSetId>;
std::optional<CodeSets> negotiated(CodeSetId client, Ids client_knows, CodeSetId server, Ids server_knows) {
  const CodeSetComponent wide{CodeSetId::utf_16, {}};
  return negotiate({{client, std::move(client_knows)}, wide}, {{server, std::move(server_knows)}, wide});
}

TEST(Negotiation, follows_the_standards_steps) {
  const auto latin = CodeSetId::iso_8859_1, utf_8 = CodeSetId::utf_8;
  EXPECT_EQ(negotiated(latin, {utf_8}, latin, {utf_8})->narrow, latin);
  EXPECT_EQ(negotiated(utf_8, {latin}, latin, {})->narrow, latin);
  EXPECT_EQ(negotiated(utf_8, {}, latin, {utf_8})->narrow, utf_8);
  EXPECT_EQ(negotiated(CodeSetId::iso_646, {utf_8, latin_9}, latin, {latin_9, utf_8})->narrow, latin_9);
  EXPECT_EQ(negotiated(latin_9, {}, latin, {})->narrow, utf_8);
  EXPECT_FALSE(negotiated(latin, {}, CodeSetId::none, {}));
}

TEST(Negotiation, a_server_without_wide_characters_can_be_called) {
  const CodeSetComponentInfo server{{CodeSetId::utf_8, {}}, {}};
  EXPECT_EQ(negotiate(native_code_sets(), server)->wide, CodeSetId::none);
}

TEST(CodeSets, what_looks_like_a_byte_order_mark_stays_text) {
  for (const std::wstring text : {L"\ufeffa", L"\ufffea", L"\ufeff"}) {
    const auto back = decoded<std::wstring>(encoded(text));
    ASSERT_TRUE(back.whole);
    EXPECT_EQ(back.value, text);
  }
  EXPECT_EQ(decoded<wchar_t>(encoded(L'\ufffe')).value, L'\ufffe');
}

// omniORB sends no mark before it.
TEST(CodeSets, two_octets_are_a_wide_character_even_if_they_look_like_a_mark) {
  EXPECT_EQ(decoded<wchar_t>(octets("02 feff")).value, L'\ufeff');
  EXPECT_EQ(decoded<wchar_t>(octets("02 fffe")).value, L'\ufffe');
  EXPECT_EQ(decoded<wchar_t>(octets("04 fffe 6100")).value, L'a');
  for (const char* const wrong : {"00", "02 d83d", "06 0061 d83d 0041", "04 0061 0062"})
    EXPECT_EQ(decoded<wchar_t>(octets(wrong)).error, Error::bad_value) << wrong;
}

TEST(CodeSets, half_a_character_is_refused_in_giop_1_1) {
  EXPECT_EQ(decoded<wchar_t>(octets("d83d"), format(ByteOrder::big, 1)).error, Error::bad_value);
}

TEST(CodeSets, a_string_has_no_nul_inside) {
  EXPECT_EQ(decoded<std::string>(octets("00000003 006100")).error, Error::bad_string);
}

}  // namespace
}  // namespace takt::cdr::test

extern "C" iconv_t iconv_open(const char* to, const char* from) {
  using namespace takt::cdr::test;
  static const auto original =
      reinterpret_cast<iconv_t (*)(const char*, const char*)>(::dlsym(RTLD_NEXT, "iconv_open"));
  const iconv_t converter = original(to, from);
  if (converter == reinterpret_cast<iconv_t>(-1)) return converter;
  ++opened;
  most_open = std::max<int>(most_open, ++open_now);
  return converter;
}

extern "C" int iconv_close(iconv_t converter) {
  static const auto original = reinterpret_cast<int (*)(iconv_t)>(::dlsym(RTLD_NEXT, "iconv_close"));
  --takt::cdr::test::open_now;
  return original(converter);
}
