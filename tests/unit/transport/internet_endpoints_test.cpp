// Addresses as users write them, and error messages for unreachable ones.
#include "transport/internet_endpoints.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <future>

#include "os/net/stream_sockets.h"
#include "transport/tcp/tcp_acceptor.h"
#include "transport/tcp/tcp_transport.h"

namespace takt::transport::internet_endpoints {
namespace {

using namespace std::chrono_literals;

TEST(InternetEndpoints, AreReadAsUsersWriteThem) {
  const auto read = [](std::string_view text) { return parse("iiop", text).value(); };
  EXPECT_EQ(read("//host:2809"), (Endpoint{"iiop", "host", 2809}));
  EXPECT_EQ(read("host:2809/"), (Endpoint{"iiop", "host", 2809}));
  EXPECT_EQ(read("//host"), (Endpoint{"iiop", "host", 0}));
  EXPECT_EQ(read("//:7"), (Endpoint{"iiop", "", 7}));
  EXPECT_EQ(read(""), (Endpoint{"iiop", "", 0}));
  EXPECT_EQ(read("//[::1]:2809"), (Endpoint{"iiop", "::1", 2809}));
  EXPECT_EQ(read("[::1]"), (Endpoint{"iiop", "::1", 0}));
}

TEST(InternetEndpoints, WhatTheyAreNotIsToldHowToBeWritten) {
  for (const char* bad : {"//[::1", "//[::1]x", "//host:", "//host:port", "//host:1x", "//a/b:1"}) {
    const auto read = parse("udp", bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error(), "write udp://HOST:PORT, an IPv6 address in brackets");
  }
  EXPECT_EQ(parse("udp", "//host:70000").error(), "a port ends at 65535");
}

TEST(InternetEndpoints, WildcardsAreNotDefinite) {
  for (const char* host : {"", "0.0.0.0", "::", "0:0:0:0:0:0:0:0", "::0"})
    EXPECT_FALSE(is_definite({"iiop", host, 1})) << host;
  for (const char* host : {"localhost", "127.0.0.1", "::1"})
    EXPECT_TRUE(is_definite({"iiop", host, 1})) << host;
}

// Each attempt fails; records the deadlines of the attempts.
ConnectError refused_by_all(int error, std::vector<os::TimePoint>& deadlines, os::TimePoint deadline) {
  const std::vector addresses{*os::Address::parse("192.0.2.1", 9), *os::Address::parse("192.0.2.2", 9)};
  auto result = connect_in_turn({"iiop", "example.org", 9}, addresses, deadline,
                                [&](const os::Address&, os::TimePoint until) {
                                  deadlines.push_back(until);
                                  return std::expected<std::unique_ptr<Stream>, int>(std::unexpected(error));
                                });
  return result.error();
}

TEST(InternetEndpoints, EachAddressIsTriedWithItsShareOfTheTime) {
  std::vector<os::TimePoint> deadlines;
  const auto deadline = os::Clock::now() + 1h;
  refused_by_all(ECONNREFUSED, deadlines, deadline);
  ASSERT_EQ(deadlines.size(), 2U);
  EXPECT_LE(deadlines[0], deadline - 29min);
  EXPECT_EQ(deadlines[1], deadline);
  deadlines.clear();
  refused_by_all(ECONNREFUSED, deadlines, os::no_deadline);
  EXPECT_EQ(deadlines, (std::vector{os::no_deadline, os::no_deadline}));
}

TEST(InternetEndpoints, FailuresNameWhatWasTriedAndWhatToDo) {
  const std::pair<int, const char*> advice[] = {{ECONNREFUSED, "is the server running"},
                                                {ETIMEDOUT, "is the host up"},
                                                {ENETUNREACH, "check the network"},
                                                {EHOSTUNREACH, "check the network"},
                                                {EMFILE, "ulimit -n"},
                                                {ENFILE, "ulimit -n"},
                                                {EADDRNOTAVAIL, "no free local port"},
                                                {EACCES, "firewall"},
                                                {EPERM, "firewall"},
                                                {EIO, "check the host and port"}};
  for (const auto& [error, what] : advice) {
    std::vector<os::TimePoint> deadlines;
    const ConnectError told = refused_by_all(error, deadlines, os::no_deadline);
    EXPECT_EQ(told.phase, ConnectError::Phase::connect);
    EXPECT_EQ(told.error, error);
    EXPECT_NE(told.text.find(what), std::string::npos) << told.text;
    EXPECT_NE(told.text.find("192.0.2.1:9"), std::string::npos) << told.text;
    EXPECT_NE(told.text.find("192.0.2.2:9"), std::string::npos) << told.text;
  }
}

TEST(InternetEndpoints, ALinkLocalAddressWithoutItsInterfaceIsToldWhatItLacks) {
  const auto advice_for = [](const char* host) {
    const std::vector addresses{*os::Address::parse(host, 9)};
    return connect_in_turn({"iiop", host, 9}, addresses, os::no_deadline,
                           [](const os::Address&, os::TimePoint) {
                             return std::expected<std::unique_ptr<Stream>, int>(std::unexpected(EINVAL));
                           })
        .error()
        .text;
  };
  EXPECT_NE(advice_for("fe80::1").find("object reference: a link-local address needs the interface of this"),
            std::string::npos)
      << advice_for("fe80::1");
  for (const char* const host : {"fe80::1%1", "2001:db8::1", "169.254.1.1"})
    EXPECT_EQ(advice_for(host).find("%eth0"), std::string::npos) << advice_for(host);
}

ListenError not_listened(const Endpoint& on, int error, int& attempts) {
  os::Resolver resolver;
  auto result = listen_in_turn(on, resolver, [&](const os::Address&) {
    ++attempts;
    return std::expected<std::unique_ptr<Acceptor>, int>(std::unexpected(error));
  });
  return result.error();
}

TEST(InternetEndpoints, AListenerThatCannotBeSaysWhy) {
  const std::pair<int, const char*> advice[] = {{EADDRINUSE, "another process listens there"},
                                                {EACCES, "need a privilege"},
                                                {EADDRNOTAVAIL, "not an address of this machine"},
                                                {EMFILE, "ulimit -n"},
                                                {ENFILE, "ulimit -n"},
                                                {EIO, "check the address to listen on"}};
  for (const auto& [error, what] : advice) {
    int attempts = 0;
    const ListenError told = not_listened({"iiop", "127.0.0.1", 9}, error, attempts);
    EXPECT_EQ(attempts, 1);
    EXPECT_EQ(told.error, error);
    EXPECT_NE(told.text.find(what), std::string::npos) << told.text;
  }
}

TEST(InternetEndpoints, AWildcardIsTriedInBothFamiliesUnlessItsPortIsTaken) {
  int attempts = 0;
  not_listened({"iiop", "", 9}, EACCES, attempts);
  EXPECT_EQ(attempts, 2);
  attempts = 0;
  not_listened({"iiop", "", 9}, EADDRINUSE, attempts);
  EXPECT_EQ(attempts, 1) << "half of the families would be a surprise";
}

TEST(InternetEndpoints, AHostThatHasNoAddressIsNeitherListenedOnNorConnectedTo) {
  int attempts = 0;
  const ListenError told = not_listened({"iiop", "no.such.host.invalid", 9}, EIO, attempts);
  EXPECT_EQ(attempts, 0);
  EXPECT_NE(told.text.find("listen on a numeric address"), std::string::npos) << told.text;
  TcpTransport tcp;
  const auto connected = tcp.connect({"iiop", "no.such.host.invalid", 9}, os::Clock::now() + 10s, {});
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().phase, ConnectError::Phase::resolve);
  EXPECT_NE(connected.error().text.find("check the host name"), std::string::npos) << connected.error().text;
}

TEST(InternetEndpoints, ASocketOfTheServiceManagerOutlivesItsAcceptor) {
  auto listener = os::open_stream_socket(os::Address::Family::v4);
  ASSERT_TRUE(listener);
  ASSERT_EQ(os::bind(*listener, os::Address::loopback(os::Address::Family::v4, 0)), 0);
  ASSERT_EQ(os::listen(*listener, 8), 0);
  const auto address = os::Address::local_of(listener->fd()).value();
  TcpTransport tcp;
  const auto connects = [&] {
    return tcp.connect({"iiop", address.host_text(), address.port()}, os::Clock::now() + 10s, {}).has_value();
  };
  const auto acceptor = [&] {
    return std::make_unique<TcpAcceptor>(os::duplicate(listener->fd()).value(), address, "iiop",
                                         StreamOptions(), TcpAcceptor::Owner::service_manager);
  };
  auto first = acceptor();
  first->set_blocking(true);
  EXPECT_TRUE(connects());
  EXPECT_TRUE(first->accept());
  auto waiting = std::async(std::launch::async, [&] { return first->accept().error(); });
  first->stop_new_attempts();
  first->close();
  EXPECT_EQ(waiting.get(), AcceptError::closed);
  first.reset();
  EXPECT_TRUE(connects()) << "the client waits for the next process";
  auto second = acceptor();
  EXPECT_TRUE(second->accept());
  EXPECT_EQ(second->accept().error(), AcceptError::would_block);
}

}  // namespace
}  // namespace takt::transport::internet_endpoints
