// `takt schedule serve`: the paper's Scheduler over the wire, and its persistence.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include <takt/corba.h>

#include "../make_orb.h"
#include "RT_SchedulerS.h"
#include "process.h"

namespace feature {
namespace {

using namespace RT_Scheduler;
using SchedulerRef = IDL::traits<Scheduler>::ref_type;

constexpr std::uint64_t ms = 10'000;  // in units of 100 ns

class Folder {
 public:
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  const std::string path =
      (std::filesystem::temp_directory_path() / ("takt-scheduling-" + std::to_string(::getpid()))).string();
};

class Service {
 public:
  explicit Service(std::vector<std::string> options = {})
      : process_(TAKT_COMMAND, arguments(std::move(options))) {
    const std::string reference = process_.line();
    if (reference.empty()) throw std::runtime_error("takt schedule serve gave no reference");
    orb_ = make_orb({"-ORBRoundTripTimeout", "5s"}, "client");
    scheduler = IDL::traits<Scheduler>::narrow(orb_->string_to_object(reference));
  }
  ~Service() {
    scheduler.reset();
    orb_->destroy();
  }
  void kill() { process_.kill(); }
  bool ends() {
    process_.signal(SIGTERM);
    return process_.ends_within(std::chrono::seconds(5));
  }

  SchedulerRef scheduler;

 private:
  static std::vector<std::string> arguments(std::vector<std::string> options) {
    options.insert(options.begin(), {"schedule", "serve", "--listen", "iiop://127.0.0.1:0"});
    return options;
  }
  Process process_;
  Orb orb_;
};

std::int32_t registered(Scheduler& scheduler, const std::string& name, std::uint64_t worst,
                        std::int32_t period) {
  const auto handle = scheduler.create(name);
  scheduler.set(handle, worst, 0, 0, period, Importance::MEDIUM_IMPORTANCE, 0, 0);
  return handle;
}

struct Priority {
  std::int32_t of_system, sub, queue;
  bool operator==(const Priority&) const = default;
};
Priority priority_of(Scheduler& scheduler, std::int32_t handle) {
  Priority result{};
  scheduler.priority(handle, result.of_system, result.sub, result.queue);
  return result;
}

template <class Exception>
std::string reason(const std::function<void()>& call) {
  try {
    call();
  } catch (const Exception& refused) {
    return refused.reason();
  }
  return "not refused";
}

TEST(SchedulingService, RegistersAnalysesAndHandsOutPriorities) {
  Service service;
  Scheduler& scheduler = *service.scheduler;
  const auto display = registered(scheduler, "Display::draw", 20 * ms, 1000 * ms);
  const auto steer = registered(scheduler, "Flight::steer", 10 * ms, 50 * ms);
  const auto sensor = registered(scheduler, "Sensors::read", 2 * ms, 0);  // passive
  scheduler.add_dependency(steer, sensor, 2);
  scheduler.add_dependency(display, sensor, 1);
  EXPECT_EQ(scheduler.operations(), 3);
  EXPECT_EQ(scheduler.lookup("Sensors::read"), sensor);

  RT_Info_Set infos;
  scheduler.compute_scheduling(1, 99, infos);
  ASSERT_EQ(infos.size(), 3u);
  EXPECT_EQ(priority_of(scheduler, steer), (Priority{99, 0, 0}));
  EXPECT_EQ(priority_of(scheduler, display), (Priority{98, 0, 1}));
  EXPECT_EQ(priority_of(scheduler, sensor), priority_of(scheduler, steer)) << "its most urgent caller's";
  Priority by_name{};
  scheduler.entry_point_priority("Display::draw", by_name.of_system, by_name.sub, by_name.queue);
  EXPECT_EQ(by_name, priority_of(scheduler, display));
  EXPECT_NE(scheduler.report().find("Flight::steer"), std::string::npos);

  const RT_Info info = scheduler.get(steer);
  EXPECT_EQ(info.entry_point_(), "Flight::steer");
  EXPECT_EQ(info.worstcase_execution_time_(), 10 * ms);
  EXPECT_EQ(info.period_(), static_cast<std::int32_t>(50 * ms));
  EXPECT_EQ(info.priority_(), 99);
  ASSERT_EQ(info.dependencies_().size(), 1u);
  EXPECT_EQ(info.dependencies_()[0].rt_info(), sensor);
  EXPECT_EQ(info.dependencies_()[0].number_of_calls(), 2);
  EXPECT_TRUE(service.ends()) << "in good order";
}

TEST(SchedulingService, KeepsWhatThePaperDoesNotHave) {
  Service service;
  Scheduler& scheduler = *service.scheduler;
  const auto first = registered(scheduler, "first", 1 * ms, 100 * ms);
  const auto second = registered(scheduler, "second", 1 * ms, 0);
  scheduler.set_criticality(first, Criticality::VERY_HIGH_CRITICALITY);
  scheduler.set_constraints(first, {50 * ms, 1 * ms, 2 * ms, 3 * ms, 1});
  scheduler.add_one_way_dependency(first, second, 4);
  const RT_Info info = scheduler.get(first);
  EXPECT_EQ(info.criticality_(), Criticality::VERY_HIGH_CRITICALITY);
  EXPECT_EQ(info.constraints_().deadline(), 50 * ms);
  EXPECT_EQ(info.constraints_().phase(), 1 * ms);
  EXPECT_EQ(info.constraints_().jitter(), 2 * ms);
  EXPECT_EQ(info.constraints_().blocking(), 3 * ms);
  EXPECT_EQ(info.constraints_().processor(), 1);
  EXPECT_EQ(info.dependencies_()[0].type(), Dependency_Type::ONE_WAY_CALL);
  EXPECT_EQ(scheduler.all().size(), 2u);
}

TEST(SchedulingService, RefusesWithTheReason) {
  Service service;
  Scheduler& scheduler = *service.scheduler;
  RT_Info_Set infos;
  EXPECT_NE(reason<TASK_COUNT_MISMATCH>([&] { scheduler.compute_scheduling(1, 99, infos); }), "not refused");
  const auto one = registered(scheduler, "one", 30 * ms, 50 * ms);
  EXPECT_NE(reason<NOT_SCHEDULED>([&] { priority_of(scheduler, one); }).find("compute_scheduling"),
            std::string::npos);
  EXPECT_NE(reason<DUPLICATE_NAME>([&] { scheduler.create("one"); }).find("one"), std::string::npos);
  EXPECT_NE(reason<UNKNOWN_TASK>([&] { scheduler.get(7); }).find('7'), std::string::npos);
  EXPECT_NE(reason<UNKNOWN_TASK>([&] { scheduler.lookup("none"); }).find("none"), std::string::npos);
  EXPECT_NE(reason<BAD_REQUIREMENTS>([&] { scheduler.create(""); }), "not refused");
  const auto ask_for_ever = [&] {
    scheduler.set(one, ~std::uint64_t{0}, 0, 0, 1, Importance::LOW_IMPORTANCE, 0, 0);
  };
  EXPECT_NE(reason<BAD_REQUIREMENTS>(ask_for_ever).find("one"), std::string::npos);

  const auto two = registered(scheduler, "two", 30 * ms, 60 * ms);
  EXPECT_NE(
      reason<UTILIZATION_BOUND_EXCEEDED>([&] { scheduler.compute_scheduling(1, 99, infos); }).find("two"),
      std::string::npos);
  EXPECT_NE(scheduler.report().find("two"), std::string::npos) << "of what was refused";
  scheduler.set(two, 1 * ms, 0, 0, 60 * ms, Importance::LOW_IMPORTANCE, 0, 0);
  EXPECT_NE(reason<INSUFFICIENT_PRIORITY_LEVELS>([&] { scheduler.compute_scheduling(5, 5, infos); }),
            "not refused");
  scheduler.add_dependency(one, two, 1);
  scheduler.add_dependency(two, one, 1);
  const auto circle = reason<BAD_DEPENDENCIES>([&] { scheduler.compute_scheduling(1, 99, infos); });
  EXPECT_TRUE(circle.find("one") != std::string::npos && circle.find("two") != std::string::npos) << circle;
}

// If the service is killed at any time of a configuration run, acknowledged registrations are kept.
TEST(SchedulingService, KilledItHasLostNothingThatWasAcknowledged) {
  const Folder folder;
  const std::string file = folder.path + "/operations.db";
  std::mt19937 random(20);
  int acknowledged = 0;
  for (int round = 0; round < 15; ++round) {
    Service service({"--store", file});
    Scheduler& scheduler = *service.scheduler;
    const auto found = scheduler.all();
    ASSERT_GE(static_cast<int>(found.size()), acknowledged) << "round " << round;
    for (int i = 0; i < acknowledged; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)].entry_point_(), "operation " + std::to_string(i));
    acknowledged = static_cast<int>(found.size());  // one more may have been stored without acknowledgement
    std::thread killer([&, wait = std::chrono::microseconds(random() % 20'000)] {
      std::this_thread::sleep_for(wait);
      service.kill();
    });
    try {
      for (;; ++acknowledged) scheduler.create("operation " + std::to_string(acknowledged));
    } catch (const CORBA::SystemException&) {  // COMM_FAILURE, or TRANSIENT the next time
    }
    killer.join();
  }
  EXPECT_GT(acknowledged, 0);
}

TEST(SchedulingService, GoesOnWithWhatItsStoreHas) {
  const Folder folder;
  const std::string file = folder.path + "/operations.db";
  RT_Info before;
  {
    Service service({"--store", file});
    const auto one = registered(*service.scheduler, "one", 3 * ms, 50 * ms);
    const auto two = registered(*service.scheduler, "two", 1 * ms, 0);
    service.scheduler->add_dependency(one, two, 3);
    service.scheduler->set_constraints(one, {40 * ms, 0, 1 * ms, 0, 0});
    before = service.scheduler->get(one);
    service.kill();
  }
  Service service({"--store", file});
  const RT_Info after = service.scheduler->get(1);
  EXPECT_EQ(after.constraints_().deadline(), before.constraints_().deadline());
  ASSERT_EQ(after.dependencies_().size(), 1u);
  EXPECT_EQ(after.dependencies_()[0].number_of_calls(), 3);
  EXPECT_EQ(service.scheduler->create("three"), 3);
  RT_Info_Set infos;
  service.scheduler->set(3, 1 * ms, 0, 0, 100 * ms, Importance::LOW_IMPORTANCE, 0, 0);
  service.scheduler->compute_scheduling(1, 99, infos);
  EXPECT_EQ(infos.size(), 3u);
}

TEST(SchedulingService, ItsStoreCanBeAnalysedWithoutIt) {
  const Folder folder;
  const std::string file = folder.path + "/operations.db";
  {
    Service service({"--store", file});
    registered(*service.scheduler, "Flight::steer", 3 * ms, 50 * ms);
    service.kill();
  }
  Process analysis(TAKT_COMMAND, {"schedule", "analyse", file});
  EXPECT_NE(analysis.line().find("every deadline is met"), std::string::npos);
}

TEST(SchedulingService, AFileThatIsSomethingElseIsLeftAlone) {
  const Folder folder;
  const std::string file = folder.path + "/notes.txt";
  const std::string text = "not a database, but somebody's notes: " + std::string(2000, 'x');
  std::ofstream(file) << text;
  Process process(TAKT_COMMAND, {"schedule", "serve", "--store", file});
  EXPECT_EQ(process.line(), "") << "it does not start";
  std::ifstream again(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(again), {}), text);
}

}  // namespace
}  // namespace feature
