// The record that an ORB writes of its run (-ORBRunRecord).
#include <filesystem>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "periodic.h"

namespace flight {
namespace run_record_test {

using nlohmann::json;
using takt::rt::PeriodicJob;

class ScheduleRunRecord : public testing::Test {
 protected:
  ScheduleRunRecord()
      : file_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  ~ScheduleRunRecord() override { std::filesystem::remove(file_); }

  std::vector<std::string> options() const { return {"-ORBRunRecord", file_}; }
  // By name. Call once the server has been destroyed.
  std::map<std::string, json> operations() const {
    std::ifstream in(file_);
    const json record = json::parse(in);
    std::map<std::string, json> all;
    for (const json& each : record.at("operations")) all[each["operation"]] = each;
    return all;
  }

  const std::string file_;
};

TEST_F(ScheduleRunRecord, RequestsHaveResponsesAndProcessorTimes) {
  {
    ScheduledOrbs orbs({{.name = "Flight::Unit::sleep", .deadline = 10ms}, {.name = "Flight::Unit::one"}},
                       options());
    const auto unit = orbs.unit();
    for (int i = 0; i < 4; ++i) unit->sleep(1);
    unit->sleep(30);
    unit->spin(2000);
  }
  auto all = operations();
  ASSERT_TRUE(all.contains("Flight::Unit::sleep"));
  const json& sleep = all["Flight::Unit::sleep"]["responses"];
  EXPECT_EQ(sleep["count"], 5);
  EXPECT_GE(sleep["missed"], 1);
  EXPECT_GE(sleep["shortest_ns"], 1'000'000);
  EXPECT_GE(sleep["median_ns"], sleep["shortest_ns"]);
  EXPECT_GE(sleep["longest_ns"], 30'000'000);
  EXPECT_EQ(all["Flight::Unit::sleep"]["execution"]["runs"], 5);
  EXPECT_LT(all["Flight::Unit::sleep"]["execution"]["median_ns"], 1'000'000)
      << "sleeping is not processor time";
  EXPECT_GE(all["Flight::Unit::spin"]["execution"]["longest_ns"], 2'000'000);
  EXPECT_FALSE(all["Flight::Unit::spin"].contains("responses")) << "it is not in the schedule";
  EXPECT_FALSE(all.contains("Flight::Unit::one")) << "it did not run";
}

TEST_F(ScheduleRunRecord, JobsOfAPeriodicDispatcherHaveResponsesFromTheirReleases) {
  {
    ScheduledOrbs orbs({{.name = "job", .period = 10ms, .deadline = 5ms}}, options());
    const auto dispatcher = dispatcher_of(orbs.server);
    Jobs jobs;
    dispatcher->add({.operation = "job", .call = [&, first = true](const PeriodicJob& job) mutable {
                       if (std::exchange(first, false)) std::this_thread::sleep_until(job.release + 35ms);
                       jobs.note(job);
                     }});
    dispatcher->start();
    jobs.wait_for(3);
    EXPECT_TRUE(dispatcher->stop());
  }
  auto all = operations();
  const json& job = all.at("job")["responses"];
  EXPECT_GE(job["count"], 3);
  EXPECT_GE(job["missed"], 1);
  EXPECT_GE(job["left_out"], 2) << "those at 10 and 20 ms";
  EXPECT_GE(job["longest_ns"], 35'000'000);
  EXPECT_FALSE(all.at("job").contains("execution")) << "it is no request";
}

TEST_F(ScheduleRunRecord, OperationsOfFormerSchedulesStayInIt) {
  {
    ScheduledOrbs orbs({{.name = "Flight::Unit::look"}}, options());
    const auto unit = orbs.unit();
    unit->look();
    orbs.scheduler->change({{.name = "Flight::Unit::spin"}});
    unit->look();
    unit->spin(1);
  }
  auto all = operations();
  EXPECT_EQ(all.at("Flight::Unit::look")["responses"]["count"], 1);
  EXPECT_EQ(all.at("Flight::Unit::look")["execution"]["runs"], 2);
  EXPECT_EQ(all.at("Flight::Unit::spin")["responses"]["count"], 1);
}

TEST_F(ScheduleRunRecord, RefusedRequestsAreCounted) {
  {
    ScheduledOrbs orbs(
        {{.name = "Flight::Unit::look", .period = 10s, .execution = 1s, .on_overrun = OnOverrun::refuse}},
        options());
    const auto unit = orbs.unit();
    unit->look();
    EXPECT_THROW(unit->look(), CORBA::TRANSIENT);
  }
  auto all = operations();
  EXPECT_EQ(all.at("Flight::Unit::look")["responses"]["count"], 1);
  EXPECT_EQ(all.at("Flight::Unit::look")["enforced"]["early"], 1);
  EXPECT_EQ(all.at("Flight::Unit::look")["enforced"]["refusals"], 1);
}

TEST_F(ScheduleRunRecord, AnOrbWithoutAScheduleRecordsWhatItServes) {
  {
    ScheduledOrbs orbs({}, options());
    orbs.unit()->look();
  }
  auto all = operations();
  EXPECT_EQ(all.size(), 1u);
  EXPECT_EQ(all.at("Flight::Unit::look")["execution"]["runs"], 1);
}

TEST_F(ScheduleRunRecord, AFolderThatDoesNotExistIsAnErrorAtTheStart) {
  try {
    make_orb({"-ORBRunRecord", file_ + ".no/run.json"}, "refused");
    FAIL();
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_NE(std::string(refused.detail()).find("no such file or directory"), std::string::npos)
        << refused.detail();
  }
}

}  // namespace run_record_test
}  // namespace flight
