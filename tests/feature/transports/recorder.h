// A servant that keeps received data where it arrived.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <ostream>

#include <takt/adapter/hold_octets.h>

#include "buffersS.h"

namespace feature {

using RecorderRef = IDL::traits<Buffers::Recorder>::ref_type;

// The transport, and how both ends serve it.
struct OctetsOver {
  const char *name, *endpoint, *concurrency, *connections;
};
// Every way for shared memory to wait and to be shared.
inline constexpr OctetsOver over_memory[] = {
    {"shm", "shm:", "thread-per-connection", "exclusive"},
    {"shm_reactive", "shm:", "reactive", "exclusive"},
    {"shm_followers", "shm:", "leader-followers", "cached"},
    {"shm_workers", "shm:", "worker-pool", "multiplexed"},
    {"shm_shared", "shm:", "thread-per-connection", "multiplexed"},
    {"shm_active", "shm:", "thread-per-connection", "multiplexed-active"},
    {"inproc", "inproc:", "thread-per-connection", "cached"}};
inline void PrintTo(const OctetsOver& setting, std::ostream* out) { *out << setting.name; }

inline std::vector<std::uint8_t> numbered(std::size_t count, std::uint8_t first) {
  std::vector<std::uint8_t> octets(count);
  std::iota(octets.begin(), octets.end(), first);
  return octets;
}

// Whether the first element has the data of numbered(first), the next one that of numbered(first + 1), and so
// on.
inline bool are_numbered(const std::deque<takt::HeldOctets>& held, std::uint8_t first) {
  return std::ranges::all_of(held, [&](const takt::HeldOctets& octets) {
    return std::ranges::equal(octets, numbered(octets.size(), first++));
  });
}

class Recorder final : public virtual CORBA::servant_traits<Buffers::Recorder>::base_type {
 public:
  // Holds the last `most`.
  explicit Recorder(std::size_t most = 0) : most_(most) {}

  std::uint32_t frame(std::uint32_t number, std::span<const std::uint8_t> pixels, const std::string& name,
                      std::span<const std::uint8_t> more) override {
    const std::lock_guard lock(mutex_);
    bool right = name == "name" && std::ranges::equal(more, numbered(more.size(), 1));
    if (most_ == 0) {
      right &= std::ranges::equal(pixels, numbered(pixels.size(), static_cast<std::uint8_t>(number)));
    } else {
      held_.push_back(takt::hold_octets(pixels));
      const std::span<const std::uint8_t> kept = held_.back();
      right &= std::ranges::equal(kept, numbered(kept.size(), static_cast<std::uint8_t>(number)));
      if (held_.size() > most_) held_.pop_front();
    }
    return right ? static_cast<std::uint32_t>(pixels.size() + more.size()) : 0;
  }
  void note(std::span<const std::uint8_t> pixels) override {
    const std::lock_guard lock(mutex_);
    noted_ += static_cast<std::uint32_t>(pixels.size());
  }
  std::uint32_t noted() override {
    const std::lock_guard lock(mutex_);
    return noted_;
  }

  std::deque<takt::HeldOctets> take_held() {
    const std::lock_guard lock(mutex_);
    return std::move(held_);
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::deque<takt::HeldOctets> held_;
  std::uint32_t noted_ = 0;
};

}  // namespace feature
