// -ORBConnectAtStart: a program's first call opens no connection.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "architectures.h"

namespace {
std::atomic<std::size_t> connects{0};
}

// Replaces the C library's connect() to count connections.
extern "C" int connect(int fd, const sockaddr* address, socklen_t length) {
  ++connects;
  return static_cast<int>(::syscall(SYS_connect, fd, address, length));
}

namespace feature {
namespace {

class AtStart : public testing::TestWithParam<const char*> {
 protected:
  ServerAndClient server;
  static Orb start(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBClientConnections", GetParam(), "-ORBConnectTimeout", "3s"});
    return make_orb(std::move(options), "at-start");
  }
  static void expect_no_start(const std::vector<std::string>& options, const std::vector<std::string>& said) {
    try {
      start(options);
      FAIL() << "nothing was thrown";
    } catch (const CORBA::INITIALIZE& failure) {
      for (const std::string& part : said)
        EXPECT_NE(std::string(failure.what()).find(part), std::string::npos)
            << part << " in " << failure.what();
    }
  }
  // An address at which no server listens any more.
  static std::string nowhere() { return RecordingServer().url(); }
};

TEST_P(AtStart, TheFirstCallConnectsNoMore) {
  const Orb orb = start({"-ORBInitRef", "Echo=" + server.ior, "-ORBConnectAtStart", "Echo"});
  const std::size_t before = connects;
  EXPECT_GT(before, 0u) << "they are counted";
  const auto echo = IDL::traits<::Calls::Echo>::narrow(orb->resolve_initial_references("Echo"));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connects, before);
  orb->destroy();
}

// The key is an alias; the server forwards calls with it to the object.
TEST_P(AtStart, ForwardsAreFollowed) {
  server.server->register_object_key("Alias", server.server->string_to_object(server.ior));
  const auto endpoint = server.server->_published_endpoints().front();  // format: iiop HOST:PORT
  const std::string url = "corbaloc::" + endpoint.substr(endpoint.rfind(' ') + 1) + "/Alias";
  const Orb orb = start({"-ORBConnectAtStart", url});
  const std::size_t before = connects;
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(url)->_ref());
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connects, before);
  orb->destroy();
}

TEST_P(AtStart, WhatFailsIsNamed) {
  const std::string gone = nowhere();
  expect_no_start(
      {"-ORBConnectAtStart", "Nobody", "-ORBConnectAtStart", gone, "-ORBConnectAtStart", server.ior},
      {"Nobody", "-ORBInitRef", gone, "refused", "ConnectAtStartFailure"});
  const std::string other = server.ior;
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(server.server->resolve_initial_references("RootPOA"));
  poa->deactivate_object(poa->servant_to_id(server.servant));
  expect_no_start({"-ORBConnectAtStart", other}, {"does not have this object"});
}

TEST_P(AtStart, AnOrbThatDidNotStartLeavesItsNameFree) {
  const auto named = [](std::string url) {
    std::string program = "test", option = "-ORBConnectAtStart";
    char* argv[] = {program.data(), option.data(), url.data(), nullptr};
    int argc = 3;
    return CORBA::ORB_init(argc, argv, "the-same-name");
  };
  EXPECT_THROW(named(nowhere()), CORBA::INITIALIZE);
  named(server.ior)->destroy();
}

TEST_P(AtStart, AWarningLetsTheProgramGoOn) {
  testing::internal::CaptureStderr();
  const std::string gone = nowhere();
  const Orb orb = start(
      {"-ORBConnectAtStart", gone, "-ORBConnectAtStart", server.ior, "-ORBConnectAtStartFailure", "warn"});
  EXPECT_NE(testing::internal::GetCapturedStderr().find(gone), std::string::npos);
  const std::size_t before = connects;
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(server.ior)->_ref());
  EXPECT_EQ(echo->cube(2), 8);
  EXPECT_EQ(connects, before);
  orb->destroy();
}

// They accept connections and never answer. The limit is for all objects together, and leaves time for those
// that follow.
TEST_P(AtStart, SilentPeersAreNamedInTime) {
  const auto silent = [](std::size_t) { return RecordingServer::Answer::keep; };
  const RecordingServer first(silent), naming(silent), last(silent);
  const std::string name = "corbaname::127.0.0.1:" + std::to_string(naming.port()) + "#silent";
  const auto begin = std::chrono::steady_clock::now();
  testing::internal::CaptureStderr();
  const Orb orb = start({"-ORBConnectAtStart", first.url(), "-ORBConnectAtStart", name, "-ORBConnectAtStart",
                         server.ior, "-ORBConnectAtStart", last.url(), "-ORBConnectAtStartTimeout", "200ms",
                         "-ORBConnectAtStartFailure", "warn"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  const std::string said = testing::internal::GetCapturedStderr();
  for (const std::string& peer : {first.url(), name, last.url()})
    EXPECT_NE(said.find(peer), std::string::npos) << peer << " in " << said;
  EXPECT_EQ(said.find(server.ior.substr(0, 50)), std::string::npos) << said;
  const std::size_t before = connects;
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(server.ior)->_ref());
  EXPECT_EQ(echo->cube(2), 8);
  EXPECT_EQ(connects, before) << "it was reached";
  orb->destroy();
}

INSTANTIATE_TEST_SUITE_P(Each, AtStart,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         [](const auto& which) {
                           std::string name = which.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace feature
