// Asynchronous calls pass the client's interceptors: the starting points when they are sent, the ending
// points when their outcome is there.
#include <algorithm>
#include <iterator>
#include <optional>
#include <stop_token>

#include <takt/async/stop_scope.h>
#include <takt/reference/messaging.h>

#include "asynchronous/greeter.h"
#include "asynchronous/raw_giop_server.h"
#include "probes.h"

namespace feature {
namespace {

constexpr IOP::ServiceId context = 0x54414b61;
const std::string sent = "A.send_request", replied = "A.receive_reply", raised = "A.receive_exception",
                  other = "A.receive_other";

// An object of another server, and a reference to it by way of a server that forwards.
struct OtherGreeter {
  CORBA::servant_reference<GreeterServant> servant = CORBA::make_reference<GreeterServant>();
  Orb orb;
  Poa root = root_poa(orb);
  AnyObject object = root->id_to_reference(root->activate_object(servant));
  explicit OtherGreeter(const char* orb_id = "elsewhere")
      : orb(make_orb({"-ORBListenEndpoints", OrbPair::loopback}, orb_id)) {
    root->the_POAManager()->activate();
  }
  ~OtherGreeter() { orb->destroy(); }
  std::string text() const { return orb->object_to_string(object); }
};

// One interceptor on the client.
class InterceptedAsynchronously : public Intercepted {
 protected:
  InterceptedAsynchronously() {
    only_one();
    servers.clear();
  }
  // The points of calls on `orbs` after those of its beginning.
  void begin(AsyncOrbs& orbs) {
    EXPECT_TRUE(orbs.none_under_way());
    trace.take();
  }
};

TEST_F(InterceptedAsynchronously, EndWithTheirReply) {
  AsyncOrbs orbs;
  begin(orbs);
  orbs.greeter->sendc_wait_at_gate(orbs.handler());
  EXPECT_TRUE(orbs.servant->has_waiting(1));
  EXPECT_EQ(trace.take(), Words{sent});
  std::atomic<bool> delivered{false};
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    delivered = orbs.outcomes.size() != 0;
    EXPECT_EQ(point, "receive_reply");
    EXPECT_EQ(info->operation(), "wait_at_gate");
    EXPECT_TRUE(info->response_expected());
    EXPECT_EQ(info->reply_status(), PI::SUCCESSFUL);
    EXPECT_TRUE(info->target()->_is_equivalent(orbs.greeter));
  });
  orbs.servant->open();
  EXPECT_EQ(orbs.outcomes.one(), "wait_at_gate");
  EXPECT_EQ(trace.take(), Words{replied});
  EXPECT_FALSE(delivered);  // the handler is last
}

TEST_F(InterceptedAsynchronously, ManyAtATimeEndOnceEach) {
  AsyncOrbs orbs;
  begin(orbs);
  for (int i = 0; i < 300; ++i) {
    orbs.greeter->sendc_twice(orbs.handler(), i);
    if (i % 3 == 0) orbs.greeter->twice(1);
  }
  orbs.outcomes.await(300);
  const Words all = trace.take();
  EXPECT_EQ(std::ranges::count(all, sent), 400);
  EXPECT_EQ(std::ranges::count(all, replied), 400);
}

TEST_F(InterceptedAsynchronously, EndWithTheExceptionOfTheServer) {
  AsyncOrbs orbs;
  begin(orbs);
  Words ids;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "receive_exception") ids.push_back(info->received_exception_id());
  });
  orbs.greeter->sendc_refuse(orbs.handler(), "because");
  EXPECT_EQ(orbs.outcomes.one(), "refuse: Refused because wide 42");
  EXPECT_EQ(trace.take(), (Words{sent, raised}));
  orbs.greeter->sendc_fail(orbs.handler());
  EXPECT_EQ(orbs.outcomes.await(2)[1], "fail: NO_RESOURCES 7 YES");
  EXPECT_EQ(trace.take(), (Words{sent, raised}));
  EXPECT_EQ(ids, (Words{"IDL:Async/Refused:1.0", "IDL:omg.org/CORBA/NO_RESOURCES:1.0"}));
}

TEST_F(InterceptedAsynchronously, PassContextsBothWays) {
  servers.push_back(CORBA::make_reference<ServerProbe>("S", trace));
  AsyncOrbs orbs;
  on_server([](const std::string& point, const ServerInfoRef& info) {
    if (point == "receive_contexts" && info->operation() == "twice")
      info->add_reply_service_context(info->get_request_service_context(context), true);
  });
  std::vector<std::uint8_t> received;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request") info->add_request_service_context({context, {'m', 'e'}}, false);
    if (point == "receive_reply") {
      EXPECT_EQ(info->get_request_service_context(context).context_data().size(), 2u);
      received = info->get_reply_service_context(context).context_data();
    }
  });
  orbs.greeter->sendc_twice(orbs.handler(), 21);
  EXPECT_EQ(orbs.outcomes.one(), "twice 42");
  EXPECT_EQ(received, (std::vector<std::uint8_t>{'m', 'e'}));
}

TEST_F(InterceptedAsynchronously, CarryTheSlotsOfTheirCaller) {
  PI::SlotId slot = 0;
  first = [&](const InitInfoRef& info) { slot = info->allocate_slot_id(); };
  AsyncOrbs orbs;
  begin(orbs);
  const auto current =
      IDL::traits<PI::Current>::narrow(orbs.pair.client->resolve_initial_references("PICurrent"));
  std::vector<std::int32_t> seen;
  on_client([&](const std::string&, const ClientInfoRef& info) {
    std::int32_t value = 0;
    info->get_slot(slot) >>= value;
    seen.push_back(value);
  });
  current->set_slot(slot, any_of_long(17));
  orbs.greeter->sendc_wait_at_gate(orbs.handler());
  current->set_slot(slot, any_of_long(18));
  orbs.servant->open();
  EXPECT_EQ(orbs.outcomes.one(), "wait_at_gate");
  EXPECT_EQ(seen, (std::vector<std::int32_t>{17, 17}));
}

// A handler that adds ten times what the slot has to the result of `twice`, and then sets the slot.
class SetsSlot final : public LocalHandler {
 public:
  SetsSlot(Outcomes& outcomes, IDL::traits<PI::Current>::ref_type current)
      : LocalHandler(outcomes), current_(std::move(current)) {}
  void twice(std::int32_t value) override {
    std::int32_t found = -1;
    current_->get_slot(0) >>= found;
    current_->set_slot(0, any_of_long(9));
    LocalHandler::twice(10 * found + value);
  }

 private:
  const IDL::traits<PI::Current>::ref_type current_;
};

// ORBs with a slot, and a handler that sets it in the ORB's threads.
class SlotsOfHandlers : public InterceptedAsynchronously {
 protected:
  SlotsOfHandlers() {
    first = [](const InitInfoRef& info) { info->allocate_slot_id(); };
    orbs.emplace();
  }
  HandlerRef handler() {
    const auto current = orbs->pair.client->resolve_initial_references("PICurrent");
    return CORBA::make_reference<SetsSlot>(orbs->outcomes, IDL::traits<PI::Current>::narrow(current));
  }
  std::optional<AsyncOrbs> orbs;
  // Waits for the outcomes of both calls, which come in any order.
  Words outcomes() {
    Words both = orbs->outcomes.await(2);
    std::ranges::sort(both);
    return both;
  }
  const Words both_empty{"twice -6", "twice -8"};
};

TEST_F(SlotsOfHandlers, AreEmptyAtFirst) {
  for (const int n : {1, 2}) orbs->greeter->sendc_twice(handler(), n);
  EXPECT_EQ(outcomes(), both_empty);
}

TEST_F(SlotsOfHandlers, AreEmptyAtFirstInTheThreadThatReads) {
  takt::use_async_settings(orbs->pair.client, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
  for (const int n : {1, 2}) orbs->greeter->sendc_twice(handler(), n);
  EXPECT_EQ(outcomes(), both_empty);
}

TEST_F(SlotsOfHandlers, AreEmptyAtFirstInTheThreadsOfDeferredRequests) {
  for (const int n : {1, 2}) {
    const auto poller = orbs->greeter->sendp_twice(n);
    ASSERT_TRUE(poller->is_ready(10000));
    poller->associated_handler(handler());
    orbs->outcomes.await(static_cast<std::size_t>(n));
  }
  EXPECT_EQ(outcomes(), both_empty);
}

TEST_F(InterceptedAsynchronously, ThrowToTheCallerWhatSendRequestThrows) {
  AsyncOrbs orbs;
  begin(orbs);
  on_client([](const std::string&, const ClientInfoRef&) { throw CORBA::NO_PERMISSION(3); });
  EXPECT_THROW(orbs.greeter->sendc_twice(orbs.handler(), 1), CORBA::NO_PERMISSION);
  EXPECT_EQ(trace.take(), Words{sent});
  EXPECT_TRUE(orbs.none_under_way());
  on_client({});
  orbs.greeter->sendc_twice(orbs.handler(), 2);
  EXPECT_EQ(orbs.outcomes.one(), "twice 4");
}

TEST_F(InterceptedAsynchronously, GiveTheHandlerWhatEndingPointsThrow) {
  AsyncOrbs orbs;
  begin(orbs);
  on_client([](const std::string& point, const ClientInfoRef&) {
    if (point != "send_request") throw CORBA::NO_PERMISSION(3, CORBA::COMPLETED_YES);
  });
  orbs.greeter->sendc_twice(orbs.handler(), 1);
  EXPECT_EQ(orbs.outcomes.one(), "twice: NO_PERMISSION 3 YES");
  orbs.greeter->sendc_refuse(orbs.handler(), "because");
  EXPECT_EQ(orbs.outcomes.await(2)[1], "refuse: NO_PERMISSION 3 YES");
  on_client([](const std::string& point, const ClientInfoRef&) {
    if (point != "send_request") throw 7;
  });
  orbs.greeter->sendc_fail(orbs.handler());
  EXPECT_EQ(orbs.outcomes.await(3)[2], "fail: UNKNOWN 1 YES");  // the status of what the servant has thrown
  EXPECT_EQ(trace.take(), (Words{sent, replied, sent, raised, sent, raised}));
}

TEST_F(InterceptedAsynchronously, AreForwardedByInterceptors) {
  const OtherGreeter elsewhere;
  for (const std::string point : {"send_request", "receive_exception"}) {
    AsyncOrbs orbs;
    begin(orbs);
    bool forwarded = false;
    on_client([&](const std::string& at, const ClientInfoRef& info) {
      if (at == point && !std::exchange(forwarded, true))
        throw PI::ForwardRequest(orbs.pair.client->string_to_object(elsewhere.text()));
      if (at == "receive_exception") throw CORBA::NO_PERMISSION(9, CORBA::COMPLETED_NO, info->operation());
    });
    elsewhere.servant->calls = 0;
    if (point == "send_request") {
      orbs.greeter->sendc_twice(orbs.handler(), 4);
      EXPECT_EQ(orbs.outcomes.one(), "twice 8");
      EXPECT_EQ(trace.take(), (Words{sent, sent, replied}));
      EXPECT_EQ(elsewhere.servant->calls, 1);
    } else {
      orbs.greeter->sendc_fail(orbs.handler());
      EXPECT_EQ(orbs.outcomes.one(), "fail: NO_PERMISSION 9 NO");
      EXPECT_EQ(trace.take(), (Words{sent, raised, sent, raised}));
      EXPECT_EQ(orbs.servant->failures, 1);
      EXPECT_EQ(elsewhere.servant->failures, 1);
    }
    EXPECT_EQ(orbs.servant->calls, 0);
  }
}

TEST_F(InterceptedAsynchronously, AreNotForwardedForEver) {
  AsyncOrbs orbs({"-ORBMaxRedirections", "3"});
  begin(orbs);
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "receive_exception") throw PI::ForwardRequest(info->target());
  });
  orbs.greeter->sendc_fail(orbs.handler());
  EXPECT_EQ(orbs.outcomes.one(), "fail: TRANSIENT 2 NO");
  EXPECT_EQ(std::ranges::count(trace.take(), sent), 4);
}

TEST_F(InterceptedAsynchronously, BeginAgainAfterAForwardOfTheServer) {
  const OtherGreeter elsewhere;
  AsyncOrbs orbs;
  orbs.pair.server->register_object_key("moved", orbs.pair.server->string_to_object(elsewhere.text()));
  const std::string endpoint = orbs.pair.server->_published_endpoints().front();
  const auto moved = IDL::traits<Async::Greeter>::unchecked_narrow(orbs.pair.client->string_to_object(
      "corbaloc:iiop:1.2@" + endpoint.substr(endpoint.find(' ') + 1) + "/moved"));
  begin(orbs);
  std::vector<std::uint32_t> ids;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    ids.push_back(info->request_id());
    if (point != "receive_other") return;
    EXPECT_EQ(info->reply_status(), PI::LOCATION_FORWARD);
    EXPECT_TRUE(info->forward_reference());
  });
  moved->sendc_twice(orbs.handler(), 5);
  EXPECT_EQ(orbs.outcomes.one(), "twice 10");
  EXPECT_EQ(trace.take(), (Words{sent, other, sent, replied}));
  ASSERT_EQ(ids.size(), 4u);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[1], ids[2]);
  EXPECT_EQ(ids[2], ids[3]);
}

TEST_F(InterceptedAsynchronously, EndWithTheirTime) {
  AsyncOrbs orbs;
  CORBA::Any time;
  time <<= TimeBase::TimeT{200'000};  // 20 ms
  const auto late = IDL::traits<Async::Greeter>::narrow(orbs.greeter->_set_policy_overrides(
      {orbs.pair.client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, time)},
      CORBA::SetOverrideType::SET_OVERRIDE));
  begin(orbs);
  late->sendc_wait_at_gate(orbs.handler());
  EXPECT_TRUE(orbs.outcomes.one().starts_with("wait_at_gate: TIMEOUT"));
  EXPECT_EQ(trace.take(), (Words{sent, raised}));
  orbs.servant->open();
}

TEST_F(InterceptedAsynchronously, EndWhenTheyAreCancelled) {
  AsyncOrbs orbs;
  begin(orbs);
  std::stop_source stopping;
  std::string failure;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "receive_exception") failure = info->received_exception_id();
  });
  {
    const takt::StopScope scope(stopping.get_token());
    orbs.greeter->sendc_wait_at_gate(orbs.handler());
  }
  EXPECT_TRUE(orbs.servant->has_waiting(1));
  stopping.request_stop();
  EXPECT_TRUE(orbs.outcomes.one().starts_with("wait_at_gate: TRANSIENT 3"));
  EXPECT_EQ(trace.take(), (Words{sent, raised}));
  EXPECT_EQ(failure, "IDL:omg.org/CORBA/TRANSIENT:1.0");
  orbs.servant->open();
  EXPECT_TRUE(orbs.none_under_way());
  {
    const takt::StopScope scope(stopping.get_token());
    EXPECT_THROW(orbs.greeter->sendc_twice(orbs.handler(), 1), CORBA::TRANSIENT);
  }
  EXPECT_EQ(trace.take(), (Words{sent, raised}));
}

TEST_F(InterceptedAsynchronously, EndIfTheServerIsGone) {
  AsyncOrbs orbs;
  std::string text;
  {
    const OtherGreeter elsewhere;
    text = elsewhere.text();
  }
  const auto gone = IDL::traits<Async::Greeter>::unchecked_narrow(orbs.pair.client->string_to_object(text));
  begin(orbs);
  EXPECT_THROW(gone->sendc_twice(orbs.handler(), 1), CORBA::SystemException);
  EXPECT_EQ(trace.take(), (Words{sent, raised}));
  EXPECT_TRUE(orbs.none_under_way());
}

TEST_F(InterceptedAsynchronously, EndWithTheOrb) {
  AsyncOrbs orbs;
  begin(orbs);
  for (int i = 0; i < 3; ++i) orbs.greeter->sendc_wait_at_gate(orbs.handler());
  EXPECT_TRUE(orbs.servant->has_waiting(3));
  orbs.pair.client->shutdown(true);
  for (const std::string& outcome : orbs.outcomes.await(3))
    EXPECT_TRUE(outcome.starts_with("wait_at_gate: ")) << outcome;
  EXPECT_EQ(trace.take(), (Words{sent, sent, sent, raised, raised, raised}));
  orbs.servant->open();
}

TEST_F(InterceptedAsynchronously, MayCallTheSameServerWhenTheyBeginInTheThreadThatReadsReplies) {
  class Chaining final : public LocalHandler {
   public:
    Chaining(Outcomes& outcomes, Async::Greeter& greeter, HandlerRef next)
        : LocalHandler(outcomes), greeter_(greeter), next_(std::move(next)) {}
    void sleep_ms() override { greeter_.sendc_twice(next_, 4); }

   private:
    Async::Greeter& greeter_;
    const HandlerRef next_;
  };
  AsyncOrbs orbs({"-ORBRoundTripTimeout", "5s"});
  takt::use_async_settings(orbs.pair.client, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
  begin(orbs);
  const HandlerRef next = orbs.handler();
  std::string name;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point != "send_request" || info->operation() != "twice") return;
    name = orbs.greeter->name();
    orbs.greeter->sendc_get_name(next);
  });
  orbs.greeter->sendc_sleep_ms(CORBA::make_reference<Chaining>(orbs.outcomes, *orbs.greeter, next), 0);
  Words all = orbs.outcomes.await(2);
  std::ranges::sort(all);
  EXPECT_EQ(all, (Words{"get_name first", "twice 8"}));
  EXPECT_EQ(name, "first");
  const auto threads = orbs.outcomes.threads();
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0], threads[1]) << "both went over the connection of asynchronous calls";
}

// An asynchronous call on an object of the same ORB.
class InterceptedWithinTheProcess : public InterceptedAsynchronously {
 protected:
  using Greeter = IDL::traits<Async::Greeter>;
  static Greeter::ref_type greeter(const OtherGreeter& here) { return Greeter::narrow(here.object); }
  static void await_none(const OtherGreeter& here) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (takt::async_calls_under_way(here.orb) != 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::yield();
    EXPECT_EQ(takt::async_calls_under_way(here.orb), 0u);
  }
  Outcomes outcomes;
  HandlerRef handler() { return CORBA::make_reference<LocalHandler>(outcomes); }
};

TEST_F(InterceptedWithinTheProcess, EndWithTheirOutcome) {
  const OtherGreeter here("both here");
  Words ids;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "receive_exception") ids.push_back(info->received_exception_id());
  });
  trace.take();
  greeter(here)->sendc_wait_at_gate(handler());
  EXPECT_TRUE(here.servant->has_waiting(1));
  EXPECT_EQ(trace.take(), Words{sent});
  here.servant->open();
  EXPECT_EQ(outcomes.one(), "wait_at_gate");
  EXPECT_EQ(trace.take(), Words{replied});
  greeter(here)->sendc_refuse(handler(), "because");
  EXPECT_EQ(outcomes.await(2)[1], "refuse: Refused because wide 42");
  greeter(here)->sendc_fail(handler());
  EXPECT_EQ(outcomes.await(3)[2], "fail: NO_RESOURCES 7 YES");
  EXPECT_EQ(trace.take(), (Words{sent, raised, sent, raised}));
  EXPECT_EQ(ids, (Words{"IDL:Async/Refused:1.0", "IDL:omg.org/CORBA/NO_RESOURCES:1.0"}));
}

TEST_F(InterceptedWithinTheProcess, PassContextsBothWays) {
  servers.push_back(CORBA::make_reference<ServerProbe>("S", trace));
  const OtherGreeter here("both here");
  on_server([](const std::string& point, const ServerInfoRef& info) {
    if (point == "receive_contexts")
      info->add_reply_service_context(info->get_request_service_context(context), true);
  });
  std::vector<std::uint8_t> received;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request") info->add_request_service_context({context, {'m', 'e'}}, false);
    if (point == "receive_reply") received = info->get_reply_service_context(context).context_data();
  });
  greeter(here)->sendc_twice(handler(), 21);
  EXPECT_EQ(outcomes.one(), "twice 42");
  EXPECT_EQ(received, (std::vector<std::uint8_t>{'m', 'e'}));
}

// The second of two replies that are read together begins a call, for which the memory of the first is used.
TEST_F(InterceptedWithinTheProcess, KeepNothingOfACallThatWasForwarded) {
  class Chaining final : public LocalHandler {
   public:
    Chaining(Outcomes& outcomes, Async::Greeter& greeter)
        : LocalHandler(outcomes), greeter_(greeter), all_(outcomes) {}
    HandlerRef next;
    void twice(std::int32_t) override {
      if (next) greeter_.sendc_fail(next);
    }
    void fail_excep(Holder holder) override {
      try {
        holder->raise_exception();
      } catch (const CORBA::SystemException& failure) {
        all_.add(failure.what());
      }
    }

   private:
    Async::Greeter& greeter_;
    Outcomes& all_;
  };
  const Peer elsewhere([](Peer& peer, int fd, int) {
    std::vector<Octs> ids;
    while (ids.size() < 2) {
      const Octs octets = peer.receive(fd);
      if (octets.empty()) return;
      std::ranges::copy(ids_in(octets), std::back_inserter(ids));
    }
    Octs both = reply_to(ids[0], 0, {1, 0, 0, 0});
    std::ranges::copy(reply_to(ids[1], 0, {1, 0, 0, 0}), std::back_inserter(both));
    send_octets(fd, both);
    peer.wait_for_end();
  });
  const OtherGreeter here("both here");
  takt::use_async_settings(here.orb, {.delivery = takt::AsyncSettings::Delivery::reading_thread});
  int begun = 0;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point == "send_request" && info->operation() == "twice" && begun++ % 2 == 0)
      throw PI::ForwardRequest(here.orb->string_to_object(elsewhere.url()));
  });
  const auto there = greeter(here);
  const auto last = CORBA::make_reference<Chaining>(outcomes, *there);
  last->next = CORBA::make_reference<Chaining>(outcomes, *there);
  there->sendc_twice(CORBA::make_reference<Chaining>(outcomes, *there), 1);
  there->sendc_twice(last, 1);
  EXPECT_TRUE(outcomes.one().contains("raised by the server of an object of this process")) << outcomes.one();
  await_none(here);
}

TEST_F(InterceptedWithinTheProcess, ThrowToTheCallerOrGoElsewhere) {
  const OtherGreeter here("both here"), elsewhere;
  on_client([](const std::string&, const ClientInfoRef&) { throw CORBA::NO_PERMISSION(3); });
  trace.take();
  EXPECT_THROW(greeter(here)->sendc_twice(handler(), 1), CORBA::NO_PERMISSION);
  await_none(here);
  EXPECT_EQ(trace.take(), Words{sent});
  for (const std::string at : {"send_request", "receive_exception"}) {
    SCOPED_TRACE(at);
    const std::size_t before = outcomes.size();
    bool forwards = true;
    on_client([&](const std::string& point, const ClientInfoRef&) {
      if (point == at && std::exchange(forwards, false))
        throw PI::ForwardRequest(here.orb->string_to_object(elsewhere.text()));
    });
    const auto forwarded =
        greeter(here);  // a reference of its own, because the forward holds for later calls
    const bool at_start = at == "send_request";
    if (at_start)
      forwarded->sendc_twice(handler(), 4);
    else
      forwarded->sendc_fail(handler());
    EXPECT_EQ(outcomes.await(before + 1)[before], at_start ? "twice 8" : "fail: NO_RESOURCES 7 YES");
    EXPECT_EQ(here.servant->calls, 0);
    EXPECT_EQ(here.servant->failures, at_start ? 0 : 1);
    EXPECT_EQ(elsewhere.servant->failures, at_start ? 0 : 1);
    EXPECT_EQ(trace.take(), at_start ? (Words{sent, sent, replied}) : (Words{sent, raised, sent, raised}));
    await_none(here);
  }
}

}  // namespace
}  // namespace feature
