// Capabilities that a stream may have beyond those that every stream must have.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
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

// Memory of the stream through which octets reach the peer without a copy.
class ZeroCopy {
 public:
  // Lends memory that write_gather() sends without copying. The peer may read it in place for as long as it
  // likes: changing it while is_shared() changes what the peer sees. Empty if no memory is left. Any thread.
  virtual OctetBuffer borrow(std::size_t bytes) = 0;
  // Returns the next `count` octets in place, if they arrived in memory that the peer lent and are one whole
  // piece of it. They stay valid, and only the peer can still change them, so check them as untrusted input.
  // Empty: use read(). Called by the reader.
  virtual HeldOctets read_in_place(std::size_t count) = 0;
  // If the next octets could be read in place: a lower bound of the octets that can be read from there
  // without waiting. Else 0. Called by the reader.
  virtual std::size_t available_in_place() = 0;

 protected:
  ~ZeroCopy() = default;
};

// A stream that itself sends lost octets again and finds out whether its peer is alive, because the system
// does neither for it.
class SelfPacing {
 public:
  // The time by which a client that waits for the handle must read again, even if the handle is not ready.
  // The stream then sends octets again that may have been lost. no_deadline: not needed now. Called by the
  // reader.
  virtual os::TimePoint next_read_deadline() = 0;
  // Whether room for a write that returned `would_block` comes by reading. If so, wait until the handle is
  // readable, then write again; if not, wait until it is writable. Constant for the stream's life.
  virtual bool write_waits_for_read() const = 0;
  // Whether written octets, or the end of the stream, have not been sent yet and leave only while the stream
  // is read. To close in good order, read on until this is false. Called by the reader; may lock.
  virtual bool holds_unsent() = 0;
  // Asks a peer that has been silent for long whether it is still there, without waiting for the answer. If
  // the peer is gone, the handle becomes ready and the next read fails. A server that polls the handle calls
  // this now and then, one thread at a time, while other threads may read and write.
  virtual void probe_silent_peer(os::TimePoint now) = 0;

 protected:
  ~SelfPacing() = default;
};

// Ages of octets: the time since they arrived at this machine. Called by the reader.
class ArrivalStamps {
 public:
  // Makes read_stamped() report the age of the last octet that it reads. Costs system calls. Returns false if
  // the system cannot report ages; then read_stamped() is read() with an age of 0.
  virtual bool stamp_arrivals() = 0;
  virtual IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) = 0;

 protected:
  ~ArrivalStamps() = default;
};

// Writes that can be marked for the network.
class Markable {
 public:
  // Marks what is written from now on, unless the stream began with a marking that prevails over `by`. A
  // marking that is empty or does not prevail restores the initial one. Costs system calls. Called by the
  // reader.
  virtual void mark(const Marking& marking, MarkedBy by) = 0;

 protected:
  ~Markable() = default;
};

// Subject, issuer and serial number of a certificate: names in RFC 2253 form, the number in hexadecimal.
struct CertificateNames {
  std::string subject, issuer, serial;
};

// The identity of the peer, as far as it is known. Constant for the stream's life. Any thread.
class PeerIdentity {
 public:
  // The peer's address as the transport writes it, such as "127.0.0.1:5678" or a path; "process 1234" for a
  // peer without an address. Empty: unknown. For traces.
  virtual std::string peer_address() const { return {}; }
  // The peer's numeric address without its port; empty if it has none.
  virtual std::string peer_host() const { return {}; }
  // The process at the other end (the one that connected or began to listen), if it is on this machine and
  // the system vouches for it.
  virtual std::optional<os::ProcessIdentity> peer_process() const { return std::nullopt; }
  // Names of the peer's verified certificate, owned by the stream; null if the peer showed none.
  virtual const CertificateNames* peer_certificate() const { return nullptr; }

 protected:
  ~PeerIdentity() = default;
};

// A stream that puts messages together itself, so that its user sees nothing of one that has arrived in part.
class MessageAssembly {
 public:
  // When the beginning of such a message was first seen; nullopt: there is none. Called by the reader.
  virtual std::optional<os::TimePoint> message_begun() const = 0;

 protected:
  ~MessageAssembly() = default;
};

// Writes that may wait for the thread's next wait, so that one system call does both.
class Deferring {
 public:
  // Sends what write() has kept, if anything. For a thread that will not wait soon. Called by a writer.
  virtual void push() = 0;
  // Whether write() may keep anything from now on; not while further threads may write. Called by the reader
  // before and after their time. At first it may.
  virtual void let_defer(bool may) = 0;

 protected:
  ~Deferring() = default;
};

class Stream;

// The capabilities of one stream; null: it does not have that one. They live as long as the stream.
struct StreamCapabilities {
  // The capabilities of a stream around this one, through which all reads go. It leaves the other functions
  // to this stream.
  StreamCapabilities read_through(ArrivalStamps* outer) const {
    StreamCapabilities all = *this;
    if (arrival_stamps) all.arrival_stamps = outer;
    return all;
  }

  ZeroCopy* zero_copy = nullptr;
  SelfPacing* self_pacing = nullptr;
  Deferring* deferring = nullptr;
  ArrivalStamps* arrival_stamps = nullptr;
  Markable* marking = nullptr;
  const PeerIdentity* peer = nullptr;
  const MessageAssembly* messages = nullptr;
  // The stream itself, if its reads and writes are recv() and send() on its handle and nothing more. Streams
  // around it may copy this; it is true of the named stream only.
  const Stream* plain_socket = nullptr;
  // Between calls, a client may replace the stream by one to the same server over a local road: shared memory
  // or a UNIX-domain socket (-ORBLocalRoads). TCP states this, and streams around it may copy it.
  bool replaceable_by_road = false;
};

}  // namespace takt::transport
