#include <takt/transport/stream_options.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace takt::transport {
namespace {

using namespace std::chrono_literals;

template <class T, class Value>
StreamOverrides saying(std::optional<T> StreamOverrides::* what, Value value) {
  StreamOverrides overrides;
  overrides.*what = value;
  return overrides;
}

StreamOverrides by_priority(const Marking& marking) {
  StreamOverrides overrides;
  overrides.by_priority.give(10, marking);
  return overrides;
}

// Each sets one option, all different.
std::vector<StreamOverrides> one_of_each() {
  using Says = StreamOverrides;
  return {saying(&Says::no_delay, false),
          saying(&Says::no_delay, true),
          saying(&Says::keep_alive, true),
          saying(&Says::dont_route, true),
          saying(&Says::preallocate, true),
          saying(&Says::send_buffer_bytes, 7),
          saying(&Says::receive_buffer_bytes, 7),
          saying(&Says::receive_buffer_bytes, 0),
          saying(&Says::dscp, 7),
          saying(&Says::priority, 7),
          saying(&Says::busy_poll, 7us),
          saying(&Says::settings, "7"),
          by_priority({46, -1}),
          by_priority({8, -1}),
          by_priority({-1, 8}),
          saying(&Says::settings, "")};
}

TEST(StreamOverrides, NothingIsSaidAtFirst) {
  EXPECT_FALSE(StreamOverrides().any());
  for (const StreamOverrides& one : one_of_each()) EXPECT_TRUE(one.any());
}

TEST(StreamOverrides, ReplaceWhatTheySayAndNothingElse) {
  StreamOptions usual;
  usual.keep_alive_probes = 3;
  usual.send_buffer_bytes = 1000;
  usual.receive_buffer_bytes = 2000;
  usual.dscp = 46;
  usual.settings = "as they were";
  EXPECT_EQ(StreamOverrides().over(usual), usual);

  StreamOverrides overrides;
  StreamOptions wanted = usual;
  overrides.no_delay = wanted.no_delay = false;
  overrides.keep_alive = wanted.keep_alive = true;
  overrides.dont_route = wanted.dont_route = true;
  overrides.preallocate = wanted.preallocate = true;
  overrides.receive_buffer_bytes = wanted.receive_buffer_bytes = 0;
  overrides.dscp = wanted.dscp = -1;
  wanted.marked_by = MarkedBy::policy;
  overrides.busy_poll = wanted.busy_poll = 20us;
  EXPECT_EQ(overrides.over(usual), wanted);
  overrides = {};
  wanted = usual;
  overrides.send_buffer_bytes = wanted.send_buffer_bytes = 9;
  overrides.priority = wanted.priority = 5;
  wanted.marked_by = MarkedBy::policy;
  overrides.settings = wanted.settings = "others";
  EXPECT_EQ(overrides.over(usual), wanted);
}

TEST(StreamOverrides, TextsAreEqualWhereTheyAre) {
  std::set<std::string> texts{StreamOverrides().text()};
  for (const StreamOverrides& one : one_of_each()) {
    EXPECT_EQ(one.text(), StreamOverrides(one).text());
    EXPECT_TRUE(texts.insert(one.text()).second) << one.text();
  }
}

}  // namespace
}  // namespace takt::transport
