// Changing limits and timeouts of a running ORB takes effect at once. Limits that a test does not use are
// long enough that the test would hang on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <takt/orb/configuration.h>
#include <takt/reference/messaging.h>

#include "gate.h"
#include "raw_peer.h"
#include "served.h"

namespace feature {
namespace {

using takt::Configuration;
using Arguments = std::vector<std::string>;

void change(const Orb& orb, std::string_view option, std::string_view value) {
  auto configuration = Configuration::of(orb);
  configuration.set(option, value);
  EXPECT_EQ(configuration.get(option), Arguments{std::string(value)});
  EXPECT_EQ(configuration.origin(option), "Configuration");
}

std::string name_of_choice(const testing::TestParamInfo<const char*>& one) {
  std::string name = one.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

class ServerLimit : public testing::TestWithParam<const char*> {
 protected:
  // Changes the option before the connection exists if its thread waits with the old value, afterwards if the
  // value is read each time.
  std::unique_ptr<RawPeer> connect_and_change(const ServerAndClient& orbs, const char* option,
                                              const Octets& sent = {}, std::size_t answered = 0) const {
    const bool alone = std::string_view(GetParam()) == "thread-per-connection";
    if (alone) change(orbs.server, option, "20ms");
    auto peer = std::make_unique<RawPeer>(Place(orbs.ior));
    EXPECT_TRUE(peer->send(sent));
    EXPECT_EQ(peer->receive(answered).size(), answered);
    if (!alone) change(orbs.server, option, "20ms");
    return peer;
  }
  Arguments with(const char* option) const {
    return {"-ORBServerConcurrency", GetParam(), option, "1h", "-ORBLogLevel", "off"};
  }
};

TEST_P(ServerLimit, ConnectionsWithoutRequestsAreClosedEarlier) {
  const ServerAndClient orbs(with("-ORBIdleTimeout"));
  EXPECT_TRUE(connect_and_change(orbs, "IdleTimeout")->closes_within(20s));
}

TEST_P(ServerLimit, MessagesThatDoNotGoOnAreGivenUpEarlier) {
  const ServerAndClient orbs(with("-ORBMessageTimeout"));
  EXPECT_TRUE(connect_and_change(orbs, "MessageTimeout", {'G', 'I', 'O', 'P', 1})->closes_within(20s));
}

TEST_P(ServerLimit, PeersThatDoNotReadAreGivenUpEarlier) {
  Arguments options = with("-ORBSendTimeout");
  options.insert(options.end(), {"-ORBMaxMessageSize", "64MiB"});
  const ServerAndClient orbs(options);
  const Place place(orbs.ior);
  const Octets long_one =
      request(2, place.key, "echo_octets", {}, true).sequence(Octets(16 * 1024 * 1024)).finish();
  const auto peer = connect_and_change(orbs, "SendTimeout", long_one, 1000);
  const auto is_served = [&] {
    return std::ranges::count(open_sockets(), place.port, &OpenSocket::own_port) != 0;
  };
  for (int i = 0; is_served() && i < 1000; ++i) std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(is_served());
}

INSTANTIATE_TEST_SUITE_P(OfEachStrategy, ServerLimit, testing::ValuesIn(server_concurrencies),
                         name_of_choice);

// Values that hinder no call.
constexpr std::pair<const char*, const char*> usual_limits[] = {
    {"MaxQueuedRequests", "1000"}, {"MaxConnections", "100"},      {"IdleTimeout", "1h"},
    {"MessageTimeout", "30s"},     {"SendTimeout", "30s"},         {"ShutdownTimeout", "10s"},
    {"HoldTimeout", "10s"},        {"HeldRequests", "1000"},       {"SendQueueSize", "4MiB"},
    {"ConnectTimeout", "5s"},      {"RoundTripTimeout", "30s"},    {"MaxRedirections", "10"},
    {"MaxLaneUtilisation", "95"},  {"CompressionThreshold", "64"}, {"CompressionLevel", "1"},
    {"MaxExpansion", "100"},       {"MaxMessageSize", "64MiB"},    {"MaxOutstandingRequests", "1000"},
};

TEST_P(ServerLimit, AllCanChangeWhileCallsRunAndConnectionsCome) {
  const ServerAndClient orbs({"-ORBServerConcurrency", GetParam(), "-ORBCompression", "on"},
                             {"-ORBClientConnections", "cached", "-ORBCompression", "on"});
  const Calls::Octets octets(5000);
  std::vector<std::jthread> callers;
  for (int i = 0; i < 2; ++i)
    callers.emplace_back([&](const std::stop_token& over) {
      while (!over.stop_requested())
        std::thread([&] {
          for (int call = 0; call < 10; ++call) EXPECT_EQ(orbs.echo->echo_octets(octets), octets);
        }).join();
    });
  auto server = Configuration::of(orbs.server), client = Configuration::of(orbs.client);
  for (int round = 0; round < 20; ++round)
    for (const auto& [option, value] : usual_limits) {
      server.set(option, value);
      client.set(option, value);
    }
}

// The result of a call.
std::string end_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::SystemException& thrown) {
    return thrown._rep_id();
  }
  return "";
}
const std::string timed_out = "IDL:omg.org/CORBA/TIMEOUT:1.0", transient = "IDL:omg.org/CORBA/TRANSIENT:1.0";

// Occupies the only thread while this object exists. A waiting request gets TIMEOUT; one that must not wait
// gets TRANSIENT.
struct Busy {
  explicit Busy(Arguments server_options)
      : served("iiop://127.0.0.1:0", std::move(server_options),
               {"-ORBRoundTripTimeout", "300ms", "-ORBSchedulingClass", "other"}),
        kept(served.echo_in(served.root, [this] { gate.wait(); })),
        holding([this] { EXPECT_EQ(end_of([this] { kept->nothing(); }), timed_out); }) {
    EXPECT_TRUE(gate.entered_by(1));
    holding.join();
  }
  ~Busy() { gate.open(); }
  std::string end_of_one_more() const {
    std::string end;
    std::thread([&] { end = end_of([&] { kept->cube(2); }); }).join();
    return end;
  }
  std::string end_of_a_long_one() const {
    return end_of([&] { (void)kept->echo_octets(Calls::Octets(4000)); });
  }

  Gate gate;
  const Served served;
  const EchoRef kept;
  std::thread holding;
};

class QueueLimit : public testing::TestWithParam<const char*> {};

TEST_P(QueueLimit, HoldsForRequestsFromThenOn) {
  const Busy server({"-ORBServerConcurrency", GetParam(), "-ORBServerThreads", "1"});
  EXPECT_EQ(server.end_of_one_more(), timed_out);
  change(server.served.server, "MaxQueuedRequests", "1");
  EXPECT_EQ(server.end_of_one_more(), transient) << "the first one waits still";
  change(server.served.server, "MaxQueuedRequests", "2");
  EXPECT_EQ(server.end_of_one_more(), timed_out);
  EXPECT_EQ(server.end_of_one_more(), transient);
}

INSTANTIATE_TEST_SUITE_P(OfEachQueue, QueueLimit, testing::ValuesIn(queued_concurrencies), name_of_choice);

TEST(LaneQueueLimits, HoldForRequestsFromThenOn) {
  const Busy server({"-ORBLanes", "10=1", "-ORBSchedulingClass", "other", "-ORBLaneQueuedRequests", "10"});
  EXPECT_EQ(server.end_of_one_more(), timed_out);
  change(server.served.server, "LaneQueuedRequests", "1");
  EXPECT_EQ(server.end_of_one_more(), transient);
  change(server.served.server, "LaneQueuedRequests", "3");
  change(server.served.server, "LaneQueuedOctets", "2KiB");
  EXPECT_EQ(server.end_of_a_long_one(), transient);
  EXPECT_EQ(server.end_of_one_more(), timed_out);
  change(server.served.server, "LaneQueuedRequests", "0");  // only limited by octets now
  EXPECT_EQ(server.end_of_one_more(), timed_out);
  EXPECT_EQ(server.end_of_one_more(), timed_out);
  EXPECT_THROW(Configuration::of(server.served.server).set("LaneQueuedOctets", "0"), CORBA::BAD_INV_ORDER)
      << "no queue at all";
}

TEST(LaneQueueLimits, AreNoneWhereThereAreNoQueues) {
  const Served served("iiop://127.0.0.1:0", {"-ORBLanes", "10=1", "-ORBSchedulingClass", "other"});
  EXPECT_THROW(Configuration::of(served.server).set("LaneQueuedRequests", "5"), CORBA::BAD_INV_ORDER);
  EXPECT_EQ(Configuration::of(served.server).get("LaneQueuedRequests"), Arguments{"0"});
}

TEST(HeldRequestLimits, HoldForRequestsFromThenOn) {
  const Served served("iiop://127.0.0.1:0", {"-ORBHoldTimeout", "1h"});
  const auto echo = served.echo_in(served.root);
  served.root->the_POAManager()->hold_requests(false);
  change(served.server, "HeldRequests", "0");
  EXPECT_EQ(end_of([&] { echo->nothing(); }), transient);
  change(served.server, "HeldRequests", "1");
  change(served.server, "HoldTimeout", "1ms");
  EXPECT_EQ(end_of([&] { echo->nothing(); }), transient);
  served.root->the_POAManager()->activate();
  EXPECT_EQ(end_of([&] { echo->nothing(); }), "");
}

TEST(ShutdownTimeout, IsAsItIsWhenTheOrbShutsDown) {
  Gate gate;
  std::jthread calling;
  {
    const Served served("iiop://127.0.0.1:0", {"-ORBShutdownTimeout", "1h", "-ORBLogLevel", "off"});
    const auto kept = served.echo_in(served.root, [&] { gate.wait(); });
    calling = std::jthread([&gate, kept] { EXPECT_NE(end_of([&] { kept->nothing(); }), ""); });
    ASSERT_TRUE(gate.entered_by(1));
    change(served.server, "ShutdownTimeout", "10ms");
    served.server->shutdown(true);
    EXPECT_FALSE(gate.left_by(1)) << "it has waited for the upcall";
    gate.open();
  }
}

class ClientLimit : public testing::TestWithParam<const char*> {};

TEST_P(ClientLimit, CallsTakeNoLongerAndThenAsLongAsTheyWant) {
  const Arguments usual{"-ORBClientConnections", GetParam(), "-ORBRoundTripTimeout"};
  const auto with_time = [&](const char* time) {
    Arguments options = usual;
    options.emplace_back(time);
    return options;
  };
  {
    const ServerAndClient orbs({}, with_time("0"));
    orbs.echo->nothing();
    change(orbs.client, "RoundTripTimeout", "100ms");
    EXPECT_EQ(end_of([&] { orbs.echo->sleep_ms(2000); }), timed_out);
  }
  const ServerAndClient orbs({}, with_time("100ms"));
  orbs.echo->nothing();
  change(orbs.client, "RoundTripTimeout", "0");
  EXPECT_EQ(end_of([&] { orbs.echo->sleep_ms(400); }), "");
}

INSTANTIATE_TEST_SUITE_P(OfEachSharing, ClientLimit,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         name_of_choice);

// A listening port from which connections are never accepted: the system accepts a limited number itself.
class DeafPort {
 public:
  explicit DeafPort(int backlog) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd_, backlog) != 0 ||
        ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port");
    port_ = ntohs(address.sin_port);
  }
  ~DeafPort() { ::close(fd_); }
  DeafPort(const DeafPort&) = delete;
  DeafPort& operator=(const DeafPort&) = delete;

  std::uint16_t port() const { return port_; }
  EchoRef object_for(const Orb& client) const {
    const auto url = "corbaloc::127.0.0.1:" + std::to_string(port_) + "/Nobody";
    return takt::reference::make_stub<Calls::Echo>(client->string_to_object(url)->_ref());
  }

 private:
  const int fd_;
  std::uint16_t port_ = 0;
};

class ConnectLimit : public testing::TestWithParam<const char*> {};

TEST_P(ConnectLimit, HoldsForConnectionsFromThenOn) {
  const DeafPort full(0);
  const RawPeer first(full.port());  // fits into the backlog
  const Orb client =
      make_orb({"-ORBClientConnections", GetParam(), "-ORBConnectTimeout", "1h", "-ORBRoundTripTimeout", "0"},
               "client");
  change(client, "ConnectTimeout", "50ms");
  EXPECT_EQ(end_of([&] { full.object_for(client)->nothing(); }), timed_out);
  client->destroy();
}

INSTANTIATE_TEST_SUITE_P(OfEachSharing, ConnectLimit,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         name_of_choice);

// The number of oneways that a connection accepts when its peer does not read.
std::size_t taken_by(const Orb& client, const DeafPort& deaf) {
  const auto echo = takt::reference::make_stub<Calls::Echo>(
      deaf.object_for(client)
          ->_set_policy_overrides({CORBA::make_reference<Messaging::SyncScopePolicy>(Messaging::SYNC_NONE)},
                                  CORBA::SetOverrideType::ADD_OVERRIDE)
          ->_ref());
  std::size_t taken = 0;
  while (end_of([&] { echo->note(1); }).empty()) ++taken;
  return taken;
}

TEST(SendQueueLimit, HoldsForConnectionsFromThenOn) {
  const Orb client = make_orb({"-ORBClientConnections", "multiplexed-active", "-ORBSendQueueSize", "8MiB",
                               "-ORBMaxOutstandingRequests", "1000000", "-ORBSendBuffer", "4KiB"},
                              "client");
  const DeafPort first(5), second(5);
  const std::size_t before = taken_by(client, first);
  change(client, "SendQueueSize", "1KiB");
  EXPECT_LT(taken_by(client, second), before / 10);
  client->destroy();
}

// Forwards to an object elsewhere.
class Elsewhere final : public PortableServer::ServantLocator {
 public:
  explicit Elsewhere(CORBA::object_reference<CORBA::Object> to) : to_(std::move(to)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&, Poa,
                                                              const std::string&, Cookie&) override {
    throw PortableServer::ForwardRequest(to_);
  }
  void postinvoke(const PortableServer::ObjectId&, Poa, const std::string&, Cookie,
                  CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const CORBA::object_reference<CORBA::Object> to_;
};

// An adapter whose objects are all at `to`.
Poa moved_to(const Served& served, const std::string& to) {
  const auto poa = served.make_poa({served.root->create_request_processing_policy(
                                        PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
                                    served.root->create_servant_retention_policy(
                                        PortableServer::ServantRetentionPolicyValue::NON_RETAIN)});
  poa->set_servant_manager(CORBA::make_reference<Elsewhere>(served.server->string_to_object(to)));
  return poa;
}

EchoRef object_of(const Served& served, const Poa& poa) {
  const auto gone = poa->create_reference(Calls::Echo::_interface_repository_id());
  return takt::reference::make_stub<Calls::Echo>(
      served.client->string_to_object(served.server->object_to_string(gone))->_ref());
}

TEST(RedirectionLimit, HoldsForCallsFromThenOn) {
  const Served served("iiop://127.0.0.1:0");
  const Poa poa = moved_to(served, served.ior_in(served.root));
  const auto reach = [&] {
    const EchoRef echo = object_of(served, poa);
    return end_of([&] { echo->nothing(); });
  };
  change(served.client, "MaxRedirections", "0");
  EXPECT_EQ(reach(), transient);
  change(served.client, "MaxRedirections", "1");
  EXPECT_EQ(reach(), "");
}

TEST(RedirectionLimit, NamesTheTargetThatCannotBeReached) {
  const Served served("iiop://127.0.0.1:0");
  const EchoRef echo = object_of(served, moved_to(served, "corbaloc::127.0.0.1:1/gone"));
  for (int call = 0; call < 2; ++call) try {
      echo->nothing();
      FAIL() << "nothing listens there";
    } catch (const CORBA::TRANSIENT& thrown) {
      EXPECT_NE(std::string(thrown.what()).find("127.0.0.1:1: connection refused"), std::string::npos)
          << thrown.what();
    }
}

}  // namespace
}  // namespace feature
