// Calls over TLS: every architecture, the caller's identity, refusals, and certificates that change
// meanwhile.
#include <atomic>
#include <filesystem>
#include <thread>

#include <takt/orb/configuration.h>

#include "certificates.h"
#include "served.h"

namespace feature {
namespace {

using Options = std::vector<std::string>;

class Tls : public testing::Test {
 protected:
  Tls() : certificates(authority.issue({.name = "server"})) {}

  Options server_options(const Options& more = {}) const {
    Options options = show(certificates);
    options.insert(options.end(), more.begin(), more.end());
    return options;
  }
  Options patient_server(const char* concurrency, const char* handshake_time) const {
    return server_options({"-ORBServerConcurrency", concurrency, "-ORBTLSHandshakeTimeout", handshake_time,
                           "-ORBLogLevel", "off"});
  }
  Options client_options(const Options& more = {}) const {
    Options options{"-ORBTLSAuthorities", authority.file()};
    options.insert(options.end(), more.begin(), more.end());
    return options;
  }
  // The options for these credentials, trusting the same authority.
  Options show(const takt::test::Credentials& own) const {
    return {"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey",
            own.key_file,         "-ORBTLSAuthorities", authority.file()};
  }
  static std::string refusal(const EchoRef& echo) {
    try {
      echo->nothing();
    } catch (const CORBA::NO_PERMISSION& refused) {
      return std::string("NO_PERMISSION ") + refused.what();
    } catch (const CORBA::TRANSIENT& refused) {
      return std::string("TRANSIENT ") + refused.what();
    } catch (const CORBA::SystemException& other) {
      return other.what();
    }
    return "none";
  }
  static void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  const takt::test::Authority authority;
  const takt::test::Credentials certificates;
};

constexpr const char* endpoint = "ssliop://127.0.0.1:0";

void call_in_threads(const EchoRef& echo, int threads, int calls) {
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      for (int n = 0; n < calls; ++n) {
        Calls::Octets octets(static_cast<std::size_t>((n * 37 + i) % 17 == 0 ? 200'000 + n : n * 7));
        for (std::size_t at = 0; at < octets.size(); ++at)
          octets[at] = static_cast<std::uint8_t>(at * 31 + n);
        EXPECT_EQ(echo->echo_octets(octets), octets);
        EXPECT_EQ(echo->cube(static_cast<std::uint8_t>(i % 6)), (i % 6) * (i % 6) * (i % 6));
      }
    });
}

TEST_F(Tls, CarriesCallsOfManyThreadsInEveryArchitecture) {
  for (const char* concurrency : server_concurrencies)
    for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
      SCOPED_TRACE(std::string(concurrency) + ", " + connections);
      const Served served(endpoint, server_options({"-ORBServerConcurrency", concurrency}),
                          client_options({"-ORBClientConnections", connections}));
      call_in_threads(served.echo_in(served.root), 6, 20);
    }
}

TEST_F(Tls, CarriesCompressedMessages) {
  const Options on{"-ORBCompression", "on"};
  const Served served(endpoint, server_options(on), client_options(on));
  const auto echo = served.echo_in(served.root);
  const Calls::Octets octets(1'000'000, 7);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo->echo_octets(octets), octets);
}

TEST_F(Tls, ManyOnewaysInARowAreAllServed) {
  for (const char* concurrency : server_concurrencies) {
    const Served served(endpoint, server_options({"-ORBServerConcurrency", concurrency}), client_options());
    const auto echo = served.echo_in(served.root);
    for (int round = 0; round < 5; ++round) {
      for (int i = 1; i <= 300; ++i) echo->note(i);
      EXPECT_EQ(echo->cube(2), 8);
    }
  }
}

// The policy chooses among the protocols in the reference.
TEST_F(Tls, IsAProtocolOfPolicies) {
  const Served served("iiop://127.0.0.1:0,ssliop://127.0.0.1:0", server_options(), client_options());
  const auto rt = rt_of(served.server);
  const auto secure =
      served.make_poa({rt->create_server_protocol_policy({RTCORBA::Protocol(takt::TLS_PROTOCOL_TYPE)})});
  EXPECT_EQ(served.echo_in(secure)->cube(3), 27);
  const auto plain = make_orb({"-ORBTLSServerCertificates", "none", "-ORBTLSVersion", "1.3"}, "client");
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(plain->string_to_object(served.ior_in(secure)))->cube(3), 27);
  plain->destroy();
}

TEST_F(Tls, AClientsCertificateIsKnownInEveryServerArchitecture) {
  const auto own = authority.issue({.name = "teller"});
  for (const char* concurrency : server_concurrencies) {
    const Served served(
        endpoint,
        server_options({"-ORBTLSClientCertificates", "required", "-ORBServerConcurrency", concurrency}),
        show(own));
    std::optional<takt::PeerCertificate> seen;
    served.echo_in(served.root, [&] { seen = takt::present_peer_certificate(); })->nothing();
    ASSERT_TRUE(seen) << concurrency;
    EXPECT_EQ(seen->subject, "CN=teller,O=Takt");
    EXPECT_TRUE(seen->issuer.starts_with("CN=Authority"));
    EXPECT_FALSE(seen->serial.empty());
  }
  EXPECT_EQ(takt::present_peer_certificate(), std::nullopt);
}

TEST_F(Tls, WhereCertificatesAreOptionalAClientMayHaveNone) {
  const Served served(endpoint, server_options({"-ORBTLSClientCertificates", "optional"}), client_options());
  bool called = false;
  std::optional<takt::PeerCertificate> seen;
  served
      .echo_in(served.root,
               [&] {
                 called = true;
                 seen = takt::present_peer_certificate();
               })
      ->nothing();
  EXPECT_TRUE(called);
  EXPECT_EQ(seen, std::nullopt);
}

TEST_F(Tls, AClientWithoutTheCertificateThatIsWantedIsToldSo) {
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    const Served served(endpoint,
                        server_options({"-ORBTLSClientCertificates", "required", "-ORBLogLevel", "off"}),
                        client_options({"-ORBClientConnections", connections}));
    const auto echo = served.echo_in(served.root);
    for (int i = 0; i < 20; ++i)
      expect_parts(refusal(echo), {"NO_PERMISSION", "TLS: ", "certificate required"});
  }
}

TEST_F(Tls, AServerThatRequiresCertificatesSaysWhereItTakesNone) {
  const auto said = [&](const char* endpoints) {
    testing::internal::CaptureStderr();
    Served(endpoints, server_options({"-ORBTLSClientCertificates", "required"}), client_options());
    return testing::internal::GetCapturedStderr();
  };
  const std::string both = said("ssliop://127.0.0.1:0,iiop://127.0.0.1:0,unix:");
  EXPECT_NE(both.find("TLSClientCertificates is required, but at iiop 127.0.0.1:"), both.npos) << both;
  EXPECT_EQ(both.find("at unix"), both.npos) << both;
  EXPECT_EQ(said("ssliop://127.0.0.1:0,unix:"), "");
}

TEST_F(Tls, AServerThatAsksForCertificatesOfAnyAuthorityOfTheSystemSaysSo) {
  const auto said = [&](const char* of_clients) {
    testing::internal::CaptureStderr();
    Served(endpoint,
           {"-ORBTLSCertificate", certificates.certificate_file, "-ORBTLSKey", certificates.key_file,
            "-ORBTLSClientCertificates", of_clients},
           client_options());
    return testing::internal::GetCapturedStderr();
  };
  for (const std::string of_clients : {"required", "optional"}) {
    const std::string text = said(of_clients.c_str());
    EXPECT_NE(text.find("TLSClientCertificates is " + of_clients + " without TLSAuthorities: at ssliop"),
              text.npos)
        << text;
  }
  EXPECT_EQ(said("none"), "");
}

TEST_F(Tls, AServerThatIsNotTrustedIsNotCalled) {
  const takt::test::Authority stranger;
  const Served served(endpoint, server_options(), {"-ORBTLSAuthorities", stranger.file()});
  bool called = false;
  expect_parts(refusal(served.echo_in(served.root, [&] { called = true; })),
               {"NO_PERMISSION", "TLS: the peer's certificate is refused", "-ORBTLSAuthorities"});
  EXPECT_FALSE(called);
  const auto careless = make_orb({"-ORBTLSServerCertificates", "none"}, "client");
  EXPECT_EQ(refusal(IDL::traits<Calls::Echo>::narrow(careless->string_to_object(served.ior_in(served.root)))),
            "none");
  careless->destroy();
}

TEST_F(Tls, AServerThatAlsoTakesPlainConnectionsSaysSoInOneProfile) {
  for (const auto& [endpoints, more] :
       {std::pair<std::string, Options>{"iiop://127.0.0.1:0,ssliop://127.0.0.1:0", {}},
        std::pair<std::string, Options>{endpoint, {"-ORBTLSPlainToo", "on"}}}) {
    const Served served(endpoints, server_options(more), client_options({"-ORBTLSUse", "required"}));
    const std::string ior = served.ior_in(served.root);
    const auto tls_first = make_orb(client_options({"-ORBTLSUse", "offered"}), "client");
    const auto plain = make_orb({}, "client");
    for (const auto& orb : {served.client, tls_first, plain}) {
      const auto echo = IDL::traits<Calls::Echo>::narrow(orb->string_to_object(ior));
      EXPECT_EQ(echo->cube(3), 27);
    }
    tls_first->destroy();
    plain->destroy();
  }
}

TEST_F(Tls, WithoutItServersCannotBeReachedByWhoAlwaysWantsIt) {
  const Served served("iiop://127.0.0.1:0", {}, client_options({"-ORBTLSUse", "always"}));
  const auto echo = takt::reference::make_stub<Calls::Echo>(
      served.client->string_to_object(served.ior_in(served.root))->_ref());
  EXPECT_NE(refusal(echo), "none");
}

TEST_F(Tls, APlainPortThatAUrlTakesForTlsIsNamed) {
  const Served served("iiop://127.0.0.1:0", {"-ORBObjectKey", "Echo=corbaloc:rir:/RootPOA"},
                      client_options());
  const std::string address = served.server->_published_endpoints().front().substr(5);
  const auto echo = takt::reference::make_stub<Calls::Echo>(
      served.client->string_to_object("corbaloc:ssliop:1.2@" + address + "/Echo")->_ref());
  expect_parts(refusal(echo), {"TRANSIENT", "TLS: ", "speak TLS on t"});
}

// Also if the request is longer than one write of the system.
TEST_F(Tls, APlainClientIsToldThatThePortTakesTlsAlone) {
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"})
    for (const std::size_t octets : {1, 4'000'000}) {
      const Served served(endpoint, server_options(), {"-ORBClientConnections", connections});
      const std::string address = served.server->_published_endpoints().front().substr(7);
      const auto echo = takt::reference::make_stub<Calls::Echo>(
          served.client->string_to_object("corbaloc:iiop:1.2@" + address + "/Echo")->_ref());
      try {
        echo->echo_octets(Calls::Octets(octets));
        FAIL() << connections;
      } catch (const CORBA::NO_PERMISSION& refused) {
        expect_parts(
            refused.what(),
            {"echo_octets",
             "the peer takes TLS alone on this port: use a reference of the server's, or corbaloc:ssliop:"});
        if (connections == std::string("exclusive") && octets == 1) {
          EXPECT_EQ(refused.completed(), CORBA::COMPLETED_NO);
        }
      }
    }
}

TEST_F(Tls, AUrlNamesItsPort) {
  const Served served(endpoint, server_options({"-ORBObjectKey", "Echo=corbaloc::127.0.0.1:1/Other"}),
                      client_options());
  const std::string address = served.server->_published_endpoints().front().substr(7);
  const auto there = served.client->string_to_object("corbaloc:ssliop:1.2@" + address + "/Nothing");
  EXPECT_TRUE(there->_non_existent());
}

TEST_F(Tls, OptionsThatWillNotDoKeepTheOrbFromStarting) {
  EXPECT_THROW(make_orb({"-ORBTLSCertificate", "/nonexistent.pem"}, "bad"), CORBA::INITIALIZE);
  const auto orb = make_orb({"-ORBListenEndpoints", endpoint}, "bare");
  EXPECT_THROW(orb->resolve_initial_references("RootPOA"), CORBA::INITIALIZE);
  orb->destroy();
}

// New threads open new connections; threads of the active architecture continue to use theirs.
TEST_F(Tls, CertificatesThatAreReloadedUnderLoadLoseNoCall) {
  const Served served(endpoint, server_options(), client_options());
  const auto echo = served.echo_in(served.root);
  std::atomic<bool> over = false;
  std::atomic<int> calls = 0;
  std::vector<std::jthread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&, i] {
      while (!over) {
        if (i == 0) {
          EXPECT_EQ(echo->cube(5), 125);
        } else {
          std::jthread([&] { EXPECT_EQ(echo->cube(5), 125); }).join();
        }
        ++calls;
      }
    });
  for (int i = 0; i < 20; ++i) {
    const auto next = authority.issue({.name = "server"});
    using std::filesystem::rename;
    rename(next.key_file, certificates.key_file);
    rename(next.certificate_file, certificates.certificate_file);
    served.server->_reload_certificates();
    served.client->_reload_certificates();
    for (const int before = calls; calls < before + 10;) std::this_thread::yield();
  }
  over = true;
  callers.clear();
  std::filesystem::remove(certificates.key_file);
  EXPECT_THROW(served.server->_reload_certificates(), CORBA::NO_PERMISSION);
  std::jthread([&] { EXPECT_EQ(echo->cube(5), 125); }).join();
}

// A client that connects and sends nothing.
int connect_silently(const Served& served) {
  const std::string published = served.server->_published_endpoints().front();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(published.substr(published.rfind(':') + 1))));
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return fd;
}

// Whether the server closes the connection within 20 seconds. Closes it here.
bool is_let_go(int fd) {
  pollfd end{fd, POLLIN, 0};
  const bool ended = ::poll(&end, 1, 20000) == 1;
  ::close(fd);
  return ended;
}

TEST_F(Tls, SilentPeersCostNobodyElseAnything) {
  for (const char* concurrency : server_concurrencies) {
    const Served served(endpoint, patient_server(concurrency, "1s"), client_options());
    std::vector<int> silent;
    for (int i = 0; i < 30; ++i) silent.push_back(connect_silently(served));
    ASSERT_EQ(::send(silent.front(), "\x16\3\1\2", 4, 0), 4);
    EXPECT_EQ(served.echo_in(served.root)->cube(2), 8);
    for (const int fd : silent) EXPECT_TRUE(is_let_go(fd)) << concurrency;
  }
}

TEST_F(Tls, HandshakesMayTakeAnotherTimeFromThenOn) {
  for (const char* concurrency : server_concurrencies) {
    const Served served(endpoint, patient_server(concurrency, "1h"), client_options());
    const int before = connect_silently(served);
    EXPECT_EQ(served.echo_in(served.root)->cube(2), 8);
    takt::Configuration::of(served.server).set("TLSHandshakeTimeout", "50ms");
    EXPECT_TRUE(is_let_go(connect_silently(served))) << concurrency;
    EXPECT_TRUE(is_let_go(before)) << concurrency << ", and nobody waits longer who came earlier";
  }
}

}  // namespace
}  // namespace feature
