// Resolves host names to addresses, within a deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <takt/os/clock.h>

#include "os/net/address.h"

namespace takt::os {

struct ResolveError {
  int error;         // the nearest errno: ENOENT no such host, EAGAIN try later, ETIMEDOUT, ...
  std::string text;  // "host name lookup of 'x' failed: name or service not known"
};

// Looks names up with the system's resolver. That may block for long and cannot be interrupted, so a look-up
// runs on a thread of its own, and a caller returns at its deadline, or when an Interruption is due.
// Concurrent look-ups of the same host share one. At most `max_lookups` for which a caller waits run at once,
// and `max_abandoned` more, which their callers have given up; further callers wait for their turn, unless
// their host was found in the last `kept_for`, whose addresses they get then. Any thread may call. A Resolver
// may be destroyed while look-ups run.
class Resolver {
 public:
  // The blocking look-up: the addresses of one host, port 0. Called by several threads at a time.
  using LookUp = std::function<std::expected<AddressList, ResolveError>(const std::string& host)>;
  static std::expected<AddressList, ResolveError> system_look_up(const std::string& host);

  static constexpr std::chrono::minutes kept_for{1};
  static constexpr std::size_t max_kept = 256;  // hosts

  explicit Resolver(unsigned max_lookups = 8, LookUp look_up = system_look_up, unsigned max_abandoned = 64);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // All IPv4 and IPv6 addresses of `host`, in the system's order of preference (RFC 6724), at least one.
  // Numeric hosts are converted at once, without a look-up.
  //
  // Addresses are not filtered by configured families (AI_ADDRCONFIG): that would hide "localhost" on a
  // machine with only a loopback interface. Connecting to an address of a missing family fails at once.
  std::expected<AddressList, ResolveError> resolve(std::string_view host, std::uint16_t port,
                                                   TimePoint deadline);

 private:
  struct Shared;
  // The addresses have port 0.
  std::expected<AddressList, ResolveError> looked_up(const std::string& host, TimePoint deadline);
  std::shared_ptr<Shared> shared_;
};

}  // namespace takt::os
