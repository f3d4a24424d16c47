// Turning measured execution times into declared ones.
#include "scheduling/output/calibration.h"

#include <algorithm>

#include "sets.h"

namespace takt::scheduling {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

Repository flight() {
  Repository set;
  Requirements steer = needs(10'000'000, 50'000'000);
  steer.cached_execution_time = milliseconds(3);
  declare(set, "steer", steer);
  declare(set, "draw", needs(20'000'000, 200'000'000));
  return set;
}

Execution execution(const std::string& name, Time median, Time longest, std::int64_t runs = 1000) {
  return {name, runs, median, longest, longest};
}

TEST(Calibration, TheLongestRunAndAMarginIsTheWorstCase) {
  const Execution runs[] = {execution("steer", microseconds(4000), Time(5'000'001))};
  const Calibration done = calibrate(flight(), runs, 20);
  ASSERT_EQ(done.declarations.size(), 1u);
  const Declaration& steer = done.declarations[0];
  EXPECT_EQ(steer.needs.worstcase_execution_time, microseconds(6001)) << "rounded up";
  EXPECT_EQ(steer.needs.typical_execution_time, microseconds(4000));
  EXPECT_FALSE(steer.says("cached"));
  EXPECT_FALSE(steer.says("period"));
  EXPECT_EQ(done.changes[0].declared, milliseconds(10));
  EXPECT_EQ(done.unmeasured, std::vector<std::string>{"draw"});
}

TEST(Calibration, ACachedTimeIsNeverOverTheNewWorstCase) {
  const Execution runs[] = {execution("steer", microseconds(1), milliseconds(2))};
  const Calibration done = calibrate(flight(), runs, 0);
  EXPECT_EQ(done.declarations[0].needs.cached_execution_time, milliseconds(2));
  EXPECT_TRUE(done.declarations[0].says("cached"));
  EXPECT_TRUE(done.changes[0].cached_lowered);
  EXPECT_NE(calibration_report(done).find("cached time"), std::string::npos);
}

TEST(Calibration, InheritedOperationsCountForWhoDeclaresThem) {
  Repository set;
  for (const char* name : {"Flight::Unit::look", "Flight::Unit::spin", "Flight::Wing::spin"})
    declare(set, name, needs(1'000'000, 50'000'000));
  std::vector<Execution> runs = {
      execution("Flight::Unit::look", Time(1), milliseconds(2)),
      execution("Flight::Wing::look", Time(1), milliseconds(3)),
      execution("Flight::Wing::spin", Time(1), milliseconds(4)),
      execution("Flight::Winglet::look", Time(1), milliseconds(5)),
      execution("Flight::Wing::gone", Time(1), milliseconds(6)),
  };
  const Inheritance inherited[] = {{"Flight::Wing", "Flight::Unit"}};
  name_as_declared(runs, set, inherited);
  const Calibration done = calibrate(set, combined(runs), 0);
  ASSERT_EQ(done.changes.size(), 2u);
  EXPECT_EQ(done.changes[0].measured.operation, "Flight::Unit::look");
  EXPECT_EQ(done.changes[0].calibrated, milliseconds(3));
  EXPECT_EQ(done.changes[1].measured.operation, "Flight::Wing::spin") << "it is declared itself";
  EXPECT_EQ(done.unknown, (std::vector<std::string>{"Flight::Winglet::look", "Flight::Wing::gone"}));
}

TEST(Calibration, WhatNobodyKnowsIsSaid) {
  const Execution runs[] = {execution("steer", Time(1), Time(2), 7), execution("gone", Time(1), Time(2))};
  const Calibration done = calibrate(flight(), runs, 20);
  EXPECT_EQ(done.unknown, std::vector<std::string>{"gone"});
  const std::string report = calibration_report(done);
  EXPECT_NE(report.find("not among these operations: gone"), std::string::npos) << report;
  EXPECT_NE(report.find("fewer than 100 times, so the longest time is not reliable: steer"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("not measured; unchanged: draw"), std::string::npos) << report;
}

TEST(Calibration, SeveralMeasurementsAreOne) {
  const Execution runs[] = {execution("a", Time(5), Time(9), 10), execution("b", Time(1), Time(1), 1),
                            execution("a", Time(4), Time(12), 20)};
  const auto all = combined(runs);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].runs, 30);
  EXPECT_EQ(all[0].median, Time(5));
  EXPECT_EQ(all[0].longest, Time(12));
}

TEST(Calibration, TheLongestTimesDoNotOverflow) {
  const Execution runs[] = {execution("steer", Time::max(), Time::max(), INT64_MAX)};
  const Calibration done = calibrate(flight(), runs, 1000);
  EXPECT_EQ(done.declarations[0].needs.worstcase_execution_time, longest_time);
  EXPECT_LE(done.declarations[0].needs.typical_execution_time, longest_time);
}

}  // namespace
}  // namespace takt::scheduling
