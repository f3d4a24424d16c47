// A TLS stream over another stream.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "threads/locks/priority_mutex.h"
#include "tls/tls_context.h"
#include "tls/tls_engine.h"
#include "transport/layered_stream.h"

namespace takt::transport {

// The handshake is complete when it is constructed. Unlike a socket's, its reads and writes lock, because
// both directions share the engine. They may make several system calls.
//
// A close without close_notify is an end_of_stream as well: GIOP messages carry their length.
class TlsStream final : public LayeredStream, public PeerIdentity {
 public:
  // `engine` has completed its handshake over `inner` and has not read past it. `inner` is as its transport
  // made it.
  TlsStream(std::unique_ptr<Stream> inner, std::shared_ptr<TlsContext> context,
            std::unique_ptr<TlsEngine> engine);
  ~TlsStream() override;

  IoResult write_gather(std::span<const ByteView> pieces) override;
  bool has_room_for_small_write() override;
  void shut_down_writing() override;
  // Adds the reason if TLS failed.
  std::string describe() const override;
  std::string peer_address() const override { return inner_->peer_address(); }
  std::string peer_host() const override { return inner_->peer_host(); }
  std::optional<os::ProcessIdentity> peer_process() const override { return inner_->peer_process(); }
  const CertificateNames* peer_certificate() const override { return peer_ ? &*peer_ : nullptr; }

 private:
  MutableBytes input_space() override { return engine_->input_space(); }
  void input_arrived(std::size_t count) override { engine_->input_arrived(count); }
  std::optional<IoResult> converted(MutableBytes into) override;
  void send_answers();
  IoResult failed() const;

  const std::shared_ptr<TlsContext> context_;
  const std::unique_ptr<TlsEngine> engine_;
  const std::optional<CertificateNames> peer_;
  os::PriorityMutex sending_;  // held while sending encrypted octets; locked before the engine's mutex
  mutable os::PriorityMutex engine_mutex_;
};

}  // namespace takt::transport
