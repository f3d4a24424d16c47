#include <takt/cdr/exception.h>

#include "orb/parts/parts.h"
#include "transport/tls/tls_transport.h"

namespace takt {

namespace {

transport::TlsOptions tls_options(const orb::Settings& settings) {
  using transport::ClientCertificates;
  transport::TlsOptions options;
  options.certificate_file = settings.tls_certificate;
  options.key_file = settings.tls_key;
  options.authorities = settings.tls_authorities;
  options.revoked_file = settings.tls_revoked;
  options.client_certificates = settings.tls_client_certificates == "required" ? ClientCertificates::required
                                : settings.tls_client_certificates == "optional"
                                    ? ClientCertificates::optional
                                    : ClientCertificates::none;
  options.check_servers = settings.tls_server_certificates == "required";
  options.check_hosts = settings.tls_host_check == "on";
  if (settings.tls_version == "1.3") options.lowest = transport::TlsVersion::v1_3;
  options.ciphers = settings.tls_ciphers;
  options.resumption = settings.tls_resumption == "on";
  options.handshake_time = settings.tls_handshake_timeout;
  options.expiry_warning = settings.tls_expiry_warning;
  options.plain_too = settings.tls_plain_too == "on";
  options.on_refusal = [warnings = settings.warnings](const std::string& why) { warnings.say(why); };
  options.tell = options.on_refusal;
  return options;
}

// Throws INITIALIZE if a file named by the options is invalid.
void make_tls(transport::TransportRegistry& transports, const orb::Settings& settings) {
  auto tls = std::make_unique<transport::TlsTransport>(tls_options(settings));
  const bool has_files = !settings.tls_certificate.empty() || !settings.tls_key.empty() ||
                         !settings.tls_authorities.empty() || !settings.tls_revoked.empty() ||
                         !settings.tls_ciphers.empty();
  if (const auto read = has_files ? tls->reload() : std::expected<void, std::string>(); !read)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, read.error());
  transports.add(std::move(tls));
}

transport::TlsTransport* tls_of(const reference::References& references) {
  return dynamic_cast<transport::TlsTransport*>(references.transports.find("ssliop"));
}

void change_handshake_time(const reference::References& references, std::chrono::nanoseconds time) {
  if (auto* const tls = tls_of(references)) tls->change_handshake_time(time);
}

void reload_certificates(const reference::References& references) {
  auto* const tls = tls_of(references);
  if (!tls) return;
  if (const auto read = tls->reload(); !read)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, read.error() + "; the certificates stay as they were");
}

}  // namespace

void add_tls(Parts& parts) {
  parts.transports.push_back(make_tls);
  parts.reload_certificates = reload_certificates;
  parts.change_handshake_time = change_handshake_time;
}

}  // namespace takt
