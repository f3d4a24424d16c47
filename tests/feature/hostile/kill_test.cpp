// A server process is killed in each phase of a call: the client gets a clear exception in time.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <thread>

#include <takt/rt/rtcorba.h>

#include "../folder.h"
#include "certificates.h"
#include "orbs.h"
#include "process.h"
#include "raw_peer.h"

namespace feature {
namespace {

class ServerProcess : public Process {
 public:
  explicit ServerProcess(const std::string& endpoint, std::vector<std::string> options = {})
      : Process(TAKT_HOSTILE_SERVER, listening(endpoint, std::move(options))), ior(line()) {}
  const std::string ior;

 private:
  static std::vector<std::string> listening(const std::string& endpoint, std::vector<std::string> options) {
    options.insert(options.begin(), {"-ORBListenEndpoints", endpoint});
    return options;
  }
};

struct Connecting {
  std::string name;
  const char* connections;
  bool private_to_reference = false;
  const char* endpoint = "iiop://127.0.0.1:0";
};

class Killed : public testing::TestWithParam<Connecting> {
 protected:
  bool over(std::string_view protocol) const {
    return std::string_view(GetParam().endpoint).starts_with(protocol);
  }
  void start(std::vector<std::string> server_options = {}, const std::string& round_trip = "3s") {
    std::vector<std::string> client_options = {"-ORBRoundTripTimeout",  round_trip,
                                               "-ORBConnectTimeout",    "3s",
                                               "-ORBClientConnections", GetParam().connections};
    if (over("ssliop")) {
      static const takt::test::Authority authority;
      const auto own = authority.issue({.name = "server"});
      server_options.insert(server_options.end(),
                            {"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file});
      client_options.insert(client_options.end(), {"-ORBTLSAuthorities", authority.file()});
    }
    server = std::make_unique<ServerProcess>(GetParam().endpoint, std::move(server_options));
    client = make_orb(std::move(client_options), "client");
    if (GetParam().private_to_reference)
      IDL::traits<CORBA::PolicyManager>::narrow(client->resolve_initial_references("ORBPolicyManager"))
          ->set_policy_overrides({CORBA::make_reference<RTCORBA::PrivateConnectionPolicy>()},
                                 CORBA::SetOverrideType::ADD_OVERRIDE);
    // Makes the stub without a call.
    echo = takt::reference::make_stub<::Calls::Echo>(client->string_to_object(server->ior)->_ref());
  }
  ~Killed() override {
    echo.reset();
    if (client) client->destroy();
  }
  // Kills the server when `when` returns, while another thread makes the call.
  void kill_during(std::function<void()> when, std::function<void()> call) {
    auto outcome = std::async(std::launch::async, std::move(call));
    when();
    server->kill();
    outcome.get();
  }

  std::unique_ptr<ServerProcess> server;
  Orb client;
  EchoRef echo;
};

TEST_P(Killed, BeforeTheConnection) {
  start();
  server->kill();
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TRANSIENT& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
    EXPECT_NE(std::string(failure.what()).find("refused"), std::string::npos) << failure.what();
  }
}

// The system has accepted the connection, and the server never will. Over UDP and TLS only the server
// accepts.
TEST_P(Killed, AfterTheConnectionWasAccepted) {
  start();
  const bool accepted = !over("udp") && !over("ssliop");
  server->stop();
  kill_during([] { std::this_thread::sleep_for(300ms); },
              [&] {
                if (accepted)
                  EXPECT_THROW(echo->nothing(), CORBA::COMM_FAILURE);
                else
                  EXPECT_THROW(echo->nothing(), CORBA::TRANSIENT);
              });
}

TEST_P(Killed, AStoppedServerCostsTheTimeout) {
  start({}, "1s");
  echo->nothing();
  server->stop();
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TIMEOUT& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
  }
}

TEST_P(Killed, BetweenTwoCalls) {
  start();
  echo->nothing();
  server->kill();
  EXPECT_THROW(echo->nothing(), CORBA::SystemException);
  EXPECT_THROW(echo->nothing(), CORBA::TRANSIENT) << "by now the client knows, and nobody listens";
}

TEST_P(Killed, AfterTheRequest) {
  start();
  echo->nothing();
  kill_during([] { std::this_thread::sleep_for(300ms); },
              [&] {
                try {
                  echo->sleep_ms(60'000);
                  FAIL() << "nothing was thrown";
                } catch (const CORBA::COMM_FAILURE& failure) {
                  EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
                  EXPECT_NE(std::string(failure.what()).find("sleep_ms"), std::string::npos);
                }
              });
}

// Relays octets between a client and the server, and stops after a number of octets from the server.
class Relay {
 public:
  Relay(std::uint16_t server_port, std::size_t allowance, std::function<void()> then)
      : server_port_(server_port), allowance_(allowance), then_(std::move(then)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        ::listen(listener_, 4) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
      throw std::runtime_error("no listener");
    port = ntohs(address.sin_port);
    thread_ = std::thread([this] { pass_on(); });
  }
  ~Relay() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::uint16_t port = 0;

 private:
  void pass_on() {
    const int client = ::accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    RawPeer server(server_port_);
    std::vector<std::uint8_t> octets(65536);
    for (std::size_t passed = 0;;) {
      pollfd both[] = {{client, POLLIN, 0}, {server.fd(), POLLIN, 0}};
      if (::poll(both, 2, 10'000) <= 0) break;
      const bool from_client = both[0].revents != 0;
      const ssize_t count = ::recv(from_client ? client : server.fd(), octets.data(), octets.size(), 0);
      if (count <= 0) break;
      std::size_t size = static_cast<std::size_t>(count);
      if (!from_client) size = std::min(size, allowance_ - passed);
      (void)::send(from_client ? server.fd() : client, octets.data(), size, MSG_NOSIGNAL);
      if (from_client || (passed += size) < allowance_) continue;
      then_();
      break;
    }
    ::close(client);
  }

  const std::uint16_t server_port_;
  const std::size_t allowance_;
  const std::function<void()> then_;
  int listener_ = -1;
  std::thread thread_;
};

// With a relay between client and server.
class KilledOverTcp : public Killed {};

TEST_P(KilledOverTcp, InTheMiddleOfAReply) {
  for (const std::size_t allowance : {5, 20, 30, 5000, 500'000}) {
    start();
    Relay relay(Place(server->ior).port, allowance, [this] { server->kill(); });
    std::string key;
    for (const std::uint8_t octet : Place(server->ior).key) {
      constexpr char digits[] = "0123456789abcdef";
      key += {'%', digits[octet >> 4], digits[octet & 15]};
    }
    const auto there =
        client->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(relay.port) + "/" + key);
    const auto reached = takt::reference::make_stub<::Calls::Echo>(there->_ref());
    try {
      (void)reached->echo_octets(Calls::Octets(1'000'000, 7));
      FAIL() << "nothing was thrown";
    } catch (const CORBA::COMM_FAILURE& failure) {
      EXPECT_NE(failure.completed(), CORBA::COMPLETED_NO) << allowance;
    }
    client->destroy();
    client = {};
    echo.reset();
  }
}

// The socket's path of a server that listens where the system chose.
std::string path_of(const ServerProcess& server) {
  std::string octets;
  for (std::size_t i = 4; i + 1 < server.ior.size(); i += 2)
    octets += static_cast<char>(std::stoi(server.ior.substr(i, 2), nullptr, 16));
  const std::size_t name = octets.find("/takt-" + std::to_string(server.id()) + "-");
  const std::size_t begin = octets.rfind('\0', name) + 1;
  return octets.substr(begin, octets.find('\0', begin) - begin);
}

TEST(KilledServers, LeaveNoSocketsBehindOnceTheNextOneStarts) {
  for (const char* endpoint : {"unix:", "shm:"}) {
    std::string last;
    for (int i = 0; i < 3; ++i) {
      const ServerProcess server(endpoint);
      EXPECT_FALSE(std::filesystem::exists(last)) << last;
      last = path_of(server);
      ASSERT_TRUE(std::filesystem::is_socket(last)) << last;
    }
    const ServerProcess lives(endpoint), next(endpoint);
    EXPECT_FALSE(std::filesystem::exists(last));
    EXPECT_TRUE(std::filesystem::is_socket(path_of(lives))) << "a server that lives has lost its socket";
  }
}

TEST(KilledServers, LeaveNoSocketsOfLanesBehindOnceTheNextOneStarts) {
  const Folder folder;
  const auto leave = [&](const std::string& name, bool is_socket) {
    if (!is_socket) {
      std::ofstream(folder / name) << "mine";
      return;
    }
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (folder / name).copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::close(fd);
  };
  Process dead("/bin/true", {});
  const std::string process = std::to_string(dead.id());
  ASSERT_TRUE(dead.ends_within(10s));
  const std::string own = std::to_string(::getpid());
  leave("server." + process + ".0", true);
  leave("server." + process + ".1", false);  // not a socket
  leave("server." + own + ".7", true);       // belongs to a running process
  leave("server.other", true);
  leave("other." + process + ".0", true);
  const ServerProcess server("unix:" + folder / "server");
  EXPECT_FALSE(std::filesystem::exists(folder / ("server." + process + ".0")));
  for (const std::string& kept : {"server." + process + ".1", "server." + own + ".7",
                                  std::string("server.other"), "other." + process + ".0"})
    EXPECT_TRUE(std::filesystem::exists(folder / kept)) << kept;
}

const Connecting over_tcp[] = {{"exclusive", "exclusive"},
                               {"multiplexed", "multiplexed"},
                               {"active", "multiplexed-active"},
                               {"cached", "cached"},
                               {"exclusive_private", "exclusive", true},
                               {"cached_private", "cached", true},
                               {"multiplexed_private", "multiplexed", true},
                               {"active_private", "multiplexed-active", true}};
std::vector<Connecting> each_over(const std::string& where, const char* endpoint) {
  std::vector<Connecting> all;
  for (const Connecting& each : over_tcp)
    if (!each.private_to_reference)
      all.push_back({each.name + "_over_" + where, each.connections, false, endpoint});
  return all;
}
std::string name_of_connecting(const testing::TestParamInfo<Connecting>& given) { return given.param.name; }

INSTANTIATE_TEST_SUITE_P(Clients, Killed, testing::ValuesIn(over_tcp), name_of_connecting);
INSTANTIATE_TEST_SUITE_P(ClientsOverMemory, Killed, testing::ValuesIn(each_over("memory", "shm:")),
                         name_of_connecting);
INSTANTIATE_TEST_SUITE_P(ClientsOverPaths, Killed, testing::ValuesIn(each_over("a_path", "unix:")),
                         name_of_connecting);
INSTANTIATE_TEST_SUITE_P(ClientsOverTls, Killed, testing::ValuesIn(each_over("tls", "ssliop://127.0.0.1:0")),
                         name_of_connecting);
INSTANTIATE_TEST_SUITE_P(ClientsOverUdp, Killed, testing::ValuesIn(each_over("udp", "udp://127.0.0.1:0")),
                         name_of_connecting);
INSTANTIATE_TEST_SUITE_P(Clients, KilledOverTcp, testing::ValuesIn(over_tcp), name_of_connecting);

}  // namespace
}  // namespace feature
