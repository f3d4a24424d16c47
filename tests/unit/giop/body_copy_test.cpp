#include "giop/message/body_copy.h"

#include <numeric>

#include <gtest/gtest.h>

#include "messages.h"

namespace takt::giop::test {
namespace {

Octets numbered(std::size_t count) {
  Octets all(count);
  std::iota(all.begin(), all.end(), std::uint8_t{1});
  return all;
}
Octets copied(ByteView octets) { return {octets.begin(), octets.end()}; }

TEST(BodyCopy, IsAlignedAsInTheMessage) {
  const Octets body = numbered(13);
  for (std::uint32_t index = 24; index < 32; ++index) {
    Event event;
    event.body = body;
    event.body_index = index;
    Octets storage;
    FragmentParts parts;
    const BodyCopy copy = copy_body(event, 5, storage, parts);
    EXPECT_EQ(copied(copy.body), body);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.body.data()) % 8, index % 8);
    EXPECT_EQ(copy.rest.size(), 5U);
    EXPECT_EQ(copy.rest.data(), copy.body.data() + body.size()) << "behind the body, and not in it";
  }
}

TEST(BodyCopy, UsesItsMemoryAgain) {
  const Octets body = numbered(100);
  Event event;
  event.body = body;
  Octets storage;
  FragmentParts parts;
  copy_body(event, 0, storage, parts);
  const auto* const memory = storage.data();
  event.body = event.body.first(10);
  EXPECT_EQ(copied(copy_body(event, 20, storage, parts).body), copied(event.body));
  EXPECT_EQ(storage.data(), memory);
}

// The body has 40 octets: the head 12, the first part 20, the second 12, and the third the rest.
TEST(BodyCopy, OfFragmentsHasTheOtherPartsBehindTheFirst) {
  const Octets message = numbered(40);
  FragmentParts original(message, {20, 32});
  Event event;
  event.body = ByteView(message).subspan(12, 8);
  event.body_index = 12;
  event.body_missing = 20;
  event.parts = &original;
  Octets storage;
  FragmentParts parts;
  const BodyCopy copy = copy_body(event, 3, storage, parts);
  EXPECT_EQ(copied(copy.body), copied(event.body));
  EXPECT_NE(copy.body.data(), event.body.data());
  EXPECT_EQ(copy.rest.size(), 3U);

  const auto second = parts.part(20), third = parts.part(8);
  EXPECT_EQ(copied(second.octets), copied(ByteView(message).subspan(20, 12)));
  EXPECT_EQ(second.first_index, header_size);
  EXPECT_EQ(copied(third.octets), copied(ByteView(message).subspan(32)));
  EXPECT_GE(third.octets.data(), storage.data()) << "of the copy";
  EXPECT_LT(third.octets.data(), storage.data() + storage.size());
}

}  // namespace
}  // namespace takt::giop::test
