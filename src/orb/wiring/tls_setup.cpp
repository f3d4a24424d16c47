#include "orb/wiring/tls_setup.h"

#include <takt/cdr/exception.h>

#include "orb/parts/parts.h"

namespace takt::orb {

reference::TlsUse tls_use(const Settings& settings) {
  using namespace giop::association;
  using transport::ClientCertificates;
  const ClientCertificates certificates = settings.tls.client_certificates;
  reference::TlsUse use = settings.tls_use;
  use.requires_ = integrity | confidentiality;
  use.supports = use.requires_ | detect_replay | detect_misordering | establish_trust_in_target;
  if (certificates != ClientCertificates::none) use.supports |= establish_trust_in_client;
  if (certificates == ClientCertificates::required) use.requires_ |= establish_trust_in_client;
  use.plain_too = settings.tls.plain_too;
  return use;
}

void refuse_without_tls(const Settings& settings) {
  const transport::TlsOptions& tls = settings.tls;
  const char* const option = !tls.certificate_file.empty()                              ? "TLSCertificate"
                             : !tls.key_file.empty()                                    ? "TLSKey"
                             : !tls.authorities.empty()                                 ? "TLSAuthorities"
                             : !tls.revoked_file.empty()                                ? "TLSRevoked"
                             : settings.tls_use.when == reference::TlsUse::When::always ? "TLSUse"
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
