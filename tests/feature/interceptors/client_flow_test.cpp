// The flow rules of client interceptors, by a model of CORBA 3.0.3, 21.3.6: each point x each interceptor x
// each exception x each outcome, for calls over a connection, within the process, and dynamic ones.
#include <takt/dynamic/request.h>

#include "flow_model.h"

namespace feature::client_flows {
namespace {

const Words points{"send_request", "receive_reply", "receive_exception", "receive_other"};

class Model : FlowModel {
 public:
  Model(std::size_t interceptors, std::optional<Throw> thrown)
      : FlowModel(interceptors, std::move(thrown), "receive_reply") {}

  // `outcome`: that of the first object; `elsewhere`: that of the object to which calls are forwarded.
  Expected run(const std::string& outcome, const std::string& elsewhere) {
    std::string ending = attempt(outcome);
    while (ending == "forward") ending = attempt(elsewhere);
    return {trace_, ending == "sent" ? "ok" : ending};
  }

 private:
  std::string attempt(const std::string& outcome) {
    std::string state = outcome;
    std::vector<std::size_t> stack;
    for (std::size_t i = 0; i < count_; ++i) {
      if (const auto ending = point(i, "send_request")) {
        state = *ending;
        break;
      }
      stack.push_back(i);
    }
    for (; !stack.empty(); stack.pop_back()) {
      const bool other = state == "forward" || state == "sent";
      const std::string name = state == "ok" ? "receive_reply"
                               : other       ? "receive_other"
                                             : "receive_exception";
      if (const auto ending = point(stack.back(), name)) state = *ending;
    }
    return state;
  }
};

NamedCalls all_calls() {
  NamedCalls all = calls_that_answer();
  all.insert({
      {"oneway", {[](const EchoRef& echo) { echo->note(1); }, "sent"}},
      {"dynamic reply",
       {[](const EchoRef& echo) {
          const auto request = echo->_request("nothing");
          request->invoke();
        },
        "ok"}},
      {"dynamic oneway",
       {[](const EchoRef& echo) {
          const auto request = echo->_request("note");
          request->add_in_arg() <<= std::int32_t{1};
          request->send_oneway();
        },
        "sent"}},
  });
  return all;
}
const auto calls = all_calls();

class ClientFlows : public Intercepted {
 protected:
  // One object for each call, since forwards change references.
  void expect_each(const std::function<EchoRef()>& object, const std::string& moved_to = {}) {
    const AnyObject forward_to = forwarder->string_to_object(elsewhere.text());
    for (const auto& [name, call] : calls) {
      // A oneway has no reply that could forward it.
      const std::string first = moved_to.empty() || call.second == "sent" ? call.second : moved_to;
      expect_one(object(), name, first, std::nullopt, forward_to);
      for (std::size_t i = 0; i < clients.size(); ++i)
        for (const std::string& point : points)
          for (const std::string& kind : thrown_kinds)
            expect_one(object(), name, first, Throw{i, point, kind}, forward_to);
    }
  }

  Elsewhere elsewhere;
  Orb forwarder;

 private:
  void expect_one(const EchoRef& echo, const std::string& name, const std::string& outcome,
                  const std::optional<Throw>& thrown, const AnyObject& forward_to) {
    SCOPED_TRACE(name + (thrown ? ", " + clients[thrown->interceptor]->name() + "." + thrown->point +
                                      " throws " + thrown->kind
                                : ""));
    if (thrown)
      clients[thrown->interceptor]->on = [=, done = false](const std::string& point, const auto&) mutable {
        if (point != thrown->point || std::exchange(done, true)) return;
        if (thrown->kind == "system") throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
        if (thrown->kind == "forward") throw PI::ForwardRequest(forward_to);
        if (thrown->kind == "nil forward") throw PI::ForwardRequest();
        if (thrown->kind == "user") throw Calls::Unlisted();
        throw 5;
      };
    const auto& [call, ending] = calls.at(name);
    const Expected expected = Model(clients.size(), thrown).run(outcome, ending);
    trace.take();
    EXPECT_EQ(outcome_of([&] { call(echo); }), expected.outcome);
    EXPECT_EQ(trace.take(), expected.trace);
    for (const auto& one : clients) one->on = nullptr;  // the function's reference would keep the ORB
  }
};

TEST_F(ClientFlows, FollowTheRulesOverAConnection) {
  servers.clear();
  const OrbPair orbs;
  forwarder = orbs.client;
  const auto object =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>()));
  expect_each([&] { return orbs.seen_by_client<Calls::Echo>(object); });
}

TEST_F(ClientFlows, FollowTheRulesForACallThatTheServerForwards) {
  servers.clear();
  const OrbPair orbs;
  forwarder = orbs.client;
  orbs.server->register_object_key("moved", orbs.server->string_to_object(elsewhere.text()));
  const std::string endpoint = orbs.server->_published_endpoints().front();
  const std::string address = "corbaloc::" + endpoint.substr(endpoint.find(' ') + 1) + "/moved";
  expect_each(
      [&] { return IDL::traits<Calls::Echo>::unchecked_narrow(orbs.client->string_to_object(address)); },
      "forward");
}

TEST_F(ClientFlows, FollowTheRulesWithinTheProcess) {
  servers.clear();
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  forwarder = orb;
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto id = root->activate_object(CORBA::make_reference<EchoServant>());
  expect_each([&] { return IDL::traits<Calls::Echo>::narrow(root->id_to_reference(id)); });
  orb->destroy();
}

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

TEST_F(ClientFlows, OfDeferredRequestsEndWithTheirReplies) {
  only_one();
  servers.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  const auto request = echo->_request("nothing");
  trace.take();
  request->send_deferred();
  request->get_response();
  EXPECT_EQ(trace.take(), (Words{"A.send_request", "A.receive_reply"}));
}

}  // namespace
}  // namespace feature::client_flows
