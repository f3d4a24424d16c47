#include "tracing/tracer.h"

#include <cmath>
#include <limits>

#include "os/process/random_number.h"
#include "tracing/span_ring.h"

namespace takt::tracing {

namespace {

std::atomic<std::uint64_t> next_serial{1};

// 0 < number <= 1.
double random_fraction() {
  constexpr double step = 1.0 / 9007199254740992.0;  // 2^-53
  return (static_cast<double>(os::random_number() >> 11) + 1) * step;
}

}  // namespace

Tracer::Tracer(double ratio, std::unique_ptr<SpanRing> ring, unsigned keeps)
    : serial_(next_serial.fetch_add(1, std::memory_order_relaxed)),
      ratio_(ratio),
      keeps_(keeps),
      ring_(std::move(ring)) {}

Tracer::Tracer(double ratio) : Tracer(ratio, nullptr) {}

Tracer::~Tracer() = default;

// The gaps between events of one probability have a geometric distribution.
std::uint64_t Tracer::traces_to_skip() const {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  if (ratio_ >= 1) return 0;
  if (ratio_ <= 0) return most;
  const double skip = std::floor(std::log(random_fraction()) / std::log1p(-ratio_));
  return skip < 1e18 ? static_cast<std::uint64_t>(skip) : most;
}

[[gnu::cold, gnu::noinline]] bool Tracer::chooses_next(Choices& choices) {
  if (choices.of_tracer != serial_) choices = {serial_, traces_to_skip()};
  if (choices.skip != 0) {
    --choices.skip;
    return false;
  }
  choices.skip = traces_to_skip();
  return true;
}

void Tracer::end(const EndedSpan& span) noexcept {
  spans_.fetch_add(1, std::memory_order_relaxed);
  if (ring_) ring_->put(span);
}

}  // namespace takt::tracing
