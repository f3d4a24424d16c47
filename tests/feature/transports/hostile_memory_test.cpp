// Hostile peers of shared memory: some write arbitrary data into it, others are killed.
#include <sys/socket.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "../../parameter_name.h"
#include "../hostile/process.h"
#include "giop/references/profile.h"
#include "os/shared_memory/machine_identity.h"
#include "reference/text/stringified_ior.h"
#include "served.h"
#include "transport/shm/shm_transport.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
namespace giop = takt::giop;
namespace reference = takt::reference;

constexpr giop::ProfileLayout shm_form{giop::shared_memory_profile, false};
constexpr const char* concurrencies[] = {"thread-per-connection", "reactive", "leader-followers",
                                         "worker-pool"};

std::string key_of(const std::string& text) {
  const auto ior = reference::ior_from_text(text).value();
  std::string digits;
  const auto profile = giop::read_profile(ior.profiles.at(0), shm_form).value();
  for (const std::uint8_t octet : profile.object_key) {
    constexpr char hexadecimal[] = "0123456789abcdef";
    digits += {hexadecimal[octet >> 4], hexadecimal[octet & 15]};
  }
  return digits;
}

// This process's resources for connections.
struct Possessions {
  long descriptors = 0, mappings = 0;
  friend bool operator==(const Possessions&, const Possessions&) = default;
};
void PrintTo(const Possessions& here, std::ostream* out) {
  *out << here.descriptors << " descriptors, " << here.mappings << " mappings";
}
Possessions possessions() {
  Possessions here;
  for (const auto& open : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string what = std::filesystem::read_symlink(open.path(), gone).string();
    here.descriptors += what.starts_with("socket:") || what.starts_with("/memfd:");
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    here.mappings += line.find("takt-connection") != line.npos;
  return here;
}
// Threads and pools close connections after some time, and may first accept some whose peers are gone.
void expect_soon(const Possessions& expected) {
  Possessions last = possessions();
  for (int i = 0; i < 500 && last != expected; ++i) {
    std::this_thread::sleep_for(10ms);
    last = possessions();
  }
  EXPECT_EQ(last, expected);
}

class HostileMemory : public testing::TestWithParam<const char*> {
 protected:
  const Folder folder;
};

TEST_P(HostileMemory, ServersServeOthersMeanwhileAndAfterwards) {
  const Served served("shm:" + folder / "server", {"-ORBServerConcurrency", GetParam(), "-ORBMessageTimeout",
                                                   "1s", "-ORBSendTimeout", "1s"});
  const std::string ior = served.ior_in(served.root);
  const auto echo = IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(ior));
  EXPECT_EQ(echo->cube(3), 27);
  const Possessions before = possessions();
  Process attacker(TAKT_SHARED_MEMORY_PEER, {"attack-server", folder / "server", key_of(ior), "1", "700"});
  const Calls::Octets octets(40'000, 3);
  while (!attacker.ends_within(10ms)) {
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(echo->echo_octets(octets), octets);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(echo->cube(3), 27);
  expect_soon(before);
}

TEST_P(HostileMemory, ServersForgetClientsThatAreKilled) {
  const Served served("shm:" + folder / "server", {"-ORBServerConcurrency", GetParam()});
  const std::string ior = served.ior_in(served.root);
  const Possessions before = possessions();
  std::mt19937 random(2);
  for (int round = 0; round < 12; ++round) {
    Process caller(TAKT_SHARED_MEMORY_PEER, {"call", ior});
    if (round % 4 != 0) {  // kill it while it starts
      EXPECT_EQ(caller.line(), "ready");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    caller.kill();
  }
  expect_soon(before);
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
}

INSTANTIATE_TEST_SUITE_P(Servers, HostileMemory, testing::ValuesIn(concurrencies),
                         takt::test::without_hyphens);

class HostileServers : public testing::TestWithParam<const char*> {
 protected:
  void start(const char* round_trip) {
    client = make_orb(
        {"-ORBClientConnections", GetParam(), "-ORBRoundTripTimeout", round_trip, "-ORBConnectTimeout", "1s"},
        "client");
  }
  ~HostileServers() override {
    if (client) client->destroy();
  }

  const Folder folder;
  Orb client;
};

TEST_P(HostileServers, GiveClientsAnExceptionInTimeAndNothingElse) {
  start("40ms");
  Process attacker(TAKT_SHARED_MEMORY_PEER, {"attack-clients", folder / "server", "3"});
  ASSERT_EQ(attacker.line(), "ready");
  giop::IiopProfile profile;
  profile.version = {1, 2};
  profile.host = folder / "server";
  profile.object_key = {'O'};
  profile.components = {
      giop::make_machine_component({takt::os::machine_identity(), takt::transport::shm_protocol_version})};
  const std::string ior =
      reference::ior_to_text({"IDL:Calls/Echo:1.0", {giop::write_profile(profile, shm_form)}});
  const auto echo = takt::reference::make_stub<::Calls::Echo>(client->string_to_object(ior)->_ref());
  int failures = 0;
  const Calls::Octets octets(40'000, 3);
  for (int round = 0; round < 400; ++round) {
    try {
      if (round % 2)
        (void)echo->cube(3);
      else
        (void)echo->echo_octets(octets);
    } catch (const CORBA::SystemException&) {
      ++failures;
    }
  }
  EXPECT_GT(failures, 200);
}

TEST_P(HostileServers, ThatAreKilledInAnyStepAreAnExceptionAndAWayToTheNext) {
  start("10s");
  std::mt19937 random(4);
  for (int round = 0; round < 12; ++round) {
    Process server(TAKT_SHARED_MEMORY_PEER, {"serve", "-ORBListenEndpoints", "shm:" + folder / "server"});
    const auto echo =
        takt::reference::make_stub<::Calls::Echo>(client->string_to_object(server.line())->_ref());
    if (round % 3) {
      EXPECT_EQ(echo->cube(3), 27);
    }
    const int delay_us = static_cast<int>(random() % 8'000);
    std::jthread killer([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
      server.kill();
    });
    const Calls::Octets octets(700'000, 3);
    try {
      for (;;) (void)echo->echo_octets(octets);
    } catch (const CORBA::TIMEOUT& late) {
      ADD_FAILURE() << "the end of the server was not noticed: " << late.what();
    } catch (const CORBA::SystemException&) {
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Clients, HostileServers,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         [](const auto& given) {
                           std::string name = given.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace feature
