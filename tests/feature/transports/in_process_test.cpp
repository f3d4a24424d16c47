// ORBs of one process that call each other in process.
#include "giop/references/profile.h"
#include "reference/text/stringified_ior.h"
#include "served.h"

namespace feature {
namespace {

TEST(InProcess, CarriesCallsPastTheNetwork) {
  const Served served("inproc:here,iiop://127.0.0.1:0");
  const auto echo = served.echo_in(served.root);
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 0);
  const Calls::Octets long_one(3'000'000, 7);
  EXPECT_EQ(echo->echo_octets(long_one), long_one);
  EXPECT_EQ(served.server->_published_endpoints().front(), "inproc here");
}

TEST(InProcess, TwoServersOfAProcessHaveTwoNames) {
  const Served served("inproc:");
  const Served other("inproc:");
  EXPECT_NE(served.server->_published_endpoints(), other.server->_published_endpoints());
  const Served named("inproc:name");
  const auto second = make_orb({"-ORBListenEndpoints", "inproc:name"}, "second");
  EXPECT_THROW(second->resolve_initial_references("RootPOA"), CORBA::INITIALIZE);
  second->destroy();
}

TEST(InProcess, TheCallerIsThisProcess) {
  const Served served("inproc:");
  std::optional<takt::PeerProcess> seen;
  served.echo_in(served.root, [&] { seen = takt::present_peer(); })->nothing();
  EXPECT_EQ(seen, (takt::PeerProcess{::getpid(), ::geteuid(), ::getegid()}));
}

TEST(InProcess, PoliciesChooseIt) {
  const Served served("iiop://127.0.0.1:0,inproc:");
  const auto rt = rt_of(served.client);
  const auto inside = rt->create_client_protocol_policy({RTCORBA::Protocol(takt::IN_PROCESS_PROTOCOL_TYPE)});
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      served.echo_in(served.root)->_set_policy_overrides({inside}, CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(connections(AF_INET), 0);
}

// The reference as another process sees it; and without the data that limits it to a process.
TEST(InProcess, AnotherProcessesIsNoWay) {
  const Served served("inproc:,iiop://127.0.0.1:0");
  const auto ior = takt::reference::ior_from_text(served.ior_in(served.root)).value();
  ASSERT_EQ(ior.profiles.size(), 2u);
  const takt::giop::ProfileLayout form{takt::giop::in_process_profile, false};
  for (const bool says_where : {true, false}) {
    auto profile = takt::giop::read_profile(ior.profiles[0], form).value();
    std::erase_if(profile.components,
                  [](const auto& one) { return takt::giop::read_machine(one).has_value(); });
    if (says_where) profile.components.push_back(takt::giop::make_machine_component({"another", 1}));
    auto changed = ior;
    changed.profiles[0] = takt::giop::write_profile(profile, form);
    const auto echo = IDL::traits<Calls::Echo>::narrow(
        served.client->string_to_object(takt::reference::ior_to_text(changed)));
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(connections(AF_INET), 2);
    EXPECT_EQ(served.client->object_to_string(echo), takt::reference::ior_to_text(changed))
        << "kept as it came";
  }
}

}  // namespace
}  // namespace feature
