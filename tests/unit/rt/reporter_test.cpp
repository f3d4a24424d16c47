#include "rt/operations/reporter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

namespace takt::rt {
namespace reporter_test {

using namespace std::chrono_literals;

TEST(Reporter, WhatManyThreadsPutIsToldOnceOrCountedAsLost) {
  constexpr int threads = 4, each = 5000;
  std::set<std::int64_t> told;
  std::size_t times = 0;
  std::uint64_t lost = 0;
  {
    Reporter reporter(
        [&](const ScheduleReport& report) {
          told.insert(report.took.count());
          EXPECT_EQ(report.took, report.allowed) << "half of one and half of another";
          ++times;
        },
        64, nullptr);
    std::vector<std::jthread> putting;
    for (int thread = 0; thread < threads; ++thread)
      putting.emplace_back([&, thread] {
        for (int i = 0; i < each; ++i) {
          const std::chrono::nanoseconds number(thread * each + i);
          reporter.put({.operation = {}, .took = number, .allowed = number});
        }
      });
    putting.clear();
    reporter.stop(10s);
    lost = reporter.lost();
  }
  EXPECT_EQ(times, told.size());
  EXPECT_EQ(told.size() + lost, std::size_t{threads} * each);
  EXPECT_GE(told.size(), 64u);
}

TEST(Reporter, OneThreadsReportsAreToldInTheirOrder) {
  std::vector<std::int64_t> told;
  Reporter reporter([&](const ScheduleReport& report) { told.push_back(report.took.count()); }, 1000,
                    nullptr);
  for (int i = 0; i < 500; ++i) reporter.put({.operation = {}, .took = std::chrono::nanoseconds(i)});
  reporter.stop(10s);
  ASSERT_EQ(told.size(), 500u);
  EXPECT_TRUE(std::ranges::is_sorted(told));
}

TEST(Reporter, StoppingWaitsNoLongerThanItMayAndKeepsTheNamesAsLongAsTheCallBackRuns) {
  std::atomic<bool> inside{false}, go_on{false}, gone{false};
  auto names = std::shared_ptr<const void>(nullptr, [&](const void*) { gone = true; });
  {
    Reporter reporter(
        [&](const ScheduleReport&) {
          inside = true;
          inside.notify_all();
          go_on.wait(false);
        },
        8, std::move(names));
    reporter.put({});
    inside.wait(false);
    reporter.stop(1ms);
  }
  EXPECT_FALSE(gone);
  go_on = true;
  go_on.notify_all();
  for (int i = 0; i < 10'000 && !gone; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(gone);
}

}  // namespace reporter_test
}  // namespace takt::rt
