// Data arrives complete, once and in order, however it is split.
#include <atomic>
#include <random>
#include <thread>

#include "transport_suite.h"

namespace takt::transport {

class TransferTest : public EachConnection {
 protected:
  // Reads at the server's end, and notifies the client when all data has arrived.
  std::thread taken_by_server(std::vector<std::uint8_t>& into) {
    return std::thread([&] {
      EXPECT_EQ(read_all(*server_, into).status, IoStatus::ok);
      EXPECT_EQ(write_all(*server_, octets_of("!")).status, IoStatus::ok);
    });
  }
  // Where data may be lost, the waiting client sends it again.
  void wait_until_taken() { EXPECT_EQ(read_text(*client_, 1), "!"); }
};
INSTANTIATE_TEST_SUITE_P(Each, TransferTest, for_each_transport, transport_name);

TEST_P(TransferTest, ALargeBlockArrivesAsItWas) {
  const auto sent = pattern(32 * 1024 * 1024);
  std::vector<std::uint8_t> received(sent.size());
  std::thread reader = taken_by_server(received);
  EXPECT_EQ(write_all(*client_, sent).status, IoStatus::ok);
  wait_until_taken();
  reader.join();
  EXPECT_TRUE(received == sent);
}

TEST_P(TransferTest, BothDirectionsAtTheSameTime) {
  const auto sent = pattern(4 * 1024 * 1024);
  const auto write = [&](Stream& stream) { EXPECT_EQ(write_all(stream, sent).status, IoStatus::ok); };
  const auto read = [&](Stream& stream) {
    std::vector<std::uint8_t> received(sent.size());
    EXPECT_EQ(read_all(stream, received).status, IoStatus::ok);
    EXPECT_TRUE(received == sent);
  };
  std::thread threads[] = {std::thread(write, std::ref(*client_)), std::thread(read, std::ref(*client_)),
                           std::thread(write, std::ref(*server_))};
  read(*server_);
  for (std::thread& thread : threads) thread.join();
}

TEST_P(TransferTest, WhoReadsSetsTimeoutsWhileAnotherThreadWrites) {
  const auto sent = pattern(8 * 1024 * 1024);
  std::vector<std::uint8_t> received(sent.size());
  std::atomic<bool> written{false};
  std::thread reader = taken_by_server(received);
  std::thread setter([&] {
    for (auto time = 1ms; !written; time = time % 1000 + 1ms) EXPECT_TRUE(client_->set_timeouts(time, 30s));
  });
  constexpr std::size_t at_once = 20'000;
  for (std::size_t at = 0; at < sent.size(); at += at_once)
    EXPECT_EQ(write_all(*client_, ByteView(sent).subspan(at, std::min(at_once, sent.size() - at))).status,
              IoStatus::ok);
  written = true;
  setter.join();
  EXPECT_TRUE(client_->set_timeouts(0s, 0s));
  wait_until_taken();
  reader.join();
  EXPECT_TRUE(received == sent);
}

TEST_P(TransferTest, ANonBlockingWriterGoesOnWhereItStopped) {
  const auto sent = pattern(8 * 1024 * 1024);
  std::vector<std::uint8_t> received(sent.size());
  client_->set_blocking(false);
  std::thread reader = taken_by_server(received);
  for (std::size_t done = 0; done < sent.size();) {
    const IoResult result = client_->write(ByteView(sent).subspan(done));
    done += result.bytes;
    if (result.status == IoStatus::would_block)
      becomes_writable(client_->native_handle());
    else
      ASSERT_EQ(result.status, IoStatus::ok);
  }
  client_->set_blocking(true);
  wait_until_taken();
  reader.join();
  EXPECT_TRUE(received == sent);
}

TEST_P(TransferTest, GathersPiecesInTheirOrder) {
  const std::string head = "one ", tail = " three";
  const ByteView pieces[] = {octets_of(head), {}, octets_of("two"), octets_of(tail), {}};
  EXPECT_EQ(client_->write_gather(pieces).bytes, 13u);
  EXPECT_EQ(read_text(*server_, 13), "one two three");
  EXPECT_EQ(client_->write_gather({pieces, 1}).bytes, 4u);
  EXPECT_EQ(read_text(*server_, 4), "one ");
}

// More pieces than any system accepts in one call, of all sizes.
TEST_P(TransferTest, GathersAnyNumberOfPieces) {
  const auto sent = pattern(3 * 1024 * 1024);
  std::mt19937 random(42);
  std::vector<ByteView> pieces;
  for (std::size_t from = 0; from < sent.size();) {
    const std::size_t count = std::min<std::size_t>(random() % 1500, sent.size() - from);
    pieces.push_back(ByteView(sent).subspan(from, count));
    from += count;
  }
  ASSERT_GT(pieces.size(), 3000u);
  std::vector<std::uint8_t> received(sent.size());
  std::thread reader = taken_by_server(received);
  std::span<ByteView> rest = pieces;
  while (!rest.empty()) {
    const IoResult result = client_->write_gather(rest);
    ASSERT_EQ(result.status, IoStatus::ok);
    std::size_t done = result.bytes;
    while (!rest.empty() && done >= rest.front().size()) {
      done -= rest.front().size();
      rest = rest.subspan(1);
    }
    if (done > 0) rest.front() = rest.front().subspan(done);
  }
  wait_until_taken();
  reader.join();
  EXPECT_TRUE(received == sent);
}

}  // namespace takt::transport
