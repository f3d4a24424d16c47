// Compares the chart of a schedule with its report.
#include "scheduling/output/played.h"
#include "schedulability/model/words.h"
#include "schedulability/simulation/random_sets.h"
#include "scheduling/output/page.h"
#include "scheduling/output/report.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

TEST(Played, ADeadlineAtTheVeryEndIsMissedByWhatIsNotDone) {
  const auto set = operations({needs(12, 20), needs(24, 40)});  // 120 %, with a hyperperiod of 40
  const auto played = play(analysed(set, Strategy::rate_monotonic));
  ASSERT_TRUE(played.first_miss);
  EXPECT_EQ(played.first_miss->at, Time(40));
  EXPECT_EQ(played.first_miss->thread, 1u);
  EXPECT_GT(played.simulation.misses, 0u);
  EXPECT_GE(played.end, Time(40)) << "the picture has it";
}

TEST(Played, ADeadlineAtTheVeryEndIsMetByWhatIsDoneThen) {
  const auto set = operations({needs(10, 20), needs(20, 40)});
  const auto played = play(analysed(set, Strategy::rate_monotonic));
  EXPECT_FALSE(played.first_miss);
  EXPECT_EQ(played.simulation.misses, 0u);
}

TEST(Played, ACallerThatWaitsWhenItsDeadlineComesHasMissedIt) {
  Repository set;
  const auto caller = declare(set, "caller", needs(2, 20, 10));
  Requirements far = needs(30, 0);
  far.processor = 1;
  const auto callee = declare(set, "callee", far);
  depend(set, caller, callee);
  const Analysis analysis = analysed(set, Strategy::rate_monotonic);
  const auto seen = simulate(analysis, {.horizon = Time(20)});
  EXPECT_EQ(seen.threads[0].first_miss, Time(10));
}

// With a utilisation of 1.001, the first miss is hundreds of periods away.
TEST(Played, ALateFirstMissIsFoundAndShown) {
  const auto set = operations({needs(1000, 2000), needs(1502, 3000, 90'000)});
  const Analysis analysis = analysed(set, Strategy::rate_monotonic);
  ASSERT_EQ(analysis.verdict, Verdict::misses);
  const auto played = play(analysis);
  ASSERT_TRUE(played.first_miss);
  EXPECT_GT(played.first_miss->at, Time(20 * 3000));
  EXPECT_LE(played.begin, played.first_miss->at);
  EXPECT_GE(played.end, played.first_miss->at);
  const auto html = page(set, analysis, "late");
  EXPECT_TRUE(contains(html, "The first is missed at " + text_of(played.first_miss->at)))
      << html.substr(0, 9000);
  EXPECT_TRUE(contains(html, "class=\"missed\""));
}

TEST(Played, ThePictureAndTheReportAgreeOnAThousandSets) {
  constexpr std::int64_t periods[] = {10, 12, 15, 20, 24, 30, 40, 60, 120, 250};
  RandomSets random(26);
  int missed = 0, met = 0;
  for (int i = 0; i < 1000 && !testing::Test::HasFailure(); ++i) {
    Repository set;
    std::string text;
    const auto count = static_cast<std::size_t>(random.between(2, 8));
    for (const double each : random.utilisations(count, 0.3 + 0.9 * random.fraction())) {
      const std::int64_t period = random.one_of(std::span<const std::int64_t>(periods));
      const auto execution = std::max<std::int64_t>(1, std::llround(each * static_cast<double>(period)));
      Requirements wanted = needs(execution, period);
      if (random.between(0, 9) == 0) wanted.deadline = Time(random.between(execution, 3 * period));
      if (random.between(0, 9) == 0) wanted.phase = Time(random.between(0, period));
      if (random.between(0, 9) == 0) wanted.jitter = Time(random.between(0, period / 2));
      declare(set, std::to_string(set.infos().size() + 1), wanted);
      text += std::to_string(execution) + " of " + std::to_string(period) + " by " +
              std::to_string(wanted.deadline.count()) + " phase " + std::to_string(wanted.phase.count()) +
              " jitter " + std::to_string(wanted.jitter.count()) + ", ";
    }
    for (const Strategy strategy : {Strategy::rate_monotonic, Strategy::earliest_deadline_first}) {
      const Analysis analysis = analysed(set, strategy);
      const auto played = play(analysis);
      SCOPED_TRACE("set " + std::to_string(i) + ": " + text + report(set, analysis));
      EXPECT_EQ(played.first_miss.has_value(), played.simulation.misses > 0);
      if (analysis.verdict == Verdict::meets) {
        EXPECT_EQ(played.simulation.misses, 0u);
      }
      if (analysis.verdict == Verdict::misses) {
        ASSERT_TRUE(played.first_miss);
        EXPECT_LE(played.begin, played.first_miss->at);
        EXPECT_GE(played.end, played.first_miss->at);
      }
      missed += analysis.verdict == Verdict::misses;
      met += analysis.verdict == Verdict::meets;
      if (i % 50 != 0) continue;
      const std::string html = page(set, analysis, "set"), words = report(set, analysis);
      EXPECT_EQ(contains(words, "deadlines are missed"), analysis.verdict == Verdict::misses) << words;
      EXPECT_EQ(contains(html, "The first is missed at "), played.first_miss.has_value());
    }
  }
  EXPECT_GT(missed, 200);
  EXPECT_GT(met, 200);
}

TEST(Page, SaysWhereItComesFrom) {
  const auto set = operations({needs(1, 10)});
  const Analysis analysis = analysed(set, Strategy::rate_monotonic);
  const auto html = page(set, analysis, "t", {},
                         {.version = "1.2", .date = "2030-01-02", .inputs = "<a>.toml", .command = "takt x"});
  EXPECT_TRUE(contains(html, "Made by takt 1.2 on 2030-01-02 from &lt;a&gt;.toml, with: takt x")) << html;
  EXPECT_FALSE(contains(page(set, analysis, "t"), "Made by"));
}

TEST(Page, HasWholeNames) {
  Repository set;
  const std::string name = "Radar::Tracking::update_all_known_tracks_of_the_whole_northern_sector";
  declare(set, name, needs(1, 10));
  const auto html = page(set, analysed(set, Strategy::rate_monotonic), "t");
  EXPECT_TRUE(contains(html, ">" + name + "<"));
  EXPECT_TRUE(contains(html, ">update_all_known_tracks_of_the_whole_northern_sector<"));
  EXPECT_FALSE(contains(html, "..."));
}

}  // namespace
}  // namespace takt::scheduling
