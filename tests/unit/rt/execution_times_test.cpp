// Measuring execution times with a test clock.
#include "rt/measuring/execution_times.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace takt::rt {
namespace {

using Times = ExecutionTimes;
constexpr const char* sensors = "IDL:Avionics/Sensors:1.0";
constexpr const char* display = "IDL:omg.org/Avionics/Display:1.0";

thread_local std::int64_t processor_ns = 0;
Times::Time read_clock() { return Times::Time(processor_ns); }

void run_for(Times& times, const char* interface, std::string_view operation, std::int64_t ns) {
  const Times::Run run(times, interface, operation);
  processor_ns += ns;
}

TEST(ExecutionTimes, FiguresAreOfEachOperation) {
  Times times(read_clock);
  for (int i = 1; i <= 100; ++i) run_for(times, sensors, "read", i * 1'000'000);
  run_for(times, display, "draw", 7);
  const auto all = times.figures();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].operation, "Avionics::Display::draw");
  EXPECT_EQ(all[0].runs, 1);
  EXPECT_EQ(all[0].median.count(), 7);
  EXPECT_EQ(all[0].longest.count(), 7);
  EXPECT_EQ(all[1].operation, "Avionics::Sensors::read");
  EXPECT_EQ(all[1].runs, 100);
  EXPECT_EQ(all[1].longest.count(), 100'000'000);
  EXPECT_GE(all[1].median.count(), 51'000'000);
  EXPECT_LE(all[1].median.count(), 51'000'000 / 64 * 65);
  EXPECT_EQ(all[1].p99.count(), 100'000'000) << "never more than the longest";
}

TEST(ExecutionTimes, WhatItCallsIsTheCallees) {
  Times times(read_clock);
  {
    const Times::Run outer(times, display, "draw");
    processor_ns += 5;
    for (int i = 0; i < 3; ++i) {
      const Times::Run middle(times, sensors, "read");
      processor_ns += 100;
      run_for(times, sensors, "filter", 1000);
    }
    processor_ns += 6;
  }
  const auto all = times.figures();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].longest.count(), 11) << all[0].operation;
  EXPECT_EQ(all[1].longest.count(), 1000) << all[1].operation;
  EXPECT_EQ(all[2].longest.count(), 100) << all[2].operation;
  EXPECT_EQ(all[2].runs, 3);
}

TEST(ExecutionTimes, PercentilesAreNeverTooSmall) {
  for (std::int64_t ns = 1; ns < std::int64_t{1} << 61; ns = ns * 5 / 3 + 1) {
    Times times(read_clock);
    run_for(times, sensors, "read", ns);
    for (int i = 0; i < 2; ++i) run_for(times, sensors, "read", std::int64_t{1} << 61);
    run_for(times, sensors, "read", 0);
    run_for(times, sensors, "read", 0);
    const std::int64_t median = times.figures()[0].median.count();
    EXPECT_GE(median, ns);
    EXPECT_LE(median, ns + ns / 64);
    processor_ns = 0;
  }
}

TEST(ExecutionTimes, NamesThatAreNoneAreLeftOut) {
  Times times(read_clock);
  run_for(times, sensors, "re\"ad", 1);
  run_for(times, sensors, "", 1);
  run_for(times, sensors, std::string(300, 'x'), 1);
  run_for(times, "", "read", 1);
  run_for(times, "RMI:x.Y:0", "read", 1);
  run_for(times, "IDL:a/b\"/c:1.0", "read", 1);
  EXPECT_TRUE(times.figures().empty());
  EXPECT_EQ(times.left_out(), 6);
}

TEST(ExecutionTimes, ThereIsAMostOfOperations) {
  Times times(read_clock);
  for (std::size_t i = 0; i < Times::most_operations + 5; ++i)
    run_for(times, sensors, "o" + std::to_string(i), 1);
  run_for(times, sensors, "o7", 1);
  EXPECT_EQ(times.figures().size(), Times::most_operations);
  EXPECT_EQ(times.left_out(), 5);
}

TEST(ExecutionTimes, ThreadsRecordIntoOne) {
  Times times(read_clock);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; ++j) run_for(times, sensors, "read", 10);
    });
  threads.clear();
  EXPECT_EQ(times.figures()[0].runs, 4000);
  EXPECT_EQ(times.figures()[0].longest.count(), 10);
}

}  // namespace
}  // namespace takt::rt
