// Naming services that share a tree in etcd: processes of both are killed, stopped and restarted.
//
// TAKT_CLUSTER_RESOLVES: how often names are resolved while etcd's leader is killed; 100,000 by default.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "cluster_service.h"
#include "etcd_members.h"

namespace feature {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct NamingCluster : testing::Test {
  static void SetUpTestSuite() {
    members = std::make_unique<EtcdMembers>();
    members->leader();
  }
  static void TearDownTestSuite() { members.reset(); }
  static std::unique_ptr<EtcdMembers> members;
};
std::unique_ptr<EtcdMembers> NamingCluster::members;

// Names that were bound, for threads that resolve them.
class BoundNames {
 public:
  void add(std::string name) {
    const std::lock_guard lock(mutex_);
    names_.push_back(std::move(name));
  }
  std::string at(std::size_t number) const {
    const std::lock_guard lock(mutex_);
    return names_[number % names_.size()];
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return names_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> names_;
};

TEST_F(NamingCluster, ServicesAgreeAtOnce) {
  Service one(members->store()), two(members->store());
  one.root()->bind_new_context(name("tour"));
  two.root()->bind_new_context(name("tour/sub.k"));
  one.root()->bind(name("tour/sub.k/o"), one.object("first"));
  EXPECT_TRUE(two.leads_to("tour/sub.k/o", "first")) << "bound a moment ago, elsewhere";
  EXPECT_EQ(two.thrown([&](auto& root) { root.bind(name("tour/sub.k/o"), two.object("second")); }),
            "AlreadyBound");
  two.root()->unbind(name("tour/sub.k/o"));
  EXPECT_EQ(one.thrown([&](auto& root) { root.unbind(name("tour/sub.k/o")); }), "NotFound missing_node o");
  const auto made_at_one = one.root()->new_context();
  const auto text = one.orb().object_to_string(made_at_one);
  two.root()->bind_context(name("tour/made"),
                           IDL::traits<NamingContext>::unchecked_narrow(two.orb().string_to_object(text)));
  made_at_one->bind(name("x"), one.object("x"));
  EXPECT_TRUE(two.leads_to("tour/made/x", "x")) << "the context is one of both services";
  EXPECT_EQ(two.thrown([&](auto& root) {
    IDL::traits<NamingContext>::narrow(root.resolve(name("tour/made")))->destroy();
  }),
            "NotEmpty");
  made_at_one->unbind(name("x"));
  IDL::traits<NamingContext>::narrow(two.root()->resolve(name("tour/made")))->destroy();
  EXPECT_THROW(made_at_one->bind(name("x"), one.object("x")), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(NamingCluster, OneOfManyBindsAName) {
  Service one(members->store()), two(members->store());
  std::atomic<int> bound{0}, refused{0}, other{0};
  constexpr int names = 20;
  {
    std::vector<std::jthread> threads;
    for (Service* service : {&one, &one, &two, &two})
      threads.emplace_back([&, service] {
        for (int i = 0; i < names; ++i) try {
            service->root()->bind(name("race" + std::to_string(i)), service->object("x"));
            ++bound;
          } catch (const NamingContext::AlreadyBound&) {
            ++refused;
          } catch (const CORBA::Exception&) {
            ++other;
          }
      });
  }
  EXPECT_EQ(bound, names);
  EXPECT_EQ(refused, 3 * names);
  EXPECT_EQ(other, 0);
}

TEST_F(NamingCluster, NobodyNoticesThatTheLeaderIsKilled) {
  const char* const wanted = std::getenv("TAKT_CLUSTER_RESOLVES");
  const std::uint64_t resolves = wanted ? std::strtoull(wanted, nullptr, 10) : 100'000;
  Service one(members->store()), two(members->store()), strict(members->store(), {"--max-staleness", "0s"});
  BoundNames names;
  one.root()->bind(name("leader0"), one.object("leader0"));
  names.add("leader0");
  std::atomic<std::uint64_t> resolved{0}, wrong{0}, failed_binds{0}, newest{0};
  std::atomic<bool> ends{false};
  {
    std::vector<std::jthread> threads;
    for (Service* service : {&one, &two})
      threads.emplace_back([&, service] {
        for (std::uint64_t i = 0; resolved < resolves; ++i, ++resolved) {
          const std::string text = names.at(i * 7919);
          try {
            if (!service->leads_to(text, text)) ++wrong;
          } catch (const CORBA::Exception& failure) {
            ADD_FAILURE() << text << ": " << failure.what();
          }
        }
        ends = true;
      });
    threads.emplace_back([&] {
      for (int i = 1; !ends; ++i) {
        const std::string text = "leader" + std::to_string(i);
        Service& service = i % 2 ? one : strict;
        try {
          service.root()->bind(name(text), service.object(text));
          names.add(text);
        } catch (const CORBA::Exception& failure) {
          ++failed_binds;
          std::cout << text << ": " << failure.what() << "\n";
        }
      }
    });
    threads.emplace_back([&] {  // a register: what is read is at least what was written before
      for (std::uint64_t i = 1; !ends; ++i) try {
          one.root()->rebind(name("register"), one.object(std::to_string(i)));
          newest = i;
        } catch (const CORBA::Exception&) {
          ++failed_binds;
        }
    });
    threads.emplace_back([&] {
      while (!ends && newest == 0) std::this_thread::yield();
      while (!ends) {
        const std::uint64_t before = newest;
        const auto found = strict.root()->resolve(name("register"));
        std::uint64_t number = before;
        while (number <= newest + 1 && !found->_is_equivalent(strict.object(std::to_string(number))))
          ++number;
        EXPECT_LE(number, newest + 1) << "older than " << before;
      }
    });
    while (resolved < resolves / 5) std::this_thread::sleep_for(milliseconds(5));
    const std::size_t leader = members->leader();
    (*members)[leader].kill();
    while (resolved < resolves / 2) std::this_thread::sleep_for(milliseconds(5));
    members->leader();  // there is one again
    members->start(leader);
  }
  std::cout << resolved << " resolves, " << names.all().size() << " names, " << newest << " rebinds\n";
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(failed_binds, 0u) << "what a dead leader leaves open is found out and tried again";
  for (const std::string& text : names.all())
    for (Service* service : {&one, &two, &strict}) EXPECT_TRUE(service->leads_to(text, text)) << text;
}

TEST_F(NamingCluster, AcknowledgedNamesOutliveAService) {
  Service one(members->store()), two(members->store());
  BoundNames names;
  std::atomic<bool> killed{false};
  {
    const std::jthread binder([&] {
      try {
        for (int i = 0;; ++i) {
          const std::string text = "kill" + std::to_string(i);
          one.root()->bind(name(text), one.object(text));
          names.add(text);
        }
      } catch (const CORBA::SystemException&) {
        EXPECT_TRUE(killed);
      }
    });
    while (names.all().size() < 50) std::this_thread::sleep_for(milliseconds(5));
    killed = true;
    one.process().kill();
  }
  for (const std::string& text : names.all()) EXPECT_TRUE(two.leads_to(text, text)) << text;
  one.start();
  for (const std::string& text : names.all()) EXPECT_TRUE(one.leads_to(text, text)) << text;
}

// A member that does not run keeps its connections, so only silence tells of it.
TEST_F(NamingCluster, AMemberThatIsStoppedIsLeftAlone) {
  Service one(members->store()), two(members->store());
  const std::size_t leader = members->leader();
  (*members)[leader].stop();
  for (int i = 0; i < 5; ++i) {
    const std::string text = "stopped" + std::to_string(i);
    one.root()->bind(name(text), one.object(text));
    EXPECT_TRUE(two.leads_to(text, text)) << text;
  }
  (*members)[leader].signal(SIGCONT);
}

TEST_F(NamingCluster, AWatchThatIsTooLateReadsTheTreeAgain) {
  const std::size_t cut = 2;
  Service one(members->store()),
      late(members->store(cut), {"--max-staleness", "500ms", "--etcd-timeout", "1s"});
  one.root()->bind(name("stays"), one.object("stays"));
  one.root()->bind(name("goes"), one.object("goes"));
  EXPECT_TRUE(late.leads_to("goes", "goes"));
  (*members)[cut].kill();
  members->leader();
  EXPECT_TRUE(one.works_again([&](auto& root) { root.unbind(name("goes")); }));
  one.root()->bind(name("comes"), one.object("comes"));
  ASSERT_TRUE(members->compact(0));
  const auto until = Clock::now() + Service::patience;
  std::string answer;
  while ((answer = late.thrown([&](auto& root) { root.resolve(name("goes")); })) == "nothing" &&
         Clock::now() < until)
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(answer, "TRANSIENT") << "its copy is too old";
  members->start(cut);
  EXPECT_TRUE(late.works_again([&](auto& root) { root.resolve(name("comes")); }));
  EXPECT_EQ(late.thrown([&](auto& root) { root.resolve(name("goes")); }), "NotFound missing_node goes");
  EXPECT_TRUE(late.leads_to("stays", "stays"));
}

TEST_F(NamingCluster, WithoutEtcdNamesAreResolvedForAWhile) {
  Service patient(members->store(), {"--max-staleness", "1h", "--etcd-timeout", "300ms"});
  const auto figures = [&] { return patient.state().cluster().at(0); };
  const auto first = figures();
  EXPECT_TRUE(first.answers());
  EXPECT_EQ((std::array{first.changes(), first.failed_changes(), first.readings()}),
            (std::array<std::uint64_t, 3>{0, 0, 1}));
  Service brief(members->store(), {"--max-staleness", "300ms", "--etcd-timeout", "300ms"});
  patient.root()->bind(name("alone"), patient.object("alone"));
  EXPECT_TRUE(brief.leads_to("alone", "alone"));
  const auto bound = patient.state();
  EXPECT_EQ(bound.bindings(), brief.state().bindings());
  EXPECT_EQ(bound.cluster().at(0).changes(), 1u);
  EXPECT_GT(bound.cluster().at(0).revision(), first.revision());
  for (std::size_t i = 0; i < EtcdMembers::count; ++i) (*members)[i].kill();
  const auto refusal = [&](Service& service) {
    return service.thrown([&](auto& root) { root.bind(name("never"), service.object("never")); });
  };
  EXPECT_EQ(refusal(patient), "PERSIST_STORE");
  EXPECT_TRUE(patient.leads_to("alone", "alone"));
  EXPECT_EQ(patient.thrown([](auto& root) { root.resolve(name("never")); }), "TRANSIENT")
      << "it may have been bound elsewhere";
  const auto lost = figures();
  EXPECT_EQ((std::array{lost.changes(), lost.failed_changes()}), (std::array<std::uint64_t, 2>{1, 1}));
  EXPECT_GE(lost.questions(), lost.failed_questions());
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(brief.thrown([](auto& root) { root.resolve(name("alone")); }), "TRANSIENT");
  for (int i = 0; i != 3000 && figures().answers(); ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_FALSE(figures().answers());
  EXPECT_GT(figures().failed_questions(), 0u);
  EXPECT_GT(figures().age_ns(), 300'000'000u);
  for (std::size_t i = 0; i < EtcdMembers::count; ++i) members->start(i);
  EXPECT_TRUE(brief.works_again([](auto& root) { root.resolve(name("alone")); }));
  EXPECT_TRUE(patient.works_again([&](auto& root) { root.rebind(name("never"), patient.object("now")); }));
  EXPECT_TRUE(brief.leads_to("never", "now"));
}

}  // namespace
}  // namespace feature
