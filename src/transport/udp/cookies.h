// Cookies prove that a client is reachable at its stated address, without server state.
#pragma once

#include <array>
#include <cstdint>

#include <takt/os/clock.h>

#include "os/net/address.h"
#include "transport/udp/datagram.h"

namespace takt::transport {

// An unpredictable random number.
std::uint64_t unguessable_number();

class Cookies {
 public:
  using Cookie = std::array<std::uint8_t, Datagram::cookie_bytes>;

  // Draws a new secret.
  Cookies();
  // For a client with this number at this address. Valid for at least half a minute and at most a minute.
  Cookie make(const os::Address& client, std::uint64_t number, os::TimePoint now) const;
  bool are_good(ByteView cookie, const os::Address& client, std::uint64_t number, os::TimePoint now) const;

 private:
  Cookie made_in(std::int64_t period, const os::Address& client, std::uint64_t number) const;

  std::array<std::uint64_t, 4> secret_;
};

}  // namespace takt::transport
