// Schedules as models of MAST, which give the same results when they are imported.
#include "mast/export.h"

#include <algorithm>
#include <random>

#include "mast_models.h"

namespace takt::scheduling::mast_export_test {
namespace {

std::string exported(const Repository& repository, Strategy strategy, Time unit = Time(1000)) {
  const auto model = export_mast(repository, analysed(repository, strategy, false), {.unit = unit});
  EXPECT_TRUE(model) << model.error();
  return model ? *model : std::string();
}
std::string export_error(const Repository& repository, Strategy strategy = Strategy::rate_monotonic) {
  const auto model = export_mast(repository, analysed(repository, strategy));
  return model ? "none" : model.error();
}

// The numbers of each thread in an analysis, without names.
using Row = std::array<std::int64_t, 9>;
std::vector<Row> rows(const Analysis& analysis) {
  std::vector<Row> all;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const Thread& thread = analysis.threads[i];
    all.push_back({thread.execution.count(), thread.typical.count(), thread.period.count(),
                   thread.deadline.count(), thread.jitter.count(), thread.burst,
                   analysis.results[i].load.blocking, analysis.results[i].priority.level,
                   analysis.results[i].response.value_or(Time(-1)).count()});
  }
  std::ranges::sort(all);
  return all;
}

TEST(MastExport, IsAModel) {
  auto first = needs(1'500, 20'000, 15'000);
  first.jitter = Time(2'000);
  first.typical_execution_time = Time(1'000);
  Repository repository;
  declare(repository, "Flight::Steering::command", first);
  EXPECT_EQ(
      exported(repository, Strategy::rate_monotonic),
      "Processing_Resource (\n"
      "  Type => Fixed_Priority_Processor,\n"
      "  Name => processor_0,\n"
      "  Max_Priority => 1,\n"
      "  Min_Priority => 1);\n\n"
      "Scheduling_Server (\n"
      "  Type => Fixed_Priority,\n"
      "  Name => Flight.Steering.command,\n"
      "  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => 1),\n"
      "  Server_Processing_Resource => processor_0);\n\n"
      "Operation (\n"
      "  Type => Simple,\n"
      "  Name => Flight.Steering.command,\n"
      "  Worst_Case_Execution_Time => 1.5,\n"
      "  Avg_Case_Execution_Time => 1);\n\n"
      "Transaction (\n"
      "  Type => Regular,\n"
      "  Name => Flight.Steering.command,\n"
      "  External_Events => (\n"
      "    (Name => Flight.Steering.command.arrival, Type => Periodic, Period => 20, Max_Jitter => 2)),\n"
      "  Internal_Events => (\n"
      "    (Type => Regular, Name => Flight.Steering.command.done, Timing_Requirements => (Type => "
      "Hard_Global_Deadline, Deadline => 15, Referenced_Event => Flight.Steering.command.arrival))),\n"
      "  Event_Handlers => (\n"
      "    (Type => Activity, Input_Event => Flight.Steering.command.arrival, Output_Event => "
      "Flight.Steering.command.done,\n"
      "     Activity_Operation => Flight.Steering.command, Activity_Server => "
      "Flight.Steering.command)));\n\n");
}

TEST(MastExport, NumbersAreExact) {
  EXPECT_EQ(mast_number(Time(1'500), std::chrono::microseconds(1)), "1.5");
  EXPECT_EQ(mast_number(Time(7), std::chrono::seconds(1)), "0.000000007");
  EXPECT_EQ(mast_number(longest_time, std::chrono::seconds(1)), "9007199.254740992");
  EXPECT_EQ(mast_number(longest_time, Time(1)), "9007199254740992");
  EXPECT_EQ(mast_number(Time(0), std::chrono::milliseconds(1)), "0");
}

// Names that MAST would not take, that it would take for its own words, or that would become the same.
TEST(MastExport, NamesStayDifferent) {
  Repository repository;
  const std::vector<std::string> names = {"Period", "a b", "A_b",      "a-b",
                                          "::x",    "7",   "\xc3\xa4", std::string(400, 'n')};
  for (const std::string& name : names) declare(repository, name, needs(1, 1000));
  const auto text = exported(repository, Strategy::rate_monotonic);
  EXPECT_TRUE(contains(text, "Name => \"Period\""));
  EXPECT_TRUE(contains(text, "Name => A_b_2"));
  EXPECT_TRUE(contains(text, "Name => op.7"));
  EXPECT_EQ(imported(text).declarations.size(), 8u);
}

// Trees of one-way calls over processors, with calls that run in their callers' threads.
Repository random_system(std::mt19937& random) {
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  Repository repository;
  for (int tree = number(1, 4); tree > 0; --tree) {
    const int period = number(1'000, 9'000);
    std::vector<Handle> made;
    for (int i = number(1, 5); i > 0; --i) {
      auto wanted =
          needs(number(1, 400), made.empty() ? period : 0, number(0, 1) * number(period / 2, 2 * period));
      wanted.processor = number(0, 2);
      if (made.empty() && number(0, 2) == 0) {
        wanted.burst = number(2, 4);
      } else if (made.empty()) {
        wanted.jitter = Time(number(0, 300));
        wanted.phase = Time(number(0, 300));
      }
      if (number(0, 1) == 0)
        wanted.locks = {{"lock " + std::to_string(wanted.processor), Time(number(1, 40))}};
      if (number(0, 1) == 1)
        wanted.typical_execution_time =
            Time(number(1, static_cast<int>(wanted.worstcase_execution_time.count())));
      const Handle handle = declare(repository, "o" + std::to_string(repository.infos().size()), wanted);
      if (!made.empty())
        depend(repository, made[static_cast<std::size_t>(number(0, static_cast<int>(made.size()) - 1))],
               handle, number(1, 2), DependencyType::one_way);
      made.push_back(handle);
    }
    auto local = needs(number(1, 50), 0);
    local.processor = repository[made[0]].processor;
    depend(repository, made[0], declare(repository, "l" + std::to_string(repository.infos().size()), local),
           2);
  }
  return repository;
}

TEST(MastExport, ImportedAgainGivesTheSameAnalysis) {
  std::mt19937 random(20260728);
  const Time units[] = {Time(1), std::chrono::microseconds(1), std::chrono::seconds(1)};
  int forked = 0;
  for (int set = 0; set < 300; ++set) {
    const Repository repository = random_system(random);
    const auto strategy = set % 2 == 0 ? Strategy::rate_monotonic : Strategy::deadline_monotonic;
    const Time unit = units[set % 3];
    const auto text = exported(repository, strategy, unit);
    forked += contains(text, "Multicast");
    const Repository again = repository_of(imported(text, unit).declarations);
    const auto before = analysed(repository, strategy, false);
    const auto after = analysed(again, Strategy::declared_priorities);
    ASSERT_EQ(rows(before), rows(after)) << "set " << set << '\n' << text;
    EXPECT_EQ(before.verdict, after.verdict) << "set " << set;
  }
  EXPECT_GT(forked, 30);
}

TEST(MastExport, WhatAModelCannotExpressIsRefused) {
  auto blocked = needs(1, 100);
  blocked.blocking = Time(3);
  EXPECT_EQ(export_error(operations({blocked})), "operation '1' has a blocking time, which is not exported");
  auto in_lane = needs(1, 100);
  in_lane.lane = "bus";
  EXPECT_EQ(export_error(operations({in_lane})), "operation '1' has the lane 'bus', which is not exported");
  auto clocked = needs(1, 100);
  clocked.transaction = "clock";
  EXPECT_EQ(export_error(operations({clocked})), "operation '1' has a transaction, which is not exported");
  auto bursts = needs(1, 100);
  bursts.burst = 2;
  EXPECT_EQ(export_error(operations({bursts})), "none");
  bursts.distance = Time(5);
  EXPECT_EQ(export_error(operations({bursts})),
            "operation '1' has a burst with a distance, jitter or phase, which is not exported");
  Repository with_chain = operations({needs(1, 100), needs(1, 100)});
  const auto added = with_chain.add_chain({.name = "see and act", .steps = {{1}, {2}}, .age = Time(300)});
  ASSERT_TRUE(added) << added.error().text;
  EXPECT_EQ(export_error(with_chain), "the chain 'see and act' is not exported");
  auto far = needs(1, 0);
  far.processor = 1;
  Repository waiting = operations({needs(1, 100), far});
  depend(waiting, 1, 2);
  EXPECT_EQ(export_error(waiting), "operation '1' waits for '2' on another processor, which is not exported");
  for (const auto strategy :
       {Strategy::earliest_deadline_first, Strategy::minimum_laxity_first, Strategy::maximum_urgency_first})
    EXPECT_EQ(export_error(operations({needs(1, 100)}), strategy),
              "only fixed priorities can be exported; choose --strategy rms, dms or declared");
}

}  // namespace
}  // namespace takt::scheduling::mast_export_test
