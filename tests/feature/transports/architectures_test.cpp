// Every way to wait for requests and replies, over transports with a protocol of their own.
#include <takt/reference/quality.h>

#include "served.h"

namespace feature {
namespace {

class Architectures : public testing::TestWithParam<const char*> {};
class CallBacks : public testing::TestWithParam<const char*> {};

// Each architecture waits differently: blocked, in a poll, in turns, or by handing over.
TEST_P(Architectures, AllUseIt) {
  for (const char* concurrency : server_concurrencies)
    for (const char* mux : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
      const Served served(GetParam(), {"-ORBServerConcurrency", concurrency}, {"-ORBClientConnections", mux});
      expect_calls_of_all_lengths(served.echo_in(served.root), std::string(concurrency) + " " + mux);
    }
}

// Long messages are sent in parts, and the deadline is checked at each part.
TEST_P(Architectures, DeadlinesMayBeFarOff) {
  for (const char* mux : {"exclusive", "cached", "multiplexed", "multiplexed-active"})
    for (const int years : {9, 50, 99, 200}) {
      const Served served(GetParam(), {}, {"-ORBClientConnections", mux, "-ORBSendBuffer", "4096"});
      const auto echo = served.echo_in(served.root);
      const Calls::Octets octets(300'000, 5);
      const takt::DeadlineScope in_time(years * 365 * std::chrono::hours(24));
      EXPECT_EQ(echo->echo_octets(octets), octets) << mux << ", " << years << " years";
    }
}

// Over the connection that the client has opened: the client publishes an address at which nothing listens.
TEST_P(CallBacks, GoOverIt) {
  for (const char* concurrency : {"thread-per-connection", "leader-followers", "worker-pool"}) {
    const Served served(GetParam(), {"-ORBServerConcurrency", concurrency, "-ORBAcceptBidirectional", "any"},
                        {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBPublishedEndpoints",
                         "iiop://127.0.0.1:1", "-ORBBidirectionalPolicy", "both"});
    const auto poa =
        IDL::traits<PortableServer::POA>::narrow(served.client->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<EchoServant>());
    const auto mine = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(id));
    poa->the_POAManager()->activate();
    const auto echo = served.echo_in(served.root);
    for (int round = 0; round < 5; ++round) EXPECT_EQ(echo->call_back(mine, 3), 28) << concurrency;
  }
}

std::string transport_of(const testing::TestParamInfo<const char*>& given) {
  const std::string endpoint = given.param;
  return endpoint.substr(0, endpoint.find(':'));
}

INSTANTIATE_TEST_SUITE_P(Over, Architectures, testing::Values("shm:", "inproc:", "udp://127.0.0.1:0"),
                         transport_of);
INSTANTIATE_TEST_SUITE_P(Over, CallBacks, testing::Values("shm:", "inproc:"), transport_of);

}  // namespace
}  // namespace feature
