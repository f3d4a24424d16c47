// Server interceptors beside servant managers, and under each threading strategy. rows_test.cpp has the
// rules.
#include "probes.h"

namespace feature::server_flows {
namespace {

using ServerFlows = Intercepted;

Poa located(const OrbPair& orbs, const CORBA::object_reference<PortableServer::ServantManager>& locator) {
  const Poa poa = orbs.make_poa(
      {orbs.root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN),
       orbs.root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  poa->set_servant_manager(locator);
  return poa;
}

// Records when it is asked, beside the interceptors.
class TracingLocator final : public IDL::traits<PortableServer::ServantLocator>::base_type {
 public:
  explicit TracingLocator(Trace& trace) : trace_(trace) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    trace_.add("preinvoke");
    return CORBA::make_reference<EchoServant>();
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {
    trace_.add("postinvoke");
  }

 private:
  Trace& trace_;
};

TEST_F(ServerFlows, HaveServantManagersBetweenTheirPoints) {
  only_one();
  clients.clear();
  const OrbPair orbs;
  const Poa poa = located(orbs, CORBA::make_reference<TracingLocator>(trace));
  const auto echo = orbs.seen_by_client<Calls::Echo>(poa->create_reference("IDL:Calls/Echo:1.0"));
  trace.take();
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(trace.take(),
            (Words{"A.receive_contexts", "preinvoke", "A.receive_request", "postinvoke", "A.send_reply"}));
}

TEST_F(ServerFlows, AreThoseOfEachThreadingStrategy) {
  only_one();
  clients.clear();
  for (const char* const concurrency : server_concurrencies) {
    SCOPED_TRACE(concurrency);
    const OrbPair orbs({"-ORBServerConcurrency", concurrency});
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    trace.take();
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(trace.take(), (Words{"A.receive_contexts", "A.receive_request", "A.send_reply"}));
    EXPECT_EQ(outcome_of([&] { echo->refuse("x"); }), "Refused");
    EXPECT_EQ(trace.take(), (Words{"A.receive_contexts", "A.receive_request", "A.send_exception"}));
  }
}

}  // namespace
}  // namespace feature::server_flows
