// The flow rules of server interceptors, by a model of CORBA 3.0.3, 21.3.9: each point x each interceptor x
// each exception x each outcome, for requests over a connection and within the process.
#include <takt/dynamic/server_request.h>

#include "flow_model.h"

namespace feature::server_flows {
namespace {

const Words points{"receive_contexts", "receive_request", "send_reply", "send_exception", "send_other"};

class Model : FlowModel {
 public:
  Model(std::size_t interceptors, std::optional<Throw> thrown)
      : FlowModel(interceptors, std::move(thrown), "send_reply") {}

  // `found`: whether the request leads to a servant. `elsewhere`: the outcome of the object to which requests
  // are forwarded.
  Expected run(const std::string& outcome, bool found, const std::string& elsewhere) {
    std::string state = request(outcome, found);
    return {trace_, state == "forward" ? elsewhere : state};
  }

 private:
  std::string request(const std::string& outcome, bool found) {
    std::string state = outcome;
    std::vector<std::size_t> stack;
    bool began = true;
    for (std::size_t i = 0; i < count_ && began; ++i) {
      if (const auto ending = point(i, "receive_contexts")) {
        state = *ending;
        began = false;
      } else {
        stack.push_back(i);
      }
    }
    for (std::size_t i = 0; i < count_ && began && found; ++i)
      if (const auto ending = point(i, "receive_request")) {
        state = *ending;
        break;
      }
    for (; !stack.empty(); stack.pop_back()) {
      const std::string name = state == "ok"        ? "send_reply"
                               : state == "forward" ? "send_other"
                                                    : "send_exception";
      if (const auto ending = point(stack.back(), name)) state = *ending;
    }
    return state;
  }
};

const auto calls = calls_that_answer();

class ServerFlows : public Intercepted {
 protected:
  struct Kind {
    std::string outcome = {};  // that of all calls; empty: their own
    bool found = true;         // a servant
    bool again = false;        // a forward within the process goes by the wire, where the points run again
  };
  void expect_each(const std::function<EchoRef()>& object, const Kind& kind) {
    const AnyObject forward_to = forwarder->string_to_object(elsewhere.text());
    for (const auto& [name, call] : calls) {
      expect_one(object(), name, kind, std::nullopt, forward_to);
      for (std::size_t i = 0; i < servers.size(); ++i)
        for (const std::string& point : points)
          for (const std::string& thrown : thrown_kinds)
            expect_one(object(), name, kind, Throw{i, point, thrown}, forward_to);
    }
  }

  Elsewhere elsewhere;
  Orb forwarder;

 private:
  void expect_one(const EchoRef& echo, const std::string& name, const Kind& kind,
                  const std::optional<Throw>& thrown, const AnyObject& forward_to) {
    SCOPED_TRACE(name + (thrown ? ", " + servers[thrown->interceptor]->name() + "." + thrown->point +
                                      " throws " + thrown->kind
                                : ""));
    for (const auto& one : servers) one->on = nullptr;
    if (thrown)
      servers[thrown->interceptor]->on = [=, done = false](const std::string& point, const auto&) mutable {
        if (point != thrown->point || std::exchange(done, true)) return;
        if (thrown->kind == "system") throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
        if (thrown->kind == "forward") throw PI::ForwardRequest(forward_to);
        if (thrown->kind == "nil forward") throw PI::ForwardRequest();
        if (thrown->kind == "user") throw Calls::Unlisted();
        throw 5;
      };
    const auto& [call, ending] = calls.at(name);
    const Expected expected =
        Model(servers.size(), thrown).run(kind.outcome.empty() ? ending : kind.outcome, kind.found, ending);
    trace.take();
    EXPECT_EQ(outcome_of([&] { call(echo); }), expected.outcome);
    EXPECT_EQ(trace.take(), expected.trace);
  }
};

TEST_F(ServerFlows, FollowTheRulesOverAConnection) {
  clients.clear();
  const OrbPair orbs;
  forwarder = orbs.server;
  const auto object =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>()));
  expect_each([&] { return orbs.seen_by_client<Calls::Echo>(object); }, {});
}

TEST_F(ServerFlows, FollowTheRulesWithoutAnObject) {
  clients.clear();
  const OrbPair orbs;
  forwarder = orbs.server;
  const auto id = orbs.root->activate_object(CORBA::make_reference<EchoServant>());
  const auto object = orbs.root->id_to_reference(id);
  orbs.root->deactivate_object(id);
  expect_each(
      [&] {
        return IDL::traits<Calls::Echo>::unchecked_narrow(
            orbs.client->string_to_object(orbs.server->object_to_string(object)));
      },
      {.outcome = "OBJECT_NOT_EXIST 0", .found = false});
}

class ForwardingLocator final : public IDL::traits<PortableServer::ServantLocator>::base_type {
 public:
  explicit ForwardingLocator(AnyObject to) : to_(std::move(to)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    throw PortableServer::ForwardRequest(to_);
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const AnyObject to_;
};

Poa located(const OrbPair& orbs, const CORBA::object_reference<PortableServer::ServantManager>& locator) {
  const Poa poa = orbs.make_poa(
      {orbs.root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN),
       orbs.root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  poa->set_servant_manager(locator);
  return poa;
}

TEST_F(ServerFlows, FollowTheRulesForARequestThatAServantManagerForwards) {
  clients.clear();
  const OrbPair orbs;
  forwarder = orbs.server;
  const Poa poa = located(
      orbs, CORBA::make_reference<ForwardingLocator>(orbs.server->string_to_object(elsewhere.text())));
  const auto object = poa->create_reference("IDL:Calls/Echo:1.0");
  expect_each(
      [&] {
        return IDL::traits<Calls::Echo>::unchecked_narrow(
            orbs.client->string_to_object(orbs.server->object_to_string(object)));
      },
      {.outcome = "forward", .found = false});
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

class DynamicServant final : public virtual PortableServer::DynamicImplementation {
 public:
  explicit DynamicServant(Trace& trace) : trace_(trace) {}
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override {
    trace_.add("invoke");
    auto arguments = CORBA::make_reference<CORBA::NVList>();
    request->arguments(arguments);
  }
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 CORBA::object_reference<PortableServer::POA>) override {
    return "IDL:Calls/Echo:1.0";
  }

 private:
  Trace& trace_;
};

TEST_F(ServerFlows, IncludeDynamicServants) {
  only_one();
  clients.clear();
  const OrbPair orbs;
  const auto echo = orbs.seen_by_client<Calls::Echo>(
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<DynamicServant>(trace))));
  trace.take();
  echo->nothing();
  EXPECT_EQ(trace.take(), (Words{"A.receive_contexts", "A.receive_request", "invoke", "A.send_reply"}));
}

TEST_F(ServerFlows, OfOnewaysEndWithAReply) {
  only_one();
  clients.clear();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  on_server([](const std::string&, const ServerInfoRef& info) {
    EXPECT_EQ(info->response_expected(), info->operation() != "note");
  });
  trace.take();
  echo->note(3);
  EXPECT_EQ(echo->noted(), 3);  // behind it on the same connection
  EXPECT_EQ(trace.take(), (Words{"A.receive_contexts", "A.receive_request", "A.send_reply",
                                 "A.receive_contexts", "A.receive_request", "A.send_reply"}));
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

TEST_F(ServerFlows, WithinTheProcessRunTheServantBetweenThePoints) {
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  only_one();
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>())));
  const auto traced = [&](const std::function<void()>& call) {
    trace.take();
    const std::string outcome = outcome_of(call);
    Words words;
    for (const std::string& word : trace.take())
      if (word.starts_with("A.")) words.push_back(word.substr(2));
    words.push_back(outcome);
    return words;
  };
  EXPECT_EQ(traced([&] { echo->cube(3); }), (Words{"send_request", "receive_contexts", "receive_request",
                                                   "send_reply", "receive_reply", "ok"}));
  EXPECT_EQ(traced([&] { echo->refuse(""); }), (Words{"send_request", "receive_contexts", "receive_request",
                                                      "send_exception", "receive_exception", "Refused"}));
  EXPECT_EQ(traced([&] { echo->fail_with_system_exception(); }),
            (Words{"send_request", "receive_contexts", "receive_request", "send_exception",
                   "receive_exception", "NO_RESOURCES 7"}));
  EXPECT_EQ(traced([&] { echo->note(1); }), (Words{"send_request", "receive_contexts", "receive_request",
                                                   "send_reply", "receive_other", "ok"}));
  for (const char* const point : {"receive_contexts", "receive_request", "send_reply"}) {
    on_server([&](const std::string& here, const ServerInfoRef&) {
      if (here == point) throw CORBA::NO_PERMISSION(77);
    });
    EXPECT_EQ(traced([&] { echo->cube(3); }).back(), "NO_PERMISSION 77") << point;
  }
  const AnyObject away = orb->string_to_object(elsewhere.text());
  for (const char* const point : {"receive_contexts", "receive_request"}) {
    const auto fresh =
        IDL::traits<Calls::Echo>::unchecked_narrow(orb->string_to_object(orb->object_to_string(echo)));
    on_server([&](const std::string& here, const ServerInfoRef&) {
      if (here == point) throw PI::ForwardRequest(away);
    });
    EXPECT_EQ(traced([&] { EXPECT_EQ(fresh->cube(3), 27); }).back(), "ok") << point;
  }
  orb->destroy();
}

}  // namespace
}  // namespace feature::server_flows
