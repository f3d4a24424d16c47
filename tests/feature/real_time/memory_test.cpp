// Memory locked by an ORB, and stacks that are mapped before upcalls need them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "memory_probe.h"
#include "probe_servant.h"

namespace real_time {
namespace {

using takt::os::locked_kib;

// Upcalls of this servant use a deep stack, and report the page faults that this caused in native_priority.
class DeepServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  RtTest::Seen look() override {
    return {-1, static_cast<std::int32_t>(takt::os::faults_of_deep_use()), false, ""};
  }
  RtTest::Seen look_through(ProbeRef) override { return look(); }
  bool meet(std::uint32_t) override { return false; }
};

struct Pair {
  explicit Pair(std::vector<std::string> options)
      : server(make_orb(with_endpoint(std::move(options)), "memory-server")),
        client(make_orb({}, "memory-client")),
        root(initial<PortableServer::POA>(server, "RootPOA")),
        rt(initial<RTCORBA::RTORB>(server, "RTORB")) {
    root->the_POAManager()->activate();
  }
  ~Pair() {
    client->destroy();
    server->destroy();
  }
  static std::vector<std::string> with_endpoint(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
    return options;
  }
  ProbeRef deep_probe(const CORBA::PolicyList& policies) {
    const auto poa = root->create_POA("deep", root->the_POAManager(), policies);
    const auto object = poa->id_to_reference(poa->activate_object(CORBA::make_reference<DeepServant>()));
    return IDL::traits<RtTest::Probe>::narrow(client->string_to_object(server->object_to_string(object)));
  }
  Orb server, client;
  CORBA::object_reference<PortableServer::POA> root;
  CORBA::object_reference<RTCORBA::RTORB> rt;
};

long first_upcalls_faults(Pair& orbs, bool buffered) {
  const auto pool =
      orbs.rt->create_threadpool_with_lanes(0, {{10, 1, 0}}, false, buffered, buffered ? 5 : 0, 0);
  return orbs
      .deep_probe({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 10),
                   orbs.rt->create_threadpool_policy(pool)})
      ->look()
      .native_priority();
}

class Prefault : public testing::TestWithParam<bool> {};

TEST_P(Prefault, ALanesFirstUpcallDoesNotFault) {
  REQUIRE_OWN_MEMORY();
  Pair orbs({"-ORBStackPrefault", "512KiB"});
  EXPECT_EQ(first_upcalls_faults(orbs, GetParam()), 0);
}

TEST_P(Prefault, WithoutItFaultsForEachPage) {
  REQUIRE_OWN_MEMORY();
  Pair orbs({});
  EXPECT_GE(first_upcalls_faults(orbs, GetParam()), 30);
}

INSTANTIATE_TEST_SUITE_P(Lanes, Prefault, testing::Bool(),
                         [](const auto& one) { return one.param ? "buffered" : "direct"; });

TEST(Prefault, HoldsForTheServersPool) {
  REQUIRE_OWN_MEMORY();
  for (const char* const concurrency : {"leader-followers", "worker-pool", "threading-framework"}) {
    Pair orbs({"-ORBStackPrefault", "512KiB", "-ORBServerConcurrency", concurrency});
    EXPECT_EQ(orbs.deep_probe({})->look().native_priority(), 0) << concurrency;
  }
}

TEST(LockMemory, LocksOrSaysWhyNot) {
  REQUIRE_OWN_MEMORY();
  testing::internal::CaptureStderr();
  long now = 0;
  {
    Pair orbs({"-ORBLockMemory", "on"});
    now = locked_kib();
    orbs.deep_probe({})->look();
  }
  ::munlockall();
  const std::string said = testing::internal::GetCapturedStderr();
  if (now > 0)
    EXPECT_EQ(said, "");
  else
    EXPECT_NE(said.find("memory is not locked"), std::string::npos) << said;
}

// In a child process.
[[noreturn]] void serve_without_the_right() {
  const rlimit small{65536, 65536};
  ::setrlimit(RLIMIT_MEMLOCK, &small);
  if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
  Pair orbs({"-ORBLockMemory", "on"});
  orbs.deep_probe({})->look();
  ::_exit(locked_kib() == 0 ? 0 : 3);
}

TEST(LockMemoryDeathTest, GoesOnWithoutTheRight) {
  REQUIRE_OWN_MEMORY();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(serve_without_the_right(), testing::ExitedWithCode(0), "memory is not locked: .*CAP_IPC_LOCK");
}

}  // namespace
}  // namespace real_time
