// The threading framework: filters that choose a request's thread, and filters that fail.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <future>

#include <takt/orb/configuration.h>
#include <takt/reference/messaging.h>
#include <takt/server/threading.h>

#include "gate.h"
#include "orbs.h"
#include "raw_peer.h"

namespace feature {
namespace {

using takt::ArrivedRequest;
using takt::RequestQueueId;
using Framework = takt::ThreadingFramework;
using Chosen = std::optional<RequestQueueId>;

// Reports the thread in which it runs.
class NamedThread final : public EchoServant {
 public:
  std::string name() override {
    char name[16] = {};
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    return name;
  }
};

class Filter final : public takt::RequestFilter {
 public:
  using Body = std::function<Chosen(const ArrivedRequest&)>;
  explicit Filter(Body body) : body_(std::move(body)) {}
  Chosen choose(const ArrivedRequest& request) override { return body_(request); }

 private:
  const Body body_;
};

class Threading : public testing::Test {
 protected:
  Threading() : Threading(std::vector<std::string>()) {}
  explicit Threading(std::vector<std::string> options)
      : server(make_orb(with_framework(std::move(options)), "threading-server")),
        client(make_orb({}, "threading-client")),
        framework(IDL::traits<Framework>::narrow(server->resolve_initial_references("ThreadingFramework"))) {}
  ~Threading() override {
    gate.open();
    client->destroy();
    server->destroy();
  }

  void filter(Filter::Body body) { framework->add_filter(std::make_shared<Filter>(std::move(body))); }
  void start() {
    poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    echo = publish(CORBA::make_reference<NamedThread>());
  }
  template <class Servant>
  EchoRef publish(const CORBA::servant_reference<Servant>& servant) {
    const auto id = poa->activate_object(servant);
    return IDL::traits<Calls::Echo>::narrow(
        client->string_to_object(server->object_to_string(poa->id_to_reference(id))));
  }
  // Runs the call in a thread, and therefore on a connection, of its own.
  template <class Call>
  auto elsewhere(Call call) {
    return std::async(std::launch::async, std::move(call));
  }

  Orb server, client;
  CORBA::object_reference<Framework> framework;
  CORBA::object_reference<PortableServer::POA> poa;
  EchoRef echo;
  Gate gate;

 private:
  static std::vector<std::string> with_framework(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBServerConcurrency",
                                   "threading-framework"});
    return options;
  }
};

TEST_F(Threading, AFilterPicksTheThread) {
  const auto urgent = framework->add_queue({.name = "urgent"});
  const auto usual = framework->add_queue({.name = "usual"});
  CORBA::object_reference<CORBA::Object> special;
  filter([&](const ArrivedRequest& request) -> Chosen {
    if (request.operation != "name") return {};
    return special && request.is_for(*special) ? urgent : usual;
  });
  start();
  const auto id = poa->activate_object(CORBA::make_reference<NamedThread>());
  special = poa->id_to_reference(id);
  const auto to_special =
      IDL::traits<Calls::Echo>::narrow(client->string_to_object(server->object_to_string(special)));
  EXPECT_EQ(to_special->name(), "urgent");
  EXPECT_EQ(echo->name(), "usual");
  EXPECT_EQ(echo->cube(3), 27);
  const auto seen = framework->statistics();
  EXPECT_EQ(seen.chosen, 2u);
  EXPECT_EQ(seen.passed, 1u);
}

TEST_F(Threading, AQueuesThreadsArePreparedAndGoOnWhereThatFails) {
  std::atomic<int> prepared{0};
  const auto failing = framework->add_queue({.name = "failing", .threads = 2, .prepare = [&] {
                                               ++prepared;
                                               throw CORBA::NO_PERMISSION();
                                             }});
  filter([&](const ArrivedRequest&) -> Chosen { return failing; });
  start();
  EXPECT_EQ(echo->name(), "failing");
  EXPECT_GE(prepared, 1);
}

TEST_F(Threading, TheFirstFilterThatChoosesDecides) {
  std::vector<int> asked;
  const auto first = framework->add_queue({.name = "first"});
  const auto second = framework->add_queue({.name = "second"});
  filter([&](const ArrivedRequest&) -> Chosen { return asked.push_back(1), std::nullopt; });
  filter([&](const ArrivedRequest&) -> Chosen { return asked.push_back(2), first; });
  filter([&](const ArrivedRequest&) -> Chosen { return asked.push_back(3), second; });
  start();
  EXPECT_EQ(echo->name(), "first");
  EXPECT_EQ(asked, (std::vector{1, 2}));
}

TEST_F(Threading, AFilterSeesTheHeadOfTheRequest) {
  struct Seen {
    std::string operation, peer;
    std::size_t octets;
    std::int16_t priority;
    std::uint64_t connection;
    std::optional<Octets> context, none;
  };
  std::vector<Seen> all;
  const auto copy = [](const std::optional<takt::ByteView>& view) {
    return view ? std::optional(Octets(view->begin(), view->end())) : std::nullopt;
  };
  filter([&](const ArrivedRequest& request) -> Chosen {
    all.push_back({std::string(request.operation), request.peer(), request.body_octets, request.priority,
                   request.connection, copy(request.service_context(10)),
                   copy(request.service_context(4711))});
    return {};
  });
  start();
  const Place place(server->object_to_string(echo));
  RawPeer peer(place.port), other(place.port);
  const auto ask = [&](RawPeer& through, const std::vector<std::pair<std::uint32_t, Octets>>& contexts) {
    through.send(request(1, place.key, "cube", contexts, true).raw({2}).finish());
    return through.receive_message();
  };
  const Octets priority_37{1, 0, 37, 0};
  ASSERT_FALSE(ask(peer, {{10, priority_37}}).empty());
  ASSERT_FALSE(ask(peer, {}).empty());
  ASSERT_FALSE(ask(other, {}).empty());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].operation, "cube");
  EXPECT_EQ(all[0].octets, 1u);
  EXPECT_EQ(all[0].priority, 37);
  EXPECT_EQ(all[0].context, priority_37);
  EXPECT_EQ(all[0].none, std::nullopt);
  EXPECT_NE(all[0].peer.find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(all[1].priority, -1);
  EXPECT_EQ(all[1].connection, all[0].connection);
  EXPECT_NE(all[2].connection, all[0].connection);
}

TEST_F(Threading, AFilterSeesTheClientsRequestPriority) {
  std::vector<bool> seen;
  filter([&](const ArrivedRequest& request) -> Chosen {
    seen.push_back(request.service_context(7).has_value());
    return {};
  });
  start();
  EXPECT_EQ(echo->cube(3), 27);
  const auto urgent = IDL::traits<Calls::Echo>::narrow(echo->_set_policy_overrides(
      {CORBA::make_reference<Messaging::RequestPriorityPolicy>(Messaging::PriorityRange(0, 9))},
      CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_EQ(urgent->cube(3), 27);
  EXPECT_EQ(seen, (std::vector{false, true}));
}

TEST_F(Threading, WhatAFilterThrowsIsTheClientsAnswer) {
  int times = 0;
  filter([&](const ArrivedRequest& request) -> Chosen {
    if (request.operation != "nothing") return {};
    switch (times++) {
      case 0:
        throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO);
      case 1:
        throw 42;
      default:
        return 99;
    }
  });
  start();
  try {
    echo->nothing();
    FAIL();
  } catch (const CORBA::NO_PERMISSION& refusal) {
    EXPECT_EQ(refusal.minor(), 7u);
  }
  for (int i = 0; i < 2; ++i) {
    try {
      echo->nothing();
      FAIL();
    } catch (const CORBA::UNKNOWN& failure) {
      EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
    }
  }
  EXPECT_EQ(echo->cube(2), 8) << "the connection goes on";
  EXPECT_EQ(framework->statistics().refused, 1u);
  EXPECT_EQ(framework->statistics().failed, 2u);
}

TEST_F(Threading, AFullQueueIsNoOtherQueuesConcern) {
  const auto small = framework->add_queue({.name = "small", .threads = 1, .max_waiting = 0});
  filter([&](const ArrivedRequest& request) -> Chosen {
    return request.operation == "nothing" ? Chosen(small) : std::nullopt;
  });
  start();
  const auto keeper = CORBA::make_reference<Keeper>();
  const auto kept = publish(keeper);
  auto busy = elsewhere([&] { kept->nothing(); });
  ASSERT_TRUE(keeper->gate.entered_by(1));
  try {
    kept->nothing();
    ADD_FAILURE();
  } catch (const CORBA::TRANSIENT& full) {
    EXPECT_EQ(full.completed(), CORBA::COMPLETED_NO);
  }
  EXPECT_EQ(echo->cube(2), 8);
  keeper->gate.open();
  busy.get();
}

class Budget : public Threading {
 protected:
  Budget() : Threading({"-ORBFilterBudget", "1h", "-ORBLogLevel", "off"}) {
    filter([](const ArrivedRequest&) -> Chosen {
      std::this_thread::sleep_for(2ms);
      return {};
    });
    start();
  }
};

TEST_F(Budget, ChangesWhileTheServerRuns) {
  echo->nothing();
  EXPECT_EQ(framework->statistics().late, 0u);
  takt::Configuration::of(server).set("FilterBudget", "1ms");
  echo->nothing();
  EXPECT_EQ(framework->statistics().late, 1u);
}

class HeldUp : public Threading {
 protected:
  HeldUp() : Threading({"-ORBFilterBudget", "20ms", "-ORBShutdownTimeout", "1s"}) {
    filter([this](const ArrivedRequest& request) -> Chosen {
      if (request.operation == "nothing") gate.wait();
      return {};
    });
    start();
  }
};

TEST_F(HeldUp, AFilterThatBlocksHoldsUpItsConnectionOnly) {
  auto blocked = elsewhere([&] { echo->nothing(); });
  ASSERT_TRUE(gate.entered_by(1));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(elsewhere([&] { return echo->cube(3); }).get(), 27);
  EXPECT_EQ(blocked.wait_for(0s), std::future_status::timeout);
  gate.open();
  blocked.get();
  EXPECT_EQ(echo->cube(2), 8);
  EXPECT_GE(framework->statistics().late, 1u) << "and whatever a busy machine holds up";
}

TEST_F(HeldUp, ManyFiltersThatBlockEndInTransientUntilOneIsBack) {
  std::vector<std::future<void>> blocked;
  for (int i = 1; i <= 4; ++i) {
    blocked.push_back(elsewhere([&] { echo->nothing(); }));
    ASSERT_TRUE(gate.entered_by(i));
  }
  EXPECT_THROW(echo->cube(3), CORBA::TRANSIENT);
  EXPECT_GE(framework->statistics().unfiltered, 1u);
  gate.open();
  for (auto& call : blocked) call.get();
  EXPECT_EQ(echo->cube(3), 27);
}

TEST_F(HeldUp, AFilterThatNeverReturnsDoesNotKeepTheOrbFromEnding) {
  const Place place(server->object_to_string(echo));
  RawPeer peer(place.port);
  ASSERT_TRUE(peer.send(request(1, place.key, "nothing").finish()));
  ASSERT_TRUE(gate.entered_by(1));
  auto ending = elsewhere([&] { server->shutdown(true); });
  EXPECT_EQ(ending.wait_for(15s), std::future_status::ready);
  gate.open();
}

TEST_F(Threading, TheChainIsFixedOnceTheOrbListens) {
  EXPECT_THROW(framework->add_queue({.threads = 0}), CORBA::BAD_PARAM);
  EXPECT_THROW(framework->add_filter(nullptr), CORBA::BAD_PARAM);
  start();
  EXPECT_THROW(framework->add_queue({}), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(filter([](const ArrivedRequest&) -> Chosen { return {}; }), CORBA::BAD_INV_ORDER);
  EXPECT_EQ(echo->cube(2), 8) << "without filters all go to the first queue";
}

TEST(ThreadingElsewhere, TheFrameworkIsNoneOfAnotherArchitectures) {
  const Orb orb = make_orb({}, "no-framework");
  EXPECT_THROW(orb->resolve_initial_references("ThreadingFramework"), CORBA::ORB::InvalidName);
  orb->destroy();
}

}  // namespace
}  // namespace feature
