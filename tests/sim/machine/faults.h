// The faults of a run, which its seed determines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace takt::sim {

using Time = std::chrono::nanoseconds;  // since the start of the run
inline constexpr Time never = Time::max();

// Defects to plant in the simulated system, to show that a run detects their effects.
enum class Defect : std::uint8_t {
  none,
  lost_wake_up,      // a condition is signalled, and no thread wakes
  lost_readiness,    // epoll does not report a ready descriptor
  octets_twice,      // the network delivers some octets twice
  forgotten_close,   // a descriptor stays open
  forgotten_memory,  // an upcall keeps a block of memory
  upcall_twice,      // the server runs a request twice
  reply_to_another,  // a server's replies carry each other's results
  point_left_out,    // an ending point of an interceptor does not run
};

// "One in" 0 means never.
struct Faults {
  // How the next thread is chosen among those that can run.
  enum class Fairness : std::uint8_t { uniform, sticky, ranked };
  Fairness fairness = Fairness::uniform;

  std::uint64_t signal_one_in = 0;            // system calls that fail with EINTR
  std::uint64_t spurious_wake_up_one_in = 0;  // waits on conditions that end spuriously
  std::uint64_t no_thread_one_in = 0;         // threads that cannot be started
  std::uint64_t stall_one_in = 0;             // steps after which a thread gets no processor for a while
  Time longest_stall{0};
  std::size_t descriptors_per_host = 1000;

  bool partial_transfers = false;    // reads and writes may transfer less than possible
  std::size_t buffer_bytes = 65536;  // per direction of a connection
  Time shortest_latency{1000}, longest_latency{100'000};
  std::uint64_t refused_one_in = 0;         // connections that are refused
  std::uint64_t unanswered_one_in = 0;      // connections that are not answered
  std::uint64_t cut_one_in = 0;             // connections that end, or become silent, midway
  std::size_t cut_within_bytes = 4096;      // per direction
  std::uint64_t cut_within_datagrams = 20;  // per direction
  std::uint64_t datagram_lost_one_in = 0;
  std::uint64_t datagram_doubled_one_in = 0;
  std::uint64_t datagram_overtaken_one_in = 0;

  Defect defect = Defect::none;
};

}  // namespace takt::sim
