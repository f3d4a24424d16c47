#include "scheduling/output/charts.h"
#include "scheduling/output/measured.h"
#include "scheduling/output/page.h"
#include "scheduling/output/report.h"
#include "scheduling/output/run_time_table.h"
#include "scheduling/output/table.h"
#include "scheduling/scheduler.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

TEST(Report, SaysWhichDeadlineIsMissedByHowMuchAndBecauseOfWhom) {
  const auto set = operations({needs(25, 50), needs(35, 80)});
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(contains(text, "deadlines are missed")) << text;
  EXPECT_TRUE(contains(text, "'2' misses its deadline of 80 ns by 5 ns")) << text;
  EXPECT_TRUE(contains(text, "Of the 85 ns until its job 1 is done: 50 ns for '1', 35 ns for itself."))
      << text;
  EXPECT_TRUE(contains(text, "down to priority level 0")) << text;
}

TEST(Report, SaysThatAllIsWell) {
  const auto set = operations({needs(1, 50), needs(1, 80)});
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(contains(text, "every deadline is met")) << text;
  EXPECT_TRUE(contains(text, "(kept)")) << text;
}

TEST(Report, NamesWhatHasNoBound) {
  const auto set = operations({needs(45, 50), needs(35, 80)});
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(contains(text, "'2' misses its deadline of 80 ns: no bound of its response was found")) << text;
}

// The second has too little time on its processor, and starts the third, which delays the fourth on another.
TEST(Report, NamesTheThreadOnWhichMissingBoundsRest) {
  Requirements urgent = needs(35, 40), starter = needs(45, 50);
  urgent.processor = starter.processor = 1;
  Repository set = operations({urgent, starter, needs(1, 0), needs(2, 60)});
  depend(set, 2, 3, 1, DependencyType::one_way);
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(
      contains(text,
               "'4' is not proven to meet its deadline of 60 ns: no bound of its response was found: it "
               "rests on the response of '2', of which none was found."))
      << text;
}

TEST(Report, CountsTheTimeUntilARelease) {
  Repository chain = operations({needs(2, 4), needs(2, 8), needs(1, 20), needs(1, 0, 6)});
  Requirements elsewhere = needs(1, 0, 6);
  elsewhere.processor = 1;
  ASSERT_TRUE(chain.set(4, elsewhere));
  depend(chain, 3, 4, 1, DependencyType::one_way);
  const auto text = report(chain, analysed(chain, Strategy::rate_monotonic));
  EXPECT_TRUE(
      contains(text,
               "the bound is over it by 2 ns. Of the 8 ns from the arrival of its job 1 until its job 1 "
               "is done: 1 ns for itself, 7 ns for waiting for '3'."))
      << text;
  Requirements late = needs(2, 10, 3);
  late.jitter = Time(2);
  const auto set = operations({late});
  const auto with_jitter = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(contains(with_jitter,
                       "Of the 4 ns from the arrival of its job 1 until its job 1 is done: 2 ns for "
                       "itself, 2 ns for its jitter."))
      << with_jitter;
}

TEST(Report, SaysThatAFullProcessorMayBeBusyWithoutEnd) {
  const auto set = operations({needs(2, 4), needs(4, 8), needs(0, 16)});
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(
      contains(text,
               "'3' is not proven to meet its deadline of 16 ns: no bound of its response was found: the "
               "processor is used to 100 %, so it may be busy without end.\n"))
      << text;
}

TEST(Report, SaysWhyACallIsMoreUrgentThanItsCaller) {
  Requirements called = needs(4, 0), beside = needs(3, 60, 8);
  called.processor = beside.processor = 1;
  Repository set = operations({needs(1, 50), needs(1, 100), called, beside});
  for (const Handle caller : {1, 2}) depend(set, caller, 3);
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(contains(text, "'4' is not proven to meet its deadline of 8 ns: the bound is over it by 3 ns"))
      << text;
  EXPECT_TRUE(
      contains(text,
               "'3 for 2' has level 0, although its caller has level 2: an operation has one priority, "
               "that of its most urgent caller. Declare an operation of its own for the less urgent "
               "callers.\n"))
      << text;
}

TEST(Report, KeepsLongTimesApart) {
  const auto set = operations({needs(1'003'333'333, 2'003'333'333)});
  const auto text = report(set, analysed(set, Strategy::rate_monotonic));
  EXPECT_TRUE(contains(text, "1003.333333 ms 2003.333333 ms 2003.333333 ms 1003.333333 ms meets\n")) << text;
}

TEST(Report, SaysWhatWasNotMeasuredAndWhatTheScheduleLacks) {
  Repository set;
  declare(set, "fast", needs(1, 10));
  declare(set, "slow", needs(1, 50));
  const Analysis analysis = analysed(set, Strategy::rate_monotonic);
  const Measured run[] = {{.entry_point = "fast", .jobs = 5},
                          {.entry_point = "other", .jobs = 3, .misses = 2}};
  const auto text = measured_report(set, analysis, run);
  EXPECT_TRUE(contains(text, "not measured: slow\n")) << text;
  EXPECT_TRUE(contains(text, "measured, but no thread of the schedule begins at it: other (2 missed)\n"))
      << text;
  const Measured all[] = {{.entry_point = "slow", .jobs = 1}, {.entry_point = "fast", .jobs = 1}};
  EXPECT_FALSE(contains(measured_report(set, analysis, all), "measured"));
}

TEST(Report, NamesTheThreadsThatAreBeyondTheirBounds) {
  Repository set;
  declare(set, "fast", needs(1'000'000, 10'000'000));
  declare(set, "slow", needs(1'000'000, 50'000'000));
  const Analysis analysis = analysed(set, Strategy::rate_monotonic);
  const Measured run[] = {{.entry_point = "fast", .jobs = 5, .longest = Time(1'500'000)},
                          {.entry_point = "slow", .jobs = 5, .longest = Time(4'000'000)}};
  const auto text = measured_report(set, analysis, run);
  EXPECT_TRUE(contains(text, "\nbeyond its bound: fast (by 500 us), slow (by 2 ms)\n")) << text;
  const auto delayed = measured_report(set, analysis, run, Time(600'000));
  EXPECT_TRUE(contains(
      delayed,
      "\nthe machine delayed its most urgent thread by up to 600 us meanwhile, which no schedule can "
      "know\nbeyond its bound by no more than that: fast (by 500 us)\n"
      "beyond its bound by more than that: slow (by 2 ms)\n"))
      << delayed;
  const Measured within[] = {{.entry_point = "fast", .jobs = 5, .longest = Time(1'000'000)}};
  EXPECT_FALSE(contains(measured_report(set, analysis, within), "beyond"));
}

TEST(Report, SaysHowLongTheProcessorOfAChainMayBeBusy) {
  Requirements late = needs(3, 20), blocked = needs(2, 0, 10);
  late.jitter = Time(5);
  blocked.blocking = Time(4);
  Repository set = operations({late, needs(5, 40), blocked});
  depend(set, 1, 3, 1, DependencyType::one_way);
  const auto text = report(set, analysed(set, Strategy::earliest_deadline_first));
  EXPECT_TRUE(contains(text,
                       "deadline of 10 ns: the bound is over it by 9 ns. The processor may be busy without a "
                       "pause for 14 ns, and the jitter of the arrival is 5 ns.\n"))
      << text;
}

TEST(Page, IsOneFileThatLoadsNothing) {
  const auto set = operations({needs(25, 50), needs(30, 80, 70)});
  const auto html = page(set, analysed(set, Strategy::rate_monotonic), "A page");
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  for (const char* part : {"<script", "http://", "src=", "href=", "url("}) {
    std::string rest = html;
    for (auto at = rest.find("http://www.w3.org/2000/svg"); at != std::string::npos;
         at = rest.find("http://www.w3.org/2000/svg"))
      rest.erase(at, 26);  // the namespace of SVG, which is not loaded
    EXPECT_FALSE(contains(rest, part)) << part;
  }
  std::size_t pictures = 0;
  for (auto at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1)) ++pictures;
  EXPECT_EQ(pictures, 4u);
}

TEST(Page, NamesCannotBecomeMarkup) {
  Repository set;
  declare(set, "<script>alert('&\"')</script>", needs(1, 10));
  const auto html = page(set, analysed(set, Strategy::rate_monotonic), "<b>");
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_FALSE(contains(html, "<b>"));
  EXPECT_TRUE(contains(html, "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)"));
}

// Lines that lead behind boxes show calls of others.
TEST(Page, CallsToFurtherLinesLeadAroundTheBoxes) {
  Repository set;
  ASSERT_TRUE(set.create("caller"));
  ASSERT_TRUE(set.set(1, needs(1, 50)));
  for (const std::string name : {"one", "two", "three"})
    ASSERT_TRUE(set.create(std::string(70, 'x') + "::" + name));
  for (const Handle callee : {2, 3, 4}) ASSERT_TRUE(set.add_dependency(1, callee, 7));
  const std::string chart = dependency_chart(set);
  std::size_t direct = 0, around = 0;
  for (std::size_t at = 0; (at = chart.find("<path d=\"M", at)) != std::string::npos; ++at) {
    const std::string path = chart.substr(at, chart.find('"', at + 9) - at);
    direct += path.find(" C") != std::string::npos ? 1 : 0;
    around += path.find(" H3.00 V") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(direct, 1u) << chart;
  EXPECT_EQ(around, 2u) << chart;
}

// Lines that lead around boxes lie upon each other.
TEST(Page, SaysWhoCallsWhomInWordsToo) {
  Repository set = operations({needs(1, 50), needs(1, 0), needs(1, 0)});
  depend(set, 1, 2, 3);
  depend(set, 1, 3, 1, DependencyType::one_way);
  EXPECT_EQ(calls_in_words(set), "1 calls 2, 3 x; 3 one way\n");
  EXPECT_TRUE(contains(dependency_chart(set), "<title>1 calls 2, 3 x</title></path>"));
  EXPECT_TRUE(contains(page(set, analysed(set, Strategy::rate_monotonic), "A page"),
                       "<pre><span>1 calls 2, 3 x; 3 one way\n</span></pre>"));
}

// Sentences about a missed deadline are read without scrolling; the table keeps its columns.
TEST(Page, SentencesAreContinuedOnTheNextLine) {
  const Repository set = operations({needs(6, 10), needs(6, 10)});
  const std::string html = page(set, analysed(set, Strategy::rate_monotonic), "A page");
  EXPECT_TRUE(contains(html, "<pre><span>2 threads")) << html;
  EXPECT_TRUE(contains(html, "<span>&#39;2&#39; ")) << html;
  EXPECT_TRUE(contains(html, "\nlevel ")) << html;
  EXPECT_TRUE(contains(html, "pre span { display: block; white-space: pre-wrap;"));
}

TEST(Page, NamesTheProcessorOfARowIfThereAreSeveral) {
  Requirements elsewhere = needs(1, 20);
  const auto one = operations({needs(1, 10), elsewhere});
  const auto together = analysed(one, Strategy::rate_monotonic);
  EXPECT_FALSE(contains(gantt_chart(one, together, play(together)), ">1, processor 0</text>"));
  elsewhere.processor = 3;
  const auto two = operations({needs(1, 10), elsewhere});
  const auto apart = analysed(two, Strategy::rate_monotonic);
  const std::string chart = gantt_chart(two, apart, play(apart));
  EXPECT_TRUE(contains(chart, ">1, processor 0</text>")) << chart;
  EXPECT_TRUE(contains(chart, ">2, processor 3</text>")) << chart;
}

TEST(Page, AShortNameHasAShortBoxBesideALongOne) {
  Repository mixed;
  ASSERT_TRUE(mixed.create(std::string(80, 'x')));
  ASSERT_TRUE(mixed.create("short"));
  EXPECT_TRUE(contains(dependency_chart(mixed), "width=\"150.00\""));
}

TEST(Report, ColumnsAreCountedInCharacters) {
  Repository set;
  for (const char* name : {"K\u00fchlung", "a"}) ASSERT_TRUE(set.create(name));
  for (const Handle each : {1, 2}) ASSERT_TRUE(set.set(each, needs(1, 10)));
  const auto analysis = analyse(set, {});
  ASSERT_TRUE(analysis);
  const std::string text = report(set, *analysis);
  EXPECT_TRUE(contains(text, "K\u00fchlung  1 ns ")) << text;
  EXPECT_TRUE(contains(text, "a        1 ns ")) << text;
  EXPECT_TRUE(contains(text, "thread   execution")) << text;
}

TEST(Table, RefusesNamesThatAreNone) {
  const auto set = operations({needs(1, 10)});
  for (const char* name : {"", "1a", "a-b", "a b", "a\nb", "class", "co_await", "xor_eq"})
    EXPECT_EQ(priority_table(set.infos(), name).error().kind, TableError::bad_name) << name;
  EXPECT_FALSE(priority_table({}, "a"));
  EXPECT_TRUE(priority_table(set.infos(), "_a1"));
}

TEST(Table, NamesCannotBecomeCode) {
  Repository set;
  declare(set, "\"}; int x = system(\"?\?/\\", needs(1, 10));
  const auto table = priority_table(set.infos(), "t");
  ASSERT_TRUE(table);
  EXPECT_TRUE(
      contains(table->source, R"({"\042}; int x = system(\042\077\077/\134", 1, 0x0000000000000000},)"))
      << table->source;
  EXPECT_FALSE(contains(table->header, "\\")) << table->header;
}

TEST(Table, TheFingerprintIsOfNamesInOrder) {
  Repository a, b, c;
  declare(a, "x", needs(1, 10)), declare(a, "y", needs(1, 10));
  declare(b, "x", needs(2, 20)), declare(b, "y", needs(2, 20));
  declare(c, "y", needs(1, 10)), declare(c, "x", needs(1, 10));
  EXPECT_EQ(fingerprint(a.infos()), fingerprint(b.infos()));
  EXPECT_NE(fingerprint(a.infos()), fingerprint(c.infos()));
}

std::string run_time_table_of(Repository set, Strategy strategy, std::int32_t maximum = 99) {
  Scheduler scheduler({.strategy = strategy}, std::move(set));
  EXPECT_TRUE(scheduler.compute_scheduling(1, maximum));
  return run_time_table(scheduler.repository().infos(), *scheduler.analysis(), "t");
}

TEST(RunTimeTable, WithMufTheCriticalSetIsMarkedWithAllThatItCalls) {
  Repository set;
  auto critical = needs(2, 20);
  critical.criticality = Criticality::very_high;
  const auto a = declare(set, "A::a", critical);
  declare(set, "B::b", needs(2, 10, 8));
  Requirements passive;
  passive.worstcase_execution_time = Time(1);
  depend(set, a, declare(set, "C::c", passive), 3);
  const auto text = run_time_table_of(set, Strategy::maximum_urgency_first);
  const auto entry = [&](const char* name) {
    const auto at = text.find(std::string("\"") + name + '"');
    return at == std::string::npos ? std::string() : text.substr(at, text.find('}', at) - at);
  };
  EXPECT_TRUE(contains(entry("A::a"), ".critical = true")) << text;
  EXPECT_TRUE(contains(entry("A::a"), ".queue = 0,")) << text;
  EXPECT_TRUE(contains(entry("A::a"), ".execution = 5ns")) << text;
  EXPECT_TRUE(contains(entry("C::c"), ".critical = true")) << text;
  EXPECT_FALSE(contains(entry("C::c"), ".execution")) << text;
  EXPECT_FALSE(contains(entry("B::b"), ".critical")) << text;
  EXPECT_TRUE(contains(entry("B::b"), ".queue = 1,")) << text;
  EXPECT_TRUE(contains(entry("B::b"), ".period = 10ns")) << text;
  EXPECT_TRUE(contains(entry("B::b"), ".deadline = 8ns")) << text;
}

TEST(RunTimeTable, WhoIsTriggeredHasABudgetAndNoRate) {
  Repository set;
  const auto caller = declare(set, "A::a", needs(2, 20));
  Requirements passive;
  passive.worstcase_execution_time = Time(3);
  depend(set, caller, declare(set, "B::b", passive), 1, DependencyType::one_way);
  const auto text = run_time_table_of(set, Strategy::rate_monotonic);
  const auto triggered = text.substr(text.find("B::b"));
  EXPECT_TRUE(contains(triggered, ".execution = 3ns")) << text;
  EXPECT_FALSE(contains(triggered, ".period")) << "its deadline is from the arrival of its chain: " << text;
}

TEST(RunTimeTable, APriorityThatCorbaDoesNotHaveIsAnErrorOfItsUsers) {
  const auto text =
      run_time_table_of(operations({needs(1, 10), needs(1, 20)}), Strategy::rate_monotonic, 100'000);
  EXPECT_TRUE(contains(text, "#error the priority of \"1\" is 100000,")) << text;
  EXPECT_FALSE(contains(text, "scheduled_operations"));
}

TEST(RunTimeTable, NamesCannotBecomeCode) {
  Repository set;
  declare(set, "\"}; int x = 1; //", needs(1, 10));
  const auto text = run_time_table_of(set, Strategy::rate_monotonic);
  EXPECT_TRUE(contains(text, R"(.name = "\042}; int x = 1; //")")) << text;
}

}  // namespace
}  // namespace takt::scheduling
