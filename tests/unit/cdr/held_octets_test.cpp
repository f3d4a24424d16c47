#include <algorithm>

#include <gtest/gtest.h>

#include <takt/base/octet_buffer.h>
#include <takt/cdr/held_octets.h>

#include "octets.h"
#include "rest_of.h"

namespace takt::cdr::test {
namespace {

// A source whose octets can stay in its own memory.
class InPlace final : public RestOf {
 public:
  using RestOf::RestOf;
  HeldOctets read_in_place(std::size_t count) override {
    if (count > rest_.size()) return {};
    HeldOctets held({rest_.data(), count}, nullptr, 0);
    rest_ = rest_.subspan(count);
    return held;
  }
};

TEST(HeldOctets, go_as_any_sequence_of_octets) {
  EXPECT_EQ(hex(encoded(hold_octets({1, 2, 3}))), hex("00000003 010203"));
  EXPECT_EQ(hex(encoded(HeldOctets())), hex("00000000"));
  const auto back = decoded<HeldOctets>(octets("00000003 010203"));
  EXPECT_TRUE(back.whole);
  EXPECT_TRUE(std::ranges::equal(back.value, octets("010203")));
}

TEST(HeldOctets, of_none_replace_what_was_held) {
  HeldOctets held = hold_octets({1, 2, 3});
  const Octets none = octets("00000000");
  Decoder decoder(none, 0, format());
  EXPECT_TRUE(cdr::read(decoder, held));
  EXPECT_TRUE(held.empty());
}

TEST(HeldOctets, that_are_not_all_there_are_refused) {
  for (const char* cut : {"00", "00000003", "00000003 0102", "ffffffff 010203"}) {
    const auto back = decoded<HeldOctets>(octets(cut));
    EXPECT_NE(back.error, Error::none) << cut;
    EXPECT_TRUE(back.value.empty()) << cut;
  }
}

TEST(HeldOctets, stay_where_they_arrived_if_they_can) {
  const Octets whole = octets("00000003 010203");
  InPlace source(ByteView(whole).subspan(4));
  Decoder decoder(ByteView(whole).first(4), 0, format());
  decoder.set_source(&source, whole.size() - 4);
  HeldOctets held;
  EXPECT_TRUE(cdr::read(decoder, held));
  EXPECT_EQ(held.data(), whole.data() + 4);
  EXPECT_EQ(held.size(), 3u);
  EXPECT_TRUE(decoder.ok());
  EXPECT_EQ(decoder.remaining(), 0u);
}

}  // namespace
}  // namespace takt::cdr::test
