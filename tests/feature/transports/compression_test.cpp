// Long messages are compressed if both ends support it.
#include <takt/orb/configuration.h>

#include "octets_received.h"
#include "served.h"

namespace feature {
namespace {

using CORBA::SetOverrideType;
using Strings = std::vector<std::string>;

const Strings compressing{"-ORBCompression", "on"}, not_compressing{};

Calls::Octets log_text(std::size_t bytes) {
  std::string all;
  for (int i = 0; all.size() < bytes; ++i) all += "sensor " + std::to_string(i * i % 977) + " reads well; ";
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

// Sent by client and server together, which are both in this process.
std::uint64_t octets_on_the_wire() {
  std::uint64_t all = 0;
  for (const OpenSocket& one : open_sockets())
    if (one.family == AF_INET) all += octets_received(one.fd);
  return all;
}

// The octets that a long call sends after the connection's first call.
std::uint64_t cost_of(const EchoRef& echo, const Calls::Octets& octets) {
  EXPECT_EQ(echo->cube(3), 27);
  const std::uint64_t before = octets_on_the_wire();
  EXPECT_EQ(echo->echo_octets(octets), octets);
  return octets_on_the_wire() - before;
}

TEST(Compression, NeedsBothEnds) {
  const Calls::Octets octets = log_text(1 << 20);
  for (const bool client : {false, true})
    for (const bool server : {false, true}) {
      const Served served("iiop://127.0.0.1:0", server ? compressing : not_compressing,
                          client ? compressing : not_compressing);
      const std::uint64_t cost = cost_of(served.echo_in(served.root), octets);
      if (client && server)
        EXPECT_LT(cost, octets.size() / 5) << "there and back";
      else
        EXPECT_GE(cost, 2 * octets.size()) << client << server;
    }
}

TEST(Compression, StartsAtAThresholdOfEachSide) {
  const Calls::Octets octets = log_text(100'000);
  const Served served("iiop://127.0.0.1:0", {"-ORBCompression", "on", "-ORBCompressionThreshold", "1MiB"},
                      compressing);
  const std::uint64_t cost = cost_of(served.echo_in(served.root), octets);
  EXPECT_GE(cost, octets.size()) << "the reply";
  EXPECT_LT(cost, octets.size() * 3 / 2) << "but not the request";
}

TEST(Compression, OfOctetsWithoutEndIsPaddedToWhatTheOtherSideInflates) {
  const Calls::Octets zeros(1'000'000);
  const Served served("iiop://127.0.0.1:0", {"-ORBCompression", "on", "-ORBMaxExpansion", "10"}, compressing);
  const std::uint64_t cost = cost_of(served.echo_in(served.root), zeros);
  EXPECT_GE(cost, zeros.size() / 10) << "the request";
  EXPECT_LT(cost, zeros.size() / 8);
}

// The same over a new connection. Waits until both ends have closed it, because its octets would be missing
// from the next count.
std::uint64_t cost_anew(const EchoRef& echo, const Calls::Octets& octets) {
  const std::size_t before = open_sockets().size();
  std::uint64_t cost = 0;
  std::thread([&] { cost = cost_of(echo, octets); }).join();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (open_sockets().size() > before && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return cost;
}

TEST(Compression, OfConnectionsFromThenOnIsAsItsOptionsAreThen) {
  const Calls::Octets octets = log_text(1 << 20);
  const Served served("iiop://127.0.0.1:0", compressing, compressing);
  const auto echo = served.echo_in(served.root);
  auto server = takt::Configuration::of(served.server), client = takt::Configuration::of(served.client);
  const std::uint64_t quick = cost_anew(echo, octets);
  client.set("CompressionLevel", "9");
  const std::uint64_t half = cost_anew(echo, octets);
  EXPECT_LT(half, quick) << "the request";
  server.set("CompressionLevel", "9");
  EXPECT_LT(cost_anew(echo, octets), half) << "and the reply";
  client.set("CompressionThreshold", "2MiB");
  const std::uint64_t reply = cost_anew(echo, octets);
  EXPECT_GT(reply, octets.size());
  EXPECT_LT(reply, octets.size() * 3 / 2);
  server.set("CompressionThreshold", "2MiB");
  EXPECT_GE(cost_anew(echo, octets), 2 * octets.size());
}

// Peers of open connections keep using the limit that they were told, which stays valid for the connection.
TEST(Compression, KeepsTheExpansionThatAConnectionHasSaid) {
  const Calls::Octets zeros(1'000'000);
  for (const char* concurrency : {"thread-per-connection", "leader-followers", "worker-pool"})
    for (const char* sharing : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
      const Served served("iiop://127.0.0.1:0",
                          {"-ORBCompression", "on", "-ORBServerConcurrency", concurrency},
                          {"-ORBCompression", "on", "-ORBClientConnections", sharing});
      const auto echo = served.echo_in(served.root);
      EXPECT_LT(cost_of(echo, zeros), zeros.size() / 20) << concurrency << " " << sharing;
      takt::Configuration::of(served.server).set("MaxExpansion", "10");
      takt::Configuration::of(served.client).set("MaxExpansion", "10");
      EXPECT_LT(cost_of(echo, zeros), zeros.size() / 20) << concurrency << " " << sharing;
      std::vector<std::jthread> others;
      for (int i = 0; i < 4; ++i)
        others.emplace_back([&] {
          for (int call = 0; call < 3; ++call) EXPECT_EQ(echo->echo_octets(zeros), zeros);
        });
    }
}

TEST(Compression, IsPaddedToWhatConnectionsFromThenOnInflate) {
  const Calls::Octets zeros(1'000'000);
  const Served served("iiop://127.0.0.1:0", compressing, compressing);
  const auto echo = served.echo_in(served.root);
  EXPECT_LT(cost_anew(echo, zeros), zeros.size() / 20);
  takt::Configuration::of(served.server).set("MaxExpansion", "10");
  const std::uint64_t request = cost_anew(echo, zeros);
  EXPECT_GE(request, zeros.size() / 10);
  takt::Configuration::of(served.client).set("MaxExpansion", "10");
  EXPECT_GE(cost_anew(echo, zeros), 2 * zeros.size() / 10) << "the reply, too";
  takt::Configuration::of(served.server).set("MaxExpansion", "100");
  EXPECT_LT(cost_anew(echo, zeros), 2 * zeros.size() / 10);
}

TEST(Compression, GoesWithShortHeadsAndEachArchitecture) {
  const Calls::Octets octets = log_text(100'000);
  for (const char* messaging : {"giop", "giop-lite"})
    for (const char* concurrency : server_concurrencies)
      for (const char* sharing : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
        const Served served(
            "iiop://127.0.0.1:0",
            {"-ORBCompression", "on", "-ORBMessaging", messaging, "-ORBServerConcurrency", concurrency},
            {"-ORBCompression", "on", "-ORBMessaging", messaging, "-ORBClientConnections", sharing});
        EXPECT_LT(cost_of(served.echo_in(served.root), octets), octets.size())
            << messaging << " " << concurrency << " " << sharing;
      }
}

TEST(Compression, GoesOverEachTransport) {
  const Calls::Octets octets = log_text(100'000);
  for (const char* endpoint : {"unix:", "shm:", "inproc:", "udp://127.0.0.1:0", "iiop://[::1]:0"}) {
    const Served served(endpoint, compressing, compressing);
    const auto echo = served.echo_in(served.root);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(echo->echo_octets(octets), octets) << endpoint;
    EXPECT_EQ(echo->cube(3), 27) << endpoint;
    EXPECT_THROW(echo->refuse(std::string(5000, 'x')), Calls::Refused) << endpoint;
  }
}

TEST(Compression, ManyThreadsUseAConnection) {
  const Served served("iiop://127.0.0.1:0", {"-ORBCompression", "on", "-ORBServerConcurrency", "worker-pool"},
                      {"-ORBCompression", "on", "-ORBClientConnections", "multiplexed"});
  const auto echo = served.echo_in(served.root);
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i <= 4; ++i)
    threads.emplace_back([&, octets = log_text(i * 5'000)] {
      for (int call = 0; call < 50; ++call) ASSERT_EQ(echo->echo_octets(octets), octets);
    });
}

// The method shortens runs of one octet, and does not shorten text.
TEST(Compression, IsByAMethodOfAPlugin) {
  const Strings runs{"-ORBCompression", "on", "-ORBPlugin", RUNS_PLUGIN, "-ORBCompressionMethods", "runs"};
  const Calls::Octets zeros(1 << 20), text = log_text(1 << 20);
  for (const char* sharing : {"exclusive", "cached", "multiplexed", "multiplexed-active"})
    for (const char* concurrency : {"reactive", "worker-pool"}) {
      Strings client = runs, server = runs;
      client.insert(client.end(), {"-ORBClientConnections", sharing});
      server.insert(server.end(), {"-ORBServerConcurrency", concurrency});
      const Served served("iiop://127.0.0.1:0", server, client);
      const auto echo = served.echo_in(served.root);
      const std::uint64_t cost = cost_of(echo, zeros);
      EXPECT_LT(cost, 2 * zeros.size() / 50) << sharing << " " << concurrency;
      EXPECT_GT(cost, 2 * zeros.size() / 80) << "zlib would make less of it";
      EXPECT_GE(cost_of(echo, text), 2 * text.size()) << sharing << " " << concurrency;
    }
}

TEST(Compression, IsByAMethodThatBothEndsHave) {
  const auto by = [](const std::string& methods) {
    return Strings{"-ORBCompression", "on", "-ORBPlugin", RUNS_PLUGIN, "-ORBCompressionMethods", methods};
  };
  const Calls::Octets text = log_text(100'000);
  const auto cost = [&](const Strings& server, const Strings& client) {
    const Served served("iiop://127.0.0.1:0", server, client);
    return cost_of(served.echo_in(served.root), text);
  };
  EXPECT_LT(cost(compressing, by("runs,zlib")), text.size()) << "the server has zlib alone";
  EXPECT_LT(cost(by("runs,zlib"), compressing), text.size()) << "the client";
  EXPECT_LT(cost(by("runs,zlib"), by("zlib,runs")), text.size()) << "the client's choice";
  EXPECT_GE(cost(by("zlib,runs"), by("runs,zlib")), 2 * text.size()) << "likewise";
  EXPECT_GE(cost(by("runs"), compressing), 2 * text.size()) << "none in common";
}

TEST(Compression, IsAPartOfTheMessagingThatPoliciesChoose) {
  using RTCORBA::Protocol;
  const auto compressed = CORBA::make_reference<takt::CompressedProtocolProperties>();
  const auto short_too = CORBA::make_reference<takt::CompressedProtocolProperties>(
      CORBA::make_reference<takt::GIOPLiteProtocolProperties>());
  const Calls::Octets octets = log_text(100'000);
  const Served served("iiop://127.0.0.1:0");
  const auto client = rt_of(served.client), server = rt_of(served.server);
  const auto usual = served.echo_in(served.root);
  const auto with = [&](const EchoRef& echo, const Protocol::Properties& messaging) {
    return IDL::traits<Calls::Echo>::narrow(echo->_set_policy_overrides(
        {client->create_client_protocol_policy({Protocol(takt::TCP_PROTOCOL_TYPE, messaging)})},
        SetOverrideType::SET_OVERRIDE));
  };
  EXPECT_GE(cost_of(with(usual, compressed), octets), 2 * octets.size()) << "the server does not";
  for (const Protocol::Properties& messaging :
       {Protocol::Properties(compressed), Protocol::Properties(short_too)}) {
    const auto poa = served.make_poa(
        {server->create_server_protocol_policy({Protocol(takt::TCP_PROTOCOL_TYPE, messaging)})});
    const auto echo = served.echo_in(poa);
    EXPECT_GE(cost_of(echo, octets), 2 * octets.size()) << "the client does not";
    EXPECT_LT(cost_of(with(echo, messaging), octets), octets.size());
  }
  const Served in_parts("iiop://127.0.0.1:0", {"-ORBFragmentSize", "4KiB"});
  EXPECT_THROW(
      rt_of(in_parts.server)->create_server_protocol_policy({Protocol(takt::TCP_PROTOCOL_TYPE, compressed)}),
      CORBA::BAD_PARAM);
}

TEST(Compression, IsByTheMethodThatAPolicyNames) {
  using RTCORBA::Protocol;
  const auto by = [](const char* method) {
    return Protocol(takt::TCP_PROTOCOL_TYPE, CORBA::make_reference<takt::CompressedProtocolProperties>(
                                                 Protocol::Properties(), method));
  };
  const Strings plugin{"-ORBPlugin", RUNS_PLUGIN};
  const Served served("iiop://127.0.0.1:0", plugin, plugin);
  const auto poa = served.make_poa({rt_of(served.server)->create_server_protocol_policy({by("runs,zlib")})});
  const auto with = [&](const CORBA::object_reference<CORBA::Policy>& policy) {
    return IDL::traits<Calls::Echo>::narrow(
        served.echo_in(poa)->_set_policy_overrides({policy}, SetOverrideType::SET_OVERRIDE));
  };
  const auto client = rt_of(served.client);
  const Calls::Octets text = log_text(100'000), zeros(100'000);
  const auto runs = with(client->create_client_protocol_policy({by("runs")}));
  const auto zlib = with(client->create_client_protocol_policy({by("zlib")}));
  EXPECT_GE(cost_of(runs, text), 2 * text.size());
  EXPECT_LT(cost_of(runs, zeros), zeros.size() / 10);
  EXPECT_LT(cost_of(zlib, text), text.size());
  try {
    with(CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(RTCORBA::ProtocolList{by("none")}))->cube(3);
    ADD_FAILURE();
  } catch (const CORBA::INV_POLICY& refused) {
    EXPECT_NE(std::string(refused.detail()).find("'none'"), std::string::npos) << refused.what();
  }
}

}  // namespace
}  // namespace feature
