#include "orb/wiring/tls_setup.h"

#include <takt/cdr/exception.h>

#include "orb/parts/parts.h"

namespace takt::orb {

reference::TlsUse tls_use(const Settings& settings) {
  using reference::TlsUse;
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

void refuse_without_tls(const Settings& settings) {
  const char* const option = !settings.tls_certificate.empty()   ? "TLSCertificate"
                             : !settings.tls_key.empty()         ? "TLSKey"
                             : !settings.tls_authorities.empty() ? "TLSAuthorities"
                             : !settings.tls_revoked.empty()     ? "TLSRevoked"
                             : settings.tls_use == "always"      ? "TLSUse"
                                                                 : nullptr;
  if (option && !chosen_parts().reload_certificates)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            std::string("option -ORB") + option +
                                ": this program has no TLS; its takt::choose_parts() leaves out "
                                "takt::add_tls()");
}

void reload_certificates(const reference::References& references) {
  if (const auto reload = chosen_parts().reload_certificates) reload(references);
}

}  // namespace takt::orb
