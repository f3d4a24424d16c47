// Servers at UNIX-domain sockets, and at several transports at once.
#include "served.h"

namespace feature {
namespace {

TEST(UnixEndpoints, APathCarriesCalls) {
  const Folder folder;
  const Served served("unix:" + folder / "server");
  const auto echo = served.echo_in(served.root);
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 0);
  EXPECT_EQ(connections(AF_UNIX), 2);
  const Calls::Octets long_one(3'000'000, 7);
  EXPECT_EQ(echo->echo_octets(long_one), long_one);
  EXPECT_EQ(served.server->_published_endpoints(), std::vector{"unix " + folder / "server"});
}

TEST(UnixEndpoints, AnAbstractNameCarriesCalls) {
  const Served served("unix:@takt-feature-" + std::to_string(::getpid()));
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
  EXPECT_EQ(connections(AF_UNIX), 2);
}

TEST(UnixEndpoints, WithoutANameTheServerFindsOne) {
  const Served served("unix:");
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
  EXPECT_EQ(connections(AF_UNIX), 2);
}

TEST(UnixEndpoints, EveryServerArchitectureServesThem) {
  for (const char* concurrency : {"reactive", "leader-followers", "worker-pool", "thread-per-connection"})
    for (const char* mux : {"exclusive", "multiplexed"}) {
      const Served served("unix:", {"-ORBServerConcurrency", concurrency}, {"-ORBClientConnections", mux});
      EXPECT_EQ(served.echo_in(served.root)->cube(3), 27) << concurrency << " " << mux;
    }
}

TEST(UnixEndpoints, BothFormsOfUrlsLeadToAnObject) {
  const Folder folder;
  const Served served("unix:" + folder / "server");
  served.server->register_object_key(
      "Key",
      served.root->id_to_reference(served.root->activate_object(CORBA::make_reference<EchoServant>())));
  for (const std::string& url :
       {"corbaloc:uiop:1.2@" + folder / "server|Key", "corbaloc:omniunix:1.2@" + folder / "server:/Key"}) {
    const auto echo = IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(url));
    ASSERT_TRUE(echo) << url;
    EXPECT_EQ(echo->cube(2), 8) << url;
  }
}

TEST(UnixEndpoints, PermissionsAreTheOptions) {
  const Folder folder;
  const Served served("unix:" + folder / "server", {"-ORBUnixPermissions", "0640"});
  EXPECT_EQ(std::filesystem::status(folder / "server").permissions(), std::filesystem::perms(0640));
  EXPECT_THROW(make_orb({"-ORBUnixPermissions", "rw"}, "wrong"), CORBA::BAD_PARAM);
}

TEST(UnixEndpoints, ShuttingDownRemovesTheFile) {
  const Folder folder;
  {
    const Served served("unix:" + folder / "server");
    EXPECT_TRUE(std::filesystem::exists(folder / "server"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "server"));
}

TEST(SeveralTransports, TheServersOrderDecides) {
  for (const bool path_first : {false, true}) {
    const Folder folder;
    const std::string tcp = "iiop://127.0.0.1:0", path = "unix:" + folder / "server";
    const Served served(path_first ? path + "," + tcp : tcp + "," + path);
    EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
    EXPECT_EQ(connections(AF_UNIX), path_first ? 2 : 0);
    EXPECT_EQ(connections(AF_INET), path_first ? 0 : 2);
  }
}

TEST(SeveralTransports, WhatCannotBeReachedIsPassedOver) {
  const Folder folder;
  const Served served("unix:" + folder / "server" + ",iiop://127.0.0.1:0");
  const auto echo = served.echo_in(served.root);
  std::filesystem::remove(folder / "server");
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_UNIX), 0);
  EXPECT_EQ(connections(AF_INET), 2);
}

TEST(SeveralTransports, LanesHaveAnAddressOfEach) {
  const Folder folder;
  const Served served("unix:" + folder / "server" + ",iiop://127.0.0.1:0",
                      {"-ORBSchedulingClass", "other", "-ORBPriorityMapping", "linear"});
  const auto rt = rt_of(served.server);
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, false, 0, 0);
  const auto poa =
      served.make_poa({rt->create_threadpool_policy(pool),
                       rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 20)});
  EXPECT_EQ(served.echo_in(poa)->cube(3), 27);
  EXPECT_EQ(connections(AF_UNIX), 2);
  for (const OpenSocket& socket : open_sockets())
    if (!socket.path.empty()) {
      EXPECT_TRUE(socket.path.starts_with(folder / "server.")) << socket.path;
    }
}

}  // namespace
}  // namespace feature
