// A stream within another, encrypted.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <takt/transport/stream.h>
#include "os/threads/priority_mutex.h"
#include "transport/tls/tls_context.h"
#include "transport/tls/tls_engine.h"

namespace takt::transport {

// The handshake is over when a stream begins. Unlike a socket's, its reads and writes lock, for the engine is
// one for both directions, and may make several system calls. What the system does not take of an encrypted
// write at once is kept: of such a write the last octet counts as not moved, until the next write, which has
// to begin with it as any write that goes on does.
//
// An end without TLS's own farewell is an end_of_stream as well: GIOP knows the length of its messages.
class TlsStream final : public Stream {
 public:
  // `engine` has done its handshake over `inner`, which is as its transport made it, and taken nothing that
  // comes behind that.
  TlsStream(std::unique_ptr<Stream> inner, std::shared_ptr<TlsContext> context,
            std::unique_ptr<TlsEngine> engine);
  ~TlsStream() override;

  IoResult read(MutableBytes into) override;
  IoResult write(ByteView octets) override { return write_gather({&octets, 1}); }
  IoResult write_gather(std::span<const ByteView> pieces) override;
  bool stamp_arrivals() override { return inner_->stamp_arrivals(); }
  // Of the encrypted octets.
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override;
  bool has_room_for_few() override;
  void set_blocking(bool blocking) override { inner_->set_blocking(blocking); }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool give_up_reading_after(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return inner_->native_handle(); }
  void shut_down() override { inner_->shut_down(); }
  void shut_down_reading() override { inner_->shut_down_reading(); }
  void shut_down_writing() override;
  std::string peer_host() const override { return inner_->peer_host(); }
  // With the reason, where TLS was what failed.
  std::string describe() const override;
  std::optional<os::ProcessIdentity> peer_process() const override { return inner_->peer_process(); }
  const CertificateNames* peer_certificate() const override { return peer_ ? &*peer_ : nullptr; }

 private:
  using Clock = std::chrono::steady_clock;

  IoResult read_with(MutableBytes into, std::chrono::nanoseconds* age);
  std::optional<IoResult> decrypted(MutableBytes into);
  IoResult send_encrypted();
  void send_answers();
  IoResult failed() const;

  const std::unique_ptr<Stream> inner_;
  const std::shared_ptr<TlsContext> context_;
  const std::unique_ptr<TlsEngine> engine_;
  const std::optional<CertificateNames> peer_;
  // The reader's:
  std::chrono::nanoseconds patience_{0};
  bool gives_up_ = false;  // the stream, when that is over
  // Of whoever sends; locked before the engine's.
  os::PriorityMutex sending_;
  std::chrono::nanoseconds write_timeout_{0};
  std::vector<std::uint8_t> encrypted_;  // and not sent, from here on:
  std::size_t encrypted_from_ = 0;
  bool withholds_ = false;  // the last octet of a write

  mutable os::PriorityMutex engine_mutex_;
};

}  // namespace takt::transport
