// Figures from the buckets of an operation's durations.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "Takt_AdminC.h"

namespace takt::command {

using Takt::Admin::Buckets;

std::uint64_t calls_in(const Buckets& buckets);
// The bound of the bucket with that share of the calls, from 0 to 1; nullopt without calls.
std::optional<std::chrono::nanoseconds> quantile(const Buckets& buckets, double share);
// About the sum of all durations: each counts as the middle of its bucket, which is at most 6 % wrong.
std::chrono::nanoseconds sum_of(const Buckets& buckets);
// The calls in buckets whose bound is at most `limit`.
std::uint64_t calls_up_to(const Buckets& buckets, std::chrono::nanoseconds limit);
// The calls of `now` that are not in `before`. Counts that have decreased, as after a restart, are all new.
Buckets since(const Buckets& before, const Buckets& now);

}  // namespace takt::command
