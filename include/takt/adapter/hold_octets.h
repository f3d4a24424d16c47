// Received octets that a servant keeps without copying.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <takt/adapter/take_argument.h>
#include <takt/base/octet_buffer.h>

namespace takt {

// For servants: keeps an `in` argument of the thread's current upcall, given as a view, beyond the upcall:
//
//   void Recorder::frame(std::uint32_t, std::span<const std::uint8_t> pixels) override {
//     frames_.push_back(takt::hold_octets(pixels));
//   }
//
// Octets stay in place if they arrived through shared memory in a buffer that the sender borrowed
// (borrow_octets.h). Nothing is then copied or allocated, and the sender has one buffer less until they are
// released. They may be held after the connection, the sender and the ORB are gone. The sender can change
// them as long as it has the connection; if that matters, for example for decisions, take a vector instead
// (takt::take_argument). Other octets are moved or copied as by take_argument, and never change.
//
// The view is valid as long as the octets are held. Any thread may release them.
[[nodiscard]] inline HeldOctets hold_octets(std::span<const std::uint8_t> view) {
  auto* const viewed = adapter::TakeableArguments::viewed(view);
  if (viewed && !viewed->held().empty()) return std::move(viewed->held());
  return hold_octets(take_argument(view));
}

}  // namespace takt
