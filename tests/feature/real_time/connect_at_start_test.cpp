// -ORBConnectAtStart in a server: each thread of its pools opens its connections before it serves, so that
// the first nested call opens none.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <optional>
#include <ostream>

#include <takt/rt/periodic.h>
#include <takt/rt/schedule.h>

#include "../../eventually.h"
#include "../kept_port.h"
#include "probe_servant.h"

namespace {
std::atomic<int> watched_port{0};
std::atomic<std::size_t> connects{0};  // to the backend
}  // namespace

// Replaces the C library's connect() to count connections to the port.
extern "C" int connect(int fd, const sockaddr* address, socklen_t length) {
  if (address->sa_family == AF_INET &&
      ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port) == watched_port)
    ++connects;
  return static_cast<int>(::syscall(SYS_connect, fd, address, length));
}

namespace real_time {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;

constexpr unsigned most_threads = 3;

// Calls the other server's object in its upcalls.
class NestedServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  explicit NestedServant(ProbeRef backend) : backend_(std::move(backend)) {}
  RtTest::Seen look() override { return backend_->look(); }
  RtTest::Seen look_through(ProbeRef other) override { return other->look(); }
  bool meet(std::uint32_t callers) override { return backend_->meet(callers); }

 private:
  const ProbeRef backend_;
};

// The other server, whose connections are counted.
class Backend {
 public:
  Backend()
      : orb_(make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLocalRoads", "off"}, "backend")) {
    const auto root = initial<PortableServer::POA>(orb_, "RootPOA");
    root->the_POAManager()->activate();
    const auto id = root->activate_object(CORBA::make_reference<ProbeServant>(orb_));
    ior_ = orb_->object_to_string(root->id_to_reference(id));
    const std::string endpoint = orb_->_published_endpoints().front();
    watched_port = std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
    connects = 0;
  }
  ~Backend() { orb_->destroy(); }
  const std::string& ior() const { return ior_; }

 private:
  const Orb orb_;
  std::string ior_;
};

// False if there are fewer after a while.
bool have_connected(std::size_t count) {
  for (int i = 0; i < 1000 && connects < count; ++i) std::this_thread::sleep_for(10ms);
  return connects >= count;
}

struct PoolKind {
  const char* name;
  std::vector<std::string> options;                                 // for the server
  std::function<RTCORBA::ThreadpoolId(RTCORBA::RTORB&)> make_pool;  // empty: uses the server's own threads
  unsigned threads;
  friend std::ostream& operator<<(std::ostream& to, const PoolKind& kind) { return to << kind.name; }
};

class PoolsThatConnect : public testing::TestWithParam<PoolKind> {
 protected:
  std::vector<std::string> options(std::vector<std::string> more) const {
    std::vector<std::string> all{"-ORBListenEndpoints", "iiop://127.0.0.1:0",
                                 "-ORBSchedulingClass", "other",
                                 "-ORBPriorityMapping", "linear"};
    all.insert(all.end(), GetParam().options.begin(), GetParam().options.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // A server as the parameter describes, whose object makes nested calls.
  struct Server {
    Server(const std::vector<std::string>& options, const std::string& backend)
        : orb(make_orb(options, "server")),
          rt(initial<RTCORBA::RTORB>(orb, "RTORB")),
          root(initial<PortableServer::POA>(orb, "RootPOA")) {
      const auto& make_pool = GetParam().make_pool;
      CORBA::PolicyList policies;
      if (make_pool) {
        pool = make_pool(*rt);
        policies = {rt->create_threadpool_policy(pool),
                    rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10)};
      }
      const auto poa = root->create_POA("nested", root->the_POAManager(), policies);
      const auto other = IDL::traits<RtTest::Probe>::narrow(orb->string_to_object(backend));
      const auto id = poa->activate_object(CORBA::make_reference<NestedServant>(other));
      ior = orb->object_to_string(poa->id_to_reference(id));
      root->the_POAManager()->activate();
    }
    ~Server() { orb->destroy(); }
    const Orb orb;
    const CORBA::object_reference<RTCORBA::RTORB> rt;
    const CORBA::object_reference<PortableServer::POA> root;
    RTCORBA::ThreadpoolId pool = 0;
    std::string ior;
  };
  // Calls in each of the pool's threads at the same time.
  static void call_in_all_threads(const Server& server) {
    const Orb client = make_orb({"-ORBSchedulingClass", "other"}, "client");
    const auto nested = IDL::traits<RtTest::Probe>::narrow(client->string_to_object(server.ior));
    std::atomic<unsigned> met{0};
    {
      std::vector<std::jthread> callers;
      for (unsigned i = 0; i < GetParam().threads; ++i)
        callers.emplace_back([&] { met += nested->meet(GetParam().threads) ? 1 : 0; });
    }
    EXPECT_EQ(met, GetParam().threads) << "all threads of the pool were in an upcall at once";
    client->destroy();
  }
};

TEST_P(PoolsThatConnect, OpenNoneInTheFirstNestedCall) {
  const Backend backend;
  const Server server(options({"-ORBConnectAtStart", backend.ior()}), backend.ior());
  const std::size_t expected = 1 + GetParam().threads;  // 1 for the thread that called ORB_init
  ASSERT_TRUE(have_connected(expected)) << connects << " of " << expected;
  const std::size_t before = connects;
  call_in_all_threads(server);
  EXPECT_EQ(connects, before) << "none was opened in an upcall";
}

// Pools with a number; 0 is the ORB's own lanes.
class PoolsThatAreAsked : public PoolsThatConnect {};

TEST_P(PoolsThatAreAsked, OpenOneForEachThread) {
  const Backend backend;
  const Server server(options({}), backend.ior());
  const auto other = server.orb->string_to_object(backend.ior());
  const std::size_t before = connects;
  CORBA::PolicyList inconsistent;
  EXPECT_TRUE(server.rt->_validate_connection(server.pool, other, inconsistent, 20s));
  EXPECT_EQ(connects, before + GetParam().threads) << "one for each thread";
  EXPECT_TRUE(server.rt->_validate_connection(server.pool, other, inconsistent, 20s));
  call_in_all_threads(server);
  EXPECT_EQ(connects, before + GetParam().threads) << "which asking again and calls use";
}

TEST_P(PoolsThatConnect, ServeAllTheSameWhereTheyCannot) {
  const feature::KeptPort nobody;
  std::optional<Backend> backend(std::in_place);
  const std::string gone = "corbaloc::127.0.0.1:" + std::to_string(nobody.port()) + "/Gone";
  testing::internal::CaptureStderr();
  {
    const Server server(options({"-ORBConnectAtStart", gone, "-ORBConnectAtStartFailure", "warn",
                                 "-ORBConnectAtStart", backend->ior(), "-ORBConnectAtStartTimeout", "2s"}),
                        backend->ior());
    call_in_all_threads(server);
  }
  EXPECT_NE(testing::internal::GetCapturedStderr().find(gone), std::string::npos);
}

const PoolKind kinds[] = {
    {"lanes_of_one",
     {},
     [](auto& rt) { return rt.create_threadpool_with_lanes(0, {{10, 1, 0}}, false, false, 0, 0); },
     1},
    {"lanes_of_several",
     {},
     [](auto& rt) { return rt.create_threadpool_with_lanes(0, {{10, most_threads, 0}}, false, false, 0, 0); },
     most_threads},
    {"lanes_that_buffer",
     {},
     [](auto& rt) { return rt.create_threadpool_with_lanes(0, {{10, most_threads, 0}}, false, true, 10, 0); },
     most_threads},
    {"lanes_that_borrow",
     {},
     [](auto& rt) { return rt.create_threadpool_with_lanes(0, {{10, most_threads, 0}}, true, true, 10, 0); },
     most_threads},
    {"without_lanes", {}, [](auto& rt) { return rt.create_threadpool(0, 2, 0, 10, false, 0, 0); }, 2},
    {"lanes_of_the_orb", {"-ORBLanes", "10=2"}, {}, 2},
    {"leader_followers", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "3"}, {}, 3},
    {"worker_pool", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "3"}, {}, 3},
    {"threading_framework",
     {"-ORBServerConcurrency", "threading-framework", "-ORBServerThreads", "3"},
     {},
     3},
};

constexpr std::size_t with_number = 6;  // the first of these have a number
INSTANTIATE_TEST_SUITE_P(Each, PoolsThatAreAsked, testing::ValuesIn(std::begin(kinds), kinds + with_number),
                         [](const auto& kind) { return std::string(kind.param.name); });
INSTANTIATE_TEST_SUITE_P(Each, PoolsThatConnect, testing::ValuesIn(kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(ThreadsThatConnect, SayOnceWhatTheyHaveNotReached) {
  std::optional<Backend> backend(std::in_place);
  testing::internal::CaptureStderr();
  const Orb server = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBSchedulingClass", "other",
                               "-ORBConnectAtStart", backend->ior()},
                              "server");
  const std::string gone = backend->ior();
  backend.reset();  // after ORB_init has connected to it
  const auto rt = initial<RTCORBA::RTORB>(server, "RTORB");
  const auto pool = rt->create_threadpool(0, most_threads, 0, 10, false, 0, 0);
  CORBA::PolicyList inconsistent;
  EXPECT_THROW(rt->_validate_connection(pool, server->string_to_object(gone), inconsistent), CORBA::TRANSIENT)
      << "by a thread that has begun to serve";
  server->destroy();
  const std::string said = testing::internal::GetCapturedStderr();
  const auto first = said.find("is about to serve");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("is about to serve", first + 1), std::string::npos) << said;
}

TEST(ThreadsThatConnect, RefuseWhatCannotBeAsked) {
  const Backend backend;
  const Orb server =
      make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBSchedulingClass", "other"}, "server");
  const auto rt = initial<RTCORBA::RTORB>(server, "RTORB");
  const auto pool = rt->create_threadpool(0, 1, 0, 10, false, 0, 0);
  const auto other = server->string_to_object(backend.ior());
  CORBA::PolicyList inconsistent;
  EXPECT_THROW(rt->_validate_connection(pool + 1, other, inconsistent), RTCORBA::RTORB::InvalidThreadpool);
  EXPECT_THROW(rt->_validate_connection(0, other, inconsistent), RTCORBA::RTORB::InvalidThreadpool);
  EXPECT_THROW(rt->_validate_connection(pool, nullptr, inconsistent), CORBA::BAD_PARAM);
  const feature::KeptPort nobody;
  const auto gone =
      server->string_to_object("corbaloc::127.0.0.1:" + std::to_string(nobody.port()) + "/Gone");
  EXPECT_THROW(rt->_validate_connection(pool, gone, inconsistent), CORBA::TRANSIENT);
  server->shutdown(true);
  EXPECT_THROW(rt->_validate_connection(pool, other, inconsistent), CORBA::BAD_INV_ORDER)
      << "no thread is there to open any";
  server->destroy();
}

TEST(ThreadsThatConnect, PeriodicDispatchersAreAmongThem) {
  const Backend backend;
  const Orb orb =
      make_orb({"-ORBSchedulingClass", "other", "-ORBConnectAtStart", backend.ior()}, "dispatcher");
  const auto scheduler = initial<takt::rt::RunTimeScheduler>(orb, "RunTimeScheduler");
  scheduler->install({{.name = "RtTest::Probe::look", .period = 10ms, .deadline = 10ms}});
  const auto dispatcher = initial<takt::rt::PeriodicDispatcher>(orb, "PeriodicDispatcher");
  const auto other = IDL::traits<RtTest::Probe>::narrow(orb->string_to_object(backend.ior()));
  std::atomic<int> jobs{0};
  dispatcher->add({.operation = "RtTest::Probe::look", .call = [&](const takt::rt::PeriodicJob&) {
                     other->look();
                     ++jobs;
                   }});
  EXPECT_EQ(connects, 1u) << "that of ORB_init's thread";
  dispatcher->start();
  EXPECT_EQ(connects, 2u) << "before the first job";
  EXPECT_TRUE(eventually([&] { return jobs != 0; }));
  EXPECT_EQ(connects, 2u);
  orb->destroy();
}

}  // namespace
}  // namespace real_time
