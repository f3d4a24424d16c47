// Servers that are reached over shared memory.
#include <fstream>

#include "giop/references/profile.h"
#include "reference/text/stringified_ior.h"
#include "served.h"

namespace feature {
namespace {

TEST(SharedMemory, CarriesCalls) {
  const Folder folder;
  const Served served("shm:" + folder / "server");
  const auto echo = served.echo_in(served.root);
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 0);
  const Calls::Octets long_one(3'000'000, 7);
  EXPECT_EQ(echo->echo_octets(long_one), long_one);
  EXPECT_EQ(served.server->_published_endpoints(), std::vector{"shm " + folder / "server"});
}

TEST(SharedMemory, HasNamesAsUnixDomainSocketsHave) {
  for (const std::string& name :
       {std::string("shm:"), "shm:@takt-feature-shm-" + std::to_string(::getpid())}) {
    const Served served(name);
    EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
  }
}

TEST(SharedMemory, SmallRingsCarryLargeMessages) {
  const std::vector<std::string> small{"-ORBSendBuffer", "4096", "-ORBReceiveBuffer", "4096"};
  for (const char* concurrency : {"thread-per-connection", "reactive"}) {
    const Served served("shm:", {"-ORBServerConcurrency", concurrency}, small);
    const Calls::Octets long_one(1'000'000, 7);
    EXPECT_EQ(served.echo_in(served.root)->echo_octets(long_one), long_one) << concurrency;
  }
}

// Consecutive calls find the other side polling; calls after a pause find it asleep.
TEST(SharedMemory, ThreadsLookBeforeTheySleepIfTheyAreAskedTo) {
  const std::vector<std::string> looks{"-ORBBusyPoll", "2ms"};
  const Served served("shm:", looks, looks);
  const auto echo = served.echo_in(served.root);
  const Calls::Octets octets(600'000, 4);
  for (int round = 0; round < 20; ++round) {
    for (std::uint8_t i = 0; i < 6; ++i) EXPECT_EQ(echo->cube(i), i * i * i);
    EXPECT_EQ(echo->echo_octets(octets), octets);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// The client looks, goes to sleep, and looks again as calls follow each other and pause.
TEST(SharedMemory, ThreadsLookAsLongAsThatPays) {
  const std::vector<std::string> looks{"-ORBBusyPoll", "auto", "-ORBBusyPollShare", "50"};
  const Served served("shm:", looks, looks);
  const auto echo = served.echo_in(served.root);
  const Calls::Octets octets(600'000, 4);
  for (int round = 0; round < 10; ++round) {
    for (std::uint8_t i = 0; i < 100; ++i) EXPECT_EQ(echo->cube(i % 6), i % 6 * (i % 6) * (i % 6));
    EXPECT_EQ(echo->echo_octets(octets), octets);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(SharedMemory, TheCallerIsKnown) {
  const Served served("shm:");
  std::optional<takt::PeerProcess> seen;
  served.echo_in(served.root, [&] { seen = takt::present_peer(); })->nothing();
  EXPECT_EQ(seen, (takt::PeerProcess{::getpid(), ::geteuid(), ::getegid()}));
}

TEST(SharedMemory, WhoCannotReachItGoesAnotherWay) {
  const Folder folder;
  const Served served("shm:" + folder / "server" + ",iiop://127.0.0.1:0");
  const auto echo = served.echo_in(served.root);
  std::filesystem::remove(folder / "server");
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 2);
}

// The reference as seen by a client on another machine, or after a reboot of this one.
TEST(SharedMemory, AnotherMachinesIsNoWay) {
  const Served served("shm:,iiop://127.0.0.1:0");
  auto ior = takt::reference::ior_from_text(served.ior_in(served.root)).value();
  ASSERT_EQ(ior.profiles.size(), 2u);
  const takt::giop::ProfileLayout form{takt::giop::shared_memory_profile, false};
  auto profile = takt::giop::read_profile(ior.profiles[0], form).value();
  for (auto& component : profile.components)
    if (const auto machine = takt::giop::read_machine(component))
      component = takt::giop::make_machine_component({"another", machine->protocol_version});
  ior.profiles[0] = takt::giop::write_profile(profile, form);
  const auto echo =
      IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(takt::reference::ior_to_text(ior)));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 2);
}

long descriptors() {
  const std::filesystem::directory_iterator open("/proc/self/fd");
  return std::distance(begin(open), end(open));
}
long mappings() {
  std::ifstream maps("/proc/self/maps");
  long count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find("takt-connection") != line.npos;
  return count;
}

TEST(SharedMemory, NothingIsLeftOfConnectionsThatAreClosed) {
  const long kept = mappings();
  const auto serve_some = [kept] {
    const Served served("shm:", {}, {"-ORBClientConnections", "multiplexed"});
    const auto echo = served.echo_in(served.root);
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(mappings(), kept + 2);  // one of the client and one of the server
  };
  const auto in_a_thread = [&] { std::jthread(serve_some).join(); };  // the thread keeps its last connection
  in_a_thread();
  const long before = descriptors();
  for (int i = 0; i < 5; ++i) in_a_thread();
  EXPECT_LE(descriptors(),
            before + 2);  // a slow call begins the process's watch of reads: an epoll and an eventfd
  EXPECT_EQ(mappings(), kept);
}

}  // namespace
}  // namespace feature
