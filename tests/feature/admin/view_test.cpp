// The state of an ORB as takt top shows it.
#include "admin/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace {

using namespace std::chrono_literals;
using namespace takt::command;
using namespace Takt::Admin;

Operation operation(const std::string& name, Buckets durations, Count exceptions = 0) {
  Operation made;
  made.interface_name("Bank");
  made.name(name);
  made.durations(std::move(durations));
  made.user_exceptions(exceptions);
  return made;
}

State state(std::uint64_t up_s, std::vector<Operation> operations) {
  State made;
  made.orb_id("server");
  made.process(7);
  made.up_ns(up_s * 1'000'000'000);
  for (const Operation& each : operations) made.operations().push_back(each);
  return made;
}

TEST(View, RowsAreAboutTheTimeBetweenTwoLooks) {
  const State before = state(10, {operation("pay", {Bucket(1000, 5)}, 1)});
  const State now =
      state(12, {operation("pay", {Bucket(1000, 7), Bucket(9000, 2)}, 2), operation("idle", {})});
  const View view = view_of(before, now);
  EXPECT_FALSE(view.since_start);
  ASSERT_EQ(view.operations.size(), 1u);
  EXPECT_EQ(view.operations[0].name, "Bank::pay");
  EXPECT_EQ(view.operations[0].calls, 4u);
  EXPECT_EQ(view.operations[0].calls_per_second, 2);
  EXPECT_EQ(view.operations[0].exceptions, 1u);
  EXPECT_EQ(view.operations[0].median, 1us);
  EXPECT_EQ(view.operations[0].p99, 9us);
}

TEST(View, AfterARestartRowsAreSinceTheStart) {
  const State before = state(100, {operation("pay", {Bucket(1000, 50)}, 3)});
  const View view = view_of(before, state(1, {operation("pay", {Bucket(1000, 2)})}));
  EXPECT_TRUE(view.since_start);
  ASSERT_EQ(view.operations.size(), 1u);
  EXPECT_EQ(view.operations[0].calls, 2u);
  EXPECT_EQ(view.operations[0].exceptions, 0u);
}

TEST(View, TheMostFrequentOperationIsFirst) {
  const View view = view_of(
      std::nullopt, state(1, {operation("rare", {Bucket(1, 1)}), operation("often", {Bucket(1, 9)})}));
  ASSERT_EQ(view.operations.size(), 2u);
  EXPECT_EQ(view.operations[0].name, "Bank::often");
}

TEST(View, TextFitsTheTerminal) {
  std::vector<Operation> many;
  for (int i = 0; i < 100; ++i)
    many.push_back(operation("operation_with_a_long_name_" + std::to_string(i), {Bucket(1000, 1)}));
  const std::string text = text_of(view_of(std::nullopt, state(1, many)), 40, 20);
  std::size_t lines = 0, begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++lines)
    EXPECT_LE(end - begin, 40u);
  EXPECT_LE(lines, 19u) << "the last line stays free, so that the terminal does not scroll";
  EXPECT_GE(lines, 10u);
}

// As while a server with many adapters starts.
TEST(View, ThousandsOfStoppedAdaptersAndScheduledOperationsFitTheTerminal) {
  State made = state(1, {operation("pay", {Bucket(1000, 5)})});
  for (int i = 0; i < 5000; ++i) {
    Adapter stopped;
    stopped.path("RootPOA/accounts" + std::to_string(i));
    stopped.state("holding");
    made.adapters().push_back(stopped);
  }
  const std::string few = text_of(view_of(std::nullopt, made), 80, 24);
  EXPECT_NE(few.find("RootPOA/accounts9 holding and 4990 more\n"), std::string::npos) << few;
  EXPECT_NE(few.find("Bank::pay\n"), std::string::npos) << few;
  made.schedule().resize(100);
  const std::string text = text_of(view_of(std::nullopt, made), 80, 24);
  EXPECT_EQ(std::ranges::count(text, '\n'), 23) << text;
}

TEST(View, NarrowTerminalsShowTheNamesOfOperationsAndFewerNumbers) {
  const View view = view_of(std::nullopt, state(1, {operation("pay", {Bucket(1000, 5)})}));
  const std::string narrow = text_of(view, 40, 0), wide = text_of(view, 80, 0);
  EXPECT_NE(narrow.find("   CALLS/S       P99  OPERATION\n       5.0    1.0 us  Bank::pay\n"),
            std::string::npos)
      << narrow;
  EXPECT_NE(narrow.find("connections 0 open, 0 accepted, 0\nrefused; requests refused 0\n"),
            std::string::npos)
      << narrow;
  EXPECT_NE(wide.find("   CALLS/S      CALLS   EXCEPT    MEDIAN       P99   LONGEST  OPERATION\n"
                      "       5.0          5        0    1.0 us    1.0 us    1.0 us  Bank::pay\n"),
            std::string::npos)
      << wide;
  EXPECT_NE(text_of(view, 24, 0).find("Bank::pay\n"), std::string::npos);
}

// A server that someone else runs must not control the operator's terminal.
TEST(View, NamesCannotControlTheTerminal) {
  State hostile = state(1, {operation("\x1b[2Jgone\r\n\x9b", {Bucket(1000, 1)})});
  hostile.orb_id("\x1b]0;title\x07");
  Adapter adapter;
  adapter.path("a\x1b[31m");
  adapter.state("holding");
  hostile.adapters().push_back(adapter);
  const std::string text = text_of(view_of(std::nullopt, hostile), 0, 0);
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
  EXPECT_NE(text.find("Bank::?[2Jgone???"), std::string::npos) << text;
}

TEST(View, JsonHasTheFieldsOfTheText) {
  State now = state(1, {operation("pay", {Bucket(1000, 5)})});
  Queue queue;
  queue.name("takt-pool");
  queue.waiting(3);
  queue.oldest_ns(17);
  now.queues().push_back(queue);
  const Json json = json_of(view_of(std::nullopt, now));
  EXPECT_EQ(json["operations"][0]["operation"], "Bank::pay");
  EXPECT_EQ(json["operations"][0]["p99_ns"], 1000);
  EXPECT_EQ(json["queues"][0]["waiting"], 3);
  EXPECT_EQ(json["queues"][0]["oldest_ns"], 17);
  EXPECT_EQ(json["since_start"], true);
}

}  // namespace
