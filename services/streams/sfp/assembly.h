// Frames from the messages of SFP, in the order in which they become complete.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <takt/frames/frame.h>

#include "streams/sfp/messages.h"

namespace takt::streams::sfp {

// One thread at a time. Keeps parts of at most `frames` frames and `bytes` octets, whatever comes: then the
// frame whose first part came first is given up.
class Assembly {
 public:
  struct Limits {
    std::size_t frame_bytes, frames, bytes;
  };
  explicit Assembly(const Limits& limits) : limits_(limits) {}

  // The frame that the message completes. Other kinds than frames and fragments have no effect, and neither
  // has a part of one of the last 64 frames that were complete, which has come twice.
  std::optional<Frame> take(const Message& message);
  void clear() { partial_.clear(), bytes_ = 0, done_.fill(std::nullopt); }

  std::uint64_t incomplete() const { return incomplete_; }  // given up
  std::size_t kept() const { return partial_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Partial {
    std::uint64_t age;
    std::uint32_t timestamp = 0, last = 0;  // the last: number of the last fragment, 0 while unknown
    std::size_t bytes = 0;
    std::map<std::uint32_t, std::vector<std::uint8_t>> parts = {};
  };
  using Place = std::map<std::uint32_t, Partial>::iterator;

  static std::size_t cost_of(const Message& message);
  enum class Part { added, known, unfit };  // unfit: the frame cannot become complete
  Part add_part(Partial& partial, const Message& message, std::uint32_t number);
  void give_up(Place place);
  bool make_room(std::size_t bytes, std::uint32_t but);
  std::optional<Frame> complete(Place place);
  bool is_done(const Message& message) const;
  // Without effect for a simple frame, which has no number.
  void note_done(std::uint32_t sequence, Kind kind);

  const Limits limits_;
  std::map<std::uint32_t, Partial> partial_;  // by sequence number
  std::size_t bytes_ = 0;
  std::array<std::optional<std::uint32_t>, 64> done_{};
  std::size_t next_done_ = 0;
  std::uint64_t incomplete_ = 0, last_age_ = 0;
};

}  // namespace takt::streams::sfp
