// Splices announced by a hostile writer of shared memory.
#include <cstring>

#include <gtest/gtest.h>

#include "transport/shm/incoming_buffers.h"

namespace takt::transport {
namespace {

class IncomingSplices : public testing::Test {
 protected:
  // Fills in an entry as a writer would, and reads it.
  std::optional<Splice> announce(std::uint32_t buffer, std::uint32_t begin, std::uint32_t bytes) {
    SpliceControl::Entry& entry = control_->entries[3];
    entry.position = 17;
    entry.buffer = buffer;
    entry.begin = begin;
    entry.bytes = bytes;
    return buffers_->read(3);
  }

  static constexpr std::uint32_t size = 256;
  const std::uint8_t octets_[size] = {};
  const std::unique_ptr<SpliceControl> control_ = std::make_unique<SpliceControl>();
  const std::shared_ptr<IncomingBuffers> buffers_ =
      std::make_shared<IncomingBuffers>(nullptr, *control_, octets_, size);
};

TEST_F(IncomingSplices, WhatLiesWithinTheMemoryIsTaken) {
  const auto splice = announce(5, 200, 56);
  ASSERT_TRUE(splice);
  EXPECT_EQ(splice->position, 17u);
  EXPECT_EQ(splice->buffer, 5u);
  EXPECT_EQ(splice->octets.data(), octets_ + 200);
  EXPECT_EQ(splice->octets.size(), 56u);
}

TEST_F(IncomingSplices, WhatDoesNotIsRefused) {
  EXPECT_FALSE(announce(5, 200, 57));
  EXPECT_FALSE(announce(5, size, 1));
  EXPECT_FALSE(announce(5, 200, 0));
  EXPECT_FALSE(announce(5, 200, 0xffffffff));
  EXPECT_FALSE(announce(5, 0xffffffff, 2));
  EXPECT_FALSE(announce(SpliceControl::most, 0, 1));
  EXPECT_FALSE(announce(0xffffffff, 0, 1));
}

TEST_F(IncomingSplices, TheListIsReadInARing) {
  ASSERT_TRUE(announce(5, 0, 1));
  EXPECT_TRUE(buffers_->read(3 + SpliceControl::most));
  EXPECT_FALSE(buffers_->read(4));
}

TEST_F(IncomingSplices, ABufferIsGivenBackOnceForEachSplice) {
  const auto splice = announce(5, 0, 8);
  ASSERT_TRUE(splice);
  buffers_->finish(*splice);
  EXPECT_EQ(control_->done[5], 1u);
  {
    const HeldOctets held = buffers_->hold(*splice);
    EXPECT_EQ(held.size(), 8u);
    EXPECT_EQ(control_->done[5], 1u);
  }
  EXPECT_EQ(control_->done[5], 2u);
}

}  // namespace
}  // namespace takt::transport
