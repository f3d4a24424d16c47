// The input and output of `takt schedule`.
#include <fstream>
#include <sstream>

#include <takt/rt/declared_operation.h>

#include "avionics.h"
#include "avionics_run_time.h"
#include "avionics_schedule.h"
#include "schedule/json.h"
#include "schedule/toml.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

// The table that the command generated from the declarations of examples/avionics.
static_assert(avionics::priority(1).priority == 99);
static_assert(avionics::priority(4).preemption_priority == 1);
static_assert(avionics::priority(0).priority == avionics::least.priority);
static_assert(avionics::priority(7).priority == avionics::least.priority);

TEST(Table, FindsHandlesByName) {
  EXPECT_EQ(avionics::handle_of("Avionics::Navigation::update"), 1);
  EXPECT_EQ(avionics::handle_of("Avionics::Sensors::filter"), 3);
  EXPECT_EQ(avionics::handle_of("Sensors"), 0);
  EXPECT_EQ(avionics::handle_of(""), 0);
}

TEST(Table, TheRunTimeSchedulerGetsBudgetsWithAllThatIsCalled) {
  const auto operations = avionics::scheduled_operations();
  ASSERT_EQ(operations.size(), avionics::priorities.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    EXPECT_EQ(operations[i].priority, avionics::priorities[i].priority);
    EXPECT_EQ(operations[i].sub_priority, avionics::priorities[i].subpriority);
    EXPECT_EQ(operations[i].queue, avionics::priorities[i].preemption_priority);
    EXPECT_EQ(operations[i].on_overrun, rt::OnOverrun::count);
  }
  const auto& update = operations[0];
  EXPECT_EQ(update.name, "Avionics::Navigation::update");
  EXPECT_EQ(update.period, std::chrono::milliseconds(50));
  EXPECT_EQ(update.deadline, std::chrono::milliseconds(50));
  EXPECT_EQ(update.execution, std::chrono::milliseconds(13)) << "6 ms, a reading of 4 ms, and twice 1.5 ms";
  const auto& filter = operations[2];
  EXPECT_EQ(filter.name, "Avionics::Sensors::filter");
  EXPECT_EQ(filter.period.count() + filter.deadline.count() + filter.execution.count(), 0)
      << "it runs on its callers' budgets";
}

// A program accepts only a table that was made from the declarations in its IDL.
TEST(Table, IsOfWhatTheProgramDeclares) {
  std::vector<rt::DeclaredOperation> operations(std::begin(avionics_schedule::operations),
                                                std::end(avionics_schedule::operations));
  ASSERT_EQ(operations.size(), 6u);
  EXPECT_EQ(rt::table_mismatch(operations, avionics::declaration_of), std::nullopt);
  operations[3].fingerprint ^= 1;
  const auto other = rt::table_mismatch(operations, avionics::declaration_of);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->starts_with("operation 'Avionics::Steering::command' declares something else"))
      << *other;
  operations[2].name = "Avionics::Sensors::smell";
  const auto unknown = rt::table_mismatch(operations, avionics::declaration_of);
  ASSERT_TRUE(unknown);
  EXPECT_TRUE(unknown->starts_with("operation 'Avionics::Sensors::smell' is not in the table")) << *unknown;
}

std::string error_of(const std::string& text) {
  const auto read = command::operations_of(text, "f.toml");
  return read ? "none" : read.error();
}

TEST(Toml, IsReadWithAllItsKeys) {
  const auto read = command::operations_of(R"([[operation]]
name = "a"
wcet = "2 ms"
typical = "1 ms"
cached = "100 us"
period = "20 ms"
deadline = "15 ms"
phase = "1 ms"
jitter = "2 us"
blocking = "3 ns"
quantum = "1 s"
criticality = "very high"
importance = "low"
threads = 2
processor = 3
priority = 7
calls = ["b", { operation = "b", times = 4, type = "one way" }]
[[operation]]
name = "b"
wcet = "1 ns"
)",
                                           "f.toml");
  ASSERT_TRUE(read) << read.error();
  const RtInfo& info = (*read)[1];
  EXPECT_EQ(info.worstcase_execution_time, Time(2'000'000));
  EXPECT_EQ(info.typical_execution_time, Time(1'000'000));
  EXPECT_EQ(info.cached_execution_time, Time(100'000));
  EXPECT_EQ(info.period, Time(20'000'000));
  EXPECT_EQ(info.deadline, Time(15'000'000));
  EXPECT_EQ(info.phase, Time(1'000'000));
  EXPECT_EQ(info.jitter, Time(2'000));
  EXPECT_EQ(info.blocking, Time(3));
  EXPECT_EQ(info.quantum, Time(1'000'000'000));
  EXPECT_EQ(info.criticality, Criticality::very_high);
  EXPECT_EQ(info.importance, Importance::low);
  EXPECT_EQ(info.threads, 2);
  EXPECT_EQ(info.processor, 3);
  EXPECT_EQ(info.declared_priority, 7);
  ASSERT_EQ(info.dependencies.size(), 2u);
  EXPECT_EQ(info.dependencies[1].number_of_calls, 4);
  EXPECT_EQ(info.dependencies[1].type, DependencyType::one_way);
  EXPECT_EQ((*read)[2].worstcase_execution_time, Time(1));
}

TEST(Toml, WhatIsWrittenReadsTheSame) {
  const std::string text = R"([[operation]]
name = "a \"quoted\" \\ name"
wcet = "2 ms"
cached = "100 us"
deadline = "15.5 ms"
threads = 2
priority = 12
criticality = "very high"
calls = ["b", { operation = "b", times = 4, type = "one way" }]
[[operation]]
name = "b"
)";
  const auto read = command::declarations_in(text, "f.toml");
  ASSERT_TRUE(read) << read.error();
  const auto again = command::declarations_in(toml_of(*read), "f.toml");
  ASSERT_TRUE(again) << again.error();
  ASSERT_EQ(again->size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(fingerprint((*again)[i]), fingerprint((*read)[i]));
    EXPECT_EQ((*again)[i].said, (*read)[i].said) << "and says no more";
  }
}

// toml++ 3.3 asserts that a name follows a bracket, and considers some characters impossible.
TEST(Toml, WhatNoParserExpectsIsRefused) {
  for (const std::string text :
       {"[", "[[", "[[operation]]\nname = \"a\"\n[ ", "a = 1\xe2\x80\xa8", "\xf0\x9f\x98\x80 = 1"})
    EXPECT_TRUE(error_of(text).starts_with("f.toml")) << text;
}

TEST(Toml, MistakesAreNamedWithTheirLine) {
  const std::string a = "[[operation]]\nname = \"a\"\nwcet = \"1 ms\"\n";
  const std::pair<std::string, const char*> mistakes[] = {
      {"", "no [[operation]]"},
      {"x = ", "f.toml:1:"},
      {"operations = 1\n", "f.toml:1: unknown key 'operations'"},
      {"operation = [1]\n", "is a table"},
      {"[[operation]]\nwcet = \"1 ms\"\n", "has no name"},
      {"[[operation]]\nname = \"a\"\n", "'a' has no wcet"},
      {a + "period = 20\n", "f.toml:4: 'period' must be a string"},
      {a + "period = \"20 parsecs\"\n", "f.toml:4: 'period' must be a time"},
      {a + "period = \"14.399999999999999 ms\"\n",
       "f.toml:4: 'period' must be whole nanoseconds, not '14.399999999999999 ms'"},
      {a + "period = \"1.5x ms\"\n", "f.toml:4: 'period' must be a time"},
      {a + "perido = \"20 ms\"\n",
       "f.toml:4: unknown key 'perido' of an operation; its keys are name, wcet, "},
      {a + "importance = \"enormous\"\n", "f.toml:4: 'importance' must be very low"},
      {a + "threads = -1\n", "f.toml:4: 'threads' must be a number"},
      {a + "priority = 0\n", "f.toml:4: 'priority' must be a number from 1 to 1000000000"},
      {a + "priority = \"high\"\n", "f.toml:4: 'priority' must be a number from 1"},
      {a + "typical = \"2 ms\"\n", "exceeds its worst case"},
      {a + "calls = [\"b\"]\n", "f.toml:4: no operation is called 'b'"},
      {a + "calls = [\"a\"]\n", "on itself"},
      {a + "calls = [{ operation = \"a\", type = \"both\" }]\n", "'type' must be two way or one way"},
      {a + a, "f.toml:5: operation 'a' is already registered"}};
  for (const auto& [text, wanted] : mistakes)
    EXPECT_NE(error_of(text).find(wanted), std::string::npos) << error_of(text) << "\nwanted: " << wanted;
}

TEST(Json, HasWhatTheReportHas) {
  const auto set = operations({needs(25, 50), needs(35, 80)});
  const auto text = command::json_of(set, analysed(set, Strategy::rate_monotonic), std::nullopt);
  for (const char* part : {"\"strategy\": \"rms\"", "\"verdict\": \"misses\"", "\"lowest_safe_level\": 0",
                           "\"response_ns\": 85", "\"deadline_ns\": 80", "\"time_ns\": 50"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Json, RunRecordsAreRead) {
  const auto read = command::run_record_in(
      R"({"run_record": 1, "operations": [
          {"operation": "a", "execution": {"runs": 3, "median_ns": 1, "p99_ns": 2, "longest_ns": 4}},
          {"operation": "b", "responses": {"count": 5, "missed": 1, "left_out": 2, "shortest_ns": 3,
                                           "median_ns": 4, "p99_ns": 8, "longest_ns": 9}}]})");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->executions.size(), 1u);
  EXPECT_EQ(read->executions[0].operation, "a");
  EXPECT_EQ(read->executions[0].runs, 3);
  EXPECT_EQ(read->executions[0].longest, Time(4));
  ASSERT_EQ(read->responses.size(), 1u);
  EXPECT_EQ(read->responses[0].entry_point, "b");
  EXPECT_EQ(read->responses[0].jobs, 5);
  EXPECT_EQ(read->responses[0].misses, 3) << "a release that was left out is missed";
  EXPECT_EQ(read->responses[0].jitter, Time(6));
}

TEST(Json, WrongRunRecordsAreRefused) {
  const auto with = [](const std::string& operations) {
    return R"({"run_record": 1, "operations": )" + operations + "}";
  };
  const auto execution = [&](const std::string& figures) {
    return with(R"([{"operation": "a", "execution": {)" + figures + "}}]");
  };
  const auto responses = [&](const std::string& figures) {
    return with(R"([{"operation": "a", "responses": {"count": 1, "median_ns": 1, "p99_ns": 1, )" + figures +
                "}}]");
  };
  for (const std::string& wrong :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"operations": []})"),
        std::string(R"({"run_record": 2, "operations": []})"), with("{}"), with("[7]"),
        with(R"([{"execution": {}}])"), with(R"([{"operation": 1}])"),
        with(R"([{"operation": "a", "execution": 1}])"),
        execution(R"("runs": 0, "median_ns": 1, "p99_ns": 2, "longest_ns": 4)"),
        execution(R"("runs": 1, "median_ns": 1.5, "p99_ns": 2, "longest_ns": 4)"),
        execution(R"("runs": 1, "median_ns": 1, "p99_ns": 2, "longest_ns": -4)"),
        execution(R"("runs": 1, "median_ns": 1, "p99_ns": 2, "longest_ns": 18446744073709551615)"),
        responses(R"("missed": -1, "left_out": 0, "shortest_ns": 1, "longest_ns": 1)"),
        responses(R"("missed": 0, "shortest_ns": 1, "longest_ns": 1)"),
        responses(R"("missed": 0, "left_out": 0, "shortest_ns": 2, "longest_ns": 1)")})
    EXPECT_FALSE(command::run_record_in(wrong)) << wrong;
}

}  // namespace
}  // namespace takt::scheduling
