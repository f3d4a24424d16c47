// A member of a group, and options that keep its ORB's traffic on this machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "groupC.h"
#include "groupS.h"

namespace feature {

class ListenerServant final : public CORBA::servant_traits<Groups::Listener>::base_type {
 public:
  void tell(int32_t number) override { note(number, 0); }
  void show(int32_t number, const Groups::Octets& octets) override {
    const auto pattern = static_cast<std::uint8_t>(number);
    note(number, std::ranges::all_of(octets, [&](std::uint8_t octet) { return octet == pattern; })
                     ? octets.size()
                     : std::size_t{0});
  }
  void say(const std::string& text) override { note(-1, text.size()); }
  int32_t heard() override {
    std::lock_guard lock(mutex_);
    return static_cast<int32_t>(heard_.size());
  }

  struct Heard {
    std::int32_t number;
    std::size_t octets;  // as expected
    friend bool operator==(const Heard&, const Heard&) = default;
  };
  // Waits until there are `count`, or for a limited time.
  std::vector<Heard> wait_for(std::size_t count,
                              std::chrono::milliseconds at_most = std::chrono::seconds(20)) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, at_most, [&] { return heard_.size() >= count; });
    return heard_;
  }

 private:
  void note(std::int32_t number, std::size_t octets) {
    std::lock_guard lock(mutex_);
    heard_.push_back({number, octets});
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Heard> heard_;
};

inline std::vector<std::string> over(const std::string& device, std::vector<std::string> options = {}) {
  options.insert(options.end(), {"-ORBMulticastInterface", device, "-ORBMulticastHops", "0"});
  return options;
}

}  // namespace feature
