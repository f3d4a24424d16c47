// The sending direction of a shared-memory stream.
#pragma once

#include <chrono>
#include <memory>
#include <span>

#include <takt/base/live_setting.h>
#include <takt/os/io_result.h>

#include "os/shared_memory/doorbell.h"
#include "transport/shm/outgoing_buffers.h"
#include "transport/shm/poll_pace.h"
#include "transport/shm/ring.h"
#include "transport/shm/shm_sleeper.h"

namespace takt::transport {

// One thread at a time, except for shut-down as Stream specifies. A blocking writer sleeps on the ring's
// futex until half of the ring is free. A non-blocking one plugs its socket, which keeps pollers waiting just
// as long.
class ShmOutput {
 public:
  ShmOutput(const os::Socket& socket, os::Doorbell& bell, ShmSleeper& sleeper)
      : socket_(socket), bell_(bell), sleeper_(sleeper) {}

  void attach(const RingWriter& ring, std::shared_ptr<OutgoingBuffers> buffers) {
    ring_ = ring;
    buffers_ = std::move(buffers);
    sleeper_.writing.word = &ring.control().writer;
  }
  PollPace& pace() { return pace_; }
  void set_blocking(bool blocking) { blocking_ = blocking; }
  void set_timeout(std::chrono::nanoseconds timeout) { timeout_ = timeout; }

  // Like Stream::borrow().
  OctetBuffer borrow(std::size_t bytes) { return buffers_ ? buffers_->borrow(bytes) : OctetBuffer(); }
  bool has_room_for(std::size_t octets) { return ring_.room(octets) >= octets; }
  os::IoResult write(ByteView octets) {
    const std::uint32_t room = ring_.room(octets.size());
    if (octets.size() - 1 >= most_at_once || room < octets.size() || room > ring_.size() ||
        sleeper_.writing.over.load(std::memory_order_relaxed)) [[unlikely]]
      return write_gather({&octets, 1});
    ring_.put(octets);
    if (ring_.publish() != RingControl::awake) wake_reader();
    return {octets.size(), os::IoStatus::ok, 0};
  }
  os::IoResult write_gather(std::span<const ByteView> pieces);

 private:
  // Portion size: the reader can start on one portion while the next is being copied.
  static constexpr std::size_t most_at_once = 32 * 1024;

  os::IoResult await_room();
  os::IoResult plug();
  os::IoResult reader_has_gone();
  bool room_comes_soon();
  os::IoResult sleep(WaitDeadline& patience);
  bool splice(ByteView octets);
  bool copy_to_lent_buffer(ByteView octets);
  os::IoResult put_in_portions(std::span<const ByteView> pieces, std::uint32_t room);
  void wake_reader();

  const os::Socket& socket_;
  os::Doorbell& bell_;
  ShmSleeper& sleeper_;
  RingWriter ring_;
  std::shared_ptr<OutgoingBuffers> buffers_;  // null: none are lent
  bool blocking_ = true;
  bool plugged_ = false;                                                         // at the last check
  LiveSetting<std::chrono::nanoseconds> timeout_ = std::chrono::nanoseconds(0);  // set by the reader
  PollPace pace_;
};

}  // namespace takt::transport
