// Asynchronous calls that the program cancels. Each ends once. TAKT_CANCELLATIONS: how many calls are
// cancelled at random moments in each way; a million takes two minutes.
#include <algorithm>
#include <cstdlib>
#include <future>
#include <random>
#include <stop_token>

#include <takt/async/pending.h>
#include <takt/async/stop_scope.h>

#include "../full_port.h"
#include "greeter.h"
#include "job.h"
#include "raw_giop_server.h"

namespace feature {
namespace {

const std::string cancelled_in_server = "wait_at_gate: TRANSIENT 3 MAYBE";

struct CancelledCalls : testing::Test, AsyncOrbs {
  CancelledCalls() : AsyncOrbs({"-ORBSendQueueSize", "64MiB"}) {}
  ~CancelledCalls() override { servant->open(); }

  IDL::traits<Async::Greeter>::ref_type at(const std::string& url) {
    return takt::reference::make_stub<Async::Greeter>(pair.client->string_to_object(url)->_ref());
  }
  // The URL of the greeter, but with the peer's port. It names Takt as the server's ORB.
  std::string reference_to(const Peer& peer) {
    std::string text = pair.server->object_to_string(greeter);
    const std::string host = "3132372e302e302e3100";  // 127.0.0.1
    const auto at = text.find(host);
    if (at == std::string::npos) throw std::runtime_error("the reference has no address");
    const std::string url = peer.url();
    const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.find("127.0.0.1:") + 10)));
    char octets[12];
    std::snprintf(octets, sizeof octets, "%02x%02x", port & 0xffu, port >> 8 & 0xffu);
    return text.replace(at + host.size(), 4, octets);
  }
  std::stop_source stop;
};

TEST_F(CancelledCalls, C15_EndWithTransientAndDropTheLateReply) {
  {
    const takt::StopScope scope(stop.get_token());
    greeter->sendc_wait_at_gate(handler());
  }
  ASSERT_TRUE(servant->has_waiting(1));
  stop.request_stop();
  EXPECT_EQ(outcomes.one(), cancelled_in_server);
  servant->open();
  greeter->sendc_twice(handler(), 4);
  EXPECT_EQ(outcomes.await(2)[1], "twice 8");
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), 2u);
}

TEST_F(CancelledCalls, C15_ThatBeginTooLateThrow) {
  stop.request_stop();
  const takt::StopScope scope(stop.get_token());
  try {
    greeter->sendc_twice(handler(), 1);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const CORBA::TRANSIENT& cancelled) {
    EXPECT_EQ(cancelled.minor(), CORBA::omg_minor(3));
    EXPECT_EQ(cancelled.completed(), CORBA::COMPLETED_NO);
    EXPECT_NE(std::string(cancelled.what()).find("the program cancelled the call of twice"),
              std::string::npos)
        << cancelled.what();
  }
  EXPECT_THROW(static_cast<void>(greeter->async_twice(1)), CORBA::TRANSIENT);
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), 0u);
}

TEST_F(CancelledCalls, C15_ThatConnectEndSoon) {
  const FullPort silent;
  const auto orb = make_orb({"-ORBConnectTimeout", "30s"}, "connects");
  const auto far = takt::reference::make_stub<Async::Greeter>(orb->string_to_object(silent.url())->_ref());
  auto begun = std::async(std::launch::async, [&] {
    const takt::StopScope scope(stop.get_token());
    far->sendc_twice(handler(), 1);
  });
  std::this_thread::sleep_for(300ms);
  stop.request_stop();
  EXPECT_EQ(begun.wait_for(15s), std::future_status::ready);
  try {
    begun.get();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const CORBA::TRANSIENT& cancelled) {
    EXPECT_EQ(cancelled.minor(), CORBA::omg_minor(3)) << cancelled.what();
  }
  EXPECT_EQ(outcomes.size(), 0u);
  orb->destroy();
}

TEST_F(CancelledCalls, C15_BelongToTheInnermostScope) {
  std::stop_source other;
  const takt::StopScope outer(stop.get_token());
  {
    const takt::StopScope inner(other.get_token());
    greeter->sendc_wait_at_gate(handler());
  }
  greeter->sendc_wait_at_gate(handler());
  ASSERT_TRUE(servant->has_waiting(2));
  stop.request_stop();
  EXPECT_EQ(outcomes.one(), cancelled_in_server);
  servant->open();
  EXPECT_EQ(outcomes.await(2)[1], "wait_at_gate");
}

TEST_F(CancelledCalls, C15_ThatHaveEndedStayAsTheyWere) {
  {
    const takt::StopScope scope(stop.get_token());
    greeter->sendc_twice(handler(), 2);
    EXPECT_EQ(outcomes.one(), "twice 4");
  }
  auto call = greeter->async_twice(3);
  call.stopped_by(stop.get_token());
  EXPECT_EQ(call.get_outcome().value(), 6);
  call.cancel();
  stop.request_stop();
  EXPECT_EQ(call.get(), 6);
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), 1u);
}

TEST_F(CancelledCalls, C15_OfThreadsAndFuturesThrow) {
  auto call = greeter->async_wait_at_gate();
  call.cancel();
  call.cancel();
  EXPECT_THROW(call.get(), CORBA::TRANSIENT);
  const takt::StopScope scope(stop.get_token());
  auto future = greeter->async_wait_at_gate().future();
  stop.request_stop();
  EXPECT_THROW(future.get(), CORBA::TRANSIENT);
}

TEST_F(CancelledCalls, C15_GiveCoroutinesAnOutcome) {
  const auto job = [](auto greeter, std::stop_token token) -> Job {
    auto twice = co_await greeter->async_twice(4).stopped_by(token).outcome();
    EXPECT_TRUE(twice.has_value() && !twice.cancelled() && !twice.error());
    EXPECT_EQ(twice.value(), 8);
    auto refused = co_await greeter->async_refuse("because").outcome();
    EXPECT_FALSE(refused || refused.cancelled());
    const auto* const why = refused.template error_as<Async::Refused>();
    EXPECT_EQ(why ? why->why() : "", "because");
    EXPECT_EQ(refused.template error_as<CORBA::TIMEOUT>(), nullptr);
    EXPECT_THROW(refused.value(), Async::Refused);
    auto stopped = co_await greeter->async_wait_at_gate().stopped_by(token).outcome();
    EXPECT_TRUE(stopped.cancelled());
    co_await greeter->async_wait_at_gate().stopped_by(token);
  };
  auto ended = job(greeter, stop.get_token()).ended;
  ASSERT_TRUE(servant->has_waiting(1));
  stop.request_stop();
  ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
  EXPECT_THROW(ended.get(), CORBA::TRANSIENT);
}

TEST_F(CancelledCalls, C15_AreDeliveredByAThreadOfTheOrb) {
  takt::use_async_settings(pair.client, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
  // A handler in the reading thread that cancels the other call.
  struct Canceller : LocalHandler {
    Canceller(Outcomes& outcomes, std::stop_source& of) : LocalHandler(outcomes), stop(of), all(outcomes) {}
    void twice(std::int32_t) override {
      stop.request_stop();
      all.add("stopped");
    }
    std::stop_source& stop;
    Outcomes& all;
  };
  {
    const takt::StopScope scope(stop.get_token());
    greeter->sendc_wait_at_gate(handler());
  }
  ASSERT_TRUE(servant->has_waiting(1));
  greeter->sendc_twice(CORBA::make_reference<Canceller>(outcomes, stop), 1);
  const auto all = outcomes.await(2);
  EXPECT_TRUE(std::ranges::is_permutation(all, std::vector<std::string>{"stopped", cancelled_in_server}));
  EXPECT_NE(outcomes.threads()[0], outcomes.threads()[1]);
}

TEST_F(CancelledCalls, C15_TellATaktServer) {
  const Peer server([](Peer& peer, int fd, int) {
    Octs all = peer.receive(fd);
    peer.note(types_in(all));
    all = peer.receive(fd);
    peer.note(types_in(all));
    peer.note(Octs(all.begin() + 12, all.end()));
    peer.receive(fd);
  });
  auto call = at(reference_to(server))->async_twice(1);
  const Octs request = server.noted();
  EXPECT_EQ(request, Octs{0});
  call.cancel();
  EXPECT_TRUE(call.get_outcome().cancelled());
  EXPECT_EQ(server.noted(), Octs{2});
  EXPECT_EQ(server.noted(), (Octs{2, 0, 0, 0})) << "the id of the request";
}

TEST_F(CancelledCalls, C15_TellNoServerThatMightNotBearIt) {
  const Peer server([](Peer& peer, int fd, int) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd)) peer.note(types_in(all));
  });
  auto first = at(server.url())->async_twice(1);
  EXPECT_EQ(server.noted(), Octs{0});
  first.cancel();
  EXPECT_TRUE(first.get_outcome().cancelled());
  auto second = at(server.url())->async_twice(1);
  EXPECT_EQ(server.noted(), Octs{0}) << "not a CancelRequest";
  second.cancel();
}

TEST_F(CancelledCalls, C15_ThatWereNotBegunHaveNotCompleted) {
  const Peer server([](Peer& peer, int, int) { peer.wait_for_end(); });
  const auto there = at(server.url());
  const Async::Octets big(16'000'000);  // more than the system takes
  auto blocked = there->async_echo(big);
  std::this_thread::sleep_for(50ms);
  auto behind = there->async_twice(1);
  behind.cancel();
  const auto outcome = behind.get_outcome();
  ASSERT_TRUE(outcome.cancelled());
  EXPECT_EQ(outcome.error_as<CORBA::TRANSIENT>()->completed(), CORBA::COMPLETED_NO);
  blocked.cancel();
  const auto begun = blocked.get_outcome();
  ASSERT_TRUE(begun.cancelled());
  EXPECT_EQ(begun.error_as<CORBA::TRANSIENT>()->completed(), CORBA::COMPLETED_MAYBE);
}

TEST_F(CancelledCalls, C15_ToObjectsOfThisProcessEndWithTheirOwnOutcome) {
  const auto here = IDL::traits<Async::Greeter>::narrow(
      pair.server->string_to_object(pair.server->object_to_string(greeter)));
  {
    const takt::StopScope scope(stop.get_token());
    here->sendc_wait_at_gate(handler());
  }
  ASSERT_TRUE(servant->has_waiting(1));
  stop.request_stop();
  servant->open();
  EXPECT_EQ(outcomes.one(), "wait_at_gate");
}

int calls_to_cancel(int usual) {
  const char* const wanted = std::getenv("TAKT_CANCELLATIONS");
  return wanted ? std::atoi(wanted) : usual;
}

// The calls of a coroutine that are cancelled or become futures, once each.
bool ends_once(const IDL::traits<Async::Greeter>::ref_type& greeter, std::stop_token token, int i) {
  auto call = greeter->async_twice(1);
  if (i % 4 == 1) call.stopped_by(std::move(token));
  if (i % 3 == 0) return false;  // dropped
  if (i == 5) call.cancel();
  if (i == 7) {
    std::future<std::int32_t> future = call.future();
    try {
      EXPECT_EQ(future.get(), 2);
    } catch (const CORBA::TRANSIENT& cancelled) {
      EXPECT_EQ(cancelled.minor(), CORBA::omg_minor(3));
    }
  } else {
    auto outcome = call.get_outcome();
    EXPECT_TRUE(outcome.cancelled() || outcome.value() == 2);
  }
  return true;
}

// Cancels calls at random moments, from two other threads, and counts their outcomes.
void cancel_at_random(const IDL::traits<Async::Greeter>::ref_type& greeter, int calls) {
  Outcomes all;
  const HandlerRef handler = CORBA::make_reference<LocalHandler>(all);
  std::minstd_rand random(7);
  std::size_t sent = 0, over = 0;
  for (int done = 0; done < calls; done += 10) {
    std::stop_source source;
    std::thread stopper([&source, pause = random() % 300] {
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
      source.request_stop();
    });
    for (int i = 0; i < 10; ++i) try {
        const takt::StopScope scope(source.get_token());
        if (i % 2 == 0) {
          greeter->sendc_twice(handler, 1);
          ++sent;
        } else if (ends_once(greeter, source.get_token(), i)) {
          ++over;
        }
      } catch (const CORBA::TRANSIENT& cancelled) {
        EXPECT_EQ(cancelled.minor(), CORBA::omg_minor(3));
      }
    stopper.join();
  }
  const auto outcomes = all.await(sent);
  EXPECT_EQ(outcomes.size(), sent);
  const auto ended = [&](const std::string& how) {
    return std::ranges::count_if(outcomes, [&](const std::string& one) { return one.starts_with(how); });
  };
  EXPECT_EQ(ended("twice 2") + ended("twice: TRANSIENT 3 "), static_cast<std::ptrdiff_t>(sent));
  EXPECT_GT(ended("twice 2"), 0);
  EXPECT_GT(ended("twice: TRANSIENT 3 "), 0);
  EXPECT_GT(over, 0u);
}

TEST_F(CancelledCalls, C15_EndOnceAtAnyMoment) {
  using Delivery = takt::AsyncSettings::Delivery;
  for (const auto delivery : {Delivery::thread, Delivery::reading_thread}) {
    takt::use_async_settings(pair.client, {.delivery = delivery});
    cancel_at_random(greeter, calls_to_cancel(5000));
    EXPECT_TRUE(none_under_way());
  }
}

// Delivers in whatever thread has the outcome, also in that which stops the token.
TEST_F(CancelledCalls, C15_EndOnceWithAnExecutorThatRunsThemAtOnce) {
  struct AtOnce : takt::Executor {
    void post(takt::Completion completion) override { completion(); }
  };
  takt::use_async_settings(pair.client, {.delivery = takt::AsyncSettings::Delivery::executor,
                                         .executor = std::make_shared<AtOnce>()});
  cancel_at_random(greeter, calls_to_cancel(3000));
  EXPECT_TRUE(none_under_way());
}

// Two awaits joined by "or": the first that ends cancels the other one.
class FirstOfTwo {
 public:
  explicit FirstOfTwo(const IDL::traits<Async::Greeter>::ref_type& greeter)
      : calls_{greeter->async_twice(1), greeter->async_twice(2)} {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    for (int n : {0, 1}) await(n);  // the second may resume, and this may be gone afterwards
  }
  int await_resume() const { return first_; }

 private:
  Job await(int n) {
    const auto outcome = co_await calls_[n].outcome();
    EXPECT_TRUE(outcome.cancelled() || outcome.has_value());
    int none = -1;
    if (first_.compare_exchange_strong(none, n)) {
      EXPECT_TRUE(outcome.has_value());
      calls_[1 - n].cancel();
    }
    if (++ended_ == 2) waiting_.resume();
  }

  decltype(std::declval<Async::Greeter&>().async_twice(1)) calls_[2];
  std::coroutine_handle<> waiting_;
  std::atomic<int> first_{-1}, ended_{0};
};

TEST_F(CancelledCalls, C15_JoinedByOrEndOnceEach) {
  const auto job = [](auto greeter) -> Job {
    for (int round = 0; round < 1000; ++round) {
      const int first = co_await FirstOfTwo(greeter);
      EXPECT_TRUE(first == 0 || first == 1);
    }
  };
  using Delivery = takt::AsyncSettings::Delivery;
  for (const auto delivery : {Delivery::thread, Delivery::reading_thread}) {
    takt::use_async_settings(pair.client, {.delivery = delivery});
    auto ended = job(greeter).ended;
    ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
    ended.get();
  }
  EXPECT_TRUE(none_under_way());
}

TEST_F(CancelledCalls, C15_EndOnceWhileTheyAreForwarded) {
  const Octs there = ior_octets(pair.client, greeter);
  const Peer server([&](Peer& peer, int fd, int) { forward_each(peer, fd, there); });
  const std::string url = server.url();
  Outcomes all;
  const HandlerRef own = CORBA::make_reference<LocalHandler>(all);
  for (std::size_t i = 0; i < 300; ++i) {
    std::stop_source source;
    {
      const takt::StopScope scope(source.get_token());
      at(url)->sendc_twice(own, 1);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(i % 200));
    source.request_stop();
    const auto outcome = all.await(i + 1).back();
    EXPECT_TRUE(outcome == "twice 2" || outcome.starts_with("twice: TRANSIENT 3 ")) << outcome;
  }
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(all.size(), 300u);
}

}  // namespace
}  // namespace feature
