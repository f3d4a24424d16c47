// The findings of `takt rt check` for simulated machines.
#include "rt/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "rt/wake_up.h"

namespace takt::command {
namespace {

class MadeUpMachine : public testing::Test {
 protected:
  MadeUpMachine()
      : root_(std::filesystem::path(testing::TempDir()) / ("takt-machine-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(root_);
  }
  ~MadeUpMachine() override { std::filesystem::remove_all(root_); }

  void has(const std::string& path, const std::string& content) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content << '\n';
  }
  Finding finding(const std::string& check) {
    for (Finding& each : settings_of(root_))
      if (each.check == check) return each;
    ADD_FAILURE() << "no finding " << check;
    return {};
  }

  const std::filesystem::path root_;
};

TEST_F(MadeUpMachine, ThatSaysNothingIsUnknownOrAssumedFixed) {
  EXPECT_EQ(finding("kernel").health, Health::unknown);
  EXPECT_EQ(finding("throttling").health, Health::unknown);
  EXPECT_EQ(finding("fair server").health, Health::unknown);
  EXPECT_EQ(finding("clock").health, Health::unknown);
  EXPECT_EQ(finding("frequency").health, Health::good);
  EXPECT_EQ(finding("idle states").health, Health::good);
}

TEST_F(MadeUpMachine, PreemptionIsWhatTheKernelChose) {
  has("proc/version", "Linux version 6.1 SMP PREEMPT_DYNAMIC");
  EXPECT_EQ(finding("preemption").health, Health::unknown);
  has("sys/kernel/debug/sched/preempt", "none (voluntary) full");
  EXPECT_EQ(finding("preemption").health, Health::bad);
  EXPECT_NE(finding("preemption").advice.find("preempt=full"), std::string::npos);
  has("sys/kernel/debug/sched/preempt", "none voluntary (full)");
  EXPECT_EQ(finding("preemption").health, Health::note);
  has("sys/kernel/realtime", "1");
  EXPECT_EQ(finding("preemption").health, Health::good);
}

TEST_F(MadeUpMachine, ThrottlingAndFairServersSayTheirShare) {
  has("proc/sys/kernel/sched_rt_period_us", "1000000");
  has("proc/sys/kernel/sched_rt_runtime_us", "950000");
  EXPECT_EQ(finding("throttling").health, Health::note);
  EXPECT_NE(finding("throttling").found.find("950 ms of 1000 ms"), std::string::npos);
  has("proc/sys/kernel/sched_rt_runtime_us", "-1");
  EXPECT_EQ(finding("throttling").health, Health::good);

  has("sys/kernel/debug/sched/fair_server/cpu0/runtime", "0");
  has("sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000");
  EXPECT_EQ(finding("fair server").health, Health::good);
  has("sys/kernel/debug/sched/fair_server/cpu1/runtime", "50000000");
  has("sys/kernel/debug/sched/fair_server/cpu1/period", "1000000000");
  EXPECT_EQ(finding("fair server").health, Health::bad);
  EXPECT_NE(finding("fair server").found.find("50 ms of each 1000 ms"), std::string::npos);
  EXPECT_NE(finding("fair server").advice.find("/sys/kernel/debug/sched/fair_server/cpu1/runtime"),
            std::string::npos);
}

TEST_F(MadeUpMachine, ProcessorsThatSleepOrSlowDownAreSaid) {
  has("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
  EXPECT_EQ(finding("frequency").health, Health::good);
  has("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave");
  EXPECT_EQ(finding("frequency").health, Health::bad);
  EXPECT_NE(finding("frequency").found.find("powersave"), std::string::npos);
  has("sys/devices/system/cpu/cpu1/cpuidle/state3/latency", "890");
  has("sys/devices/system/cpu/cpu1/cpuidle/state3/name", "C10");
  EXPECT_EQ(finding("idle states").health, Health::bad);
  EXPECT_NE(finding("idle states").found.find("C10"), std::string::npos);
  has("sys/devices/system/cpu/cpu1/cpuidle/state3/disable", "1");
  EXPECT_EQ(finding("idle states").health, Health::good);
}

TEST_F(MadeUpMachine, IsolationSwapAndClockAreRead) {
  EXPECT_EQ(finding("isolated cores").health, Health::note);
  has("sys/devices/system/cpu/isolated", "2-3");
  EXPECT_EQ(finding("isolated cores").health, Health::good);
  has("proc/swaps", "Filename Type Size\n/dev/sda2 partition 1");
  EXPECT_EQ(finding("swap").health, Health::note);
  has("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
  EXPECT_EQ(finding("clock").health, Health::bad);
  has("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
  EXPECT_EQ(finding("clock").health, Health::good);
}

TEST(WakeUps, AreMeasuredOnEachProcessorAndSorted) {
  const auto all = measure_wake_ups(50, std::chrono::milliseconds(20));
  ASSERT_FALSE(all.empty());
  for (const WakeUps& each : all) {
    EXPECT_EQ(each.lateness.size(), 20u);
    EXPECT_TRUE(std::ranges::is_sorted(each.lateness));
    EXPECT_GE(each.lateness.front().count(), 0);
  }
}

TEST(WakeUps, AdviseRepairsOnlyWhereSomethingIsBad) {
  const auto advice = [](int us, bool real_time, bool settings_are_bad) {
    return finding_of({0, real_time ? 80 : 0, {std::chrono::microseconds(us)}}, settings_are_bad).advice;
  };
  EXPECT_EQ(advice(100, true, true), "");
  EXPECT_EQ(advice(101, true, true).find("repair what is BAD above"), 0u);
  EXPECT_EQ(advice(5000, true, false).find("in a virtual machine"), 0u);
  EXPECT_EQ(advice(5000, false, false).find("give the process"), 0u);
}

TEST(Privileges, AreSaidWithWhatToDo) {
  for (const Finding& each : privileges())
    EXPECT_EQ(each.advice.empty(), each.health == Health::good) << each.check;
}

}  // namespace
}  // namespace takt::command
