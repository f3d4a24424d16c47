// Client interceptors and calls that the rows of rows_test.cpp do not have.
#include <takt/reference/messaging.h>

#include "probes.h"

namespace feature::client_flows {
namespace {

using ClientFlows = Intercepted;

TEST_F(ClientFlows, EndWithAnExceptionIfTheServerCannotBeReached) {
  const Orb orb = make_orb({}, "client");
  const auto echo =
      IDL::traits<Calls::Echo>::unchecked_narrow(orb->string_to_object("corbaloc::127.0.0.1:1/Key"));
  EXPECT_EQ(outcome_of([&] { echo->cube(3); }).substr(0, 9), "TRANSIENT");
  EXPECT_EQ(trace.take(), (Words{"A.send_request", "B.send_request", "C.send_request", "C.receive_exception",
                                 "B.receive_exception", "A.receive_exception"}));
  orb->destroy();
}

TEST_F(ClientFlows, EndWithAnExceptionIfArgumentsCannotBeEncoded) {
  only_one();
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  std::wstring text;
  EXPECT_EQ(outcome_of([&] { echo->sum({}, text, std::wstring(1, wchar_t(0xd800))); }).substr(0, 15),
            "DATA_CONVERSION");
  EXPECT_EQ(trace.take(), (Words{"A.send_request", "A.receive_exception"}));
}

TEST_F(ClientFlows, EndWithAnExceptionAfterATimeout) {
  only_one();
  servers.clear();
  const OrbPair orbs({}, {"-ORBRoundTripTimeout", "50ms"});
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  EXPECT_EQ(outcome_of([&] { echo->sleep_ms(500); }).substr(0, 7), "TIMEOUT");
  EXPECT_EQ(trace.take(), (Words{"A.send_request", "A.receive_exception"}));
}

TEST_F(ClientFlows, NeverEndIfInterceptorsForwardForEverButForTheLimit) {
  only_one();
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  on_client([&](const std::string&, const ClientInfoRef&) { throw PI::ForwardRequest(echo); });
  EXPECT_EQ(outcome_of([&] { echo->cube(1); }), "TRANSIENT 2");
  EXPECT_LE(trace.take().size(), 12u);
}

TEST_F(ClientFlows, BeginForCallsThatAnInterceptorMakes) {
  only_one();
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  int depth = 0;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    const std::uint32_t id = info->request_id();
    if (point == "send_request" && depth < 5) {
      ++depth;
      EXPECT_EQ(echo->cube(2), 8);
    }
    EXPECT_EQ(info->request_id(), id);
    EXPECT_EQ(info->operation(), "cube");
  });
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(trace.take().size(), 12u);
  on_client([&](const std::string& point, const ClientInfoRef&) {
    if (point == "receive_reply" && depth-- > 0) {
      EXPECT_EQ(echo->cube(2), 8);
    }
  });
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(trace.take().size(), 12u);
}

TEST_F(ClientFlows, OfAcknowledgedOnewaysEndWithAReply) {
  only_one();
  servers.clear();
  const OrbPair orbs;
  const auto plain = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  CORBA::Any scope;
  for (const auto& [value, ending] : {std::pair{Messaging::SYNC_NONE, "A.receive_other"},
                                      {Messaging::SYNC_WITH_TRANSPORT, "A.receive_other"},
                                      {Messaging::SYNC_WITH_SERVER, "A.receive_reply"},
                                      {Messaging::SYNC_WITH_TARGET, "A.receive_reply"}}) {
    scope <<= value;
    const auto policy = orbs.client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope);
    const auto echo = IDL::traits<Calls::Echo>::narrow(
        plain->_set_policy_overrides({policy}, CORBA::SetOverrideType::SET_OVERRIDE));
    on_client([&, expected = value](const std::string& point, const ClientInfoRef& info) {
      if (info->response_expected()) return;
      EXPECT_EQ(info->sync_scope(), expected);
      if (point != "send_request") {
        EXPECT_EQ(info->reply_status(), PI::SUCCESSFUL);
      }
    });
    trace.take();
    echo->note(value);
    EXPECT_EQ(trace.take(), (Words{"A.send_request", ending}));
  }
}

}  // namespace
}  // namespace feature::client_flows
