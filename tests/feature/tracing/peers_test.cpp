// Spans name the other end of the connection, whatever its text for people is.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <takt/reference/messaging.h>

#include "node.h"
#include "renaming.h"

namespace feature::traces {
namespace {

class SpansOfPeers : public testing::Test {
 protected:
  ~SpansOfPeers() override { std::filesystem::remove(file); }
  std::string octets() const {
    std::ifstream spans(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(spans), {}};
  }
  const std::string file = testing::TempDir() + "peers." + std::to_string(::getpid()) + ".spans";
  const Options traced{"-ORBTracing", "1", "-ORBTraceSpans", "16", "-ORBTraceFile", file};
};

TEST_F(SpansOfPeers, HaveTheAddressOfAStreamWithAnotherText) {
  {
    OrbPair orbs({"-ORBLocalRoads", "off"}, with(traced, {"-ORBPlugin", renaming()}));
    orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>())->nothing();
  }
  EXPECT_TRUE(octets().contains("127.0.0.1:")) << octets().size();
  EXPECT_FALSE(octets().contains("somewhere"));
}

TEST_F(SpansOfPeers, HaveTheAddressOfAConnectionThatIsUsedBothWays) {
  {
    OrbPair orbs(with(traced, {"-ORBAcceptBidirectional", "same-address"}),
                 {"-ORBListenEndpoints", OrbPair::loopback, "-ORBPublishedEndpoints", "iiop://127.0.0.1:1"});
    IDL::traits<CORBA::PolicyManager>::narrow(orbs.client->resolve_initial_references("ORBPolicyManager"))
        ->set_policy_overrides({CORBA::make_reference<BiDirPolicy::BidirectionalPolicy>(BiDirPolicy::BOTH)},
                               CORBA::SetOverrideType::SET_OVERRIDE);
    const Poa poa = root_poa(orbs.client);
    poa->the_POAManager()->activate();
    const auto mine = IDL::traits<Traced::Node>::narrow(
        poa->id_to_reference(poa->activate_object(CORBA::make_reference<NodeServant>())));
    orbs.publish<Traced::Node>(CORBA::make_reference<NodeServant>())->where_beyond(mine);
  }
  EXPECT_TRUE(octets().contains("127.0.0.1:")) << octets().size();
  EXPECT_FALSE(octets().contains("both ways"));
}

}  // namespace
}  // namespace feature::traces
