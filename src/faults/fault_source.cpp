#include "faults/fault_source.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "os/error_text.h"

namespace takt::faults {

namespace {

constexpr const char* name_of(FaultKind kind) {
  constexpr const char* names[] = {"delay", "lose", "twice", "corrupt"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

FaultSource::FaultSource(FaultPlan plan) : plan_(std::move(plan)), counts_(new Counts[plan_.faults.size()]) {
  if (plan_.log.empty()) return;
  log_.open(plan_.log, std::ios::app);
  if (!log_) throw std::runtime_error("cannot open its log " + plan_.log + ": " + os::error_text(errno));
}

bool FaultSource::has(Message message) const {
  return std::ranges::any_of(plan_.faults, [&](const Fault& one) { return one.message == message; });
}

MessageFate FaultSource::fate_of(Message message, std::string_view operation, bool can_double) {
  MessageFate fate;
  for (std::size_t i = 0; i < plan_.faults.size(); ++i) {
    const Fault& fault = plan_.faults[i];
    if (fate.lost || !fault.applies_to(message, operation)) continue;
    if (fault.kind == FaultKind::twice && !can_double) continue;
    std::uint64_t number = 0;
    if (!happens(i, number)) continue;
    const std::uint64_t draw = drawn(plan_.seed, i, ~number);
    switch (fault.kind) {
      case FaultKind::delay:
        fate.delay +=
            fault.time + std::chrono::nanoseconds(
                             draw % static_cast<std::uint64_t>((fault.up_to - fault.time).count() + 1));
        break;
      case FaultKind::lose:
        fate.lost = true;
        break;
      case FaultKind::twice:
        fate.twice = true;
        break;
      case FaultKind::corrupt:
        fate.corrupted += fault.octets;
        fate.number ^= draw;
        break;
    }
    log(fault, number, operation);
  }
  return fate;
}

bool FaultSource::happens(std::size_t fault, std::uint64_t& number) {
  const Fault& of = plan_.faults[fault];
  number = counts_[fault].matched.fetch_add(1, std::memory_order_relaxed);
  if (number < of.skip) return false;
  const double draw = static_cast<double>(drawn(plan_.seed, fault, number) >> 11) * 0x1p-53;
  if (draw >= of.rate) return false;
  return counts_[fault].done.fetch_add(1, std::memory_order_relaxed) < of.most;
}

// The operation's name comes from a peer. A log that cannot be written changes no call.
void FaultSource::log(const Fault& fault, std::uint64_t number, std::string_view operation) {
  if (plan_.log.empty()) return;
  char name[65];
  const std::size_t size = operation.copy(name, sizeof name - 1);
  std::replace_if(name, name + size, [](char c) { return c <= ' ' || c > '~'; }, '?');
  name[size] = '\0';
  char line[128];
  const int written = std::snprintf(line, sizeof line, "%s %s %s %llu\n", name_of(fault.kind),
                                    fault.message == Message::request ? "request" : "reply", name,
                                    static_cast<unsigned long long>(number + 1));
  const std::lock_guard lock(mutex_);
  log_.clear();
  log_.write(line, written).flush();
}

}  // namespace takt::faults
