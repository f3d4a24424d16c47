// Slots: of threads (PICurrent) and of requests, by the copies of CORBA 3.0.3, 21.4.
#include <thread>

#include "probes.h"

namespace feature {
namespace {

std::int32_t number_in(const CORBA::Any& any) {
  std::int32_t value = -1;
  return (any >>= value) ? value : -1;
}

class SlotsOfRequests : public Intercepted {
 protected:
  SlotsOfRequests() {
    only_one();
    first = [this](const InitInfoRef& info) { slot = info->allocate_slot_id(); };
  }
  static CORBA::object_reference<PI::Current> current(const Orb& orb) {
    return IDL::traits<PI::Current>::narrow(orb->resolve_initial_references("PICurrent"));
  }
  PI::SlotId slot = 99;
};

TEST_F(SlotsOfRequests, CarryTheThreadsToClientInterceptors) {
  servers.clear();
  const OrbPair orbs;
  EXPECT_EQ(slot, 0u);
  const auto thread = current(orbs.client);
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  thread->set_slot(slot, any_of_long(7));
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    EXPECT_EQ(number_in(info->get_slot(slot)), 7) << point;
    EXPECT_EQ(number_in(thread->get_slot(slot)), 7) << point;
    thread->set_slot(slot, any_of_long(8));  // for calls that the interceptor makes at this point
    EXPECT_EQ(number_in(info->get_slot(slot)), 7) << point;
    EXPECT_THROW(info->get_slot(slot + 1), PI::InvalidSlot);
  });
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(number_in(thread->get_slot(slot)), 7);
  std::thread([&] { EXPECT_EQ(thread->get_slot(slot).type()->kind(), CORBA::TCKind::tk_null); }).join();
  EXPECT_THROW(thread->set_slot(slot + 1, any_of_long(1)), PI::InvalidSlot);
  EXPECT_THROW(thread->get_slot(slot + 1), PI::InvalidSlot);
}

TEST_F(SlotsOfRequests, OfCallsThatInterceptorsMakeAreThoseOfTheirPoint) {
  servers.clear();
  const OrbPair orbs;
  const auto thread = current(orbs.client);
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  std::vector<std::int32_t> seen;
  bool inside = false;
  on_client([&](const std::string& point, const ClientInfoRef& info) {
    if (point != "send_request") return;
    seen.push_back(number_in(info->get_slot(slot)));
    if (std::exchange(inside, true)) return;
    thread->set_slot(slot, any_of_long(2));
    echo->nothing();
  });
  thread->set_slot(slot, any_of_long(1));
  inside = false;
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(seen, (std::vector<std::int32_t>{1, 2}));
}

class PassingOn final : public virtual EchoServant {
 public:
  std::function<void()> action;
  std::uint8_t cube(std::uint8_t x) override {
    if (action) action();
    return EchoServant::cube(x);
  }
};

TEST_F(SlotsOfRequests, GoFromServerInterceptorsThroughTheServantToItsCalls) {
  clients.clear();
  const OrbPair orbs;
  const auto thread = current(orbs.server);
  const auto servant = CORBA::make_reference<PassingOn>();
  const auto echo = orbs.publish<Calls::Echo>(servant);
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    if (point == "receive_contexts") {
      EXPECT_EQ(number_in(info->get_slot(slot)), -1);
      info->set_slot(slot, any_of_long(5));
    } else if (point == "receive_request") {
      EXPECT_EQ(number_in(info->get_slot(slot)), 5);
      EXPECT_EQ(number_in(thread->get_slot(slot)), 5);
      info->set_slot(slot, any_of_long(6));  // not the thread's any more
      EXPECT_EQ(number_in(thread->get_slot(slot)), 5);
    } else {
      EXPECT_EQ(number_in(info->get_slot(slot)), 9) << point;  // the servant's
    }
    EXPECT_THROW(info->set_slot(slot + 1, any_of_long(1)), PI::InvalidSlot);
  });
  servant->action = [&] {
    EXPECT_EQ(number_in(thread->get_slot(slot)), 5);
    thread->set_slot(slot, any_of_long(9));
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo->cube(3), 27);  // the thread's slots are empty again each time
  EXPECT_EQ(trace.take().size(), 9u);
}

TEST_F(SlotsOfRequests, WithinTheProcessLeaveThoseOfTheCaller) {
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const auto thread = current(orb);
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto servant = CORBA::make_reference<PassingOn>();
  const auto echo = IDL::traits<Calls::Echo>::narrow(root->id_to_reference(root->activate_object(servant)));
  thread->set_slot(slot, any_of_long(1));
  on_server([&](const std::string& point, const ServerInfoRef& info) {
    if (point == "receive_contexts") {
      EXPECT_EQ(number_in(info->get_slot(slot)), -1);
      info->set_slot(slot, any_of_long(2));
    }
  });
  servant->action = [&] {
    EXPECT_EQ(number_in(thread->get_slot(slot)), 2);
    thread->set_slot(slot, any_of_long(3));
  };
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(number_in(thread->get_slot(slot)), 1);
  orb->destroy();
}

// A servant whose `cube` records what the slot has, and sets it.
CORBA::servant_reference<PassingOn> sets_slot(const IDL::traits<PI::Current>::ref_type& thread,
                                              PI::SlotId slot, std::vector<std::int32_t>& seen) {
  auto servant = CORBA::make_reference<PassingOn>();
  servant->action = [=, &seen] {
    seen.push_back(number_in(thread->get_slot(slot)));
    thread->set_slot(slot, any_of_long(9));
  };
  return servant;
}

TEST_F(SlotsOfRequests, AreEmptyAtFirstWithoutServerInterceptors) {
  servers.clear();
  const OrbPair orbs;
  std::vector<std::int32_t> seen;
  const auto echo = orbs.publish<Calls::Echo>(sets_slot(current(orbs.server), slot, seen));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(seen, (std::vector<std::int32_t>{-1, -1, -1}));
}

TEST_F(SlotsOfRequests, WithinTheProcessLeaveThoseOfTheCallerWithoutServerInterceptors) {
  clients.clear();
  servers.clear();
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const auto thread = current(orb);
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  std::vector<std::int32_t> seen;
  const auto echo = IDL::traits<Calls::Echo>::narrow(
      root->id_to_reference(root->activate_object(sets_slot(thread, slot, seen))));
  thread->set_slot(slot, any_of_long(1));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(seen, (std::vector<std::int32_t>{-1, -1}));
  EXPECT_EQ(number_in(thread->get_slot(slot)), 1);
  orb->destroy();
}

TEST_F(SlotsOfRequests, StayThoseOfTheCallAfterAForward) {
  servers.clear();
  const Elsewhere elsewhere;
  const OrbPair orbs;
  const auto thread = current(orbs.client);
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  const AnyObject away = orbs.client->string_to_object(elsewhere.text());
  std::vector<std::int32_t> seen;
  on_client([&, forwarded = false](const std::string& point, const ClientInfoRef& info) mutable {
    seen.push_back(number_in(info->get_slot(slot)));
    thread->set_slot(slot, any_of_long(50));
    if (point == "send_request" && !std::exchange(forwarded, true)) throw PI::ForwardRequest(away);
  });
  thread->set_slot(slot, any_of_long(4));
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(seen, (std::vector<std::int32_t>{4, 4, 4}));
}

TEST_F(SlotsOfRequests, AreNotThereIfNoneWasAllocated) {
  first = nullptr;
  const Orb orb = make_orb({}, "client");
  EXPECT_EQ(outcome_of([&] { current(orb)->get_slot(0); }), "BAD_INV_ORDER 14");
  EXPECT_EQ(outcome_of([&] { current(orb)->set_slot(0, any_of_long(1)); }), "BAD_INV_ORDER 14");
  orb->destroy();
}

TEST_F(SlotsOfRequests, CannotBeUsedWhileInitializersRun) {
  Initializing::present().post = [](const InitInfoRef& info) {
    EXPECT_EQ(outcome_of([&] { info->resolve_initial_references("PICurrent"); }), "InvalidName");
  };
  make_orb({}, "client")->destroy();
}

}  // namespace
}  // namespace feature
