// The receiving direction of a shared-memory stream.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <takt/os/io_result.h>

#include "os/poll/read_watch.h"
#include "os/shared_memory/doorbell.h"
#include "transport/shm/incoming_buffers.h"
#include "transport/shm/poll_pace.h"
#include "transport/shm/ring.h"
#include "transport/shm/shm_sleeper.h"

namespace takt::transport {

// One thread at a time, except for shut-down as Stream specifies.
//
// Pollers expect the socket to be readable whenever the ring has octets. The invariant: either the writer
// knows that we wait for a bell (`armed_`), or untaken bells are in the socket or about to arrive (`bells_`).
// The count is exact. The writer rings once each time it finds us armed; we take a bell only after ordering
// the next one and seeing the ring empty. A blocking thread leaves the last bell in the socket and sleeps on
// the ring's futex.
class ShmInput {
 public:
  ShmInput(const os::Socket& socket, os::Doorbell& bell, ShmSleeper& sleeper)
      : socket_(socket), bell_(bell), sleeper_(sleeper) {}

  void attach(const RingReader& ring, std::shared_ptr<IncomingBuffers> buffers) {
    ring_ = ring;
    buffers_ = std::move(buffers);
    sleeper_.reading.word = &ring.control().reader;
  }
  // For how long to poll the ring before sleeping.
  PollPace& pace() { return pace_; }
  void set_blocking(bool blocking) { blocking_ = blocking; }
  void set_timeout(std::chrono::nanoseconds timeout);
  bool give_up_after(std::chrono::nanoseconds silence);

  os::IoResult read(MutableBytes into) {
    const std::uint32_t there = ring_.available();
    if (there - 1 < ring_.size()) [[likely]]
      return take(into, there);
    return read_waiting(into);
  }
  // Like those of Stream.
  std::size_t available_in_place();
  HeldOctets read_in_place(std::size_t count);
  // Waits until the socket itself is readable: then `ok` without octets. Errors as for read().
  os::IoResult await_socket();

 private:
  os::IoResult take(MutableBytes into, std::uint32_t there) {
    if (ring_.has_splices()) [[unlikely]]
      return take_with_splices(into, there);
    return taken(ring_.take(into, there));
  }
  // Call after octets were taken.
  os::IoResult taken(std::size_t count) {
    if (ring_.taken() - told_ >= ring_.size() / 2) [[unlikely]]
      notify_writer();
    if (!blocking_) [[unlikely]]
      settle();
    return {count, os::IoStatus::ok, 0};
  }
  os::IoResult take_with_splices(MutableBytes into, std::uint32_t there);
  bool read_splice();
  void skip_splice();
  os::IoResult read_waiting(MutableBytes into);
  os::IoResult try_again(MutableBytes into, WaitDeadline& patience);
  os::IoResult look_at_socket(MutableBytes into);
  bool ring_changes_soon();
  os::IoStatus sleep(WaitDeadline& patience);
  os::IoStatus await_bell(WaitDeadline& patience);
  void note_bells();
  bool arm();
  void settle();
  void take_old_bells();
  void take_other_signals();
  void plug_taken();
  void notify_writer();
  void look_for_writer();

  const os::Socket& socket_;
  os::Doorbell& bell_;
  ShmSleeper& sleeper_;
  RingReader ring_;
  std::shared_ptr<IncomingBuffers> buffers_;  // null: the peer lends no buffers
  std::optional<Splice> splice_;              // the next splice, without the octets already copied
  bool blocking_ = true;
  bool armed_ = true;
  unsigned bells_ = 0;     // in the socket, or about to arrive
  bool plug_due_ = false;  // the writer has announced one
  // The position up to which the writer knows of room or does not wait for it.
  std::uint32_t told_ = 0;
  std::chrono::nanoseconds timeout_{0};
  PollPace pace_;
  os::ReadWatch watch_;
  bool watched_ = false;
};

}  // namespace takt::transport
