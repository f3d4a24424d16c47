// The contract of completions in docs/user/asynchronous.md, held by every way to make asynchronous calls.
#include <algorithm>
#include <functional>
#include <future>

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>

#include "greeter.h"
#include "job.h"
#include "raw_giop_server.h"

namespace feature {
namespace {

using GreeterRef = IDL::traits<Async::Greeter>::ref_type;
using Delivery = takt::AsyncSettings::Delivery;

enum class Kind : std::uint8_t { twice, refuse, fail, gate };
using Kinds = std::vector<Kind>;
// Makes the calls, and returns their outcomes in any order, as RecordingHandler writes them.
using Make =
    std::function<std::vector<std::string>(AsyncOrbs& orbs, const GreeterRef& greeter, const Kinds& kinds)>;

struct Model {
  std::string name;
  Delivery delivery;
  Make make;
};

std::string text_of(const std::string& operation, const std::exception_ptr& failure) {
  return operation + (failure ? ": " + raised_by(takt::async::hold_exception(failure)) : "");
}
template <class Outcome>
std::string text_of(const std::string& operation, Outcome outcome) {
  return text_of(operation, outcome.error());
}
std::string text_of_twice(takt::async::Outcome<std::int32_t> outcome) {
  return outcome ? "twice " + std::to_string(outcome.value()) : text_of("twice", outcome.error());
}

void send(const GreeterRef& greeter, Kind kind, const HandlerRef& handler) {
  switch (kind) {
    case Kind::twice:
      return greeter->sendc_twice(handler, 1);
    case Kind::refuse:
      return greeter->sendc_refuse(handler, "why");
    case Kind::fail:
      return greeter->sendc_fail(handler);
    case Kind::gate:
      return greeter->sendc_wait_at_gate(handler);
  }
}

takt::Task<std::string> awaited(GreeterRef greeter, Kind kind) {
  switch (kind) {
    case Kind::twice:
      co_return text_of_twice(co_await greeter->async_twice(1).outcome());
    case Kind::refuse:
      co_return text_of("refuse", co_await greeter->async_refuse("why").outcome());
    case Kind::fail:
      co_return text_of("fail", co_await greeter->async_fail().outcome());
    case Kind::gate:
      co_return text_of("wait_at_gate", co_await greeter->async_wait_at_gate().outcome());
  }
  co_return "";
}

std::string got(const GreeterRef& greeter, Kind kind) {
  switch (kind) {
    case Kind::twice:
      return text_of_twice(greeter->async_twice(1).get_outcome());
    case Kind::refuse:
      return text_of("refuse", greeter->async_refuse("why").get_outcome());
    case Kind::fail:
      return text_of("fail", greeter->async_fail().get_outcome());
    case Kind::gate:
      return text_of("wait_at_gate", greeter->async_wait_at_gate().get_outcome());
  }
  return "";
}

template <class Wait>
std::string waited(const std::string& operation, const Wait& wait) {
  try {
    return operation + wait();
  } catch (...) {
    return text_of(operation, std::current_exception());
  }
}

std::vector<std::string> by_handlers(AsyncOrbs& orbs, const GreeterRef& greeter, const Kinds& kinds) {
  for (const Kind kind : kinds) send(greeter, kind, orbs.handler());
  return orbs.outcomes.await(kinds.size());
}

std::vector<std::string> by_coroutines(AsyncOrbs& orbs, const GreeterRef& greeter, const Kinds& kinds) {
  const auto job = [](Outcomes& outcomes, GreeterRef called, Kind kind) -> Job {
    outcomes.add(co_await awaited(called, kind));
  };
  for (const Kind kind : kinds) job(orbs.outcomes, greeter, kind);
  return orbs.outcomes.await(kinds.size());
}

std::vector<std::string> all_of(const std::vector<std::function<std::string()>>& waits) {
  std::vector<std::string> all;
  for (const auto& wait : waits) all.push_back(wait());
  return all;
}

std::vector<std::string> by_futures(AsyncOrbs&, const GreeterRef& greeter, const Kinds& kinds) {
  std::vector<std::function<std::string()>> waits;
  for (const Kind kind : kinds) {
    if (kind == Kind::twice) {
      auto future = std::make_shared<std::future<std::int32_t>>(greeter->async_twice(1).future());
      waits.push_back(
          [future] { return waited("twice", [&] { return " " + std::to_string(future->get()); }); });
      continue;
    }
    const bool refuses = kind == Kind::refuse, fails = kind == Kind::fail;
    auto future = std::make_shared<std::future<void>>(refuses ? greeter->async_refuse("why").future()
                                                      : fails ? greeter->async_fail().future()
                                                              : greeter->async_wait_at_gate().future());
    const std::string operation = refuses ? "refuse" : fails ? "fail" : "wait_at_gate";
    waits.push_back([=] {
      return waited(operation, [&] {
        future->get();
        return "";
      });
    });
  }
  return all_of(waits);
}

std::vector<std::string> by_threads(AsyncOrbs&, const GreeterRef& greeter, const Kinds& kinds) {
  std::vector<std::string> all;
  for (const Kind kind : kinds) all.push_back(got(greeter, kind));
  return all;
}

std::vector<std::string> by_pollers(AsyncOrbs&, const GreeterRef& greeter, const Kinds& kinds) {
  constexpr std::uint32_t patience_ms = 20'000;
  std::vector<std::function<std::string()>> waits;
  for (const Kind kind : kinds) {
    if (kind == Kind::twice) {
      waits.push_back([poller = greeter->sendp_twice(1)] {
        return waited("twice", [&] {
          std::int32_t n = 0;
          poller->twice(patience_ms, n);
          return " " + std::to_string(n);
        });
      });
      continue;
    }
    auto poller = kind == Kind::refuse ? greeter->sendp_refuse("why")
                  : kind == Kind::fail ? greeter->sendp_fail()
                                       : greeter->sendp_wait_at_gate();
    waits.push_back([poller, kind] {
      return waited(poller->operation_name(), [&] {
        if (kind == Kind::refuse)
          poller->refuse(patience_ms);
        else if (kind == Kind::fail)
          poller->fail(patience_ms);
        else
          poller->wait_at_gate(patience_ms);
        return "";
      });
    });
  }
  return all_of(waits);
}

std::vector<std::string> by_one_task(AsyncOrbs&, const GreeterRef& greeter, const Kinds& kinds) {
  const auto task = [](GreeterRef called, Kinds of) -> takt::Task<std::vector<std::string>> {
    std::vector<std::string> all;
    for (const Kind kind : of) all.push_back(co_await awaited(called, kind));
    co_return all;
  };
  return takt::sync_wait(task(greeter, kinds));
}

std::vector<std::string> by_many_tasks(AsyncOrbs&, const GreeterRef& greeter, const Kinds& kinds) {
  std::vector<std::string> all;
  const auto task = [&](Kind kind) -> takt::Task<> { all.push_back(co_await awaited(greeter, kind)); };
  takt::RunLoop loop;
  for (const Kind kind : kinds) loop.spawn(task(kind));
  loop.run();
  return all;
}

// One after the other: a kept call that is sent after all leaves its thread's connection unused, for which a
// Peer would wait.
std::vector<std::string> by_handlers_in_a_loop(AsyncOrbs& orbs, const GreeterRef& greeter,
                                               const Kinds& kinds) {
  takt::RunLoop loop;
  for (const Kind kind : kinds) {
    send(greeter, kind, orbs.handler());
    loop.run();
  }
  return orbs.outcomes.await(kinds.size());
}

std::vector<std::string> by_threads_with_a_loop(AsyncOrbs& orbs, const GreeterRef& greeter,
                                                const Kinds& kinds) {
  takt::RunLoop loop;
  return by_threads(orbs, greeter, kinds);
}

struct Models : testing::TestWithParam<Model> {
  static void use(const AsyncOrbs& orbs) {
    takt::AsyncSettings settings;
    settings.delivery = GetParam().delivery;
    takt::use_async_settings(orbs.pair.client, settings);
  }
  // The outcomes in alphabetical order.
  static std::vector<std::string> outcomes(AsyncOrbs& orbs, const GreeterRef& greeter, const Kinds& kinds) {
    use(orbs);
    auto all = GetParam().make(orbs, greeter, kinds);
    std::ranges::sort(all);
    EXPECT_TRUE(orbs.none_under_way());
    return all;
  }
  static GreeterRef at(const AsyncOrbs& orbs, const Peer& server) {
    return takt::reference::make_stub<Async::Greeter>(
        orbs.pair.client->string_to_object(server.url())->_ref());
  }
};

using Texts = std::vector<std::string>;

TEST_P(Models, C1_EndEachCallOnce) {
  AsyncOrbs orbs;
  Kinds kinds;
  for (int i = 0; i < 30; ++i) kinds.insert(kinds.end(), {Kind::twice, Kind::refuse, Kind::fail});
  Texts expected(30, "fail: NO_RESOURCES 7 YES");
  expected.insert(expected.end(), 30, "refuse: Refused why wide 42");
  expected.insert(expected.end(), 30, "twice 2");
  EXPECT_EQ(outcomes(orbs, orbs.greeter, kinds), expected);
  EXPECT_EQ(orbs.servant->failures, 30);
}

TEST_P(Models, C6_EndCallsWithTheirTime) {
  AsyncOrbs orbs({"-ORBRoundTripTimeout", "150ms"});
  const Texts all = outcomes(orbs, orbs.greeter, {Kind::gate, Kind::twice});
  EXPECT_EQ(all[0], "twice 2");
  EXPECT_EQ(all[1].substr(0, 22), "wait_at_gate: TIMEOUT ");
  orbs.servant->open();
}

TEST_P(Models, C7_FollowForwards) {
  AsyncOrbs orbs;
  const Octs there = ior_octets(orbs.pair.client, orbs.greeter);
  const Peer server([&](Peer& peer, int fd, int) { forward_each(peer, fd, there); });
  EXPECT_EQ(outcomes(orbs, at(orbs, server), {Kind::twice, Kind::refuse, Kind::twice}),
            (Texts{"refuse: Refused why wide 42", "twice 2", "twice 2"}));
}

TEST_P(Models, C8_SendCallsAgainWhoseConnectionWasClosed) {
  AsyncOrbs orbs;
  const Peer server([](Peer& peer, int fd, int number) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd)) {
      if (number == 0) return send_octets(fd, close_message());
      for (const Octs& id : ids_in(all)) send_octets(fd, reply_to(id, 0, {9, 0, 0, 0}));
    }
  });
  EXPECT_EQ(outcomes(orbs, at(orbs, server), {Kind::twice, Kind::twice, Kind::twice}), Texts(3, "twice 9"));
}

TEST_P(Models, C8_TellOfALostConnection) {
  AsyncOrbs orbs;
  const Peer server([](Peer& peer, int fd, int) { peer.receive(fd); });
  EXPECT_EQ(outcomes(orbs, at(orbs, server), {Kind::twice}), Texts{"twice: COMM_FAILURE 0 MAYBE"});
}

TEST_P(Models, C10_EndCallsWithTheirOrb) {
  AsyncOrbs orbs;
  use(orbs);
  auto shuts_down = std::async(std::launch::async, [&] {
    EXPECT_TRUE(orbs.servant->has_waiting(1));
    orbs.pair.client->shutdown(false);
  });
  EXPECT_EQ(outcomes(orbs, orbs.greeter, {Kind::gate}), Texts{"wait_at_gate: BAD_INV_ORDER 4 MAYBE"});
  shuts_down.get();
  orbs.servant->open();
}

TEST_P(Models, C13_ServeObjectsOfTheProcess) {
  AsyncOrbs orbs;
  const auto root = root_poa(orbs.pair.client);
  root->the_POAManager()->activate();
  const auto here = IDL::traits<Async::Greeter>::narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<GreeterServant>())));
  EXPECT_EQ(outcomes(orbs, here, {Kind::twice, Kind::refuse, Kind::fail}),
            (Texts{"fail: NO_RESOURCES 7 YES", "refuse: Refused why wide 42", "twice 2"}));
}

INSTANTIATE_TEST_SUITE_P(
    All, Models,
    testing::Values(Model{"handlers", Delivery::thread, &by_handlers},
                    Model{"handlers_while_reading", Delivery::reading_thread, &by_handlers},
                    Model{"coroutines", Delivery::thread, &by_coroutines},
                    Model{"coroutines_while_reading", Delivery::reading_thread, &by_coroutines},
                    Model{"futures", Delivery::thread, &by_futures},
                    Model{"threads", Delivery::reading_thread, &by_threads},
                    Model{"pollers", Delivery::thread, &by_pollers},
                    Model{"one_task_in_a_loop", Delivery::reading_thread, &by_one_task},
                    Model{"many_tasks_in_a_loop", Delivery::reading_thread, &by_many_tasks},
                    Model{"handlers_in_a_loop", Delivery::thread, &by_handlers_in_a_loop},
                    Model{"threads_with_a_loop", Delivery::thread, &by_threads_with_a_loop}),
    [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace feature
