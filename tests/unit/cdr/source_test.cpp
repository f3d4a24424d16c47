// Bodies that have arrived only in part.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "drawn.h"
#include "octets.h"
#include "rest_of.h"

namespace takt::cdr::test {
namespace {

RC_GTEST_PROP(Source, gives_the_same_values_wherever_the_body_is_cut, ()) {
  const auto numbers = drawn_numbers<std::int64_t>();
  const auto bytes = drawn_numbers<std::uint8_t>();
  const auto texts = drawn_vector(&drawn_text);
  const auto order = drawn_order();
  const Octets whole = written(format(order), [&](Encoder& encoder) {
    cdr::write(encoder, bytes);
    cdr::write(encoder, numbers);
    cdr::write(encoder, texts);
    encoder.put(std::uint16_t{7});
  });
  const auto cut = drawn_up_to(whole.size());
  RestOf rest(ByteView(whole).subspan(cut));
  Decoder decoder(ByteView(whole).first(cut), 0, format(order));
  decoder.set_source(&rest, whole.size() - cut);
  std::vector<std::int64_t> numbers_back;
  std::vector<std::uint8_t> bytes_back;
  std::vector<std::string> texts_back;
  RC_ASSERT(cdr::read(decoder, bytes_back));
  RC_ASSERT(cdr::read(decoder, numbers_back));
  RC_ASSERT(cdr::read(decoder, texts_back));
  RC_ASSERT(decoder.get_u16() == 7u);
  RC_ASSERT(decoder.ok() && decoder.remaining() == 0u);
  RC_ASSERT(numbers == numbers_back);
  RC_ASSERT(bytes == bytes_back);
  RC_ASSERT(texts == texts_back);
}

TEST(Source, long_sequences_are_read_where_they_belong) {
  const std::vector<std::uint8_t> large(1 << 20, 7);
  const Octets whole = encoded(large);
  RestOf rest(ByteView(whole).subspan(100));
  Decoder decoder(ByteView(whole).first(100), 0, format());
  decoder.set_source(&rest, whole.size() - 100);
  std::vector<std::uint8_t> back;
  EXPECT_TRUE(cdr::read(decoder, back));
  EXPECT_EQ(rest.reads, 1);
  EXPECT_EQ(back, large);
}

TEST(Source, a_peer_that_stops_fails_the_decoder) {
  RestOf rest({});
  const Octets some = octets("00000064 00");
  Decoder decoder(some, 0, format());
  decoder.set_source(&rest, 99);
  std::vector<std::uint8_t> back;
  EXPECT_FALSE(cdr::read(decoder, back));
  EXPECT_EQ(decoder.error(), Error::source_failed);
}

}  // namespace
}  // namespace takt::cdr::test
