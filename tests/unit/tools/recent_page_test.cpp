#include "admin/recent_page.h"

#include <gtest/gtest.h>

namespace takt::command {
namespace {

using namespace std::chrono_literals;

struct RecentPages : testing::Test {
  RecentPage::Clock::time_point now{1h};
  std::chrono::milliseconds takes = 200ms;
  int made = 0;
  RecentPage page{[this] {
                    now += takes;
                    return "page " + std::to_string(++made);
                  },
                  [this] { return now; }};
};

TEST_F(RecentPages, AreShownAgainForAsLongAsTheyTook) {
  EXPECT_EQ(page.text(), "page 1");
  now += 199ms;
  EXPECT_EQ(page.text(), "page 1");
  now += 1ms;
  EXPECT_EQ(page.text(), "page 2");
}

TEST_F(RecentPages, ThatTakeNoTimeAreMadeEachTime) {
  takes = 0ms;
  EXPECT_EQ(page.text(), "page 1");
  EXPECT_EQ(page.text(), "page 2");
}

}  // namespace
}  // namespace takt::command
