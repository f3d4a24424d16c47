// A process that runs out of memory still serves the requests that it can.
#include "../../parameter_name.h"
#include "memory_fixture.h"

namespace feature {
namespace {

// Sets unlimited budgets, so that the process's own limit applies.
std::vector<std::string> unbounded(std::vector<std::string> options) {
  options.insert(options.end(), {"-ORBMaxMessageSize", "512MiB", "-ORBConnectionMemory", "512GiB",
                                 "-ORBServerMemory", "1024GiB"});
  return options;
}

class Exhausted : public MemoryTest, public testing::WithParamInterface<const char*> {
 protected:
  void start_small() {
    const AddressSpace limited("400");
    start(unbounded({"-ORBServerConcurrency", GetParam()}), {"-ORBMaxMessageSize", "512MiB"});
  }
};

TEST_P(Exhausted, ByMessagesInParts) {
  start_small();
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 16; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    const InParts message(place->key, 2, 1 * MiB);
    if (!peers.back()->send(message.first)) continue;
    for (int part = 0; part < 40; ++part)
      if (peers.back()->send_while_it_takes(message.part, 200ms) < message.part.size()) break;
  }
  expect_others_served();
  peers.clear();
  expect_others_served();
  bool again = false;
  for (int i = 0; i < 200 && !again; ++i) try {
      again = store->take(Memory::Octets(16 * MiB)) == 16 * MiB;
    } catch (const CORBA::SystemException&) {
      std::this_thread::sleep_for(20ms);
    }
  EXPECT_TRUE(again) << "there is room again";
}

TEST_P(Exhausted, ByMessagesThatAreNotComplete) {
  start_small();
  std::vector<std::unique_ptr<RawPeer>> peers;
  const Octets begin =
      request(2, place->key, "take", {}, true).u32(500 * MiB).raw(Octets(20 * MiB)).finish(480 * MiB);
  for (int i = 0; i < 30; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    peers.back()->send_while_it_takes(begin, 200ms);
  }
  expect_others_served();
  peers.clear();
  expect_others_served();
}

TEST_P(Exhausted, ByAResult) {
  start_small();
  EXPECT_THROW(store->make(500 * MiB), CORBA::NO_MEMORY);
  expect_others_served();
  EXPECT_THROW(store->text(300 * MiB), CORBA::NO_MEMORY) << "there is one copy, and no other";
  expect_others_served();
  EXPECT_EQ(store->make(20 * MiB).size(), 20 * MiB);
}

TEST_P(Exhausted, ByRepliesThatNobodyReads) {
  start_small();
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 20; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place->port));
    for (std::uint32_t id = 2; id < 8; id += 2)
      peers.back()->send_while_it_takes(request(id, place->key, "make", {}, true).u32(40 * MiB).finish(),
                                        100ms);
  }
  std::this_thread::sleep_for(200ms);
  expect_others_served();
  peers.clear();
  expect_others_served();
}

// Thread stacks are the first allocations to fail: 8 MiB each.
TEST_P(Exhausted, ByConnections) {
  start_small();
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 300; ++i) peers.push_back(std::make_unique<RawPeer>(place->port));
  expect_others_served();
  peers.clear();
  bool accepted = false;
  for (int i = 0; i < 200 && !accepted; ++i) {
    RawPeer peer(place->port);
    accepted = peer.send(request(2, place->key, "cube", {}, true).raw({3}).finish()) &&
               type_of(peer.receive_message()) == reply_type;
    if (!accepted) std::this_thread::sleep_for(20ms);
  }
  EXPECT_TRUE(accepted);
  expect_others_served();
}

INSTANTIATE_TEST_SUITE_P(Servers, Exhausted, testing::ValuesIn(server_concurrencies),
                         takt::test::without_hyphens);

class Client : public MemoryTest, public testing::WithParamInterface<const char*> {};

TEST_P(Client, WithoutMemoryForAReplyGoesOn) {
  start({"-ORBMaxMessageSize", "512MiB"});
  const AddressSpace limited("300");
  Process calling(TAKT_MEMORY_CLIENT, {server->ior, std::to_string(280 * MiB), "-ORBClientConnections",
                                       GetParam(), "-ORBMaxMessageSize", "512MiB"});
  EXPECT_EQ(calling.line(), "done");
  EXPECT_EQ(calling.line(), "NO_MEMORY");
  EXPECT_EQ(calling.line(), "done");
  EXPECT_EQ(calling.line(), "done");
  EXPECT_TRUE(calling.ends_within(20s));
}

TEST_P(Client, WithoutBudgetForAReplyGoesOn) {
  if (std::string_view(GetParam()).starts_with("multiplexed"))
    start({}, {"-ORBClientConnections", GetParam(), "-ORBConnectionMemory", "1MiB"});
  else  // data decoded on arrival counts only if it came in fragments
    start({"-ORBFragmentSize", "32KiB"},
          {"-ORBClientConnections", GetParam(), "-ORBConnectionMemory", "1MiB"});
  EXPECT_THROW(store->make(3 * MiB), CORBA::NO_MEMORY);
  EXPECT_EQ(store->cube(3), 27);
  EXPECT_EQ(store->make(200 * KiB).size(), 200 * KiB);
  EXPECT_EQ(client->_client_memory().limit_bytes, 4 * MiB);
  EXPECT_GE(client->_client_memory().refusals, 1u);
}

INSTANTIATE_TEST_SUITE_P(Sharing, Client,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         takt::test::without_hyphens);

}  // namespace
}  // namespace feature
