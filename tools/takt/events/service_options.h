// The bounds of an event service or notification service, as options of the command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/command.h"
#include "events/model/limits.h"

namespace takt::command {

// It is large because each option is a member.
struct ServiceOptions {
  std::uint64_t max_channels, proxies, queued_bytes, waiting_pulls, reference_bytes, exceptions, threads,
      max_threads, hanging_threads, calls_together;
  bool reconnects = false;
  std::chrono::nanoseconds slow_after, call_timeout, give_up_after, ping_after, connect_within, pull_patience;

  // The defaults are those of the limits.
  explicit ServiceOptions(const events::Limits& limits);
  // Throws a Failure for a number that is out of range.
  void apply_to(events::Limits& limits) const;
};

// The number as an option of the command line. Throws a Failure if it is 0 or too large.
std::uint32_t service_number(std::uint64_t number, const char* option);
void add_service_bounds(const Command& serve, ServiceOptions& options);
void add_delivery(const Command& serve, ServiceOptions& options);

// Fails because there can be no channel with the name. `refusal`: that of an event or notification service.
template <class Refusal>
[[noreturn]] void fail_without_channel(const std::string& name, Refusal refusal) {
  const auto why = [&]() -> std::string {
    if (name.empty()) return "a channel that is made here has a name";
    switch (refusal) {
      case Refusal::name_taken:
        return "the name is that of an object of the service itself; choose another";
      case Refusal::too_many:
        return "the service has as many channels as --max-channels permits";
      case Refusal::not_stored:
      case Refusal::maybe_stored:
        return "the store cannot be written: is the disk full?";
      default:
        return "the service refuses it";
    }
  };
  fail("--channel " + name + ": " + why());
}

}  // namespace takt::command
