#include "threads/processors.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cerrno>

#include "threads/thread.h"

namespace takt::os {

TEST(Processors, AreReadAsLinuxWritesThem) {
  for (const char* text : {"0", "1023", "0-3", "0,2-3", "1,7,9-12"}) {
    const auto processors = processors_from_text(text);
    ASSERT_TRUE(processors) << text;
    EXPECT_EQ(to_text(*processors), text);
  }
  EXPECT_EQ(to_text(*processors_from_text("3,1-2,2")), "1-3");
  EXPECT_EQ(to_text({}), "");
}

TEST(Processors, AreNotReadFromOtherText) {
  for (const char* text :
       {"", ",", "0,", "-1", "3-1", "1-", "1024", "0-99999999999999999999", "a", "1 2", "1-2-3"})
    EXPECT_FALSE(processors_from_text(text)) << text;
}

TEST(Processors, HoldTheThreadThatRunsOnThem) {
  const Processors present = present_processors();
  ASSERT_TRUE(present.any());
  for (std::size_t each = 0; each < present.size(); ++each) {
    if (!present.test(each)) continue;
    auto thread = Thread::start({}, [each] {
      EXPECT_EQ(run_on(Processors().set(each)), 0);
      EXPECT_EQ(present_processors(), Processors().set(each));
      EXPECT_EQ(::sched_getcpu(), static_cast<int>(each));
    });
    ASSERT_TRUE(thread);
  }
  EXPECT_EQ(present_processors(), present);
}

TEST(Processors, ThatDoNotExistAreRefused) {
  auto thread = Thread::start({}, [] {
    const Processors before = present_processors();
    EXPECT_EQ(run_on({}), EINVAL);
    EXPECT_EQ(present_processors(), before);
  });
  ASSERT_TRUE(thread);
}

}  // namespace takt::os
