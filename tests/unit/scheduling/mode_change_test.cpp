// The effect of a schedule change on deadlines, compared with a simulated change.
#include "schedulability/analysis/mode_change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "schedulability/analysis/response_time.h"
#include "schedulability/simulation/random_sets.h"

namespace takt::scheduling {
namespace mode_change_test {

constexpr std::int64_t long_enough = 1'000'000'000;

std::vector<std::int64_t> responses(std::vector<ModeLoad> loads) {
  std::int64_t steps = usual_steps;
  for (ModeLoad& each : loads)
    if (each.deadline == 0) each.deadline = long_enough;
  return mode_change_responses(loads, steps);
}
using Numbers = std::vector<std::int64_t>;

TEST(ModeChange, WhatDoesNotChangeHasTheResponsesOfItsSchedule) {
  std::vector<Load> loads;
  std::vector<ModeLoad> same;
  for (const auto& [c, t, level] : {std::tuple{3, 10, 0}, {4, 20, 1}, {7, 50, 2}, {5, 60, 2}}) {
    loads.push_back({.execution = c, .own = c, .period = t, .level = level});
    same.push_back({.execution = c, .period = t, .level = level});
  }
  std::int64_t steps = usual_steps;
  const auto expected = response_times(loads, Equals::count, steps);
  const auto found = responses(same);
  for (std::size_t i = 0; i < loads.size(); ++i) EXPECT_EQ(found[i], expected[i].worst);
}

// Each schedule is feasible, but the change makes a job of the old schedule miss: the old urgent thread has
// just run when the new one is released.
TEST(ModeChange, OldAndNewTogetherMayTakeMoreThanEither) {
  const std::vector<ModeLoad> loads = {
      {.mode = Mode::old_mode, .execution = 4, .period = 10, .level = 0},
      {.mode = Mode::new_mode, .execution = 5, .period = 10, .level = 0},
      {.mode = Mode::both, .execution = 5, .period = 30, .level = 1},
  };
  EXPECT_EQ(responses(loads), (Numbers{9, 8, 19}));
  const std::vector<ModeLoad> tight = {
      {.mode = Mode::old_mode, .execution = 4, .period = 10, .level = 0},
      {.mode = Mode::new_mode, .execution = 5, .period = 10, .level = 0},
      {.mode = Mode::both, .execution = 5, .period = 30, .deadline = 18, .level = 1},
  };
  EXPECT_EQ(responses(tight).back(), unbounded);
}

TEST(ModeChange, WorkOfNoTimeWaitsForWhatArrivesWhenItCouldBegin) {
  EXPECT_EQ(responses({{.execution = 2, .period = 4, .level = 0},
                       {.execution = 2, .period = 8, .level = 1},
                       {.execution = 0, .period = 16, .level = 2}}),
            (Numbers{2, 4, 6}));
}

TEST(ModeChange, WhatIsAddedWaitsForWhatHasArrived) {
  EXPECT_EQ(responses({{.mode = Mode::old_mode, .execution = 6, .period = 20, .level = 0},
                       {.mode = Mode::new_mode, .execution = 2, .period = 20, .level = 1}}),
            (Numbers{6, 7}));
}

TEST(ModeChange, GivesUpAfterItsSteps) {
  std::int64_t steps = 10;
  const std::vector<ModeLoad> loads = {
      {.mode = Mode::old_mode, .execution = 1, .period = 2, .deadline = 1000, .level = 0},
      {.mode = Mode::both, .execution = 100, .period = 1000, .deadline = 1000, .level = 1}};
  EXPECT_EQ(mode_change_responses(loads, steps), (Numbers{1, unbounded}));
  steps = usual_steps;
  const std::vector<ModeLoad> without_end = {
      {.mode = Mode::old_mode, .execution = 2, .period = 2, .deadline = 1000, .level = 0},
      {.mode = Mode::both, .execution = 100, .period = 1000, .deadline = 1000, .level = 1}};
  EXPECT_EQ(mode_change_responses(without_end, steps).back(), unbounded);
}

// Simulates one change tick by tick; records the longest response of each thread.
class Played {
 public:
  Played(const std::vector<ModeLoad>& loads, RandomSets& random) : loads_(loads), random_(random) {}

  Numbers run(std::int64_t change, std::int64_t end) {
    Numbers next, worst(loads_.size(), 0);
    for (const ModeLoad& each : loads_)
      next.push_back(each.mode == Mode::new_mode ? change : random_.between(0, each.period));
    std::vector<Job> jobs;
    for (std::int64_t now = 0; now < end || !jobs.empty(); ++now) {
      for (std::size_t i = 0; i < loads_.size(); ++i)
        if (now == next[i] && now < end) {
          next[i] += loads_[i].period + (random_.between(0, 3) == 0 ? random_.between(0, 5) : 0);
          if (loads_[i].mode == Mode::old_mode && now >= change) continue;
          const std::int32_t down = now < change ? loads_[i].further_down : 0;
          jobs.push_back({i, loads_[i].level + down, now, now + random_.between(0, loads_[i].jitter),
                          loads_[i].execution});
        }
      Job* urgent = nullptr;
      for (Job& job : jobs)
        if (job.released <= now && (!urgent || job.level < urgent->level)) urgent = &job;
      if (!urgent) {
        if (now > end + 10'000) break;
        continue;
      }
      if (--urgent->left > 0) continue;
      worst[urgent->load] = std::max(worst[urgent->load], now + 1 - urgent->arrived);
      jobs.erase(jobs.begin() + (urgent - jobs.data()));
    }
    return worst;
  }

 private:
  struct Job {
    std::size_t load;
    std::int32_t level;
    std::int64_t arrived, released, left;
  };
  const std::vector<ModeLoad>& loads_;
  RandomSets& random_;
};

TEST(ModeChange, NoPlayedChangeTakesLongerThanItsBound) {
  RandomSets random(20261122);
  int bounded = 0, reached = 0;
  for (int set = 0; set < 300; ++set) {
    std::vector<ModeLoad> loads;
    const auto count = random.between(2, 5);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t period = random.between(8, 40);
      loads.push_back({.mode = static_cast<Mode>(random.between(0, 2)),
                       .execution = random.between(1, std::max<std::int64_t>(1, period / 5)),
                       .period = period,
                       .deadline = 2000,
                       .jitter = set % 2 == 0 ? 0 : random.between(0, period / 2),
                       .level = static_cast<std::int32_t>(random.between(0, 3))});
      if (loads.back().mode == Mode::both && set % 3 == 0)
        loads.back().further_down = static_cast<std::int32_t>(random.between(0, 2));
    }
    const Numbers bounds = responses(loads);
    Numbers worst(loads.size(), 0);
    for (int run = 0; run < 60; ++run) {
      const Numbers seen = Played(loads, random).run(random.between(0, 200), 400);
      for (std::size_t i = 0; i < loads.size(); ++i) worst[i] = std::max(worst[i], seen[i]);
    }
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (bounds[i] == unbounded) continue;
      ++bounded;
      reached += worst[i] == bounds[i] ? 1 : 0;
      ASSERT_LE(worst[i], bounds[i]) << "thread " << i << " of set " << set;
    }
  }
  EXPECT_GT(bounded, 500);
  EXPECT_GT(reached, bounded / 10) << "a bound that nothing comes near says little";
}

}  // namespace mode_change_test
}  // namespace takt::scheduling
