// Late answers over TLS, over connections that both sides use, from lanes, and to dynamic callers.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>
#include <takt/dynamic/request.h>
#include <takt/reference/messaging.h>
#include <takt/reference/policy_manager.h>
#include <takt/rt/rtcorba.h>

#include "certificates.h"
#include "later_desk.h"

namespace late {
namespace {

using feature::OrbPair;

TEST(LateReach, TakesTls) {
  const takt::test::Authority authority;
  const auto own = authority.issue({.name = "late"});
  for (const char* concurrency : {"thread-per-connection", "reactive", "leader-followers", "worker-pool"}) {
    const OrbPair orbs({"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file,
                        "-ORBServerConcurrency", concurrency},
                       {"-ORBTLSAuthorities", authority.file()}, "ssliop://127.0.0.1:0");
    const auto servant = CORBA::make_reference<LaterDesk>();
    const auto desk = orbs.publish<Late::Desk>(servant);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(desk->greet("over TLS"), "hello, over TLS") << concurrency;
    const Late::Octets octets(200'000, 5);
    EXPECT_EQ(desk->echo(octets), octets) << concurrency;
  }
}

CORBA::object_reference<CORBA::Policy> both() {
  return CORBA::make_reference<BiDirPolicy::BidirectionalPolicy>(BiDirPolicy::BOTH);
}

TEST(LateReach, TakesConnectionsThatBothSidesUse) {
  for (const char* concurrency : {"thread-per-connection", "leader-followers", "worker-pool"}) {
    // The client publishes an address at which nothing listens.
    const OrbPair orbs(
        {"-ORBServerConcurrency", concurrency},
        {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBPublishedEndpoints", "iiop://127.0.0.1:1"});
    orbs.make_poa({both()});
    IDL::traits<CORBA::PolicyManager>::narrow(orbs.client->resolve_initial_references("ORBPolicyManager"))
        ->set_policy_overrides({both()}, CORBA::SetOverrideType::SET_OVERRIDE);
    const auto servant = CORBA::make_reference<LaterDesk>(), mine = CORBA::make_reference<LaterDesk>();
    const auto desk = orbs.publish<Late::Desk>(servant);
    const auto root = feature::root_poa(orbs.client);
    root->the_POAManager()->activate();
    const std::string here =
        orbs.client->object_to_string(root->id_to_reference(root->activate_object(mine)));
    EXPECT_EQ(desk->greet("offering"), "hello, offering");
    const auto back = IDL::traits<Late::Desk>::narrow(orbs.server->string_to_object(here));
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(back->greet("back"), "hello, back") << concurrency;
      EXPECT_EQ(desk->greet("forth"), "hello, forth") << concurrency;
    }
    EXPECT_THROW(back->greet("drop"), CORBA::NO_RESPONSE) << concurrency;
  }
}

TEST(LateReach, TakesLanes) {
  const OrbPair orbs;
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orbs.server->resolve_initial_references("RTORB"));
  RTCORBA::ThreadpoolId pool = 0;
  try {
    pool = rt->create_threadpool_with_lanes(0, {{1, 1, 0}, {32'000, 1, 0}}, false, false, 0, 0);
  } catch (const CORBA::SystemException& failure) {
    GTEST_SKIP() << failure.what();
  }
  const auto poa =
      orbs.make_poa({rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 32'000),
                     rt->create_threadpool_policy(pool)});
  const auto servant = CORBA::make_reference<LaterDesk>();
  const auto desk = orbs.publish<Late::Desk>(servant, poa);
  std::thread keeping([&] { EXPECT_EQ(desk->greet("keep"), "at last"); });
  const Handler kept = servant->kept.take();
  EXPECT_EQ(desk->greet("meanwhile"), "hello, meanwhile") << "the lane's only thread is free";
  kept->greet("at last");
  keeping.join();
}

TEST(LateReach, TakesDynamicCallersOfOtherOrbs) {
  const OrbPair orbs;
  const auto servant = CORBA::make_reference<LaterDesk>();
  const auto desk = orbs.publish<Late::Desk>(servant);
  const auto request = desk->_request("greet");
  request->add_in_arg() <<= std::string("dynamic");
  request->set_return_type(CORBA::_tc_string);
  request->invoke();
  std::string greeting;
  EXPECT_TRUE(request->return_value() >>= greeting);
  EXPECT_EQ(greeting, "hello, dynamic");
}

TEST(LateReach, TakesDynamicCallersOfItsOwnOrb) {
  const OrbPair orbs;
  const auto servant = CORBA::make_reference<LaterDesk>();
  const auto here = orbs.root->id_to_reference(orbs.root->activate_object(servant));
  const auto request = here->_request("greet");
  request->add_in_arg() <<= std::string("drop");
  request->set_return_type(CORBA::_tc_string);
  EXPECT_THROW(request->invoke(), CORBA::NO_RESPONSE);
  const auto deferred = here->_request("rest");
  deferred->send_deferred();
  deferred->get_response();
}

class LaterBell : public CORBA::amh_traits<Bell>::base_type {
 public:
  void ring(CORBA::amh_traits<Bell>::response_handler_ref_type handler, const std::string& tone) override {
    executor.post([handler, tone] {
      if (tone.empty())
        handler->ring_excep(std::make_exception_ptr(Late::NoRoom(1)));
      else
        handler->ring("later " + tone);
    });
  }

 private:
  Executor executor;
};

class TaskBell : public CORBA::task_traits<Bell>::base_type {
 public:
  takt::Task<std::string> ring(std::string tone) override {
    if (tone.empty()) throw Late::NoRoom(1);
    co_return "task " + tone;
  }
};

using BellRef = IDL::traits<Bell>::ref_type;

takt::Task<std::string> awaited(BellRef bell, std::string tone) { co_return co_await bell->async_ring(tone); }

std::string polled(const BellRef& bell, const std::string& tone) {
  std::string result;
  bell->sendp_ring(tone)->ring(CORBA::Pollable::_for_ever, result);
  return result;
}

TEST(LateReach, TakesAsynchronousCallersOfItsOwnOrb) {
  testing::internal::CaptureStderr();
  {
    const OrbPair orbs;
    const auto here = [&](const auto& servant) {
      return IDL::traits<Bell>::narrow(orbs.root->id_to_reference(orbs.root->activate_object(servant)));
    };
    for (const BellRef& bell :
         {here(CORBA::make_reference<LaterBell>()), here(CORBA::make_reference<TaskBell>())}) {
      const std::string expected = bell->ring("a");
      EXPECT_EQ(bell->async_ring("a").get(), expected);
      EXPECT_EQ(bell->async_ring("a").future().get(), expected);
      EXPECT_EQ(takt::sync_wait(awaited(bell, "a")), expected);
      EXPECT_EQ(polled(bell, "a"), expected);
      EXPECT_THROW(bell->async_ring("").get(), Late::NoRoom);
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "")
      << "calls that go on over a connection have not failed";
}

// Returns the RT-CORBA priority of its upcall.
class PriorityBell : public CORBA::amh_traits<Bell>::base_type {
 public:
  explicit PriorityBell(CORBA::object_reference<RTCORBA::Current> current) : current_(std::move(current)) {}
  void ring(CORBA::amh_traits<Bell>::response_handler_ref_type handler, const std::string&) override {
    handler->ring(std::to_string(current_->the_priority()));
  }

 private:
  const CORBA::object_reference<RTCORBA::Current> current_;
};

TEST(LateReach, CallersOfItsOwnOrbGiveItTheirPriority) {
  const OrbPair orbs({"-ORBPriorityMapping", "direct"});
  const auto initial = [&](const char* name) { return orbs.server->resolve_initial_references(name); };
  const auto current = IDL::traits<RTCORBA::Current>::narrow(initial("RTCurrent"));
  const auto poa =
      orbs.make_poa({IDL::traits<RTCORBA::RTORB>::narrow(initial("RTORB"))
                         ->create_priority_model_policy(RTCORBA::PriorityModel::CLIENT_PROPAGATED, 5)});
  const auto bell = IDL::traits<Bell>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<PriorityBell>(current))));
  std::thread([&] {
    current->the_priority(20);
    EXPECT_EQ(bell->ring("a"), "20");
    EXPECT_EQ(bell->async_ring("a").get(), "20");
    EXPECT_EQ(takt::sync_wait(awaited(bell, "a")), "20");
    EXPECT_EQ(polled(bell, "a"), "20");
    const auto request = bell->_request("ring");
    request->add_in_arg() <<= std::string("a");
    request->set_return_type(CORBA::_tc_string);
    request->send_deferred();
    request->get_response();
    std::string priority;
    EXPECT_TRUE(request->return_value() >>= priority);
    EXPECT_EQ(priority, "20") << "deferred";
  }).join();
}

}  // namespace
}  // namespace late
