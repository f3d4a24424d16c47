// Calls that tell when their requests have left.
#include <future>
#include <optional>

#include <takt/async/pending.h>
#include <takt/async/sent_scope.h>
#include <takt/async/stop_scope.h>

#include "greeter.h"
#include "job.h"
#include "raw_giop_server.h"

namespace feature {
namespace {

using takt::SentNotice;
using takt::SentScope;
using State = SentNotice::State;

// Notes "sent" and "not sent" among the outcomes.
struct Noted : takt::SentListener {
  explicit Noted(Outcomes& to) : outcomes(to) {}
  void sent() noexcept override { outcomes.add("sent"); }
  void not_sent() noexcept override { outcomes.add("not sent"); }
  Outcomes& outcomes;
};

using Strings = std::vector<std::string>;

struct SentCalls : testing::Test, AsyncOrbs {
  SentCalls() : AsyncOrbs({"-ORBSendQueueSize", "64MiB"}) {}
  ~SentCalls() override { servant->open(); }

  IDL::traits<Async::Greeter>::ref_type at(const std::string& url) {
    return takt::reference::make_stub<Async::Greeter>(pair.client->string_to_object(url)->_ref());
  }
  std::shared_ptr<Noted> noted() { return std::make_shared<Noted>(outcomes); }
};

TEST_F(SentCalls, C16_TellBeforeTheReply) {
  const auto notice = std::make_shared<SentNotice>();
  {
    const SentScope scope(notice);
    greeter->sendc_wait_at_gate(handler());
  }
  EXPECT_EQ(notice->wait_for(10s), State::sent);
  EXPECT_EQ(outcomes.size(), 0u);
  servant->open();
  EXPECT_EQ(outcomes.one(), "wait_at_gate");
}

TEST_F(SentCalls, C16_TellOnceEachBeforeTheirOutcome) {
  using Delivery = takt::AsyncSettings::Delivery;
  for (const auto delivery : {Delivery::thread, Delivery::reading_thread}) {
    takt::use_async_settings(pair.client, {.delivery = delivery});
    for (int i = 0; i < 200; ++i) {
      Outcomes own;
      const SentScope scope(std::make_shared<Noted>(own));
      greeter->sendc_twice(CORBA::make_reference<LocalHandler>(own), 4);
      ASSERT_EQ(own.await(2), (Strings{"sent", "twice 8"}));
    }
    EXPECT_TRUE(none_under_way());
  }
}

TEST_F(SentCalls, C16_AreCountedTogether) {
  constexpr int calls = 1000;
  const auto notice = std::make_shared<SentNotice>(calls);
  {
    const SentScope scope(notice);
    for (int i = 0; i < calls - 1; ++i) greeter->sendc_wait_at_gate(handler());
    EXPECT_EQ(notice->wait_for(50ms), State::waits) << "one call has not begun";
    auto poller = greeter->sendp_wait_at_gate();
    EXPECT_EQ(notice->wait_for(10s), State::sent);
    EXPECT_FALSE(poller->is_ready(0));
  }
  servant->open();
  EXPECT_EQ(outcomes.await(calls - 1).size(), calls - 1u);
}

TEST(SentNotices, MayBeAwaitedForAsLongAsTheyTake) {
  SentNotice notice;
  auto waits =
      std::async(std::launch::async, [&] { return notice.wait_for(std::chrono::nanoseconds::max()); });
  EXPECT_EQ(waits.wait_for(20ms), std::future_status::timeout);
  notice.sent();
  EXPECT_EQ(waits.get(), State::sent);
}

TEST_F(SentCalls, C16_ResumeCoroutines) {
  const auto job = [](auto greeter, auto notice) -> Job {
    std::optional<SentScope> scope(notice);
    auto call = greeter->async_wait_at_gate();
    scope.reset();
    EXPECT_EQ(co_await *notice, State::sent);
    EXPECT_FALSE(call.is_ready());
    co_await call;
  };
  const auto notice = std::make_shared<SentNotice>();
  auto ended = job(greeter, notice).ended;
  ASSERT_EQ(notice->wait_for(10s), State::sent);
  servant->open();
  ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
  ended.get();
}

// The peer does not read, so the first request never leaves whole, and the second is not begun.
TEST_F(SentCalls, C16_ThatEndBeforeTheyHaveLeftSaySo) {
  const Peer server([](Peer& peer, int, int) { peer.wait_for_end(); });
  const auto there = at(server.url());
  std::stop_source stop;
  const auto big = std::make_shared<SentNotice>();
  const auto behind = std::make_shared<SentNotice>();
  {
    const takt::StopScope stopped(stop.get_token());
    const SentScope scope(big);
    there->sendc_echo(handler(), Async::Octets(16'000'000));
    const SentScope inner(behind);
    there->sendc_twice(handler(), 1);
  }
  EXPECT_EQ(big->wait_for(50ms), State::waits);
  EXPECT_EQ(behind->state(), State::waits);
  stop.request_stop();
  EXPECT_EQ(big->wait_for(10s), State::not_sent);
  EXPECT_EQ(behind->wait_for(10s), State::not_sent);
  EXPECT_EQ(outcomes.await(2).size(), 2u);
}

TEST_F(SentCalls, C16_ThatThrowTellNothing) {
  const auto notice = std::make_shared<SentNotice>();
  const SentScope scope(notice);
  std::string nowhere;
  {
    const Peer gone([](Peer&, int, int) {});
    nowhere = gone.url();
  }
  EXPECT_THROW(at(nowhere)->sendc_twice(handler(), 1), CORBA::SystemException);
  EXPECT_EQ(notice->state(), State::waits);
  EXPECT_EQ(notice.use_count(), 2) << "the scope's and ours";
}

TEST_F(SentCalls, C16_ThatAreForwardedOrSentAgainTellOnce) {
  const Octs there = ior_octets(pair.client, greeter);
  const Peer forwarding([&](Peer& peer, int fd, int) { forward_each(peer, fd, there); });
  const Peer closing([](Peer& peer, int fd, int number) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd)) {
      if (number == 0) {  // read, but not served
        send_octets(fd, close_message());
        return;
      }
      for (const Octs& id : ids_in(all)) send_octets(fd, reply_to(id, 0, {2, 0, 0, 0}));
    }
  });
  const SentScope scope(noted());
  at(forwarding.url())->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.await(2), (Strings{"sent", "twice 2"}));
  at(closing.url())->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.await(4), (Strings{"sent", "twice 2", "sent", "twice 2"}));
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), 4u);
}

// A reply that comes while the request is still being written ends the call, whose request leaves later.
TEST_F(SentCalls, C16_WhoseReplyIsEarlyTellOnce) {
  const Peer server([](Peer& peer, int fd, int) {
    Octs first(16);
    if (::recv(fd, first.data(), first.size(), MSG_WAITALL) != 16) return;
    send_octets(fd, reply_to(Octs(first.begin() + 12, first.end()), 0, {0, 0, 0, 0}));
    while (!peer.receive(fd).empty()) {
    }
  });
  {
    const SentScope scope(noted());
    at(server.url())->sendc_echo(handler(), Async::Octets(16'000'000));
  }
  EXPECT_EQ(outcomes.await(2), (Strings{"sent", "echo 0"}));
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), 2u);
}

TEST_F(SentCalls, C16_ToObjectsOfThisProcessTellToo) {
  const auto here = IDL::traits<Async::Greeter>::narrow(
      pair.server->string_to_object(pair.server->object_to_string(greeter)));
  const SentScope scope(noted());
  here->sendc_twice(handler(), 3);
  EXPECT_EQ(outcomes.await(2), (Strings{"sent", "twice 6"}));
}

TEST_F(SentCalls, C16_BelongToTheInnermostScope) {
  const SentScope outer(noted());
  {
    const SentScope none(nullptr);
    greeter->sendc_twice(handler(), 1);
    EXPECT_EQ(outcomes.one(), "twice 2");
  }
  greeter->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.await(3), (Strings{"twice 2", "sent", "twice 2"}));
}

// Each call is settled once, whether it is cancelled before, while or after it leaves.
TEST_F(SentCalls, C16_TellOnceEachWhenTheyAreCancelledAtAnyMoment) {
  struct Counted : takt::SentListener {
    void sent() noexcept override { ++settled; }
    void not_sent() noexcept override { ++settled; }
    std::atomic<std::size_t> settled{0};
  };
  const auto counted = std::make_shared<Counted>();
  std::size_t begun = 0;
  for (int round = 0; round < 300; ++round) {
    std::stop_source source;
    std::thread stopper([&source, round] {
      std::this_thread::sleep_for(std::chrono::microseconds(round % 100));
      source.request_stop();
    });
    for (int i = 0; i < 10; ++i) try {
        const SentScope scope(counted);
        const takt::StopScope stopped(source.get_token());
        greeter->sendc_twice(handler(), 1);
        ++begun;
      } catch (const CORBA::TRANSIENT&) {  // stopped before
      }
    stopper.join();
  }
  EXPECT_EQ(outcomes.await(begun).size(), begun);
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(counted->settled, begun);
}

TEST_F(SentCalls, C16_OfADestroyedOrbAreSettled) {
  const Peer server([](Peer& peer, int, int) { peer.wait_for_end(); });
  const auto big = std::make_shared<SentNotice>(4);
  {
    const SentScope scope(big);
    for (int i = 0; i < 4; ++i) at(server.url())->sendc_echo(handler(), Async::Octets(8'000'000));
  }
  pair.client->shutdown(false);
  EXPECT_EQ(big->wait_for(10s), State::not_sent);
  EXPECT_EQ(outcomes.await(4).size(), 4u);
}

}  // namespace
}  // namespace feature
