// How a server knows that a client can be reached where it says that it is, without remembering it.
#pragma once

#include <array>
#include <cstdint>

#include <takt/os/clock.h>

#include "os/net/address.h"
#include "transport/udp/datagram.h"

namespace takt::transport {

// A number that nobody guesses.
std::uint64_t unguessable_number();

class Cookies {
 public:
  using Cookie = std::array<std::uint8_t, Datagram::cookie_bytes>;

  // With a secret of its own.
  Cookies();
  // For a client of that number at that address; good for half a minute at least, a minute at most.
  Cookie make(const os::Address& client, std::uint64_t number, os::TimePoint now) const;
  bool are_good(ByteView cookie, const os::Address& client, std::uint64_t number, os::TimePoint now) const;

 private:
  Cookie made_in(std::int64_t period, const os::Address& client, std::uint64_t number) const;

  std::array<std::uint64_t, 4> secret_;
};

}  // namespace takt::transport
