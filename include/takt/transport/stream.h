// An open connection as a stream of octets.
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
#include <takt/transport/marking.h>

namespace takt::transport {

using os::IoResult;
using os::IoStatus;

// Subject, issuer and serial number of a certificate: names in RFC 2253 form, the number in hexadecimal.
struct CertificateNames {
  std::string subject, issuer, serial;
};

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

  // stamp_arrivals() makes read_stamped() report the age of the last octet that it reads. Costs system calls.
  // Returns false if the system cannot report ages; then read_stamped() is read() with an age of 0.
  virtual bool stamp_arrivals() { return false; }
  virtual IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
    age = std::chrono::nanoseconds(0);
    return read(into);
  }

  // Whether a write() of at most `few_octets` octets would find room without waiting, as far as this side can
  // tell. False means unknown. Called by a writer.
  static constexpr std::size_t few_octets = 64;
  virtual bool has_room_for_few() { return false; }

  // Lends memory of the stream that write_gather() sends without copying. The peer may read it in place for
  // as long as it likes: changing it while is_shared() changes what the peer sees. Empty if no memory is
  // left, or if the transport lends none, as most do. Any thread.
  virtual OctetBuffer borrow(std::size_t) { return {}; }
  // Returns the next `count` octets in place, if they arrived in memory that the peer lent and are one whole
  // piece of it. They stay valid, and only the peer can still change them, so check them as untrusted input.
  // Empty: use read(). Called by the reader.
  virtual HeldOctets read_in_place(std::size_t) { return {}; }
  // If the next octets could be read in place: a lower bound of the octets that can be read from there
  // without waiting. Else 0. Called by the reader.
  virtual std::size_t at_hand_in_place() { return 0; }

  virtual void set_blocking(bool blocking) = 0;
  // Limits how long blocking calls wait; 0 means for ever. Costs system calls, so set it once. False: the
  // system refused. Called by the reader.
  virtual bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) = 0;

  // Gives up the stream when a blocking read has waited for `silence`: the read returns `timed_out`, and
  // nothing arrives afterwards. Zero means never. Replaces the read timeout; from one second on it costs a
  // read next to nothing, and fires late by an eighth at most. Locks. False: the system refused.
  virtual bool give_up_reading_after(std::chrono::nanoseconds silence) = 0;

  // The descriptor for reactors to poll; -1 if there is none. The stream owns it.
  virtual int native_handle() const = 0;
  // The time by which a client that waits for the handle must read again, ready or not, so that the stream
  // can send possibly lost octets again. no_deadline, as for most transports: never needed. Called by the
  // reader.
  virtual os::TimePoint read_again_by() { return os::no_deadline; }
  // Whether room for a write that returned `would_block` comes by reading. If so, wait until the handle is
  // readable, then write again; if not, as for most transports, wait until it is writable. Constant for the
  // stream's life.
  virtual bool room_comes_by_reading() const { return false; }
  // Whether written octets, or the end of the stream, have not been sent yet and leave only while the stream
  // is read. To close in good order, read on until this is false. False, as for most transports, if the
  // system sends them. Called by the reader; may lock.
  virtual bool holds_unsent() { return false; }
  // Asks a peer that has been silent for long whether it is still there, without waiting for the answer. If
  // the peer is gone, the handle becomes ready and the next read fails. A server that polls the handle calls
  // this now and then, one thread at a time, while other threads may read and write. Does nothing by default:
  // for most transports the system detects a dead peer.
  virtual void probe_silent_peer(os::TimePoint) {}
  // Marks what is written from now on, unless the stream began with a marking that prevails over `by`. A
  // marking that is empty or does not prevail restores the initial one. Costs system calls. Does nothing by
  // default, as for transports within a machine. Called by the reader.
  virtual void mark(const Marking&, MarkedBy) {}
  // Ends both directions. A reader blocked in another thread gets `end_of_stream`.
  virtual void shut_down() = 0;
  // Ends the receiving direction. The reader gets what had arrived, then `end_of_stream`; writing stays
  // possible.
  virtual void shut_down_reading() = 0;
  // Ends the sending direction: the peer gets what was written, then `end_of_stream`. Does nothing where the
  // transport has no half-close.
  virtual void shut_down_writing() {}
  // The peer's numeric address without its port; empty if it has none.
  virtual std::string peer_host() const { return {}; }
  // "tcp 127.0.0.1:1234 -> 127.0.0.1:5678": this end, then the peer. For people. Allocates.
  virtual std::string describe() const = 0;
  // The process at the other end (the one that connected or began to listen), if it is on this machine and
  // the system vouches for it.
  virtual std::optional<os::ProcessIdentity> peer_process() const { return std::nullopt; }
  // Names of the peer's verified certificate, owned by the stream; null if the peer showed none.
  virtual const CertificateNames* peer_certificate() const { return nullptr; }

 protected:
  Stream() = default;

  std::atomic<bool> holds_octets_{false};  // threads other than the reader only ever set it
};

}  // namespace takt::transport
