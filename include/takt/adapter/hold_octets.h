// Received octets that a servant keeps where they are.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <takt/adapter/take_argument.h>
#include <takt/base/octet_buffer.h>

namespace takt {

// For servants: an `in` argument of the upcall that this thread is in, a view, to be kept beyond the upcall
// where it is:
//
//   void Recorder::frame(std::uint32_t, std::span<const std::uint8_t> pixels) override {
//     frames_.push_back(takt::hold_octets(pixels));
//   }
//
// Octets that came through shared memory in a buffer that their sender had borrowed (borrow_octets.h) stay
// in it: nothing is copied or allocated, and the sender has a buffer less until they are released. They can
// be kept after the connection, the sender's process and the ORB have gone. The sender can still change them,
// as long as it has the connection: who must not see that, or decides by what is in them, takes a vector
// (takt::take_argument). Others are moved or copied as that does, and never change.
//
// The view stays valid as long as they are held. Any thread may release them.
[[nodiscard]] inline HeldOctets hold_octets(std::span<const std::uint8_t> view) {
  auto* const viewed = adapter::TakeableArguments::viewed(view);
  if (viewed && !viewed->held().empty()) return std::move(viewed->held());
  return hold_octets(take_argument(view));
}

}  // namespace takt
