// Client threads for which the operating system reserves processor time.
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <takt/rt/thread_reservation.h>

#include "reserving_lanes.h"
#include "threads/thread.h"

namespace real_time {
namespace {

using takt::rt::ThreadReservation;

// All programs share the processor time that can be reserved.
template <class... Times>
std::unique_ptr<ThreadReservation> reserve(Times... times) {
  for (int i = 0;; ++i) try {
      return std::make_unique<ThreadReservation>(times...);
    } catch (const CORBA::NO_RESOURCES&) {
      if (i == 200) throw;
      std::this_thread::sleep_for(10ms);
    }
}

template <class Body>
void in_a_thread(Body body) {
  std::thread(body).join();
}

template <class Refusal, class Make>
std::string refusal_of(Make make) {
  try {
    make();
  } catch (const Refusal& refused) {
    return std::string(refused.detail());
  }
  ADD_FAILURE() << "not refused so";
  return {};
}

void expect_parts(const std::string& said, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
}

TEST(ThreadReservations, StayWhateverTheThreadsPriorityAndItsUpcallsAre) {
  REQUIRE_RESERVATIONS();
  Reserving orb({});
  const auto pool = orb.make({{20, 1, 0}});
  const auto remote = orb.probe(pool, 20, PriorityModel::CLIENT_PROPAGATED);
  const auto poa =
      orb.root->create_POA("collocated", orb.root->the_POAManager(),
                           {orb.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 30)});
  const auto local = IDL::traits<RtTest::Probe>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<ReservedServant>())));
  in_a_thread([&] {
    const auto current = initial<RTCORBA::Current>(orb.client, "RTCurrent");
    current->the_priority(20);
    EXPECT_EQ(own_class(), "fifo 20");
    {
      const auto reservation = reserve(2ms, 100ms);
      EXPECT_EQ(own_class(), "2000 us reserved");
      EXPECT_EQ(remote->look().thread(), "fifo 20") << "the calls have the priority";
      EXPECT_EQ(local->look().thread(), "2000 us reserved") << "in the caller's thread";
      EXPECT_EQ(own_class(), "2000 us reserved");
      current->the_priority(25);
      EXPECT_EQ(own_class(), "2000 us reserved");
      EXPECT_EQ(current->the_priority(), 25);
      EXPECT_EQ(remote->look().thread(), "fifo 25");
    }
    EXPECT_EQ(own_class(), "fifo 25");
    EXPECT_EQ(local->look().thread(), "fifo 30");
    EXPECT_EQ(own_class(), "fifo 25");
  });
}

TEST(ThreadReservations, LeaveAThreadWithoutPriorityOrdinary) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    reserve(2ms, 100ms, 50ms);
    EXPECT_EQ(own_class(), "ordinary");
    const auto reservation = reserve(2ms, 100ms, 50ms);
    EXPECT_EQ(takt::os::reservation(), (takt::os::Reservation{2ms, 50ms, 100ms}));
    in_a_thread([] { EXPECT_EQ(own_class(), "ordinary") << "threads that it starts"; });
  });
}

TEST(ThreadReservations, AndUpcallsInThemLeaveAThreadThePriorityThatTheProgramHasGivenIt) {
  REQUIRE_RESERVATIONS();
  TwoOrbs orbs;
  const auto poa = orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 20)});
  const auto own = IDL::traits<RtTest::Probe>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server))));
  in_a_thread([&] {
    sched_param parameters{};
    parameters.sched_priority = 30;
    ASSERT_EQ(::sched_setscheduler(0, SCHED_FIFO, &parameters), 0);  // the C library does not know of it
    {
      const ThreadReservation reservation(2ms, 100ms);
      own->look();
    }
    EXPECT_EQ(own_class(), "fifo 30");
  });
}

TEST(ThreadReservations, MayEndInAnotherThreadAndAfterTheirOwn) {
  REQUIRE_RESERVATIONS();
  std::unique_ptr<ThreadReservation> reservation;
  std::promise<void> made, ended;
  std::thread thread([&] {
    reservation = reserve(2ms, 100ms);
    made.set_value();
    ended.get_future().wait();
    EXPECT_EQ(own_class(), "ordinary");
    reservation = reserve(2ms, 100ms);
  });
  made.get_future().wait();
  reservation.reset();
  ended.set_value();
  thread.join();
  reservation.reset();
}

TEST(ThreadReservations, AreOneForAThread) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const auto reservation = reserve(2ms, 100ms);
    EXPECT_THROW(ThreadReservation(1ms, 100ms), CORBA::BAD_INV_ORDER);
    EXPECT_EQ(own_class(), "2000 us reserved");
  });
}

TEST(ThreadReservations, ThatDoNotFitAreRefusedWithTheTimes) {
  REQUIRE_RESERVATIONS();
  std::vector<std::thread> threads;
  std::promise<void> over;
  const auto until = over.get_future().share();
  std::string said;
  for (unsigned i = 0; i <= takt::os::usable_processors() && said.empty(); ++i) {
    std::promise<std::string> tried;
    auto answer = tried.get_future();
    threads.emplace_back([&tried, until] {
      std::optional<ThreadReservation> all;
      std::string refused;
      try {
        all.emplace(100ms, 100ms);
      } catch (const CORBA::NO_RESOURCES& refusal) {
        refused = refusal.detail();
        EXPECT_EQ(own_class(), "ordinary");
      }
      tried.set_value(refused);
      until.wait();
    });
    said = answer.get();
  }
  over.set_value();
  for (auto& thread : threads) thread.join();
  expect_parts(said, {"100000 us in each 100000 us", "for the calling thread", "sched_rt_runtime_us"});
}

TEST(ThreadReservations, OfTimesThatAreNoneAreRefused) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    expect_parts(refusal_of<CORBA::BAD_PARAM>([] { ThreadReservation(2ms, 1ms); }),
                 {"2000 us in each 1000 us", "no longer than the deadline"});
    EXPECT_THROW(ThreadReservation(0ms, 1ms), CORBA::BAD_PARAM);
    EXPECT_THROW(ThreadReservation(-1ms, 1ms), CORBA::BAD_PARAM);
    EXPECT_THROW(ThreadReservation(10ns, 1ms), CORBA::BAD_PARAM);
    EXPECT_THROW(ThreadReservation(1ms, 0ms, 10ms), CORBA::BAD_PARAM);
    EXPECT_THROW(ThreadReservation(1ms, 10ms, 20ms), CORBA::BAD_PARAM);
    EXPECT_THROW(ThreadReservation(1ms, 10s), CORBA::BAD_PARAM);
    EXPECT_EQ(own_class(), "ordinary");
  });
}

TEST(ThreadReservations, NeedThePrivilegeAndAllProcessors) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {  // each thread has privileges of its own
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[2]{};
    ASSERT_EQ(::syscall(SYS_capget, &header, sets), 0);
    sets[0].effective &= ~(1u << CAP_SYS_NICE);
    ASSERT_EQ(::syscall(SYS_capset, &header, sets), 0);
    expect_parts(refusal_of<CORBA::NO_PERMISSION>([] { ThreadReservation(2ms, 100ms); }),
                 {"2000 us in each 100000 us", "CAP_SYS_NICE"});
    EXPECT_EQ(own_class(), "ordinary");
  });
  if (takt::os::usable_processors() < 2) GTEST_SKIP() << "there is one processor";
  in_a_thread([] {
    cpu_set_t processors;
    ASSERT_EQ(::sched_getaffinity(0, sizeof processors, &processors), 0);
    for (int i = 0; CPU_COUNT(&processors) > 1; ++i) CPU_CLR(i, &processors);
    ASSERT_EQ(::sched_setaffinity(0, sizeof processors, &processors), 0);
    expect_parts(refusal_of<CORBA::NO_PERMISSION>([] { ThreadReservation(2ms, 100ms); }), {"all processors"});
  });
}

TEST(ThreadReservations, AreNotForThreadsOfLanesThatHaveOne) {
  REQUIRE_RESERVATIONS();
  class Greedy final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
   public:
    RtTest::Seen look() override {
      try {
        const ThreadReservation more(1ms, 100ms);
        return {0, 0, false, "made"};
      } catch (const CORBA::BAD_INV_ORDER&) {
        return {0, 0, false, own_class()};
      }
    }
    RtTest::Seen look_through(ProbeRef) override { return look(); }
    bool meet(std::uint32_t) override { return false; }
  };
  Reserving orb({"-ORBLaneReservations", "20=2ms/100ms"});
  const auto poa =
      orb.root->create_POA("greedy", orb.root->the_POAManager(),
                           {orb.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 20),
                            orb.rt->create_threadpool_policy(orb.make({{20, 1, 0}}))});
  const auto object =
      orb.to_client(poa->id_to_reference(poa->activate_object(CORBA::make_reference<Greedy>())));
  EXPECT_EQ(object->look().thread(), "2000 us reserved");
}

}  // namespace
}  // namespace real_time
