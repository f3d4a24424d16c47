// An open connection as a stream of octets: eleven functions that every transport writes, and capabilities
// that it may have.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <takt/base/bytes.h>
#include <takt/base/octet_buffer.h>

#include <takt/os/clock.h>
#include <takt/os/io_result.h>
#include <takt/os/process_identity.h>
#include <takt/transport/stream_capabilities.h>

namespace takt::transport {

// The contract, which tests/conformance/transport checks for every implementation:
//
//  1. Octets arrive complete, once and in order, or the stream fails.
//  2. read(), write() and write_gather() throw nothing. They may move fewer octets than asked; the caller
//     then continues with the next octet. Socket streams make one system call, repeated only if a signal
//     interrupted it, and neither allocate nor lock.
//  3. One thread reads while another writes. shut_down() may come from any thread at any time. The
//     destructor closes the stream, and must run when no thread uses it.
//  4. A stream starts blocking and without timeouts. A blocking call waits for at least one octet, at most
//     for the timeout, and then returns `timed_out`. A non-blocking call returns `would_block` instead.
//  5. After an orderly close by the peer, read() first returns everything sent before, then `end_of_stream`,
//     again and again. Writing to a peer that is gone returns `failed` and never raises a signal.
//  6. An empty view, or pieces without any octet, return `failed` with EINVAL.
//  7. A caller that waits for the handle must keep reading while holds_octets() is true: those octets no
//     longer make the handle readable.
//
// It is large because a transport may have abilities beyond the core, each a function with a default.
class Stream {
 public:
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  virtual IoResult read(MutableBytes into) = 0;
  virtual IoResult write(ByteView octets) = 0;
  // Writes the pieces in order and skips empty ones. An implementation may write only the first few hundred;
  // the result says how many octets it wrote.
  virtual IoResult write_gather(std::span<const ByteView> pieces) = 0;

  // The last read(), or a write that also took in octets from the peer, left octets inside the stream.
  bool holds_octets() const { return holds_octets_.load(std::memory_order_relaxed); }

  virtual void set_blocking(bool blocking) = 0;
  // Limits how long blocking calls wait; 0 means for ever. Costs system calls, so set it once. False: the
  // system refused. Called by the reader.
  virtual bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) = 0;
  // The same for writes alone. Called by the writer, also while another thread reads.
  virtual bool set_write_timeout(std::chrono::nanoseconds write) = 0;
  // Gives up the stream when a blocking read has waited for `silence`: the read returns `timed_out`, and
  // nothing arrives afterwards. Zero means never. Replaces the read timeout; from one second on it costs a
  // read next to nothing, and fires late by an eighth at most. Locks. False: the system refused.
  virtual bool set_silence_limit(std::chrono::nanoseconds silence) = 0;

  // The descriptor for reactors to poll; -1 if there is none. The stream owns it.
  virtual int native_handle() const = 0;

  // Ends both directions. A reader blocked in another thread gets `end_of_stream`.
  virtual void shut_down() = 0;
  // Ends the receiving direction. The reader gets what had arrived, then `end_of_stream`; writing stays
  // possible.
  virtual void shut_down_reading() = 0;

  // "tcp 127.0.0.1:1234 -> 127.0.0.1:5678": this end, then the peer. For people. Allocates.
  virtual std::string describe() const = 0;

  // Ends the sending direction: the peer gets what was written, then `end_of_stream`. Does nothing where the
  // transport has no half-close.
  virtual void shut_down_writing() {}
  // Whether a write() of at most `few_octets` octets would find room without waiting, as far as this side can
  // tell. False means unknown. Called by a writer.
  static constexpr std::size_t few_octets = 64;
  virtual bool has_room_for_small_write() { return false; }

  const StreamCapabilities& capabilities() const { return capabilities_; }

  // The functions of the capabilities, with the answers of a stream that does not have them.
  OctetBuffer borrow(std::size_t bytes) {
    return capabilities_.zero_copy ? capabilities_.zero_copy->borrow(bytes) : OctetBuffer();
  }
  HeldOctets read_in_place(std::size_t count) {
    return capabilities_.zero_copy ? capabilities_.zero_copy->read_in_place(count) : HeldOctets();
  }
  std::size_t available_in_place() {
    return capabilities_.zero_copy ? capabilities_.zero_copy->available_in_place() : 0;
  }
  os::TimePoint next_read_deadline() {
    return capabilities_.self_pacing ? capabilities_.self_pacing->next_read_deadline() : os::no_deadline;
  }
  bool write_waits_for_read() const {
    return capabilities_.self_pacing && capabilities_.self_pacing->write_waits_for_read();
  }
  bool holds_unsent() { return capabilities_.self_pacing && capabilities_.self_pacing->holds_unsent(); }
  void probe_silent_peer(os::TimePoint now) {
    if (capabilities_.self_pacing) capabilities_.self_pacing->probe_silent_peer(now);
  }
  bool stamp_arrivals() {
    return capabilities_.arrival_stamps && capabilities_.arrival_stamps->stamp_arrivals();
  }
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
    if (capabilities_.arrival_stamps) return capabilities_.arrival_stamps->read_stamped(into, age);
    age = std::chrono::nanoseconds(0);
    return read(into);
  }
  void push() {
    if (capabilities_.deferring) capabilities_.deferring->push();
  }
  void let_defer(bool may) {
    if (capabilities_.deferring) capabilities_.deferring->let_defer(may);
  }
  void mark(const Marking& marking, MarkedBy by) {
    if (capabilities_.marking) capabilities_.marking->mark(marking, by);
  }
  std::string peer_address() const {
    return capabilities_.peer ? capabilities_.peer->peer_address() : std::string();
  }
  std::optional<os::TimePoint> message_begun() const {
    return capabilities_.messages ? capabilities_.messages->message_begun() : std::nullopt;
  }
  std::string peer_host() const {
    return capabilities_.peer ? capabilities_.peer->peer_host() : std::string();
  }
  std::optional<os::ProcessIdentity> peer_process() const {
    return capabilities_.peer ? capabilities_.peer->peer_process() : std::nullopt;
  }
  const CertificateNames* peer_certificate() const {
    return capabilities_.peer ? capabilities_.peer->peer_certificate() : nullptr;
  }

 protected:
  // A stream with capabilities derives from their classes and gives its own address, as in
  // Stream({.zero_copy = this}).
  explicit Stream(const StreamCapabilities& capabilities = {}) : capabilities_(capabilities) {}
  std::atomic<bool> holds_octets_{false};  // threads other than the reader only ever set it

 private:
  const StreamCapabilities capabilities_;
};

}  // namespace takt::transport
