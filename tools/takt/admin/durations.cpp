#include "admin/durations.h"

#include <algorithm>
#include <cmath>

namespace takt::command {

using Takt::Admin::Bucket;
using Nanoseconds = std::chrono::nanoseconds;

namespace {
Nanoseconds bound_of(const Bucket& bucket) {
  constexpr std::uint64_t most = INT64_MAX;
  return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(bucket.up_to_ns(), most)));
}
}  // namespace

std::uint64_t calls_in(const Buckets& buckets) {
  std::uint64_t calls = 0;
  for (const Bucket& bucket : buckets) calls += bucket.calls();
  return calls;
}

std::optional<Nanoseconds> quantile(const Buckets& buckets, double share) {
  const double rank = std::max(1.0, std::ceil(share * static_cast<double>(calls_in(buckets))));
  double calls = 0;
  for (const Bucket& bucket : buckets) {
    calls += static_cast<double>(bucket.calls());
    if (calls >= rank) return bound_of(bucket);
  }
  return std::nullopt;
}

Nanoseconds sum_of(const Buckets& buckets) {
  constexpr double middle = 17.0 / 18;  // buckets are eighths of a power of two
  double sum = 0;
  for (const Bucket& bucket : buckets)
    sum += static_cast<double>(bound_of(bucket).count()) * middle * static_cast<double>(bucket.calls());
  return Nanoseconds(static_cast<std::int64_t>(std::min(sum, 9e18)));
}

std::uint64_t calls_up_to(const Buckets& buckets, Nanoseconds limit) {
  std::uint64_t calls = 0;
  for (const Bucket& bucket : buckets)
    if (bound_of(bucket) <= limit) calls += bucket.calls();
  return calls;
}

// The bounds wander a little in the ORB's first second, so buckets are matched by the nearest one.
Buckets since(const Buckets& before, const Buckets& now) {
  Buckets added;
  for (const Bucket& bucket : now) {
    const auto same = std::ranges::find_if(before, [&](const Bucket& old) {
      const double a = static_cast<double>(old.up_to_ns()), b = static_cast<double>(bucket.up_to_ns());
      return std::abs(a - b) <= 0.03 * b;
    });
    std::uint64_t calls = bucket.calls();
    if (same != before.end() && same->calls() <= calls) calls -= same->calls();
    if (calls != 0) added.emplace_back(bucket.up_to_ns(), calls);
  }
  return added;
}

}  // namespace takt::command
