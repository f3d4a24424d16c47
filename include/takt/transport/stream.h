// An open connection, as octets.
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

// Whom a certificate is for, who says so, and its number there: names as RFC 2253 writes them, hexadecimal.
struct CertificateNames {
  std::string subject, issuer, serial;
};

// The contract, which tests/conformance/transport holds every implementation to:
//
//  1. Octets arrive complete, once and in order, or the stream fails.
//  2. read(), write() and write_gather() throw nothing. They may move fewer octets than asked; whoever goes
//  on
//     then does so with the next octet. Those of a socket make one system call, which they repeat only if a
//     signal interrupted it, and allocate and lock nothing.
//  3. One thread reads while another writes; shut_down() comes from any thread, at any time. The destructor
//     closes, and comes when nobody uses the stream.
//  4. A stream starts blocking and without timeouts. Blocking calls wait for at least one octet, at most
//     for the timeout: then `timed_out`. Non-blocking ones give `would_block` instead.
//  5. After the peer has closed in good order, what it sent before is read first, then `end_of_stream`, again
//     and again. Writing to a peer that is gone gives `failed`, and never a signal.
//  6. Moving no octets is a mistake: an empty view, or pieces without any octet, give `failed` with EINVAL.
//  7. Whoever waits for the handle, and has read something, reads again while holds_octets(): those are
//  octets
//     of which the handle knows nothing any more.
class Stream {
 public:
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  virtual IoResult read(MutableBytes into) = 0;
  virtual IoResult write(ByteView octets) = 0;
  // The pieces one after the other; empty ones are passed over, and the first few hundred are enough: a
  // partial result says how far it came.
  virtual IoResult write_gather(std::span<const ByteView> pieces) = 0;

  // The last read(), or a write that took in what the peer says, has left octets in the stream itself.
  bool holds_octets() const { return holds_octets_.load(std::memory_order_relaxed); }

  // As read(), and how long ago the last of these octets arrived; 0 where the system does not say. From
  // stamp_arrivals() on, which costs system calls; false: the system does not.
  virtual bool stamp_arrivals() { return false; }
  virtual IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) {
    age = std::chrono::nanoseconds(0);
    return read(into);
  }

  // Whether write() of a few octets, `few_octets` at most, finds room without waiting, as far as this side
  // can tell; false: perhaps. A writer's.
  static constexpr std::size_t few_octets = 64;
  virtual bool has_room_for_few() { return false; }

  // Memory of the stream's own, of which write_gather() sends a piece without copying it. The peer may then
  // read it where it is for as long as it likes; who changes it before it is_shared() no more, changes what
  // the peer has. Empty: the stream has none left, or none at all, as most. Any thread.
  virtual OctetBuffer borrow(std::size_t) { return {}; }
  // The next `count` octets where they are, as read() would give them, if they have arrived in such memory of
  // the peer's, and are all that was sent of it in one piece. They stay, and nobody but the peer can change
  // them: it still can, so they are looked at like any other thing that may change. Empty: read() them. The
  // reader's.
  virtual HeldOctets read_in_place(std::size_t) { return {}; }
  // If the next octets are such: how many can be read without waiting from there on, at least. Else 0. The
  // reader's.
  virtual std::size_t at_hand_in_place() { return 0; }

  virtual void set_blocking(bool blocking) = 0;
  // How long blocking calls wait, 0 for ever; costs system calls: set it once. The reader's. False: refused.
  virtual bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) = 0;

  // How long a blocking read may wait before the stream is given up: then it gives `timed_out`, and from
  // there on nothing more arrives. Zero: for ever. From a second on this costs a read nothing that is worth
  // mentioning, unlike a timeout, and is kept late by an eighth at most. Replaces the read timeout. Locks.
  // False: refused.
  virtual bool give_up_reading_after(std::chrono::nanoseconds silence) = 0;

  // The descriptor to wait for, for reactors; -1 when there is none. The stream keeps it.
  virtual int native_handle() const = 0;
  // By when a client that waits for the handle reads again, ready or not: then the stream sends once more
  // what may be lost. no_deadline, from the start: never, as with most transports. The reader's.
  virtual os::TimePoint read_again_by() { return os::no_deadline; }
  // Room for a write that gave `would_block` comes with what the peer says: who waits for the handle then
  // waits until it can be read, though the next call is that write. False, as with most transports: until it
  // can be written. The same for the stream's life.
  virtual bool room_comes_by_reading() const { return false; }
  // What was written, or the end of it, has not left yet, and leaves only while the stream is read: so
  // whoever means to close it in good order reads on until then. False, as with most transports: the system
  // sends it. The reader's; may lock.
  virtual bool holds_unsent() { return false; }
  // Asks a peer that has been silent for long whether it is still there, without waiting for the answer: if
  // the peer is gone, the handle becomes ready and the next read fails. A server that waits for the handle
  // calls this every now and then, one thread at a time, while other threads may read and write. Does nothing
  // by default: the system reports the end of most transports' peers by itself.
  virtual void probe_silent_peer(os::TimePoint) {}
  // Marks what is written from now on, unless who has marked the stream prevails over `by`; a marking that
  // says nothing, or does not prevail, leaves it as it began. Costs system calls. Does nothing by default, as
  // with transports within a machine. The reader's.
  virtual void mark(const Marking&, MarkedBy) {}
  // Ends both directions: a reader that is blocked in another thread gets `end_of_stream`.
  virtual void shut_down() = 0;
  // Ends the receiving direction: the reader gets what had arrived, then `end_of_stream`, and can still
  // write.
  virtual void shut_down_reading() = 0;
  // Ends the sending direction: the peer gets what was written, then `end_of_stream`. Where a transport has
  // no such thing, nothing happens.
  virtual void shut_down_writing() {}
  // The peer's address as a number, without its port; empty where it has none.
  virtual std::string peer_host() const { return {}; }
  // "tcp 127.0.0.1:1234 -> 127.0.0.1:5678": this end, then the other. Allocates; for people.
  virtual std::string describe() const = 0;
  // The process at the other end, where both are on one machine and the system vouches for it: the one that
  // connected, or that began to listen.
  virtual std::optional<os::ProcessIdentity> peer_process() const { return std::nullopt; }
  // Of the certificate that the peer has shown and that was checked; null: none. The stream's.
  virtual const CertificateNames* peer_certificate() const { return nullptr; }

 protected:
  Stream() = default;

  std::atomic<bool> holds_octets_{false};  // others than the reader only ever set it
};

}  // namespace takt::transport
