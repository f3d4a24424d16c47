// Waiting requests and replies stay within the server's memory budget, and release it afterwards.
#include "../../parameter_name.h"
#include "memory_fixture.h"

namespace feature {
namespace {

class Queues : public MemoryTest {
 protected:
  void expect_text(RawPeer& reader, std::uint32_t id, std::uint32_t length) {
    ASSERT_TRUE(reader.send(request(id, place->key, "text", {}, true).u32(length).finish()));
    EXPECT_EQ(reader.receive_message().size(), length + 12 + 12 + 4 + 1);
  }
};

TEST_F(Queues, LongRequestsThatWaitForAThread) {
  start({"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1", "-ORBServerMemory", "16MiB"});
  RawPeer busy(place->port);
  ASSERT_TRUE(busy.send(request(2, place->key, "sleep_ms", {}, true).u32(1500).finish()));
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 4; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    for (std::uint32_t id = 2; id < 42; id += 2)
      ASSERT_TRUE(
          peers.back()->send(request(id, place->key, "take", {}, true).sequence(Octets(MiB)).finish()));
  }
  int refused = 0, served = 0;
  for (auto& peer : peers)
    for (int i = 0; i < 20; ++i) {
      const Octets reply = peer->receive_message();
      ASSERT_EQ(type_of(reply), reply_type);
      (exception_of(reply) == "IDL:omg.org/CORBA/TRANSIENT:1.0" ? refused : served) += 1;
    }
  EXPECT_EQ(refused + served, 80);
  EXPECT_GE(refused, 1);
  EXPECT_GE(served, 1);
  const Memory::Use use = store->server_memory();
  EXPECT_LE(use.peak(), use.limit());
}

// Peers that cause long replies with short requests, and do not read them.
class Unread : public MemoryTest, public testing::WithParamInterface<const char*> {};

TEST_P(Unread, RepliesOnConnectionsForBothWays) {
  start({"-ORBServerConcurrency", GetParam(), "-ORBAcceptBidirectional", "any", "-ORBMaxMessageSize", "64MiB",
         "-ORBConnectionMemory", "32MiB", "-ORBSendTimeout", "1h"});
  // A listen point: count 1, "127.0.0.1", port 4711.
  const Octets points{1,   0,   0,   0,   1,   0,   0,   0,   10,  0, 0,   0,
                      '1', '2', '7', '.', '0', '.', '0', '.', '1', 0, 103, 18};
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(2, place->key, "cube", {{5, points}}, true).raw({3}).finish()));
  ASSERT_EQ(type_of(peer.receive_message()), reply_type);
  std::size_t most = 0;
  Octets all;
  for (std::uint32_t id = 4; id < 1000; id += 2) {
    const Octets one = request(id, place->key, "make", {}, true).u32(4 * MiB).finish();
    all.insert(all.end(), one.begin(), one.end());
  }
  peer.send_while_it_takes(all, 100ms);
  for (int i = 0; i < 200; ++i) {
    std::this_thread::sleep_for(10ms);
    most = std::max(most, grown());
  }
  EXPECT_LT(most, 32 * MiB + 6 * 8 * MiB + slack) << "and what the threads work on";
  EXPECT_GE(store->server_memory().refusals(), 1u);
  EXPECT_TRUE(server->shrinks_below(at_start + slack)) << "what was kept goes with the connection";
  EXPECT_TRUE(peer.closes_within(20s));
  expect_others_served();
}

TEST_P(Unread, RepliesOfAPeerThatIsReadOnlyWhileItReads) {
  start({"-ORBServerConcurrency", GetParam(), "-ORBConnectionMemory", "32MiB", "-ORBServerMemory", "64MiB",
         "-ORBSendTimeout", "1h"});
  std::vector<std::unique_ptr<RawPeer>> peers;
  std::size_t most = 0;
  for (int i = 0; i < 20; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    for (std::uint32_t id = 2; id < 20; id += 2)
      peers.back()->send_while_it_takes(request(id, place->key, "text", {}, true).u32(6 * MiB).finish(),
                                        100ms);
  }
  for (int i = 0; i < 100; ++i) {
    std::this_thread::sleep_for(10ms);
    most = std::max(most, grown());
  }
  EXPECT_LT(most, 64 * MiB + 4 * 32 * MiB + slack) << "and what the threads work on";
  expect_others_served();
  const Memory::Use use = store->server_memory();
  EXPECT_LE(use.peak(), use.limit());
}

INSTANTIATE_TEST_SUITE_P(Servers, Unread,
                         testing::Values("leader-followers", "worker-pool", "threading-framework"),
                         takt::test::without_hyphens);

// Each unread reply keeps a thread.
TEST_F(Queues, UnreadRepliesOfAThreadPerConnection) {
  start({"-ORBServerConcurrency", "thread-per-connection", "-ORBConnectionMemory", "32MiB",
         "-ORBServerMemory", "64MiB", "-ORBSendTimeout", "1h"});
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 60; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    ASSERT_TRUE(peers.back()->send(request(2, place->key, "text", {}, true).u32(12 * MiB).finish()));
  }
  const auto until = std::chrono::steady_clock::now() + 20s;
  while (store->server_memory().refusals() == 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(server->shrinks_below(at_start + 64 * MiB + slack)) << "when all replies are made";
  expect_others_served();
  const Memory::Use use = store->server_memory();
  EXPECT_LE(use.peak(), use.limit());
  EXPECT_GE(use.refusals(), 1u);
  EXPECT_GT(use.taken() + 12 * MiB, use.limit()) << "no room for one more";
  RawPeer reader(place->port);
  expect_text(reader, 2, 12 * MiB);
  EXPECT_GT(store->server_memory().refusals(), use.refusals()) << "it is sent although there is no memory";
  peers.clear();
  EXPECT_TRUE(gives_all_back());
  expect_text(reader, 4, 12 * MiB);
  expect_text(reader, 6, 40 * MiB);  // longer than the memory
}

TEST_F(Queues, AReplyLongerThanTheServersMemoryWhereAConnectionMayHaveMore) {
  start({"-ORBServerConcurrency", "thread-per-connection", "-ORBConnectionMemory", "128MiB",
         "-ORBServerMemory", "32MiB"});
  RawPeer reader(place->port);
  expect_text(reader, 2, 40 * MiB);
  EXPECT_EQ(store->server_memory().refusals(), 0u);
}

class Idle : public MemoryTest, public testing::WithParamInterface<const char*> {};

TEST_P(Idle, BuffersOfLongMessagesAreGivenBack) {
  start({"-ORBServerConcurrency", GetParam(), "-ORBMaxMessageSize", "64MiB", "-ORBConnectionMemory", "1GiB",
         "-ORBServerMemory", "8GiB"});
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (std::uint32_t i = 0; i < 8; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    ASSERT_TRUE(
        peers.back()->send(request(2, place->key, "take", {}, true).sequence(Octets(12 * MiB)).finish()));
    ASSERT_EQ(type_of(peers.back()->receive_message()), reply_type);
    ASSERT_TRUE(peers.back()->send(request(4, place->key, "text", {}, true).u32(12 * MiB).finish()));
    ASSERT_EQ(peers.back()->receive_message().size(), 12 * MiB + 12 + 12 + 4 + 1);
  }
  EXPECT_TRUE(server->shrinks_below(at_start + slack / 2));
  EXPECT_TRUE(gives_all_back());
  for (auto& peer : peers) {
    ASSERT_TRUE(peer->send(request(6, place->key, "cube", {}, true).raw({3}).finish()));
    EXPECT_EQ(peer->receive_message().back(), 27);
  }
}

INSTANTIATE_TEST_SUITE_P(Servers, Idle, testing::ValuesIn(server_concurrencies), takt::test::without_hyphens);

}  // namespace
}  // namespace feature
