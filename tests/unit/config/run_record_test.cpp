// The text of a run's record.
#include "config/reports/run_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace takt::orb {
namespace {

using nlohmann::json;
using std::chrono::nanoseconds;

rt::OperationRun a_run(const std::string& name) {
  rt::OperationRun run;
  run.counts = {.name = name,
                .begun = 9,
                .overruns = 1,
                .demotions = 2,
                .refusals = 3,
                .early = 4,
                .deadlines_missed = 5,
                .releases_left_out = 6,
                .failures = 7,
                .latest_begin = nanoseconds(8)};
  run.responses = 9;
  run.shortest = nanoseconds(10);
  run.median = nanoseconds(11);
  run.p99 = nanoseconds(12);
  run.longest = nanoseconds(13);
  return run;
}

TEST(RunRecord, WithoutOperationsIsARecordToo) {
  const auto read = json::parse(text_of({}));
  EXPECT_EQ(
      read,
      json::parse(
          R"({"run_record": 1, "orb": "", "responses_left_out": 0, "executions_left_out": 0, "operations": []})"));
}

TEST(RunRecord, AnOperationThatIsScheduledAndServedIsOneElement) {
  const auto read =
      json::parse(text_of({.orb_id = "a \"b\"",
                           .runs = {{a_run("M::I::b"), a_run("M::I::c")}, 3},
                           .executions = {{"M::I::a", 1, nanoseconds(2), nanoseconds(3), nanoseconds(4)},
                                          {"M::I::b", 5, nanoseconds(6), nanoseconds(7), nanoseconds(8)}},
                           .executions_left_out = 14}));
  EXPECT_EQ(read["orb"], "a \"b\"");
  EXPECT_EQ(read["responses_left_out"], 3);
  EXPECT_EQ(read["executions_left_out"], 14);
  const auto& operations = read["operations"];
  ASSERT_EQ(operations.size(), 3u);
  EXPECT_EQ(operations[0], json::parse(R"({"operation": "M::I::a", "execution":
      {"runs": 1, "median_ns": 2, "p99_ns": 3, "longest_ns": 4}})"));
  EXPECT_EQ(operations[1], json::parse(R"({"operation": "M::I::b",
      "responses": {"count": 9, "missed": 5, "left_out": 6, "shortest_ns": 10, "median_ns": 11, "p99_ns": 12,
                    "longest_ns": 13, "latest_begin_ns": 8},
      "enforced": {"overruns": 1, "demotions": 2, "early": 4, "refusals": 3, "failures": 7},
      "execution": {"runs": 5, "median_ns": 6, "p99_ns": 7, "longest_ns": 8}})"));
  EXPECT_EQ(operations[2]["operation"], "M::I::c");
  EXPECT_FALSE(operations[2].contains("execution"));
}

TEST(RunRecord, NamesCannotBreakTheText) {
  EXPECT_EQ(json::parse(text_of({"", {{a_run("a\"]}\n")}, 0}, {}, 0}))["operations"][0]["operation"],
            "a\"]}\n");
}

}  // namespace
}  // namespace takt::orb
