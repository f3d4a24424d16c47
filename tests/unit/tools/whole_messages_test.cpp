// Messages of recorded connections that are put together from fragments.
#include "record/whole_messages.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace takt::command {
namespace {

using Octets = std::vector<std::uint8_t>;

constexpr std::uint8_t reply = 1, fragment = 7;
constexpr bool more = true;

// A message of GIOP 1.2 whose body is the id of its request and that many octets 0, which a Reply takes for
// its status and an empty list of contexts.
Octets piece(std::uint8_t type, bool more_fragments, std::uint32_t id, std::uint32_t count) {
  constexpr bool is_little = std::endian::native == std::endian::little;
  const std::uint32_t body_bytes = sizeof(id) + count;
  Octets octets{'G', 'I', 'O', 'P', 1, 2, static_cast<std::uint8_t>(is_little | more_fragments << 1), type};
  octets.resize(12 + body_bytes);
  std::memcpy(octets.data() + 8, &body_bytes, sizeof body_bytes);
  std::memcpy(octets.data() + 12, &id, sizeof id);
  return octets;
}

std::string fault_of(WholeMessages& messages, const Octets& octets) {
  const auto added = messages.add(0, octets);
  return added ? "" : added.error();
}

TEST(WholeMessages, AreJoinedFromFragments) {
  WholeMessages messages(32);  // just enough
  const auto begun = messages.add(0, piece(reply, more, 5, 8));
  ASSERT_TRUE(begun) << begun.error();
  EXPECT_EQ(*begun, nullptr);
  const auto joined = messages.add(0, piece(fragment, !more, 5, 8));
  ASSERT_TRUE(joined) << joined.error();
  ASSERT_NE(*joined, nullptr);
  EXPECT_EQ((*joined)->header.body_bytes, 20u);
}

TEST(WholeMessages, AreGivenUpIfTheirFragmentsNeverEnd) {
  constexpr char too_long[] = "in fragments that are too long together";
  WholeMessages messages(1000);
  EXPECT_EQ(fault_of(messages, piece(reply, more, 1, 484)), "");
  EXPECT_EQ(fault_of(messages, piece(fragment, more, 1, 400)), "");
  EXPECT_EQ(fault_of(messages, piece(reply, more, 2, 200)), too_long) << "messages share the limit";
  EXPECT_EQ(fault_of(messages, piece(fragment, more, 1, 200)), too_long);
  EXPECT_EQ(fault_of(messages, piece(fragment, more, 1, 200)), "a fragment without its beginning");
  EXPECT_EQ(fault_of(messages, piece(reply, more, 3, 984)), "") << "there is room again";
  EXPECT_EQ(fault_of(messages, piece(reply, more, 3, 984)), "") << "it begins anew";
}

}  // namespace
}  // namespace takt::command
