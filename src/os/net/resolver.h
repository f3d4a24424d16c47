// From host names to addresses, within a deadline.
#pragma once

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

// Looks names up with the system's resolver. That may block for longer than anybody wants to wait and
// cannot be interrupted, so a look-up runs on a thread of its own, and a caller leaves at its deadline.
// Look-ups of the same host at the same time share one; at most `max_lookups` run at once, and callers
// beyond that wait for their turn. Any thread may call. A Resolver may be destroyed while look-ups run.
class Resolver {
 public:
  // What blocks: the addresses of one host, port 0. Called by several threads at a time.
  using LookUp = std::function<std::expected<AddressList, ResolveError>(const std::string& host)>;
  static std::expected<AddressList, ResolveError> system_look_up(const std::string& host);

  explicit Resolver(unsigned max_lookups = 8, LookUp look_up = system_look_up);
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // All IPv4 and IPv6 addresses of `host`, in the system's order of preference (RFC 6724), at least
  // one. Numeric hosts are converted at once, without a thread or a look-up.
  //
  // Families are not filtered by what is configured here (AI_ADDRCONFIG): that would make "localhost"
  // vanish on a machine with nothing but loopback, and an address of a family that is missing fails at
  // once when it is tried.
  std::expected<AddressList, ResolveError> resolve(std::string_view host, std::uint16_t port,
                                                   TimePoint deadline);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace takt::os
