#include "rt/operations/client_rates.h"

#include <algorithm>
#include <limits>

namespace takt::rt {

namespace {

// Tolerance for rounding, if the rates add up exactly to the operation's.
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

// Precondition: the mutex is held. Null if its rate does not fit beside the others.
ClientRates::Client* ClientRates::admit(std::uint64_t client, Nanoseconds period,
                                        Nanoseconds operation_period, std::int64_t now_ns) {
  auto [own, free, slowest, rates] = find(client, now_ns);
  rates += 1.0 / static_cast<double>(period.count());
  const bool is_new = !own;
  if (is_new) own = free;
  if (!own && slowest->period_ns > period.count()) own = slowest;
  if (!own) return nullptr;
  if (is_new || own->period_ns != period.count()) {
    if (rates * static_cast<double>(operation_period.count()) > 1.0 + rounding) return nullptr;
    if (is_new) *own = {.number = client, .period_ns = period.count(), .expected_ns = now_ns};
    // If the client's next request is not due yet, the new period counts from its last one.
    if (own->expected_ns > now_ns)
      own->expected_ns = after(own->expected_ns - own->period_ns, period.count());
    own->period_ns = period.count();
  }
  own->leaves_ns = after(now_ns, patience_with(period.count()));
  return own;
}

// Precondition: the mutex is held.
ClientRates::Places ClientRates::find(std::uint64_t client, std::int64_t now_ns) {
  Places found;
  for (Client& one : clients_) {
    if (one.number == 0 || one.leaves_ns <= now_ns) {
      found.free = &one;
    } else if (one.number == client) {
      found.own = &one;
    } else {
      if (!found.slowest || one.period_ns > found.slowest->period_ns) found.slowest = &one;
      found.rates_of_others += 1.0 / static_cast<double>(one.period_ns);
    }
  }
  return found;
}

// Precondition: the mutex is held.
void ClientRates::delay_next(Client& client, std::int64_t now_ns) {
  client.expected_ns = after(std::max(client.expected_ns, now_ns), client.period_ns);
}

}  // namespace takt::rt
