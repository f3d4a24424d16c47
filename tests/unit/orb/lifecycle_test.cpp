// Creating, running and destroying ORBs.
#include <gtest/gtest.h>

#include <future>

#include <takt/adapter/poa.h>
#include <takt/orb/orb.h>
#include <takt/orb/service_information.h>

#include "orb/runtime/runtime.h"
#include "reading.h"
#include "reference/object_ref.h"

namespace takt::orb {

using namespace std::chrono_literals;
using POA = PortableServer::POA;

CORBA::object_reference<POA> root_of(const IDL::traits<CORBA::ORB>::ref_type& orb) {
  return IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
}

TEST(Orbs, AreKnownByTheirNames) {
  const auto a = make_orb({}, "a");
  EXPECT_EQ(make_orb({"-ORBid", "other"}, "a"), a);
  EXPECT_EQ(a->id(), "a");
  const auto b = make_orb({"-ORBid", "b"}, "");
  EXPECT_NE(a, b);
  EXPECT_EQ(b->id(), "b");
  a->destroy();
  EXPECT_THROW(a->destroy(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(a->string_to_object("IOR:"), CORBA::OBJECT_NOT_EXIST);
  const auto next = make_orb({}, "a");
  EXPECT_NE(next, a) << "the name is free again";
  next->destroy();
  b->destroy();
}

// A second ORB_init with the first count, whose arguments the first one has taken.
TEST(Orbs, TakeArgumentsUntilANullPointer) {
  Arguments arguments({"-ORBLogLevel", "error", "mine"});
  int first = arguments.argc, second = arguments.argc;
  const auto orb = CORBA::ORB_init(first, arguments.argv.data(), "first");
  const auto another = CORBA::ORB_init(second, arguments.argv.data(), "second");
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 2);
  orb->destroy();
  another->destroy();
}

TEST(Orbs, RunUntilTheyAreShutDown) {
  for (const char* concurrency :
       {"thread-per-connection", "reactive", "leader-followers", "worker-pool", "threading-framework"}) {
    const auto orb =
        make_orb({"-ORBServerConcurrency", concurrency, "-ORBListenEndpoints", "127.0.0.1"}, "runs");
    root_of(orb);
    std::vector<std::future<void>> running;
    for (int i = 0; i < 3; ++i) running.push_back(std::async(std::launch::async, [&] { orb->run(); }));
    orb->shutdown(true);
    for (auto& thread : running) thread.get();
    orb->run();  // returns at once
    orb->shutdown(false);
    EXPECT_THROW(orb->resolve_initial_references("RootPOA"), CORBA::BAD_INV_ORDER);
    orb->destroy();
  }
}

// A signal that ends the program waits for run(). 1 h stands for a wait that never ends.
TEST(Orbs, NeedNoRunOnceTheirManagersAreActiveAndTheirThreadsServe) {
  using Clock = std::chrono::steady_clock;
  for (const bool reactive : {true, false}) {
    Runtime runtime(read_all({"-ORBServerConcurrency", reactive ? "reactive" : "leader-followers",
                              "-ORBListenEndpoints", "iiop://127.0.0.1:0"}));
    const auto waits = [&runtime](std::chrono::nanoseconds bound) {
      const auto begin = Clock::now();
      runtime.server().await_run(bound);
      return Clock::now() - begin >= bound;
    };
    EXPECT_FALSE(waits(1h)) << "nobody listens yet";
    const auto root = IDL::traits<POA>::narrow(runtime.resolve("RootPOA"));
    EXPECT_TRUE(waits(2ms)) << "it has yet to activate its manager";
    root->the_POAManager()->activate();
    if (reactive)
      EXPECT_TRUE(waits(2ms)) << "only run() serves";
    else
      EXPECT_FALSE(waits(1h));
    runtime.shut_down(false);
    EXPECT_FALSE(waits(1h));
  }
}

// The lanes' threads hang.
TEST(Orbs, HaveOneLimitForTheLanesThatTheyClose) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t count = 8;
  constexpr auto limit = 100ms;
  Runtime runtime(read_all({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBShutdownTimeout", "100ms"}));
  runtime.resolve("RootPOA");
  std::promise<void> end;
  const auto ended = end.get_future().share();
  std::vector<std::uint64_t> lanes;
  for (std::size_t i = 0; i < count; ++i) {
    server::PoolThreads threads;
    threads.begin = [ended] { ended.wait(); };
    lanes.push_back(runtime.server().open_lane(threads).id);
  }
  const auto begin = Clock::now();
  runtime.server().close_lanes(lanes);
  const auto took = Clock::now() - begin;
  EXPECT_GE(took, limit) << "they hang";
  EXPECT_LT(took, count * limit) << "one after another";
  EXPECT_NO_THROW(runtime.server().close_lanes(lanes)) << "they are closed";
  end.set_value();
  runtime.shut_down(false);
}

TEST(Orbs, AClientRunsAndEndsToo) {
  const auto orb = make_orb({}, "client");
  auto running = std::async(std::launch::async, [&] { orb->run(); });
  std::chrono::nanoseconds briefly = 1us;
  orb->run(briefly);
  EXPECT_EQ(briefly, 0ns);
  EXPECT_FALSE(orb->work_pending());
  orb->perform_work();
  orb->shutdown(false);
  running.get();
  orb->destroy();
}

TEST(Orbs, RunForTimesInAnyUnit) {
  const auto orb = make_orb({}, "units");
  auto milliseconds = 1ms;
  orb->run(milliseconds);
  EXPECT_EQ(milliseconds, 0ms);
  orb->run(1us);
  std::chrono::duration<double> fraction(1e-6);
  orb->run(fraction);
  EXPECT_EQ(fraction.count(), 0);
  auto before = std::chrono::seconds(-5);
  orb->run(before);
  EXPECT_EQ(before, 0s);
  const auto constant = 1us;
  orb->run(constant);

  auto running = std::async(std::launch::async, [&] {
    auto longest = std::chrono::hours::max();
    orb->run(longest);
    return longest;
  });
  auto minutes = 10min;
  auto counting = std::async(std::launch::async, [&] { orb->run(minutes); });
  orb->shutdown(true);
  EXPECT_EQ(running.get(), std::chrono::hours::max()) << "has no end, so nothing is subtracted";
  counting.get();
  EXPECT_EQ(minutes, 9min) << "what remains of a minute is dropped";
  orb->destroy();
}

TEST(Orbs, TellThatTheyHaveNoOptionalServices) {
  const auto orb = make_orb({}, "services");
  CORBA::ServiceInformation information({7}, {CORBA::ServiceDetail(1, {2})});
  const auto before = information;
  EXPECT_FALSE(orb->get_service_information(CORBA::Security, information));
  EXPECT_EQ(information, before);
  orb->shutdown(true);
  EXPECT_THROW(orb->get_service_information(CORBA::Security, information), CORBA::BAD_INV_ORDER);
  orb->destroy();
}

TEST(Orbs, RefuseANilInitialReference) {
  const auto orb = make_orb({}, "nil");
  try {
    orb->register_initial_reference("Nothing", nullptr);
    FAIL();
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(27));
  }
  EXPECT_THROW(orb->resolve_initial_references("Nothing"), CORBA::ORB::InvalidName);
  orb->destroy();
}

struct Bare final : PortableServer::Servant {};

TEST(Orbs, MakeTheirRootAdapterForAServantWithoutOne) {
  const auto servant = CORBA::make_reference<Bare>();
  EXPECT_THROW(servant->_default_POA(), CORBA::OBJ_ADAPTER) << "there is no ORB yet";
  const auto named = make_orb({"-ORBListenEndpoints", "127.0.0.1"}, "a name"), orb = make_orb({}, "");
  const auto root = servant->_default_POA();
  EXPECT_EQ(root, root_of(orb)) << "the ORB without a name is the default";
  EXPECT_EQ(servant->_default_POA(), root);
  orb->destroy();
  EXPECT_EQ(servant->_default_POA(), root_of(named));
  named->destroy();
  EXPECT_THROW(servant->_default_POA(), CORBA::OBJ_ADAPTER);
}

TEST(Orbs, PublishWhatTheyAreToldAndNeverAWildcard) {
  const auto orb = make_orb({"-ORBPublishedEndpoints", "iiop://outside.example:0,iiop://[2001:db8::1]:99",
                             "-ORBListenEndpoints", "iiop://127.0.0.1:0"},
                            "published");
  const auto reference = root_of(orb)->create_reference("IDL:Test:1.0");
  const auto& routes = reference->_ref()->target()->routes;
  ASSERT_EQ(routes.size(), 1u);
  ASSERT_EQ(routes[0].server->addresses.size(), 2u);
  EXPECT_EQ(routes[0].server->addresses[0].endpoint.host, "outside.example");
  EXPECT_NE(routes[0].server->addresses[0].endpoint.port, 0);
  EXPECT_EQ(routes[0].server->addresses[1].endpoint.host, "2001:db8::1");
  orb->destroy();

  const auto everywhere = make_orb({}, "everywhere");
  root_of(everywhere);
  ASSERT_FALSE(everywhere->_published_endpoints().empty());
  for (const auto& endpoint : everywhere->_published_endpoints()) {
    EXPECT_EQ(endpoint.find("0.0.0.0"), std::string::npos) << endpoint;
    EXPECT_EQ(endpoint.find("[::]"), std::string::npos) << endpoint;
  }
  everywhere->destroy();

  const auto wrong = make_orb({"-ORBPublishedEndpoints", "iiop://0.0.0.0:1"}, "wrong");
  EXPECT_THROW(root_of(wrong), CORBA::BAD_PARAM);
  wrong->destroy();
}

TEST(Orbs, WithEndpointsThatCannotBeListenedOnSayWhich) {
  const auto first = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "first");
  root_of(first);
  const auto taken = first->_published_endpoints().at(0);
  const auto port = taken.substr(taken.rfind(':') + 1);
  const auto second = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:" + port}, "second");
  try {
    root_of(second);
    ADD_FAILURE() << "the port is taken";
  } catch (const CORBA::INITIALIZE& failure) {
    EXPECT_NE(failure.detail().find(port), std::string_view::npos) << failure.detail();
  }
  second->destroy();
  first->destroy();
}

struct Pinger : PortableServer::Servant {
  bool _dispatch(server::ServerCall& call) override {
    if (call.operation() != "ping") return false;
    call.begin_reply(false);
    return true;
  }
  std::string _repository_id() override { return "IDL:Test/Pinger:1.0"; }
};

// Over the wire, by the operations that every object has.
TEST(Orbs, AnswerForRegisteredKeys) {
  const auto server = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "server");
  const auto poa = root_of(server);
  poa->the_POAManager()->activate();
  const auto object = poa->servant_to_reference(CORBA::make_reference<Pinger>());
  server->register_object_key("Ping", object);
  const auto other = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0"}, "other");
  root_of(other)->the_POAManager()->activate();
  other->register_object_key("Forwarded", other->string_to_object(server->object_to_string(object)));

  const auto url = [](const auto& orb, const std::string& key) {
    return "corbaloc:iiop:1.2@" + orb->_published_endpoints().at(0).substr(5) + "/" + key;
  };
  const auto client = make_orb({}, "client");
  EXPECT_TRUE(client->string_to_object(url(server, "Ping"))->_is_a("IDL:Test/Pinger:1.0"));
  EXPECT_TRUE(client->string_to_object(url(other, "Forwarded"))->_is_a("IDL:Test/Pinger:1.0"));
  EXPECT_TRUE(client->string_to_object(url(server, "Unknown"))->_non_existent());
  server->register_object_key("Ping", nullptr);
  EXPECT_TRUE(client->string_to_object(url(server, "Ping"))->_non_existent());
  client->destroy();
  other->destroy();
  server->destroy();
}

}  // namespace takt::orb
