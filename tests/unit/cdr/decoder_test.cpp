// Decoding of invalid octets.
#include <gtest/gtest.h>

#include <takt/cdr/mapping/bounded.h>
#include <takt/cdr/mapping/description.h>

#include "octets.h"

namespace takt::cdr::test {
namespace {

TEST(Decoder, errors_stick_and_reads_give_nothing) {
  const Octets some = octets("0000002a");
  Decoder decoder(some, 0, format());
  EXPECT_EQ(decoder.get_u32(), 42u);
  EXPECT_EQ(decoder.get_u32(), 0u);
  EXPECT_EQ(decoder.error(), Error::underflow);
  decoder.fail(Error::bad_enum);
  EXPECT_EQ(decoder.error(), Error::underflow);
  EXPECT_EQ(decoder.get_u8(), 0u);
  EXPECT_TRUE(decoder.get_octets_view(1).empty());
}

TEST(Decoder, booleans_are_zero_or_one) {
  EXPECT_EQ(decoded<bool>(octets("02")).error, Error::bad_boolean);
  EXPECT_TRUE(decoded<bool>(octets("01")).value);
}

TEST(Decoder, counts_are_held_against_the_octets_that_are_there) {
  EXPECT_EQ(decoded<std::vector<std::int64_t>>(octets("ffffffff 00000000")).error, Error::underflow);
  EXPECT_EQ(decoded<std::vector<std::string>>(octets("00000003 00000001")).error, Error::underflow);
  EXPECT_EQ(decoded<std::string>(octets("7fffffff 00")).error, Error::underflow);
  EXPECT_EQ((decoded<std::map<std::string, std::int32_t>>(octets("00000002 00000001")).error),
            Error::underflow);
}

TEST(Decoder, strings_end_in_nul) {
  EXPECT_EQ(decoded<std::string>(octets("00000002 6869")).error, Error::bad_string);
}

TEST(Decoder, a_string_of_length_zero_is_empty) {
  const auto back = decoded<std::string>(octets("00000000"));
  EXPECT_TRUE(back.whole);
  EXPECT_EQ(back.value, "");
}

TEST(Decoder, bounds_hold) {
  EXPECT_EQ((decoded<IDL::bounded_string<2>>(octets("00000004 61626300")).error), Error::too_long);
  EXPECT_EQ((decoded<IDL::bounded_vector<std::uint8_t, 2>>(octets("00000003 616263")).error),
            Error::too_long);
  EXPECT_TRUE((decoded<IDL::bounded_string<3>>(octets("00000004 61626300")).whole));
}

// "Müll" has four characters: four octets of ISO 8859-1, and five of UTF-8.
TEST(Decoder, bounds_of_strings_count_characters) {
  using Four = IDL::bounded_string<4>;
  constexpr CodeSets latin{CodeSetId::iso_8859_1, CodeSetId::utf_16};
  const Format one_octet = format(ByteOrder::big, 2, &latin);
  const Octets wire = octets("00000005 4dfc6c6c 00");
  const auto back = decoded<Four>(wire, one_octet);
  EXPECT_TRUE(back.whole) << to_text(back.error);
  EXPECT_EQ(back.value, "M\xc3\xbcll");
  EXPECT_EQ(encoded(back.value, one_octet), wire);
  EXPECT_EQ(hex(encoded(back.value)), hex("00000006 4dc3bc6c6c 00"));
  EXPECT_TRUE(decoded<Four>(encoded(back.value)).whole);
  EXPECT_EQ(decoded<Four>(octets("00000006 4dfc6c6c6c 00"), one_octet).error, Error::too_long);
  EXPECT_TRUE(encoded(Four("M\xc3\xbclle")).empty()) << "is refused";
  const Four widest("\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80");
  EXPECT_TRUE(decoded<Four>(encoded(widest)).whole);
  // Octets that are no part of a character count one by one.
  EXPECT_EQ(decoded<Four>(octets("00000006 8080808080 00")).error, Error::too_long);
  EXPECT_EQ(decoded<Four>(octets("00000006 c3c3c3c3c3 00")).error, Error::too_long);
  EXPECT_TRUE(decoded<Four>(octets("00000005 80808080 00")).whole);
  // Wide characters are whole ones, too: this is one of two units of UTF-16.
  EXPECT_TRUE((decoded<IDL::bounded_wstring<1>>(octets("00000004 d83dde00")).whole));
  EXPECT_EQ((decoded<IDL::bounded_wstring<1>>(octets("00000004 00410041")).error), Error::too_long);
}

TEST(Decoder, vectors_keep_their_memory) {
  std::vector<std::int32_t> reused(100);
  const auto* const memory = reused.data();
  const Octets two = octets("00000002 00000001 00000002");
  Decoder decoder(two, 0, format());
  EXPECT_TRUE(cdr::read(decoder, reused));
  EXPECT_EQ(reused, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(reused.data(), memory);
}

struct Tree {
  std::vector<Tree> children;
  template <class Self, class Visitor>
  static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) {
    return visit(self.children);
  }
};

TEST(Decoder, sequences_in_sequences_end_somewhere) {
  Octets deep;
  for (int i = 0; i < 100000; ++i) deep.insert(deep.end(), {0, 0, 0, 1});
  deep.insert(deep.end(), {0, 0, 0, 0});
  EXPECT_EQ(decoded<Tree>(deep).error, Error::nesting);
  deep.erase(deep.begin(), deep.end() - 4 * 400);
  EXPECT_TRUE(decoded<Tree>(deep).whole);
}

TEST(Decoder, encapsulations_have_their_own_order_and_alignment) {
  const Octets some = octets("00000009 01 000000 2a000000 ff");
  Decoder decoder(some, 0, format());
  std::uint32_t number = 0;
  std::uint8_t last = 0;
  EXPECT_FALSE(decoder.get_encapsulation([&](Decoder& in) {
    in.get(number);
    in.get(last);
    in.get(last);
  }));
  EXPECT_EQ(number, 42u);
  EXPECT_EQ(last, 0);
}

TEST(Encoder, encapsulations_start_at_their_byte_order) {
  const auto some = written(format(), [](Encoder& encoder) {
    encoder.put(std::uint8_t{7});
    encoder.put_encapsulation([](Encoder& in) { in.put(std::uint32_t{42}); });
  });
  EXPECT_EQ(hex(some), hex("07000000 00000008 00000000 0000002a"));
}

TEST(Encoder, long_octet_sequences_are_borrowed) {
  const std::vector<std::uint8_t> large(Encoder::borrow_threshold_bytes, 7);
  GatherBuffer buffer(64);
  Encoder encoder(buffer, format());
  cdr::write(encoder, large);
  encoder.put(std::uint32_t{1});
  EXPECT_EQ(buffer.borrowed_size(), large.size());
  EXPECT_EQ(buffer.owned_size(), 8u);
  EXPECT_EQ(all(buffer).size(), large.size() + 8);
}

TEST(Encoder, a_string_with_a_nul_inside_is_refused) {
  GatherBuffer buffer(64);
  Encoder encoder(buffer, format());
  encoder.put_string(std::string_view("a\0b", 3));
  EXPECT_EQ(encoder.error(), Error::bad_value);
}

}  // namespace
}  // namespace takt::cdr::test
