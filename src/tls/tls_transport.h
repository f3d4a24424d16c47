// TLS 1.2 and 1.3 over TCP: "ssliop" in endpoints, a component of IIOP profiles in references.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <takt/transport/transport.h>
#include "threads/locks/priority_mutex.h"
#include "tls/tls_acceptor.h"
#include "tls/tls_context.h"
#include "tls/tls_options.h"
#include "transport/tcp/tcp_transport.h"

namespace takt::transport {

// TAG_SSL_SEC_TRANS, the component that holds the port (CORBA Security Service 1.8, SSLIOP).
inline constexpr std::uint32_t tls_component = 20;

class TlsTransport : public Transport, private TlsContexts {
 public:
  // Reads the options' files when the first connection needs them, or in reload().
  explicit TlsTransport(TlsOptions options) : options_(std::move(options)) {}

  std::string_view name() const override { return "ssliop"; }
  ProfileForm profile_form() const override {
    return {.tag = tls_component, .has_port = true, .component = true};
  }

  EndpointResult parse(std::string_view address) const override;
  bool is_definite(const Endpoint& endpoint) const override { return tcp_.is_definite(endpoint); }
  Endpoint beside(const Endpoint& configured) const override { return tcp_.beside(configured); }
  // Fails if there is no certificate to show.
  ListenResult listen(const Endpoint& on, const ListenOptions& options) override;
  std::vector<Endpoint> published(const Endpoint& bound) const override { return tcp_.published(bound); }
  // Includes the handshake and the check of the server's certificate: the stream is ready for use.
  ConnectResult connect(const Endpoint& to, os::TimePoint deadline, const StreamOptions& options) override;

  // Reads the options' files again, for new connections; existing ones are unaffected. The error states what
  // is wrong with which file; then nothing changes. Any thread.
  std::expected<void, std::string> reload();
  const TlsOptions& options() const { return options_; }
  // Applies to all handshakes that have not finished. Any thread.
  void change_handshake_time(std::chrono::nanoseconds time) { options_.handshake_time = time; }

 private:
  std::expected<std::shared_ptr<TlsContext>, std::string> context() override;

  TlsOptions options_;  // constant except for handshake_time
  TcpTransport tcp_;
  std::shared_ptr<TlsContext> present_context();  // null until it was read
  // With reading_mutex_.
  std::expected<std::shared_ptr<TlsContext>, std::string> read(bool is_first);

  os::PriorityMutex reading_mutex_;  // one thread reads the files at a time; taken before the other
  os::PriorityMutex mutex_;          // guards context_
  std::shared_ptr<TlsContext> context_;
};

}  // namespace takt::transport
