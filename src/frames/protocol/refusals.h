// Tells from refused datagrams whether their receiver is gone.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace takt::frames {

enum class Refusal : std::uint8_t {
  by_host,  // nothing receives at the port
  no_way,   // no host answers there, or there is no way to it, which may change
};

// The receiver is gone once it has been refused for a second, or not been reached for ten, without long gaps.
// One thread at a time.
class Refusals {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // Whether the receiver is gone.
  bool note(Refusal refusal, TimePoint now) {
    if (!last_ || refusal != kind_ || now - *last_ > longest_gap) first_ = now;
    kind_ = refusal;
    last_ = now;
    return now - first_ >= (refusal == Refusal::by_host ? refused_of_gone : unreached_of_gone);
  }

 private:
  static constexpr std::chrono::seconds refused_of_gone{1}, unreached_of_gone{10};
  static constexpr std::chrono::seconds longest_gap{10};  // refusals further apart are independent

  Refusal kind_ = Refusal::by_host;
  TimePoint first_;
  std::optional<TimePoint> last_;
};

}  // namespace takt::frames
