#include <takt/cdr/exception.h>

#include "foreign/other_orb.h"
#include "orb/parts/parts.h"
#include "tls/refusal_report.h"
#include "tls/tls_transport.h"

namespace takt {

namespace {

transport::TlsOptions tls_options(const orb::Settings& settings) {
  transport::TlsOptions options = settings.tls;
  if (const orb::OtherOrb* const other = orb::other_orb())
    options.key_password = other->kept_password(options.key_password_file);
  options.report = [warnings = settings.warnings](const std::string& text) { warnings.say(text); };
  options.on_refusal = [report = std::make_shared<transport::RefusalReport>(options.report)](
                           const std::string& why) { report->report(why, os::Clock::now()); };
  return options;
}

// Throws INITIALIZE if a file named by the options is invalid.
[[gnu::cold]] void make_tls(transport::TransportRegistry& transports, const orb::Settings& settings) {
  auto tls = std::make_unique<transport::TlsTransport>(tls_options(settings));
  const transport::TlsOptions& options = settings.tls;
  const bool has_files = !options.certificate_file.empty() || !options.key_file.empty() ||
                         !options.authorities.empty() || !options.revoked_file.empty() ||
                         !options.ciphers.empty();
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
