// Lanes for whose threads the system sets processor time aside.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "os/threads/reservation.h"
#include "os/threads/thread.h"
#include "probe_servant.h"

namespace real_time {
namespace {

using namespace std::chrono_literals;

// Tells in native_priority how many microseconds are set aside for its thread; 0: none.
class ReservedServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  RtTest::Seen look() override {
    const auto reserved = takt::os::reservation();
    return {-1, reserved ? static_cast<int>(reserved->runtime / 1us) : 0, reserved.has_value(), ""};
  }
  RtTest::Seen look_through(ProbeRef) override { return look(); }
  bool meet(std::uint32_t) override { return false; }
};

struct Reserving {
  explicit Reserving(const std::string& reservations)
      : server(make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLaneReservations", reservations},
                        "reserving")),
        client(make_orb({}, "reserving-client")),
        rt(initial<RTCORBA::RTORB>(server, "RTORB")),
        root(initial<PortableServer::POA>(server, "RootPOA")) {
    root->the_POAManager()->activate();
  }
  ~Reserving() {
    client->destroy();
    server->destroy();
  }
  // All programs share what there is to reserve, so that others may be in the way for a moment.
  RTCORBA::ThreadpoolId make(const RTCORBA::ThreadpoolLanes& lanes, bool buffered = false) {
    for (int i = 0;; ++i) try {
        return rt->create_threadpool_with_lanes(0, lanes, false, buffered, 10, 0);
      } catch (const CORBA::NO_RESOURCES&) {
        if (i == 200) throw;
        std::this_thread::sleep_for(10ms);
      }
  }
  // What an upcall at that priority sees.
  int reserved_us(RTCORBA::ThreadpoolId pool, RTCORBA::Priority priority,
                  PriorityModel model = PriorityModel::SERVER_DECLARED) {
    const auto poa = root->create_POA(
        "at" + std::to_string(priority), root->the_POAManager(),
        {rt->create_priority_model_policy(model, priority), rt->create_threadpool_policy(pool)});
    const auto object = poa->id_to_reference(poa->activate_object(CORBA::make_reference<ReservedServant>()));
    return IDL::traits<RtTest::Probe>::narrow(client->string_to_object(server->object_to_string(object)))
        ->look()
        .native_priority();
  }
  Orb server, client;
  CORBA::object_reference<RTCORBA::RTORB> rt;
  CORBA::object_reference<PortableServer::POA> root;
};

bool system_reserves() {
  int error = 0;
  std::thread([&] {
    error = takt::os::reserve(takt::os::current_thread_number(), {100us, 100ms, 100ms});
  }).join();
  return error != EPERM;
}
#define REQUIRE_RESERVATIONS() \
  if (!system_reserves()) GTEST_SKIP() << "the system reserves nothing for this process"

TEST(Reservations, AreOfTheLanesThatHaveThem) {
  REQUIRE_RESERVATIONS();
  for (const bool buffered : {false, true}) {
    Reserving orb("20=2ms/100ms,30=3ms/100ms");
    const auto pool = orb.make({{10, 1, 0}, {20, 2, 0}, {30, 1, 0}}, buffered);
    EXPECT_EQ(orb.reserved_us(pool, 10), 0);
    EXPECT_EQ(orb.reserved_us(pool, 20), 2000);
    EXPECT_EQ(orb.reserved_us(pool, 30), 3000);
  }
}

TEST(Reservations, StayWithTheThreadWhateverARequestsPriorityIs) {
  REQUIRE_RESERVATIONS();
  Reserving orb("20=2ms/100ms");
  const auto pool = orb.make({{20, 1, 0}});
  initial<RTCORBA::Current>(orb.client, "RTCurrent")->the_priority(25);
  EXPECT_EQ(orb.reserved_us(pool, 20, PriorityModel::CLIENT_PROPAGATED), 2000);
}

TEST(Reservations, ThatDoNotFitRefuseTheirLane) {
  REQUIRE_RESERVATIONS();
  Reserving orb("20=90ms/100ms,30=1ms/100ms");
  const auto most = takt::os::usable_processors() + 1;
  try {
    orb.rt->create_threadpool_with_lanes(0, {{20, static_cast<std::uint32_t>(most), 0}}, false, false, 0, 0);
    FAIL() << "nothing was thrown";
  } catch (const CORBA::NO_RESOURCES& refused) {
    const std::string said(refused.detail());
    for (const char* part : {"priority 20", "90000 us of each 100000 us", "-ORBLaneReservations"})
      EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
  }
  EXPECT_EQ(orb.reserved_us(orb.make({{30, 1, 0}}), 30), 1000)
      << "nothing is held of the one that was refused";
}

TEST(Reservations, OfADestroyedPoolAreFree) {
  REQUIRE_RESERVATIONS();
  Reserving orb("20=90ms/100ms");
  for (int i = 0; i < 3; ++i) orb.rt->destroy_threadpool(orb.make({{20, 1, 0}}));
}

TEST(Reservations, ThatAreNoneOrOfBoundLanesAreRefused) {
  for (const char* text : {"10", "10=1ms", "10=2ms/1ms", "10=0/1ms", "x=1ms/2ms"})
    EXPECT_THROW(make_orb({"-ORBLaneReservations", text}, "refused"), CORBA::BAD_PARAM) << text;
  EXPECT_THROW(make_orb({"-ORBLaneReservations", "10=1ms/10ms", "-ORBLaneCpus", "10=0"}, "refused"),
               CORBA::BAD_PARAM);
}

}  // namespace
}  // namespace real_time
