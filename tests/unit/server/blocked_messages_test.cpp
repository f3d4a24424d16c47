// Long messages on a blocking stream, and the budget for their memory.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "../rooms/memory_stream.h"
#include "server/output/write_buffer.h"

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using transport::IoResult;
using transport::IoStatus;

// Takes what its wire takes; then each write ends with `then`.
struct SlowStream final : rooms::MemoryStream {
  using MemoryStream::MemoryStream;
  IoResult write(ByteView octets) override {
    const IoResult result = MemoryStream::write(octets);
    return result.status == IoStatus::ok ? result : IoResult{0, then, 0};
  }
  IoResult write_gather(std::span<const ByteView> pieces) override { return write(pieces.front()); }
  bool set_write_timeout(std::chrono::nanoseconds timeout) override {
    timeouts.push_back(timeout);
    return true;
  }
  IoStatus then = IoStatus::timed_out;
  std::vector<std::chrono::nanoseconds> timeouts;
};

class BlockedMessages : public testing::Test {
 protected:
  BlockedMessages() { out.count_blocked_messages(); }
  bool send(std::size_t bytes) {
    GatherBuffer message(bytes);
    message.append(std::vector<std::uint8_t>(bytes).data(), bytes);
    return out.send(message);
  }
  using Timeouts = std::vector<std::chrono::nanoseconds>;
  static constexpr std::size_t limit = 1024 * 1024;

  rooms::Wire wire;
  SlowStream stream{wire};
  LiveSetting<std::chrono::nanoseconds> patience{30s};
  MemoryBudget all{limit}, budget{8 * limit, &all};
  MemoryCharge others{&all};
  WriteBuffer out{stream, 0, patience, &budget};
};

TEST_F(BlockedMessages, ForWhichThereIsMemoryHaveTheUsualTime) {
  EXPECT_TRUE(send(limit));
  EXPECT_EQ(stream.timeouts, Timeouts{});
  EXPECT_EQ(budget.use().peak_bytes, limit);
  EXPECT_EQ(all.taken_bytes(), 0u);
}

TEST_F(BlockedMessages, ThatCouldNeverFitCountAsHalfOfTheLeastBudgetAtMost) {
  ASSERT_TRUE(others.resize(limit / 2));
  EXPECT_TRUE(send(5 * limit));
  EXPECT_EQ(stream.timeouts, Timeouts{});
  EXPECT_EQ(all.refusals(), 0u);
  EXPECT_GE(budget.use().peak_bytes, limit / 4);
  EXPECT_EQ(wire.outgoing.size(), 5 * limit);
}

TEST_F(BlockedMessages, ForWhichThereIsNoMemoryHaveAShortTime) {
  ASSERT_TRUE(others.resize(limit));
  EXPECT_TRUE(send(limit / 2));
  EXPECT_EQ(stream.timeouts, (Timeouts{1s, 30s}));
  EXPECT_EQ(wire.outgoing.size(), limit / 2);
  EXPECT_TRUE(send(1000)) << "short ones are not counted";
  EXPECT_EQ(stream.timeouts.size(), 2u);
  EXPECT_FALSE(out.out_of_memory());
}

TEST_F(BlockedMessages, ThatThePeerDoesNotReadInTheShortTimeEndTheConnection) {
  ASSERT_TRUE(others.resize(limit));
  wire.write_limit = limit / 4;
  EXPECT_FALSE(send(limit / 2));
  EXPECT_TRUE(out.cut());
  EXPECT_TRUE(out.out_of_memory());
  wire.write_limit = SIZE_MAX;
  EXPECT_FALSE(send(limit / 2)) << "nothing may follow";
  EXPECT_EQ(wire.outgoing.size(), limit / 4);
}

TEST_F(BlockedMessages, ThatThePeerHasResetAreNotBlamedOnTheMemory) {
  ASSERT_TRUE(others.resize(limit));
  wire.write_limit = limit / 4;
  stream.then = IoStatus::failed;
  EXPECT_FALSE(send(limit / 2));
  EXPECT_TRUE(out.cut());
  EXPECT_FALSE(out.out_of_memory());
}

}  // namespace
}  // namespace takt::server
