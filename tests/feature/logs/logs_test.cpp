// The events that servers and clients log.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <takt/orb/configuration.h>
#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "../../eventually.h"
#include "orbs.h"
#include "raw_peer.h"

namespace {

using namespace std::chrono_literals;
using feature::make_orb;
using feature::ServerAndClient;
using takt::test::eventually;
using Lines = std::vector<nlohmann::json>;

// Two log files.
class Logs : public testing::Test {
 protected:
  Logs() {
    char name[] = "/tmp/takt-logs-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~Logs() override { (void)std::system(("rm -rf " + folder_).c_str()); }

  std::vector<std::string> options(const std::string& name, const std::string& level,
                                   std::vector<std::string> more = {}) const {
    more.insert(more.end(),
                {"-ORBLogLevel", level, "-ORBLogFile", folder_ + "/" + name, "-ORBLogFormat", "json"});
    return more;
  }
  std::vector<std::string> server(const std::string& level, std::vector<std::string> more = {}) const {
    return options("server", level, std::move(more));
  }
  std::vector<std::string> client(const std::string& level, std::vector<std::string> more = {}) const {
    return options("client", level, std::move(more));
  }
  // The lines so far with that event. A last line that is not whole yet is left out.
  Lines lines(const std::string& name, const std::string& event) const {
    Lines all;
    std::ifstream file(folder_ + "/" + name);
    for (std::string line; std::getline(file, line) && !file.eof();) {
      auto parsed = nlohmann::json::parse(line);
      if (parsed["event"] == event) all.push_back(std::move(parsed));
    }
    return all;
  }
  // Waits for the first such line.
  nlohmann::json first(const std::string& name, const std::string& event) const {
    Lines found;
    if (eventually([&] { return !(found = lines(name, event)).empty(); })) return found.front();
    ADD_FAILURE() << name << " has no line " << event;
    return {{"reason", "none"}, {"peer", "none"}, {"operation", "none"}};
  }

  std::string folder_;
};

bool has(const nlohmann::json& line, const char* member, const std::string& part) {
  return line.contains(member) && line[member].get<std::string>().find(part) != std::string::npos;
}

// A connection's line, whichever strategy serves it.
class LogsOfConnections : public Logs, public testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> serving(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-ORBServerConcurrency", GetParam()});
    return server("info", std::move(more));
  }
};

}  // namespace

TEST_P(LogsOfConnections, AreOpenedAcceptedAndClosedByTheClient) {
  {
    ServerAndClient orbs(serving(), client("info"));
    EXPECT_EQ(orbs.echo->cube(2), 8);
    const auto opened = first("client", "connection-opened"),
               accepted = first("server", "connection-accepted");
    EXPECT_TRUE(has(opened, "peer", "tcp 127.0.0.1:")) << opened;
    EXPECT_TRUE(has(accepted, "peer", "tcp 127.0.0.1:")) << accepted;
    EXPECT_TRUE(has(first("server", "listening"), "peer", "iiop 127.0.0.1:"));
    EXPECT_TRUE(lines("server", "connection-closed").empty());
    orbs.echo.reset();
    orbs.client->destroy();
    orbs.client = make_orb({}, "other");
    const auto closed = first("server", "connection-closed");
    EXPECT_EQ(closed["peer"], accepted["peer"]);
    EXPECT_TRUE(has(closed, "reason", "the peer closed it")) << closed;
  }
  EXPECT_EQ(lines("server", "connection-closed").size(), 1u);
  EXPECT_EQ(lines("client", "connection-opened").size(), 1u);
}

TEST_P(LogsOfConnections, AreClosedWhenTheServerStops) {
  {
    ServerAndClient orbs(serving());
    EXPECT_EQ(orbs.echo->cube(2), 8);
    orbs.stop_server();
    EXPECT_TRUE(has(first("server", "connection-closed"), "reason", "the server stops"));
  }
  EXPECT_EQ(lines("server", "connection-closed").size(), 1u);
}

TEST_P(LogsOfConnections, AreClosedWhenTheyAreIdle) {
  ServerAndClient orbs(serving({"-ORBIdleTimeout", "100ms"}), client("debug"));
  EXPECT_EQ(orbs.echo->cube(2), 8);
  const auto closed = first("server", "connection-closed");
  EXPECT_TRUE(has(closed, "reason", "-ORBIdleTimeout")) << closed;
  EXPECT_EQ(orbs.echo->cube(2), 8);
  const auto retried = first("client", "request-retried");
  EXPECT_EQ(retried["operation"], "cube");
  EXPECT_TRUE(has(retried, "reason", "closed the connection in good order")) << retried;
  EXPECT_TRUE(has(first("client", "connection-closed"), "reason", "in good order"));
}

TEST_P(LogsOfConnections, AreClosedWhenThePeerBreaksTheProtocol) {
  ServerAndClient orbs(serving());
  feature::RawPeer peer{feature::Place(orbs.ior)};
  ASSERT_TRUE(peer.send({'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1', '.', '1', 13, 10}));
  const auto closed = first("server", "connection-closed");
  EXPECT_FALSE(has(closed, "reason", "the peer closed it")) << closed;
  EXPECT_TRUE(has(closed, "reason", "GIOP")) << closed;
}

TEST_P(LogsOfConnections, AreRefusedBeyondTheLimit) {
  ServerAndClient orbs(serving({"-ORBMaxConnections", "1"}));
  EXPECT_EQ(orbs.echo->cube(2), 8);
  feature::RawPeer peer{feature::Place(orbs.ior)};
  const auto refused = first("server", "connection-refused");
  EXPECT_TRUE(has(refused, "reason", "-ORBMaxConnections allows no more")) << refused;
  EXPECT_TRUE(has(refused, "peer", "tcp 127.0.0.1:")) << refused;
}

INSTANTIATE_TEST_SUITE_P(Each, LogsOfConnections, testing::ValuesIn(feature::server_concurrencies),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_F(Logs, AConnectionThatCannotBeHadIsSaidWithItsReason) {
  const auto orb = make_orb(client("info"), "client");
  EXPECT_THROW((void)orb->string_to_object("corbaloc::127.0.0.1:1/x")->_non_existent(),
               CORBA::SystemException);
  const auto failed = first("client", "connect-failed");
  EXPECT_TRUE(has(failed, "peer", "127.0.0.1:1")) << failed;
  EXPECT_TRUE(has(failed, "reason", "ECONNREFUSED")) << failed;
  orb->destroy();
}

TEST_F(Logs, ConnectionsOfAllStrategiesOfClientsAreSaid) {
  for (const char* strategy : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    {
      ServerAndClient orbs({}, options(strategy, "info", {"-ORBClientConnections", strategy}));
      std::jthread([&] { EXPECT_EQ(orbs.echo->cube(2), 8); }).join();
    }
    EXPECT_EQ(lines(strategy, "connection-opened").size(), 1u) << strategy;
    EXPECT_EQ(lines(strategy, "connection-closed").size(), 1u) << strategy;
  }
}

TEST_F(Logs, DeadlinesThatPassAreSaid) {
  ServerAndClient orbs(server("info"), client("info"));
  CORBA::PolicyList policies{CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(3'000'000)};
  const auto hurried = IDL::traits<Calls::Echo>::narrow(
      orbs.echo->_set_policy_overrides(policies, CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_THROW(hurried->sleep_ms(800), CORBA::TIMEOUT);
  const auto missed = first("client", "deadline-missed");
  EXPECT_EQ(missed["operation"], "sleep_ms");
  EXPECT_TRUE(has(missed, "reason", "wait for the reply")) << missed;
}

TEST_F(Logs, ExceptionsOfTheServerAreSaidAtDebug) {
  ServerAndClient orbs({}, client("debug"));
  EXPECT_THROW(orbs.echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  const auto failed = first("client", "call-failed");
  EXPECT_EQ(failed["operation"], "fail_with_system_exception");
  EXPECT_TRUE(has(failed, "reason", "NO_RESOURCES")) << failed;
}

TEST_F(Logs, RequestsThatAreRefusedAreSaid) {
  ServerAndClient orbs(server("info", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1",
                                       "-ORBMaxQueuedRequests", "1"}));
  std::vector<std::jthread> callers;
  for (int i = 0; i < 6; ++i)
    callers.emplace_back([&] {
      try {
        orbs.echo->sleep_ms(100);
      } catch (const CORBA::TRANSIENT&) {
      }
    });
  callers.clear();
  const auto refused = first("server", "request-refused");
  EXPECT_EQ(refused["operation"], "sleep_ms");
  EXPECT_TRUE(has(refused, "reason", "-ORBMaxQueuedRequests")) << refused;
  EXPECT_TRUE(has(refused, "peer", "tcp 127.0.0.1:")) << refused;
}

// Forwards each call to another object.
class Forwarding : public virtual PortableServer::ServantLocator {
 public:
  explicit Forwarding(CORBA::object_reference<CORBA::Object> to) : to_(std::move(to)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    throw PortableServer::ForwardRequest(to_);
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const CORBA::object_reference<CORBA::Object> to_;
};

// Throws a text for each caller.
class Unlucky : public feature::EchoServant {
 public:
  void refuse(const std::string& why) override { throw std::runtime_error("no account " + why); }
};

TEST_F(Logs, FailuresOfServantsLeaveRoomForWhatTheOrbWarnsOf) {
  ServerAndClient orbs(server("warning", {"-ORBMaxConnections", "1"}));
  const auto unlucky =
      IDL::traits<Calls::Echo>::narrow(orbs.client->string_to_object(orbs.server->object_to_string(
          orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<Unlucky>())))));
  for (int i = 0; i < 70; ++i) EXPECT_THROW(unlucky->refuse(std::to_string(i)), CORBA::UNKNOWN);
  const feature::RawPeer peer{feature::Place(orbs.ior)};
  const auto is_said = [&] {
    return std::ranges::any_of(lines("server", "warning"), [](const nlohmann::json& line) {
      return has(line, "reason", "connections are closed as soon as they are accepted");
    });
  };
  EXPECT_TRUE(eventually(is_said));
}

TEST_F(Logs, ForwardsAreSaidAtDebug) {
  ServerAndClient orbs({}, client("debug"));
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
  const auto poa = root->create_POA(
      "forwarding", root->the_POAManager(),
      {root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID),
       root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
       root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN)});
  poa->set_servant_manager(CORBA::make_reference<Forwarding>(orbs.server->string_to_object(orbs.ior)));
  const auto moved =
      poa->create_reference_with_id(PortableServer::string_to_ObjectId("moved"), "IDL:Calls/Echo:1.0");
  const auto echo = IDL::traits<Calls::Echo>::unchecked_narrow(
      orbs.client->string_to_object(orbs.server->object_to_string(moved)));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(first("client", "request-forwarded")["operation"], "cube");
}

TEST_F(Logs, MessagesAreTracedWithTheirOctets) {
  {
    ServerAndClient orbs(server("trace"), client("trace"));
    EXPECT_EQ(orbs.echo->cube(2), 8);
  }
  for (const char* name : {"client", "server"}) {
    const std::string event = name == std::string("client") ? "message-sent" : "message-received";
    const Lines requests = lines(name, event);
    const auto cube = std::ranges::find_if(
        requests, [](const auto& line) { return line.contains("operation") && line["operation"] == "cube"; });
    ASSERT_NE(cube, requests.end()) << name;
    EXPECT_TRUE((*cube)["octets"].template get<std::string>().starts_with("47494f50")) << *cube;
    EXPECT_EQ((*cube)["octets"].template get<std::string>().size(),
              2 * (*cube)["bytes"].template get<std::size_t>());
  }
}

TEST_F(Logs, TracedConnectionsCarryLongMessagesOverEachTransport) {
  for (const char* endpoint : {"iiop://127.0.0.1:0", "unix:", "shm:", "udp://127.0.0.1:0"}) {
    const auto server_orb =
        make_orb(options(std::string("server"), "trace", {"-ORBListenEndpoints", endpoint}), "s");
    const auto client_orb = make_orb(client("trace"), "c");
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(server_orb->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<feature::EchoServant>());
    poa->the_POAManager()->activate();
    const auto echo = IDL::traits<Calls::Echo>::narrow(
        client_orb->string_to_object(server_orb->object_to_string(poa->id_to_reference(id))));
    const Calls::Octets octets(300'000, 7);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(echo->echo_octets(octets), octets) << endpoint;
    client_orb->destroy();
    server_orb->destroy();
  }
  EXPECT_FALSE(lines("client", "message-received").empty());
}

TEST_F(Logs, TheLevelChangesWhileCallsRun) {
  ServerAndClient orbs(server("off"), client("off"));
  auto configuration = takt::Configuration::of(orbs.server);
  std::jthread caller([&](const std::stop_token& over) {
    while (!over.stop_requested()) EXPECT_EQ(orbs.echo->cube(2), 8);
  });
  for (int i = 0; i < 50; ++i)
    for (const char* level : {"trace", "error", "info", "off", "debug"}) configuration.set("LogLevel", level);
  configuration.set("LogLevel", "info");
  const feature::RawPeer peer{feature::Place(orbs.ior)};
  EXPECT_TRUE(has(first("server", "connection-accepted"), "peer", "tcp 127.0.0.1:"));
  EXPECT_TRUE(lines("client", "connection-opened").empty());
}

TEST_F(Logs, OptionsForAnOrbThatExistsAreSaidToHaveNoEffect) {
  const auto init = [](std::vector<std::string> options) {
    options.insert(options.begin(), "test");
    std::vector<char*> argv;
    for (std::string& option : options) argv.push_back(option.data());
    int argc = static_cast<int>(argv.size());
    return CORBA::ORB_init(argc, argv.data(), "ORB with options");
  };
  const auto options = server("warning");
  const auto orb = init(options);
  EXPECT_EQ(init(options), orb);
  EXPECT_EQ(init({}), orb);
  EXPECT_EQ(init({"-ORBid", "ORB with options"}), orb);
  EXPECT_EQ(init({"-ORBRoundTripTimeout", "1s"}), orb);
  EXPECT_TRUE(
      has(first("server", "warning"), "reason",
          "ORB_init: the ORB exists already, so these options have no effect: -ORBRoundTripTimeout 1s"));
  orb->destroy();
  EXPECT_EQ(lines("server", "warning").size(), 1u);
}

TEST_F(Logs, ALogThatCannotBeOpenedIsRefusedWithTheSystemsReason) {
  const auto refusal = [](const std::string& option, const std::string& value) {
    try {
      make_orb({option, value}, "refused")->destroy();
    } catch (const CORBA::SystemException& refused) {
      return std::string(refused.detail());
    }
    return std::string("nothing");
  };
  const std::string absent = refusal("-ORBLogFile", folder_ + "/absent/log");
  EXPECT_TRUE(absent.starts_with("option -ORBLogFile: '" + folder_ + "/absent/log' cannot be opened: "))
      << absent;
  EXPECT_NE(absent.find("ENOENT"), std::string::npos) << absent;
  EXPECT_NE(absent.find("it takes stderr, journal, or the path"), std::string::npos) << absent;
  EXPECT_NE(refusal("-ORBLogFile", folder_).find("EISDIR"), std::string::npos);
  EXPECT_NE(refusal("-ORBLogLevel", "loud").find("off, error, warning, info, debug or trace"),
            std::string::npos);
  EXPECT_NE(refusal("-ORBLogFormat", "xml").find("text or json"), std::string::npos);
}
