// Figures that takt top and takt metrics make of an ORB's state.
#include "admin/durations.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "admin/prometheus.h"
#include "common/metrics_text.h"

namespace {

using namespace std::chrono_literals;
using namespace takt::command;
using Takt::Admin::Bucket;

const Buckets hundred{Bucket(1000, 50), Bucket(2000, 49), Bucket(9'000'000, 1)};

TEST(Durations, QuantilesAreBoundsOfTheirBuckets) {
  EXPECT_EQ(quantile(hundred, 0), 1us);
  EXPECT_EQ(quantile(hundred, 0.5), 1us);
  EXPECT_EQ(quantile(hundred, 0.51), 2us);
  EXPECT_EQ(quantile(hundred, 0.99), 2us);
  EXPECT_EQ(quantile(hundred, 1), 9ms);
  EXPECT_EQ(quantile({}, 0.5), std::nullopt);
  EXPECT_EQ(quantile({Bucket(UINT64_MAX, 1)}, 1), std::chrono::nanoseconds::max());
}

TEST(Durations, CallsWithinALimitAreThoseWhoseBoundIs) {
  EXPECT_EQ(calls_up_to(hundred, 999ns), 0u);
  EXPECT_EQ(calls_up_to(hundred, 1us), 50u);
  EXPECT_EQ(calls_up_to(hundred, 1s), 100u);
  EXPECT_EQ(calls_in(hundred), 100u);
}

TEST(Durations, TheSumIsAtMostSixPercentWrong) {
  const std::chrono::nanoseconds sum = sum_of({Bucket(9000, 1000)});  // each is from 8000 to 9000
  EXPECT_GE(sum, 8ms);
  EXPECT_LE(sum, 9ms);
  EXPECT_EQ(sum_of({Bucket(UINT64_MAX, UINT64_MAX)}), std::chrono::nanoseconds(9'000'000'000'000'000'000));
}

TEST(Durations, OnlyNewCallsAreLeft) {
  const Buckets added =
      since(hundred, {Bucket(1001, 60), Bucket(2000, 49), Bucket(4000, 2), Bucket(9'000'000, 1)});
  ASSERT_EQ(added.size(), 2u);
  EXPECT_EQ(added[0].calls(), 10u);
  EXPECT_EQ(added[1].calls(), 2u);
  EXPECT_EQ(calls_in(since(hundred, {Bucket(1000, 7)})), 7u) << "the ORB was restarted";
}

// Names of targets come from the command line, those of adapters from the program.
TEST(PrometheusText, LabelsAreEscaped) {
  Takt::Admin::State state;
  Takt::Admin::Adapter adapter;
  adapter.path("a\"b\\c\nd");
  state.adapters().push_back(adapter);
  const std::string page = prometheus_text({{"x\"y", state}, {"down", std::nullopt}});
  EXPECT_NE(page.find("takt_up{target=\"x\\\"y\"} 1\ntakt_up{target=\"down\"} 0\n"), std::string::npos)
      << page;
  EXPECT_NE(page.find("adapter=\"a\\\"b\\\\c\\nd\"} 0\n"), std::string::npos) << page;
}

TEST(PrometheusText, LabelsAreUtf8) {
  Takt::Admin::State state;
  Takt::Admin::Adapter adapter;
  adapter.path("M\xc3\xbcller\xff\xc3");
  state.adapters().push_back(adapter);
  const std::string page = prometheus_text({{"t\x80", state}});
  EXPECT_NE(page.find("{target=\"t\xef\xbf\xbd\",adapter=\"M\xc3\xbcller\xef\xbf\xbd\xef\xbf\xbd\"} 0\n"),
            std::string::npos)
      << page;
  EXPECT_EQ(MetricsText::label("server", "\xed\xa0\x80x"), ",server=\"\xef\xbf\xbdx\"")
      << "a half of a surrogate pair";
}

TEST(PrometheusText, AdaptersOfOnePathAreOneSeries) {
  Takt::Admin::State state;
  Takt::Admin::Adapter adapter;
  adapter.path("RootPOA/a/b");
  adapter.objects(2);
  adapter.state("active");
  state.adapters() = {adapter, adapter};
  state.adapters()[1].state("holding");
  const std::string page = prometheus_text({{"t", state}});
  EXPECT_NE(page.find("takt_adapter_objects{target=\"t\",adapter=\"RootPOA/a/b\"} 4\n# HELP"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("takt_adapter_active{target=\"t\",adapter=\"RootPOA/a/b\"} 0\n# HELP"),
            std::string::npos)
      << page;
}

TEST(PrometheusText, QueuesOfOneNameAndPriorityAreOneSeries) {
  Takt::Admin::State state;
  Takt::Admin::Queue queue;
  queue.name("takt-pool");
  queue.waiting(2);
  queue.oldest_ns(1'500'000'000);
  state.queues() = {queue, queue};
  const std::string page = prometheus_text({{"t", state}});
  EXPECT_NE(page.find("takt_queue_waiting_requests{target=\"t\",queue=\"takt-pool\",priority=\"-1\"} 4\n"),
            std::string::npos)
      << page;
  EXPECT_NE(
      page.find("takt_queue_oldest_request_seconds{target=\"t\",queue=\"takt-pool\",priority=\"-1\"} 1.5\n"),
      std::string::npos);
}

}  // namespace
