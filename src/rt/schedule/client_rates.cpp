#include "rt/schedule/client_rates.h"

#include <algorithm>
#include <limits>
#include <mutex>

namespace takt::rt {

namespace {

// For rates that fill the operation's exactly, but for what rounding adds.
constexpr double rounding = 1e-9;

std::int64_t after(std::int64_t time_ns, std::int64_t more_ns) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(time_ns, more_ns, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t patience_with(std::int64_t period_ns) {
  constexpr std::int64_t least = 1'000'000'000, periods = 8;
  std::int64_t patience = 0;
  if (__builtin_mul_overflow(period_ns, periods, &patience)) return std::numeric_limits<std::int64_t>::max();
  return std::max(patience, least);
}

}  // namespace

// With the mutex. Null: its rate does not fit beside the others'.
ClientRates::Client* ClientRates::admit(std::uint64_t client, Nanoseconds period,
                                        Nanoseconds operation_period, std::int64_t now_ns) {
  double rates = 1.0 / static_cast<double>(period.count());
  Client *own = nullptr, *free = nullptr;
  for (Client& one : clients_) {
    if (one.number == client)
      own = &one;
    else if (one.number == 0 || one.leaves_ns <= now_ns)
      free = &one;
    else
      rates += 1.0 / static_cast<double>(one.period_ns);
  }
  if (own && own->period_ns == period.count()) return own;
  Client* const place = own ? own : free;
  if (!place) return nullptr;
  if (rates * static_cast<double>(operation_period.count()) > 1.0 + rounding) {
    if (own) *own = {};  // which it would exceed by its new rate
    return nullptr;
  }
  *place = {.number = client, .period_ns = period.count(), .expected_ns = now_ns};
  return place;
}

ClientRates::Nanoseconds ClientRates::early_by(std::uint64_t client, Nanoseconds period,
                                               Nanoseconds operation_period, Nanoseconds ahead,
                                               std::chrono::steady_clock::time_point at) {
  const std::int64_t now_ns = Nanoseconds(at.time_since_epoch()).count();
  std::lock_guard lock(mutex_);
  Client* const admitted = admit(client, period, operation_period, now_ns);
  if (!admitted) return operation_period;
  admitted->leaves_ns = after(now_ns, patience_with(period.count()));
  const std::int64_t conforms_from = admitted->expected_ns - ahead.count();
  if (conforms_from > now_ns) return Nanoseconds(conforms_from - now_ns);
  admitted->expected_ns = after(std::max(admitted->expected_ns, now_ns), period.count());
  return Nanoseconds::zero();
}

}  // namespace takt::rt
