// The events that `takt name watch` reports between two looks.
#include "name/watch.h"

#include <gtest/gtest.h>

namespace takt::command {
namespace {

Entry entry(const char* id, const char* reference) {
  Entry made;
  made.name.push_back({id, ""});
  made.reference = reference;
  return made;
}

std::string words(const std::vector<Watch::Event>& events) {
  std::string all;
  for (const auto& each : events) all += (all.empty() ? "" : ", ") + each.what + " " + each.name;
  return all;
}

TEST(Watch, SaysWhatHasChanged) {
  Watch watch;
  EXPECT_EQ(words(watch.compared({entry("a", "A"), entry("b", "B")}, {}, {})), "bound a, bound b");
  EXPECT_EQ(words(watch.compared({entry("a", "A"), entry("b", "B")}, {}, {})), "");
  EXPECT_EQ(words(watch.compared({entry("b", "C"), entry("c", "C")}, {}, {})),
            "rebound b, bound c, unbound a");
  EXPECT_EQ(words(watch.compared({entry("b", ""), entry("c", "C")}, {}, {})), "")
      << "b could not be resolved";
}

// The names "c/x" and "c2", and the context "c".
TEST(Watch, SaysNothingOfNamesInAContextThatCannotBeListed) {
  Watch watch;
  Entry context = entry("c", "C"), within = entry("c", "X");
  context.is_context = true;
  within.name.push_back({"x", ""});
  watch.compared({context, within, entry("c2", "D")}, {}, {});
  context.fault = "no answer";
  EXPECT_EQ(words(watch.compared({context, entry("c2", "D")}, {}, {})), "");
  EXPECT_EQ(words(watch.compared({context}, {}, {})), "unbound c2");
  context.fault.clear();
  EXPECT_EQ(words(watch.compared({context, within}, {}, {})), "");
  EXPECT_EQ(words(watch.compared({context}, {}, {})), "unbound c/x");
}

TEST(Watch, SaysSinceWhenAnObjectIsSilent) {
  using namespace std::chrono_literals;
  Watch watch;
  const Watch::Time start(1000s);
  const std::vector<Entry> entries{entry("a", "A")};
  watch.compared(entries, {{.answers = true}}, start);
  const auto silent = watch.compared(entries, {{.why = "no route"}}, start + 5s);
  ASSERT_EQ(words(silent), "silent a");
  EXPECT_EQ(silent[0].since, start + 5s);
  EXPECT_EQ(silent[0].why, "no route");
  EXPECT_EQ(words(watch.compared(entries, {{.why = "no route"}}, start + 7s)), "");
  const auto answers = watch.compared(entries, {{.answers = true}}, start + 9s);
  ASSERT_EQ(words(answers), "answers a");
  EXPECT_EQ(answers[0].since, start + 5s);
  EXPECT_EQ(time_text(Watch::Time(0s)), "1970-01-01T00:00:00Z");
}

}  // namespace
}  // namespace takt::command
