#include "adapter/counting/operation_counts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using takt::adapter::OperationCount;
using takt::adapter::OperationCounts;

TEST(OperationCount, ABucketsBoundIsNeverBelowADurationAndAtMostOneEighthAbove) {
  for (std::uint64_t duration = 1; duration < std::uint64_t{1} << 60; duration += 1 + duration / 37) {
    const std::uint64_t bound = OperationCount::highest_in(OperationCount::bucket_of(duration));
    ASSERT_GE(bound, duration);
    // A duration is rounded to a float's 24 bits first.
    ASSERT_LE(static_cast<double>(bound), static_cast<double>(duration) * 1.125 * (1 + 1.0 / (1 << 22)) + 1)
        << duration;
  }
}

TEST(OperationCount, BucketsAreInTheOrderOfTheirDurations) {
  std::size_t before = OperationCount::bucket_of(1);
  for (std::uint64_t duration = 2; duration < std::uint64_t{1} << 62; duration += 1 + duration / 11) {
    const std::size_t bucket = OperationCount::bucket_of(duration);
    ASSERT_GE(bucket, before);
    before = bucket;
  }
}

// Processors' counters may differ, so that a call seems to end before it begins.
TEST(OperationCount, AnyDurationIsCounted) {
  OperationCount count;
  const std::uint64_t durations[] = {0, 1, UINT64_MAX, UINT64_MAX - 100, std::uint64_t{1} << 63, INT64_MAX};
  for (const std::uint64_t duration : durations) count.add(duration);
  std::uint64_t calls = 0;
  for (std::size_t bucket = 0; bucket < OperationCount::buckets; ++bucket) calls += count.calls_in(bucket);
  EXPECT_EQ(calls, std::size(durations));
}

TEST(OperationCounts, KeysThatShareAPlaceHaveCountsOfTheirOwn) {
  OperationCounts counts;
  constexpr std::uintptr_t stride = 8 * 4 * OperationCounts::most_operations;
  for (std::uintptr_t i = 1; i <= 3; ++i) counts.add(64 + i * stride, "IDL:I:1.0", "op" + std::to_string(i));
  EXPECT_TRUE(counts.count(64 + stride, 5));
  EXPECT_FALSE(counts.count(64 + 2 * stride, 5)) << "it is beside its place";
  counts.find(64 + 2 * stride)->add(5);
  counts.find(64 + 2 * stride)->add(5);
  const auto all = counts.all();
  ASSERT_EQ(all.size(), 3u);
  const std::size_t bucket = OperationCount::bucket_of(5);
  EXPECT_EQ(all[0]->count.calls_in(bucket), 1u);
  EXPECT_EQ(all[1]->count.calls_in(bucket), 2u);
  EXPECT_EQ(all[2]->count.calls_in(bucket), 0u);
  EXPECT_EQ(counts.find(64 + 4 * stride), nullptr);
}

TEST(OperationCounts, TheSameKeyIsAddedOnce) {
  OperationCounts counts;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (std::uintptr_t key = 16; key < 16 * 200; key += 16) counts.add(key, "IDL:I:1.0", "op").add(1);
    });
  for (auto& thread : threads) thread.join();
  ASSERT_EQ(counts.all().size(), 199u);
  for (const auto* const each : counts.all())
    EXPECT_EQ(each->count.calls_in(OperationCount::bucket_of(1)), 8u);
}

TEST(OperationCounts, FurtherOperationsCountAsUnknown) {
  OperationCounts counts;
  for (std::uintptr_t i = 1; i <= OperationCounts::most_operations; ++i)
    counts.add(i * 16, "IDL:I:1.0", "op");
  EXPECT_EQ(&counts.add(16 * (OperationCounts::most_operations + 1), "IDL:I:1.0", "op"), &counts.unknown());
  EXPECT_EQ(&counts.add(0, "IDL:I:1.0", "op"), &counts.unknown());
  EXPECT_EQ(counts.all().size(), OperationCounts::most_operations);
}

}  // namespace
