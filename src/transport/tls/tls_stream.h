// A stream within another, encrypted.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "os/threads/priority_mutex.h"
#include "transport/layered_stream.h"
#include "transport/tls/tls_context.h"
#include "transport/tls/tls_engine.h"

namespace takt::transport {

// The handshake is over when a stream begins. Unlike a socket's, its reads and writes lock, for the engine is
// one for both directions, and may make several system calls.
//
// An end without TLS's own farewell is an end_of_stream as well: GIOP knows the length of its messages.
class TlsStream final : public LayeredStream {
 public:
  // `engine` has done its handshake over `inner`, which is as its transport made it, and taken nothing that
  // comes behind that.
  TlsStream(std::unique_ptr<Stream> inner, std::shared_ptr<TlsContext> context,
            std::unique_ptr<TlsEngine> engine);
  ~TlsStream() override;

  IoResult write_gather(std::span<const ByteView> pieces) override;
  bool has_room_for_few() override;
  void shut_down_writing() override;
  // With the reason, where TLS was what failed.
  std::string describe() const override;
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
  os::PriorityMutex sending_;  // of whoever sends what is encrypted; locked before the engine's
  mutable os::PriorityMutex engine_mutex_;
};

}  // namespace takt::transport
