#include "orb/tls_setup.h"

#include <takt/cdr/exception.h>

#include "connection/orb_core.h"
#include "orb/warnings.h"

namespace takt::orb {

connection::TlsUse tls_use(const Settings& settings) {
  using connection::TlsUse;
  using namespace giop::association;
  TlsUse use;
  use.when = settings.tls_use == "always"    ? TlsUse::When::always
             : settings.tls_use == "offered" ? TlsUse::When::offered
                                             : TlsUse::When::required;
  use.requires_ = integrity | confidentiality;
  use.supports = use.requires_ | detect_replay | detect_misordering | establish_trust_in_target;
  if (settings.tls_client_certificates != "none") use.supports |= establish_trust_in_client;
  if (settings.tls_client_certificates == "required") use.requires_ |= establish_trust_in_client;
  use.plain_too = settings.tls_plain_too == "on";
  return use;
}

namespace {

transport::TlsOptions tls_options(const Settings& settings) {
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
  options.plain_too = settings.tls_plain_too == "on";
  options.on_refusal = [settings](const std::string& why) { warn(settings, why); };
  return options;
}

}  // namespace

std::unique_ptr<transport::TlsTransport> make_tls(const Settings& settings) {
  auto tls = std::make_unique<transport::TlsTransport>(tls_options(settings));
  const bool has_files = !settings.tls_certificate.empty() || !settings.tls_key.empty() ||
                         !settings.tls_authorities.empty() || !settings.tls_revoked.empty() ||
                         !settings.tls_ciphers.empty();
  if (!has_files) return tls;
  if (const auto read = tls->reload(); !read) throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, read.error());
  return tls;
}

void reload_certificates(const connection::OrbCore& core) {
  auto* const tls = dynamic_cast<transport::TlsTransport*>(core.transports.find("ssliop"));
  if (!tls) return;
  if (const auto read = tls->reload(); !read)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, read.error() + "; the certificates stay as they were");
}

}  // namespace takt::orb
