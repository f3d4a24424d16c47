// Which traces are recorded.
#include "tracing/tracer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <thread>

#include "reference/context/trace_scope.h"

namespace takt::tracing {
namespace {

int chosen_of(Tracer& tracer, int traces) {
  int chosen = 0;
  for (int i = 0; i < traces; ++i) chosen += tracer.chooses();
  return chosen;
}

TEST(Sampling, ChoosesAllOrNone) {
  const auto all = std::make_shared<Tracer>(1), none = std::make_shared<Tracer>(0);
  EXPECT_EQ(chosen_of(*all, 1000), 1000);
  EXPECT_EQ(chosen_of(*none, 1000), 0);
}

// Within ten standard deviations.
TEST(Sampling, ChoosesThePartThatTheRatioSays) {
  constexpr int traces = 100000;
  for (const double ratio : {0.5, 0.1, 0.01, 0.001}) {
    const auto tracer = std::make_shared<Tracer>(ratio);
    const double mean = traces * ratio, most = 10 * std::sqrt(mean * (1 - ratio));
    EXPECT_NEAR(chosen_of(*tracer, traces), mean, most) << ratio;
  }
}

TEST(Sampling, OfTwoOrbsInOneThreadDoesNotMix) {
  const auto all = std::make_shared<Tracer>(1), none = std::make_shared<Tracer>(0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(all->chooses());
    EXPECT_FALSE(none->chooses());
  }
}

// The first choice of each thread is as rare as any other.
TEST(Sampling, IsTheSameForThreadsThatCallOnce) {
  const auto tracer = std::make_shared<Tracer>(0.01);
  int chosen = 0;
  for (int i = 0; i < 200; ++i) std::thread([&] { chosen += tracer->chooses(); }).join();
  EXPECT_LT(chosen, 30);
}

TEST(Positions, DecideWhatCallsCarry) {
  const auto all = std::make_shared<Tracer>(1), none = std::make_shared<Tracer>(0);
  EXPECT_EQ(all->decide(), Decision::recorded);
  EXPECT_EQ(none->decide(), Decision::left_out);
  {
    const reference::TraceScope not_chosen(&untraced);
    EXPECT_EQ(all->decide(), Decision::left_out);
  }
  Position position;
  const reference::TraceScope here(&position);
  EXPECT_EQ(all->decide(), Decision::passed);
  position.ids.sampled = true;
  EXPECT_EQ(none->decide(), Decision::recorded);
}

TEST(Positions, OutliveTheirSpanIfTheyAreKept) {
  std::shared_ptr<const reference::CarriedTrace> kept;
  {
    const auto tracer = std::make_shared<Tracer>(1);
    Position position;
    position.tracer = tracer.get();
    position.state = "a=1";
    kept = position.keep();
  }
  EXPECT_EQ(position_of(kept.get())->state, "a=1");
  EXPECT_EQ(position_of(kept.get())->owner.get(), position_of(kept.get())->tracer);
  EXPECT_EQ(untraced.keep().get(), &untraced);
}

}  // namespace
}  // namespace takt::tracing
