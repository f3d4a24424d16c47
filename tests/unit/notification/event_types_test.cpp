#include "notification_parts/model/event_types.h"

#include <gtest/gtest.h>

#include <string>

namespace takt::notification {
namespace {

using Names = std::set<TypeName>;

TEST(EventTypes, FitPatternsWithStars) {
  EXPECT_TRUE(fits("Tele*", "Telecom"));
  EXPECT_TRUE(fits("*com", "Telecom"));
  EXPECT_TRUE(fits("T*l*m", "Telecom"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("a*a", "aa"));
  EXPECT_FALSE(fits("a*a", "a"));
  EXPECT_FALSE(fits("T*x*m", "Telecom"));
  EXPECT_FALSE(fits("Telecom", "Tele"));
  EXPECT_FALSE(fits("", "Tele"));
}

TEST(EventTypes, HaveSeveralWordsForAll) {
  for (const TypeName& all :
       {TypeName{"*", "*"}, TypeName{"", ""}, TypeName{"*", "%ALL"}, TypeName{"", "%ALL"}})
    EXPECT_TRUE(fits(all, "Telecom", "Alarm"));
  EXPECT_TRUE(fits({"Telecom", "%ALL"}, "Telecom", "Alarm"));
  EXPECT_FALSE(fits({"Telecom", "%ALL"}, "Finance", "Alarm"));
  EXPECT_FALSE(fits({"", "Alarm"}, "Telecom", "Alarm"));
  const std::string endless(longest_name + 1, 'x');
  EXPECT_FALSE(fits({"x*", "*"}, endless, "Alarm"));
  EXPECT_TRUE(fits({"*", "*"}, endless, endless));
}

TEST(Subscription, BeginsWithAllUntilTypesAreNamed) {
  auto subscription = Subscription::to_all();
  EXPECT_TRUE(subscription.takes("Telecom", "Alarm"));
  const auto change = subscription.change({{"Telecom", "Alarm"}}, {});
  EXPECT_EQ(change.added, (Names{{"Telecom", "Alarm"}}));
  EXPECT_EQ(change.removed, (Names{{"*", "%ALL"}}));
  EXPECT_TRUE(subscription.takes("Telecom", "Alarm"));
  EXPECT_FALSE(subscription.takes("Telecom", "Call"));
}

TEST(Subscription, RemovesAllInAnyOfItsSpellings) {
  auto subscription = Subscription::to_all();
  subscription.change({}, {{"*", "*"}});
  EXPECT_FALSE(subscription.takes("Telecom", "Alarm"));
  subscription.change({{"", ""}}, {});
  EXPECT_TRUE(subscription.takes("Telecom", "Alarm"));
}

TEST(Subscription, TakesNothingAfterItsLastTypeIsRemoved) {
  auto subscription = Subscription::to_all();
  subscription.change({{"Telecom", "Alarm"}}, {});
  const auto change = subscription.change({}, {{"Telecom", "Alarm"}, {"Finance", "Price"}});
  EXPECT_EQ(change.removed, (Names{{"Telecom", "Alarm"}}));
  EXPECT_FALSE(subscription.takes("Telecom", "Alarm"));
}

TEST(TypeCounts, TellOnlyWhatChangesInTheUnion) {
  TypeCounts counts;
  EXPECT_EQ(counts.change({{"a", "b"}}, {}).added, (Names{{"a", "b"}}));
  EXPECT_TRUE(counts.change({{"a", "b"}}, {}).empty());
  EXPECT_TRUE(counts.change({}, {{"a", "b"}}).empty());
  EXPECT_EQ(counts.change({{"c", "d"}}, {{"a", "b"}}).removed, (Names{{"a", "b"}}));
  EXPECT_EQ(counts.types(), (std::vector<TypeName>{{"c", "d"}}));
}

}  // namespace
}  // namespace takt::notification
