// Times and sizes on command lines.
#include "units.h"

#include <gtest/gtest.h>

namespace takt::command_line {
namespace {

using namespace std::chrono_literals;

TEST(CommandLineUnits, TimesHaveAUnitOrAreSeconds) {
  EXPECT_EQ(time_from_text("500ms"), 500ms);
  EXPECT_EQ(time_from_text("1.5s"), 1500ms);
  EXPECT_EQ(time_from_text("2000us"), 2ms);
  EXPECT_EQ(time_from_text("3ns"), 3ns);
  EXPECT_EQ(time_from_text("2min"), 120s);
  EXPECT_EQ(time_from_text("1h"), 3600s);
  EXPECT_EQ(time_from_text("0.2"), 200ms);
  EXPECT_EQ(time_from_text("0"), 0ns);
}

TEST(CommandLineUnits, AllElseIsNoTime) {
  for (const char* const wrong : {"", "ms", "-1s", "nan", "inf", "infs", "1 s", "1e9s", "5m", "1S",
                                  "99999999999h", "0x5s", "1s ", "+1s", "1.2.3s"}) {
    const auto read = time_from_text(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error(), "a number with ns, us, ms, s, min or h, such as 500ms");
  }
}

TEST(CommandLineUnits, SizesHaveAUnitOrAreOctets) {
  EXPECT_EQ(size_from_text("64k"), 65536u);
  EXPECT_EQ(size_from_text("64KiB"), 65536u);
  EXPECT_EQ(size_from_text("1.5M"), 1572864u);
  EXPECT_EQ(size_from_text("2GiB"), 2147483648u);
  EXPECT_EQ(size_from_text("17"), 17u);
  for (const char* const wrong : {"", "k", "-1", "64kb", "64K", "99999999999G", "nan", "1e3"}) {
    const auto read = size_from_text(wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error(), "a number of octets, or one with k, M or G, such as 64k");
  }
}

TEST(CommandLineUnits, AreShownInTheLargestUnitThatFits) {
  EXPECT_EQ(text_of_time(0ns), "0");
  EXPECT_EQ(text_of_time(5s), "5s");
  EXPECT_EQ(text_of_time(300s), "5min");
  EXPECT_EQ(text_of_time(90s), "90s");
  EXPECT_EQ(text_of_time(1500ms), "1500ms");
  EXPECT_EQ(text_of_size(16384), "16k");
  EXPECT_EQ(text_of_size(1000), "1000");
  EXPECT_EQ(text_of_size(0), "0");
}

}  // namespace
}  // namespace takt::command_line
