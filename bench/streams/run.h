// One run of the bench: flows of frames in one process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "streams/model/spread.h"

namespace bench {

struct Load {
  std::size_t octets = 0;  // per frame
  double rate = 0;         // frames a second of each flow
  std::size_t flows = 0;
  std::chrono::milliseconds time{0};
  std::size_t packet_bytes = 1232;
  bool calls = false;   // make control calls meanwhile
  bool urgent = false;  // with a lane of a real-time priority
};

struct Result {
  std::uint64_t sent = 0, received = 0, left_out = 0;  // the last: because their time had passed
  std::chrono::nanoseconds cpu{0};  // user and system time of the process while the flows ran
  std::chrono::nanoseconds behind_p50{0}, behind_p99{0}, behind_worst{0};  // the flow with the worst p99
  // How far intervals between frames that arrive deviate from those between their times.
  std::chrono::nanoseconds jitter_p50{0}, jitter_p99{0}, jitter_worst{0};  // the flow with the worst p99
  std::chrono::nanoseconds call_p50{0}, call_p99{0};                       // control calls beside the flows
};

// The jitter of one flow, noted by its receiver.
class Jitter {
 public:
  // A frame has arrived whose time is `time`, counted from any origin.
  void note(std::chrono::nanoseconds time) {
    const auto now = std::chrono::steady_clock::now();
    if (previous_.time_since_epoch().count() != 0) spread_.add(now - previous_ - (time - previous_time_));
    previous_ = now;
    previous_time_ = time;
  }
  void report(Result& result) const {
    if (spread_.at(0.99) < result.jitter_p99) return;
    result.jitter_p50 = spread_.at(0.5);
    result.jitter_p99 = spread_.at(0.99);
    result.jitter_worst = spread_.worst();
  }

 private:
  std::chrono::steady_clock::time_point previous_;
  std::chrono::nanoseconds previous_time_{0};
  takt::streams::Spread spread_;
};

// User and system time of this process.
std::chrono::nanoseconds cpu_time();

// Over plain sockets: a thread for each sender and each receiver, paced as Takt's, one system call per
// packet.
Result run_raw(const Load& load);
// Between two devices, each in an ORB of its own.
Result run_flows(const Load& load);

}  // namespace bench
