// Interceptors that end their ORB at a point.
#include <future>

#include "asynchronous/greeter.h"
#include "probes.h"

namespace feature {
namespace {

const std::string refused = "BAD_INV_ORDER 3";

// A point, a call at which it runs, and the outcome of that call.
struct PointOfRequest {
  const char* name;
  std::function<void(const EchoRef&)> call;
  const char* outcome;
};
const PointOfRequest points[] = {
    {"receive_contexts", [](const EchoRef& echo) { echo->cube(3); }, "ok"},
    {"receive_request", [](const EchoRef& echo) { echo->cube(3); }, "ok"},
    {"send_reply", [](const EchoRef& echo) { echo->cube(3); }, "ok"},
    {"send_exception", [](const EchoRef& echo) { echo->refuse("because"); }, "Refused"},
    {"send_other", [](const EchoRef& echo) { echo->nothing(); }, "ok"},
};

struct Architecture {
  const char* name;
  Options options;
  OrbPair::Server server = OrbPair::Server::runs;
};
const Architecture architectures[] = {
    {"reactive", {"-ORBServerConcurrency", "reactive"}},
    {"leader_followers", {"-ORBServerConcurrency", "leader-followers"}},
    {"own_threads",
     {"-ORBServerConcurrency", "leader-followers"},
     OrbPair::Server::serves_by_its_own_threads},
    {"thread_per_connection", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"worker_pool", {"-ORBServerConcurrency", "worker-pool"}},
    {"threading_framework", {"-ORBServerConcurrency", "threading-framework"}},
};

class EndingAtAPoint : public Intercepted, public testing::WithParamInterface<Architecture> {
 protected:
  EndingAtAPoint() {
    servers.resize(2);
    clients.clear();
    // Forwards one operation, which is send_other for the first.
    servers[1]->on = [this](const std::string& point, const ServerInfoRef& info) {
      if (point == "receive_request" && info->operation() == "nothing")
        throw PI::ForwardRequest(elsewhere.echo);
    };
  }
  Elsewhere elsewhere;
};

INSTANTIATE_TEST_SUITE_P(Architectures, EndingAtAPoint, testing::ValuesIn(architectures),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(EndingAtAPoint, IsRefusedWhereItWouldWaitForTheRequest) {
  const OrbPair orbs(GetParam().options, {}, OrbPair::loopback, GetParam().server);
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  for (const PointOfRequest& at : points) {
    SCOPED_TRACE(at.name);
    Words outcomes;
    on_server([&](const std::string& point, const ServerInfoRef&) {
      if (point != at.name) return;
      outcomes.push_back(outcome_of([&] { orbs.server->shutdown(true); }));
      outcomes.push_back(outcome_of([&] { orbs.server->destroy(); }));
    });
    EXPECT_EQ(outcome_of([&] { at.call(echo); }), at.outcome);
    EXPECT_EQ(outcome_of([&] { echo->cube(2); }), "ok") << "the request has ended";
    EXPECT_GE(outcomes.size(), 2u);
    for (const std::string& outcome : outcomes) EXPECT_EQ(outcome, refused);
  }
  on_server(nullptr);
}

TEST_P(EndingAtAPoint, IsAllowedWhereItWaitsForNothing) {
  for (const PointOfRequest& at : points) {
    SCOPED_TRACE(at.name);
    OrbPair orbs(GetParam().options, {}, OrbPair::loopback, GetParam().server);
    const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
    Words outcomes;
    on_server([&](const std::string& point, const ServerInfoRef&) {
      if (point == at.name) outcomes.push_back(outcome_of([&] { orbs.server->shutdown(false); }));
    });
    EXPECT_EQ(outcome_of([&] { at.call(echo); }), at.outcome) << "a request that has begun is answered";
    on_server(nullptr);
    orbs.stop_server();
    EXPECT_EQ(outcomes, Words{"ok"});
  }
}

TEST_P(EndingAtAPoint, ConcernsTheOrbOfTheRequestAlone) {
  const OrbPair orbs(GetParam().options, {}, OrbPair::loopback, GetParam().server);
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  for (const PointOfRequest& at : points) {
    SCOPED_TRACE(at.name);
    const Orb other = make_orb({}, "other");
    (void)root_poa(other);
    Words outcomes;
    on_server([&](const std::string& point, const ServerInfoRef&) {
      if (point != at.name || !outcomes.empty()) return;
      outcomes.push_back(outcome_of([&] { other->shutdown(true); }));
      outcomes.push_back(outcome_of([&] { other->destroy(); }));
    });
    EXPECT_EQ(outcome_of([&] { at.call(echo); }), at.outcome);
    on_server(nullptr);
    EXPECT_EQ(outcomes, (Words{"ok", "ok"}));
  }
}

// The points of a call within the process, on both sides.
class EndingAtAPointOfALocalCall : public Intercepted {
 protected:
  EndingAtAPointOfALocalCall() {
    servers.resize(2);
    clients.resize(1);
    servers[1]->on = [this](const std::string& point, const ServerInfoRef& info) {
      if (point == "receive_request" && info->operation() == "nothing")
        throw PI::ForwardRequest(elsewhere.echo);
    };
  }
  EchoRef serve(const Orb& orb) {
    const Poa root = root_poa(orb);
    root->the_POAManager()->activate();
    return IDL::traits<Calls::Echo>::narrow(
        root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>())));
  }
  Elsewhere elsewhere;
};

TEST_F(EndingAtAPointOfALocalCall, IsRefusedWhereItWouldWaitForTheRequest) {
  const Orb orb = make_orb({}, "both");
  const EchoRef echo = serve(orb);
  for (const PointOfRequest& at : points) {
    SCOPED_TRACE(at.name);
    Words outcomes;
    on_server([&](const std::string& point, const ServerInfoRef&) {
      if (point != at.name) return;
      outcomes.push_back(outcome_of([&] { orb->shutdown(true); }));
      outcomes.push_back(outcome_of([&] { orb->destroy(); }));
    });
    EXPECT_EQ(outcome_of([&] { at.call(echo); }), at.outcome);
    EXPECT_EQ(outcomes, (Words{refused, refused}));
    on_server(nullptr);
  }
  orb->destroy();
}

TEST_F(EndingAtAPointOfALocalCall, IsAllowedInThePointsOfTheClient) {
  for (const char* const at : {"send_request", "receive_reply"})
    for (const bool destroys : {false, true}) {
      SCOPED_TRACE(std::string(at) + (destroys ? ", destroy()" : ", shutdown(true)"));
      const Orb orb = make_orb({}, "both");
      const EchoRef echo = serve(orb);
      Words outcomes;
      on_client([&](const std::string& point, const ClientInfoRef&) {
        if (point == at && outcomes.empty())
          outcomes.push_back(outcome_of([&] { destroys ? orb->destroy() : orb->shutdown(true); }));
      });
      const std::string outcome = outcome_of([&] { echo->cube(3); });
      EXPECT_EQ(outcome, std::string(at) == "send_request" ? "BAD_INV_ORDER 4" : "ok");
      EXPECT_EQ(outcomes, Words{"ok"});
      on_client(nullptr);
      if (!destroys) orb->destroy();
    }
}

class EndingAtAPointOfACall : public Intercepted {};

TEST_F(EndingAtAPointOfACall, IsAllowed) {
  servers.clear();
  const OrbPair orbs;
  const auto seen = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  const std::string text = orbs.client->object_to_string(seen);
  struct At {
    const char* point;
    void (*call)(const EchoRef&);
    const char* outcome;
  };
  for (const At& at :
       {At{"send_request", [](const EchoRef& echo) { echo->cube(3); }, "BAD_INV_ORDER 4"},
        At{"receive_reply", [](const EchoRef& echo) { echo->cube(3); }, "ok"},
        At{"receive_exception", [](const EchoRef& echo) { echo->refuse("because"); }, "Refused"},
        At{"receive_other", [](const EchoRef& echo) { echo->note(3); }, "ok"}})
    for (const bool destroys : {false, true}) {
      SCOPED_TRACE(std::string(at.point) + (destroys ? ", destroy()" : ", shutdown(true)"));
      const Orb client = make_orb({}, "client that ends");
      const auto echo = IDL::traits<Calls::Echo>::narrow(client->string_to_object(text));
      Words outcomes;
      on_client([&](const std::string& point, const ClientInfoRef&) {
        if (point == at.point && outcomes.empty())
          outcomes.push_back(outcome_of([&] { destroys ? client->destroy() : client->shutdown(true); }));
      });
      EXPECT_EQ(outcome_of([&] { at.call(echo); }), at.outcome);
      EXPECT_EQ(outcomes, Words{"ok"});
      on_client(nullptr);
      if (!destroys) client->destroy();
    }
}

// Calls of a servant have client interceptors inside of its upcall.
TEST_F(EndingAtAPointOfACall, IsRefusedInsideAnUpcall) {
  const OrbPair orbs({}, {}, OrbPair::loopback);
  const Elsewhere elsewhere;
  const Orb middle = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const Poa root = root_poa(middle);
  root->the_POAManager()->activate();
  std::thread running([middle] { middle->run(); });
  const auto echo = orbs.seen_by_client<Calls::Echo>(orbs.server->string_to_object(middle->object_to_string(
      root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>())))));
  const auto called = IDL::traits<Calls::Echo>::narrow(orbs.client->string_to_object(elsewhere.text()));
  Words outcomes;
  on_client([&](const std::string&, const ClientInfoRef& info) {
    if (info->operation() != "cube") return;
    outcomes.push_back(outcome_of([&] { middle->shutdown(true); }));
    outcomes.push_back(outcome_of([&] { middle->destroy(); }));
  });
  EXPECT_EQ(outcome_of([&] { EXPECT_EQ(echo->call_back(called, 3), 28); }), "ok");
  on_client(nullptr);
  EXPECT_EQ(outcomes, Words(4, refused));
  middle->shutdown(false);
  running.join();
  middle->destroy();
}

// Runs an action with its results.
class EndingHandler final : public LocalHandler {
 public:
  EndingHandler(Outcomes& outcomes, std::function<void()> action)
      : LocalHandler(outcomes), action_(std::move(action)) {}
  void twice(std::int32_t value) override {
    action_();
    LocalHandler::twice(value);
  }

 private:
  const std::function<void()> action_;
};

class EndingOfAnAsynchronousCall : public Intercepted {
 protected:
  EndingOfAnAsynchronousCall() { servers.clear(); }
  // Makes a call through a client of its own; `act` runs in the handler.
  std::string call(const AsyncOrbs& orbs, takt::AsyncSettings::Delivery delivery,
                   const std::function<void(const Orb&)>& act) {
    Outcomes outcomes;
    const Orb client = make_orb({}, "client that ends");
    takt::use_async_settings(client, {.delivery = delivery});
    const auto greeter = IDL::traits<Async::Greeter>::narrow(
        client->string_to_object(orbs.pair.server->object_to_string(orbs.greeter)));
    client_ = client;
    const HandlerRef handler = CORBA::make_reference<EndingHandler>(outcomes, [&] { act(client); });
    const std::string sent = outcome_of([&] { greeter->sendc_twice(handler, 1); });
    const std::string outcome = sent == "ok" ? outcomes.one() : sent;
    outcome_of([&] { client->destroy(); });
    client_ = nullptr;
    return outcome;
  }
  static constexpr takt::AsyncSettings::Delivery deliveries[] = {
      takt::AsyncSettings::Delivery::reading_thread, takt::AsyncSettings::Delivery::thread};
  Orb client_;
};

TEST_F(EndingOfAnAsynchronousCall, IsAllowedInItsHandler) {
  AsyncOrbs orbs;
  for (const auto delivery : deliveries)
    for (const bool destroys : {false, true}) {
      std::string ended;
      EXPECT_EQ(call(orbs, delivery,
                     [&](const Orb& client) {
                       ended = outcome_of([&] { destroys ? client->destroy() : client->shutdown(true); });
                     }),
                "twice 2");
      EXPECT_EQ(ended, "ok");
    }
}

TEST_F(EndingOfAnAsynchronousCall, IsAllowedAtItsPoints) {
  AsyncOrbs orbs;
  for (const char* const at : {"send_request", "receive_reply"})
    for (const auto delivery : deliveries)
      for (const bool destroys : {false, true}) {
        SCOPED_TRACE(std::string(at) + (destroys ? ", destroy()" : ", shutdown(true)"));
        Words ended;
        on_client([&](const std::string& point, const ClientInfoRef&) {
          if (point == at && client_ && ended.empty())
            ended.push_back(outcome_of([&] { destroys ? client_->destroy() : client_->shutdown(true); }));
        });
        const std::string outcome = call(orbs, delivery, [](const Orb&) {});
        on_client(nullptr);
        EXPECT_EQ(ended, Words{"ok"});
        EXPECT_TRUE(outcome == "twice 2" || outcome.find("BAD_INV_ORDER 4") != std::string::npos) << outcome;
      }
}

}  // namespace
}  // namespace feature
