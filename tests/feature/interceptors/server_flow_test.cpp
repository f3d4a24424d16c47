// Server interceptors beside servant managers, and under each threading strategy. rows_test.cpp has the
// rules.
#include <stdexcept>

#include "probes.h"

namespace feature::server_flows {
namespace {

using ServerFlows = Intercepted;

Poa managed(const Poa& root, const CORBA::object_reference<PortableServer::ServantManager>& manager,
            PortableServer::ServantRetentionPolicyValue retention) {
  const Poa poa = root->create_POA("managed", root->the_POAManager(),
                                   {root->create_servant_retention_policy(retention),
                                    root->create_request_processing_policy(
                                        PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  poa->set_servant_manager(manager);
  return poa;
}
Poa located(const Poa& root, const CORBA::object_reference<PortableServer::ServantManager>& locator) {
  return managed(root, locator, PortableServer::ServantRetentionPolicyValue::NON_RETAIN);
}
EchoRef echo_of(const Poa& poa) {
  return IDL::traits<Calls::Echo>::narrow(poa->create_reference("IDL:Calls/Echo:1.0"));
}

// Records when it is asked, beside the interceptors.
class TracingLocator final : public IDL::traits<PortableServer::ServantLocator>::base_type {
 public:
  explicit TracingLocator(
      Trace& trace, std::function<void()> before = [] {})
      : trace_(trace), before_(std::move(before)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    trace_.add("preinvoke");
    before_();
    return CORBA::make_reference<EchoServant>();
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {
    trace_.add("postinvoke");
  }

 private:
  Trace& trace_;
  const std::function<void()> before_;
};

class CallingActivator final : public IDL::traits<PortableServer::ServantActivator>::base_type {
 public:
  explicit CallingActivator(std::function<void()> before) : before_(std::move(before)) {}
  CORBA::servant_reference<PortableServer::Servant> incarnate(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>) override {
    before_();
    return CORBA::make_reference<EchoServant>();
  }
  void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                   CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {}

 private:
  const std::function<void()> before_;
};

// Calls an object of another ORB within that ORB.
class CallsOn final : public EchoServant {
 public:
  explicit CallsOn(EchoRef next) : next_(std::move(next)) {}
  void nothing() override { next_->nothing(); }

 private:
  const EchoRef next_;
};

// The outer call is one of client interceptors, the inner one is not.
TEST_F(ServerFlows, DoNotSeeTheContextsOfACallWithinAnotherOrb) {
  only_one();
  const Orb inner = make_orb({}, "server within"), outer = make_orb({}, "client within");
  const auto serve = [](const Orb& orb, const CORBA::servant_reference<EchoServant>& servant) {
    const Poa root = root_poa(orb);
    root->the_POAManager()->activate();
    return IDL::traits<Calls::Echo>::narrow(root->id_to_reference(root->activate_object(servant)));
  };
  const EchoRef called =
      serve(outer, CORBA::make_reference<CallsOn>(serve(inner, CORBA::make_reference<EchoServant>())));
  std::string request, reply;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request") info->add_request_service_context({77, {1}}, false);
    if (point == "receive_reply") reply = outcome_of([&] { info->get_reply_service_context(78); });
  });
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    if (point != "receive_contexts") return;
    request = outcome_of([&] { info->get_request_service_context(77); });
    info->add_reply_service_context({78, {1}}, false);
  });
  called->nothing();
  EXPECT_EQ(request, "BAD_PARAM 26");
  EXPECT_EQ(reply, "BAD_PARAM 26");
  outer->destroy();
  inner->destroy();
}

TEST_F(ServerFlows, HaveServantManagersBetweenTheirPoints) {
  only_one();
  clients.clear();
  const OrbPair orbs;
  const Poa poa = located(orbs.root, CORBA::make_reference<TracingLocator>(trace));
  const auto echo = orbs.seen_by_client<Calls::Echo>(poa->create_reference("IDL:Calls/Echo:1.0"));
  trace.take();
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(trace.take(),
            (Words{"A.receive_contexts", "preinvoke", "A.receive_request", "postinvoke", "A.send_reply"}));
}

// A servant manager calls an object of its own ORB, or of one at which nothing is intercepted, before the
// servant of its own request is known.
TEST_F(ServerFlows, ArePassedBetweenTheirPointsByCallsOfServantManagers) {
  only_one();
  clients.clear();
  const OrbPair orbs;
  const Elsewhere elsewhere;
  const auto near = IDL::traits<Calls::Echo>::narrow(
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>())));
  const auto far = IDL::traits<Calls::Echo>::narrow(elsewhere.echo);
  EchoRef inner;
  Words names;
  const auto calls_inner = [&] { names.push_back(inner->name()); };
  Words points;
  bool refuses = false;
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    points.push_back(info->operation() + "." + point);
    if (refuses && point == "receive_request" && info->operation() == "cube") throw CORBA::NO_PERMISSION(5);
  });
  const Words of_inner{"name.receive_contexts", "name.receive_request", "name.send_reply"};
  for (const bool activates : {false, true}) {
    const Poa poa = activates ? managed(orbs.root, CORBA::make_reference<CallingActivator>(calls_inner),
                                        PortableServer::ServantRetentionPolicyValue::RETAIN)
                              : located(orbs.root, CORBA::make_reference<TracingLocator>(trace, calls_inner));
    for (const bool is_near : {true, false})
      for (const bool from_here : {false, true})
        for (const bool now_refuses : {false, true}) {
          SCOPED_TRACE(testing::Message() << activates << is_near << from_here << now_refuses);
          inner = is_near ? near : far;
          auto echo = echo_of(poa);
          if (!from_here) echo = orbs.seen_by_client<Calls::Echo>(echo);
          names.clear();
          points.clear();
          refuses = now_refuses;
          EXPECT_EQ(outcome_of([&] { EXPECT_EQ(echo->cube(3), 27); }), refuses ? "NO_PERMISSION 5" : "ok");
          EXPECT_EQ(names, Words{"echo"});
          Words expected{"cube.receive_contexts"};
          if (is_near) expected.insert(expected.end(), of_inner.begin(), of_inner.end());
          expected.push_back("cube.receive_request");
          expected.push_back(refuses ? "cube.send_exception" : "cube.send_reply");
          EXPECT_EQ(points, expected);
        }
    poa->destroy(false, true);
  }
}

// The exception is none of CORBA, so a caller in the process gets UNKNOWN, as one elsewhere does.
TEST_F(ServerFlows, EndOnBothSidesIfAServantManagerThrowsAnything) {
  only_one();
  const Orb orb = make_orb({}, "both");
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto echo = echo_of(located(
      root, CORBA::make_reference<TracingLocator>(trace, [] { throw std::runtime_error("no servant"); })));
  for (int i = 0; i < 2; ++i) {
    trace.take();
    EXPECT_THROW(echo->cube(3), CORBA::UNKNOWN);
    EXPECT_EQ(trace.take(), (Words{"A.send_request", "A.receive_contexts", "preinvoke", "A.send_exception",
                                   "A.receive_exception"}));
  }
  orb->destroy();
}

TEST_F(ServerFlows, KnowTheAdapterThatTheOperationHasDestroyed) {
  only_one();
  clients.clear();
  const OrbPair orbs;
  for (const bool from_here : {false, true}) {
    SCOPED_TRACE(from_here);
    const Poa poa = orbs.make_poa({});
    const auto id = poa->activate_object(CORBA::make_reference<DestroysItsAdapter>(poa));
    auto echo = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(id));
    if (!from_here) echo = orbs.seen_by_client<Calls::Echo>(echo);
    int asked = 0;
    on_server([&](const std::string& point, const ServerInfoRef& info) {
      if (point != "send_reply") return;
      ++asked;
      EXPECT_EQ(outcome_of([&] { EXPECT_EQ(info->object_id(), id); }), "ok");
      EXPECT_EQ(outcome_of([&] { EXPECT_EQ(info->adapter_name().size(), 2u); }), "ok");
    });
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(outcome_of([&] { echo->nothing(); }), "ok");
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(outcome_of([&] { echo->nothing(); }).substr(0, 16), "OBJECT_NOT_EXIST");
  }
}

// Destroys another adapter, which nothing uses, before its own.
class DestroysAdapters final : public EchoServant {
 public:
  DestroysAdapters(const Poa& other, const Poa& own) : other_(other), own_(own) {}
  void nothing() override {
    other_->destroy(false, false);
    own_->destroy(false, false);
  }

 private:
  const Poa other_, own_;
};

// Here no request has kept its adapter before, because no interceptor has asked for one.
TEST_F(ServerFlows, KnowTheDestroyedAdapterAtTheFirstQuestionOfAll) {
  only_one();
  clients.clear();
  for (const bool from_here : {false, true})
    for (const auto lifespan :
         {PortableServer::LifespanPolicyValue::TRANSIENT, PortableServer::LifespanPolicyValue::PERSISTENT}) {
      SCOPED_TRACE(from_here);
      const OrbPair orbs;
      const Poa other = orbs.root->create_POA("other", orbs.root->the_POAManager(), {});
      const Poa poa = orbs.root->create_POA("own", orbs.root->the_POAManager(),
                                            {orbs.root->create_lifespan_policy(lifespan)});
      const auto id = poa->activate_object(CORBA::make_reference<DestroysAdapters>(other, poa));
      auto echo = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(id));
      if (!from_here) echo = orbs.seen_by_client<Calls::Echo>(echo);
      int asked = 0;
      on_server([&](const std::string& point, const ServerInfoRef& info) {
        if (point != "send_reply" || info->operation() != "nothing") return;
        ++asked;
        EXPECT_EQ(outcome_of([&] { EXPECT_EQ(info->object_id(), id); }), "ok");
        EXPECT_EQ(outcome_of([&] { EXPECT_EQ(info->adapter_name().back(), "own"); }), "ok");
        EXPECT_EQ(outcome_of([&] { EXPECT_FALSE(info->adapter_id().empty()); }), "ok");
      });
      EXPECT_EQ(outcome_of([&] { echo->nothing(); }), "ok");
      EXPECT_EQ(asked, 1);
    }
}

TEST_F(ServerFlows, LeaveTheIdsOfManagersFree) {
  const Orb orb = make_orb({}, "server");
  const Poa root = root_poa(orb);
  const auto managers = root->the_POAManagerFactory();
  for (int i = 0; i < 2; ++i) {
    SCOPED_TRACE(i);
    const std::size_t others = managers->list().size();
    EXPECT_EQ(outcome_of([&] {
                root->create_POA("one", managers->create_POAManager("m", {}), {})->destroy(true, true);
              }),
              "ok");
    EXPECT_FALSE(managers->find("m"));
    EXPECT_EQ(managers->list().size(), others);
  }
  orb->destroy();
}

// A weak reference that is locked later must not show another point, nor another call.
TEST_F(ServerFlows, AreNotShownByWeakReferencesAfterTheirPoint) {
  only_one();
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  std::vector<CORBA::weak_object_reference<PI::ClientRequestInfo>> client_infos;
  std::vector<CORBA::weak_object_reference<PI::ServerRequestInfo>> server_infos;
  std::size_t shown = 0;
  const auto look = [&](const auto& infos) {
    for (const auto& info : infos)
      if (const auto kept = info.lock(); kept && outcome_of([&] { kept->operation(); }) == "ok") ++shown;
  };
  on_client([&](const std::string&, const ClientInfoRef& info) {
    look(client_infos);
    client_infos.push_back(info.weak_reference());
  });
  on_server([&](const std::string&, const ServerInfoRef& info) {
    look(server_infos);
    server_infos.push_back(info.weak_reference());
  });
  for (int i = 0; i < 3; ++i) echo->nothing();
  EXPECT_EQ(client_infos.size(), 6u);
  EXPECT_EQ(server_infos.size(), 9u);
  look(client_infos);
  look(server_infos);
  EXPECT_EQ(shown, 0u);
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
