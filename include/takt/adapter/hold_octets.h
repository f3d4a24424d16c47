// Received octets that a servant keeps where they are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <takt/adapter/take_argument.h>
#include <takt/base/octet_buffer.h>

namespace takt {

namespace adapter {

class HeldVector final : public OctetLender {
 public:
  explicit HeldVector(std::vector<std::uint8_t> octets) : octets_(std::move(octets)) {}
  std::span<const std::uint8_t> octets() const { return octets_; }
  void give_back(const std::uint8_t*, std::uint32_t) noexcept override {}

 private:
  const std::vector<std::uint8_t> octets_;
};

}  // namespace adapter

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
  auto kept = std::make_shared<adapter::HeldVector>(take_argument(view));
  const auto octets = kept->octets();
  return {octets, std::move(kept), 0};
}

}  // namespace takt
