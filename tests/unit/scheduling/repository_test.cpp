#include "schedulability/model/repository.h"

#include "schedulability/model/words.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

TEST(Repository, GivesHandlesInOrderAndFindsThem) {
  Repository repository = operations({needs(1, 10), needs(2, 20)});
  EXPECT_EQ(repository.lookup("2"), 2);
  const auto info = repository.get(2);
  ASSERT_TRUE(info);
  EXPECT_EQ((*info)->entry_point, "2");
  EXPECT_EQ((*info)->worstcase_execution_time, Time(2));
  EXPECT_EQ((*info)->typical_execution_time, Time(2));  // not declared: equal to the worst case
}

TEST(Repository, RefusesANameTwice) {
  Repository repository = operations({needs(1, 10)});
  const auto again = repository.create("1");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, RegistrationError::duplicate_name);
  EXPECT_EQ(again.error().operation, "1");
  EXPECT_EQ(repository.infos().size(), 1u);
}

TEST(Repository, RefusesUnknownHandlesAndNames) {
  Repository repository = operations({needs(1, 10)});
  for (const Handle handle : {-1, 0, 2}) {
    EXPECT_EQ(repository.get(handle).error().kind, RegistrationError::unknown_task);
    EXPECT_EQ(repository.set(handle, needs(1, 10)).error().number, handle);
    EXPECT_EQ(repository.add_dependency(1, handle, 1).error().kind, RegistrationError::unknown_task);
    EXPECT_EQ(repository.add_dependency(handle, 1, 1).error().kind, RegistrationError::unknown_task);
  }
  EXPECT_EQ(repository.lookup("who").error().operation, "who");
}

TEST(Repository, RefusesNamesThatNobodyCanRead) {
  Repository repository;
  EXPECT_EQ(repository.create("").error().kind, RegistrationError::bad_name);
  EXPECT_EQ(repository.create("a\nb").error().kind, RegistrationError::bad_name);
  for (const char* name :
       {"a\u202eb", "\u2066", "a\u009bm", "\u2028", "\u061c", "\u200f"})  // shown backwards, and so on
    EXPECT_EQ(repository.create(name).error().kind, RegistrationError::bad_name) << name;
  EXPECT_TRUE(repository.create("\u8a08\u00fc\u20ac\u2014"));
}

TEST(Repository, RefusesTimesOutOfRangeAndKeepsWhatWas) {
  Repository repository = operations({needs(1, 10)});
  const auto refused = [&](const Requirements& wanted) {
    const auto set = repository.set(1, wanted);
    EXPECT_FALSE(set);
    EXPECT_EQ(set.error().operation, "1");
    return set.error();
  };
  EXPECT_EQ(refused(needs(-1, 10)).kind, RegistrationError::negative_time);
  const auto long_one = refused(needs(1, longest_time.count() + 1));
  EXPECT_EQ(long_one.kind, RegistrationError::time_too_long);
  EXPECT_EQ(long_one.number, longest_time.count() + 1);
  EXPECT_NE(long_one.text.find(std::to_string(longest_time.count() + 1)), std::string::npos);
  Requirements wanted = needs(1, 10);
  wanted.cached_execution_time = Time(2);
  EXPECT_EQ(refused(wanted).kind, RegistrationError::execution_order);
  wanted = needs(1, 10);
  wanted.threads = -1;
  EXPECT_EQ(refused(wanted).kind, RegistrationError::bad_count);
  wanted = needs(1, 10);
  wanted.processor = -1;
  EXPECT_EQ(refused(wanted).kind, RegistrationError::bad_processor);
  EXPECT_EQ(repository[1].period, Time(10));
}

TEST(Repository, RefusesDependenciesThatCannotBe) {
  Repository repository = operations({needs(1, 10), needs(1, 0)});
  EXPECT_EQ(repository.add_dependency(1, 1, 1).error().kind, RegistrationError::own_dependency);
  EXPECT_EQ(repository.add_dependency(1, 2, 0).error().kind, RegistrationError::bad_count);
  EXPECT_EQ(repository.add_dependency(1, 2, most_calls + 1).error().number, most_calls + 1);
  depend(repository, 1, 2);
  EXPECT_EQ(repository.add_dependency(1, 2, 3).error().kind, RegistrationError::double_dependency);
}

TEST(Words, TimesAreReadAndWrittenWithoutLoss) {
  EXPECT_EQ(time_of("10 ms"), Time(10'000'000));
  EXPECT_EQ(time_of("1.5us"), Time(1'500));
  EXPECT_EQ(time_of(" 250 ns "), Time(250));
  EXPECT_EQ(time_of("0"), Time(0));
  EXPECT_EQ(time_of("2 s"), Time(2'000'000'000));
  for (const char* bad : {"", "ms", "42", "0.5", "-1 ms", "1.5 ns", "1. ms", "1.0000000005 s", "10 h", "1e3",
                          "9999999999 s", "0x1"})
    EXPECT_EQ(time_of(bad), std::nullopt) << bad;
  for (const std::int64_t each : {0, 1, 999, 1'000, 1'500, 12'345'678, 1'000'000'001})
    EXPECT_EQ(time_of(text_of(Time(each))), Time(each)) << text_of(Time(each));
  EXPECT_EQ(text_of(Time(12'500'000)), "12.5 ms");
  EXPECT_EQ(place_of("Very_High", level_names), 4u);
  EXPECT_EQ(place_of("highest", level_names), std::nullopt);
}

}  // namespace
}  // namespace takt::scheduling
