// The identity of the caller in an upcall.
#include <unistd.h>

#include "served.h"

namespace feature {
namespace {

const takt::PeerProcess this_process{::getpid(), ::geteuid(), ::getegid()};

TEST(PresentPeer, IsKnownInEveryServerArchitecture) {
  for (const char* concurrency : server_concurrencies) {
    const Served served("unix:", {"-ORBServerConcurrency", concurrency});
    std::optional<takt::PeerProcess> seen;
    served.echo_in(served.root, [&] { seen = takt::present_peer(); })->nothing();
    EXPECT_EQ(seen, this_process) << concurrency;
  }
}

// One thread serves both connections.
TEST(PresentPeer, NobodyVouchesForClientsByTcp) {
  const Served served("unix:,iiop://127.0.0.1:0", {"-ORBServerConcurrency", "reactive"});
  std::optional<takt::PeerProcess> seen;
  const auto echo = served.echo_in(served.root, [&] { seen = takt::present_peer(); });
  const auto rt = rt_of(served.client);
  const auto by_tcp = IDL::traits<Calls::Echo>::narrow(echo->_set_policy_overrides(
      {rt->create_client_protocol_policy({RTCORBA::Protocol(takt::TCP_PROTOCOL_TYPE)})},
      CORBA::SetOverrideType::SET_OVERRIDE));
  for (int i = 0; i < 3; ++i) {
    echo->nothing();
    EXPECT_EQ(seen, this_process);
    by_tcp->nothing();
    EXPECT_EQ(seen, std::nullopt);
  }
}

TEST(PresentPeer, IsOfTheUpcallAlone) {
  EXPECT_EQ(takt::present_peer(), std::nullopt);
  const Served served("unix:");
  const auto id = served.root->activate_object(
      CORBA::make_reference<Looking>([] { EXPECT_EQ(takt::present_peer(), std::nullopt); }));
  IDL::traits<Calls::Echo>::narrow(served.root->id_to_reference(id))->nothing();  // collocated
}

}  // namespace
}  // namespace feature
