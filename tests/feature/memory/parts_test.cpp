// Partially received messages stay within the server's memory budget.
#include "../../parameter_name.h"
#include "memory_fixture.h"

namespace feature {
namespace {

constexpr const char* transient = "IDL:omg.org/CORBA/TRANSIENT:1.0";
constexpr const char* no_memory = "IDL:omg.org/CORBA/NO_MEMORY:1.0";

class Parts : public MemoryTest, public testing::WithParamInterface<const char*> {
 protected:
  void start_with(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBServerConcurrency", GetParam()});
    start(std::move(options));
  }
};

TEST_P(Parts, OfManyFragmentedMessages) {
  start_with({"-ORBMaxMessageSize", "16MiB", "-ORBConnectionMemory", "16MiB", "-ORBServerMemory", "32MiB"});
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 40; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    const InParts message(place->key, 2, 32 * KiB);
    ASSERT_TRUE(peers.back()->send(message.first));
    for (std::size_t sent = 0; sent < 3 * MiB; sent += 32 * KiB)
      if (!peers.back()->send(message.part)) break;
  }
  // An answer to this later peer shows that the server has read the earlier ones.
  expect_others_served();
  int refused = 0;
  for (auto& peer : peers) refused += exception_of(peer->receive_message(200ms)) == transient ? 1 : 0;
  EXPECT_GE(refused, 20) << "32 MiB are room for ten at most";
  EXPECT_LT(refused, 40) << "and for some";
  EXPECT_LT(grown(), 32 * MiB + slack);
  const Memory::Use use = store->server_memory();
  EXPECT_LE(use.peak(), use.limit());
  EXPECT_GE(use.refusals(), static_cast<std::uint64_t>(refused));
  EXPECT_GT(use.taken(), MiB);
  peers.clear();
  EXPECT_TRUE(gives_all_back());
  EXPECT_EQ(store->take(Memory::Octets(4 * MiB)), 4 * MiB) << "there is room again";
}

TEST_P(Parts, OfAMessageThatCouldNeverFit) {
  start_with({"-ORBMaxMessageSize", "16MiB", "-ORBConnectionMemory", "1MiB"});
  RawPeer peer(place->port);
  const InParts message(place->key, 2, 32 * KiB);
  ASSERT_TRUE(peer.send(message.first));
  for (std::size_t sent = 0; sent < 4 * MiB; sent += 32 * KiB) ASSERT_TRUE(peer.send(message.part));
  Octets last = message.part;
  last[6] &= 0xfd;
  ASSERT_TRUE(peer.send(last));
  const std::string refusal = exception_of(peer.receive_message());
  EXPECT_TRUE(refusal == no_memory || refusal == transient) << refusal;
  // The connection continues after the refused request.
  ASSERT_TRUE(peer.send(request(4, place->key, "cube", {}, true).raw({3}).finish()));
  const Octets reply = peer.receive_message();
  ASSERT_EQ(type_of(reply), reply_type);
  EXPECT_EQ(reply.back(), 27);
  expect_others_served();
}

// A server that reads a body in its decoder answers when the rest has been skipped, others at once.
TEST_P(Parts, OfManyTexts) {
  start_with({"-ORBMaxMessageSize", "16MiB", "-ORBConnectionMemory", "32MiB", "-ORBServerMemory", "32MiB"});
  MessageOctets head = request(2, place->key, "length_of", {}, true);
  const Octets begin = head.u32(15 * MiB).raw(Octets(5 * MiB, 'x')).finish(10 * MiB);
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 40; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    ASSERT_TRUE(peers.back()->send(begin));
  }
  const auto until = std::chrono::steady_clock::now() + 20s;
  while (store->server_memory().refusals() < 30 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(20ms);
  EXPECT_GE(store->server_memory().refusals(), 30u) << "32 MiB are room for six at most";
  EXPECT_LT(grown(), 32 * MiB + slack);
  expect_others_served();
  RawPeer& last = *peers.back();
  ASSERT_TRUE(last.send(Octets(10 * MiB)));
  const std::string refusal = exception_of(last.receive_message());
  EXPECT_TRUE(refusal == no_memory || refusal == transient) << refusal;
  // The connection continues after the refused request.
  ASSERT_TRUE(last.send(request(4, place->key, "cube", {}, true).raw({3}).finish()));
  const Octets reply = last.receive_message();
  ASSERT_EQ(type_of(reply), reply_type);
  EXPECT_EQ(reply.back(), 27);
  peers.clear();
  EXPECT_TRUE(gives_all_back());
  EXPECT_EQ(store->length_of(std::string(3 * MiB, 'x')), 3 * MiB) << "there is room again";
}

INSTANTIATE_TEST_SUITE_P(Servers, Parts, testing::ValuesIn(server_concurrencies),
                         takt::test::without_hyphens);

// Servers that collect a body instead of streaming it to its decoder.
class WholeBodies : public Parts {};

TEST_P(WholeBodies, ManyThatAreNotComplete) {
  start_with({"-ORBMaxMessageSize", "16MiB", "-ORBConnectionMemory", "32MiB", "-ORBServerMemory", "32MiB"});
  MessageOctets head = request(2, place->key, "take", {}, true);
  const Octets begin = head.u32(15 * MiB).raw(Octets(5 * MiB)).finish(10 * MiB);
  std::vector<std::unique_ptr<RawPeer>> peers;
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    ASSERT_TRUE(peers.back()->send(begin));
    refused += exception_of(peers.back()->receive_message(i < 5 ? 100ms : 10s)) == transient ? 1 : 0;
  }
  EXPECT_GE(refused, 35);
  EXPECT_LT(grown(), 32 * MiB + slack);
  expect_others_served();
  // A refused message is skipped, however it continues.
  ASSERT_TRUE(peers.back()->send(Octets(10 * MiB)));
  ASSERT_TRUE(peers.back()->send(request(4, place->key, "cube", {}, true).raw({3}).finish()));
  const Octets reply = peers.back()->receive_message();
  ASSERT_EQ(type_of(reply), reply_type);
  EXPECT_EQ(reply.back(), 27);
}

TEST_P(WholeBodies, AMessageThatCouldNeverFit) {
  start_with({"-ORBMaxMessageSize", "16MiB", "-ORBConnectionMemory", "1MiB"});
  EXPECT_THROW(store->take(Memory::Octets(8 * MiB)), CORBA::NO_MEMORY);
  EXPECT_EQ(store->take(Memory::Octets(100 * KiB)), 100 * KiB);
}

INSTANTIATE_TEST_SUITE_P(Servers, WholeBodies,
                         testing::Values("reactive", "leader-followers", "worker-pool",
                                         "threading-framework"),
                         takt::test::without_hyphens);

}  // namespace
}  // namespace feature
