#include "server/request/present_peer.h"

#include <takt/server/peer.h>

namespace takt {

std::optional<PeerProcess> present_peer() noexcept {
  const auto* const present = server::PresentPeer::present();
  if (!present || !present->process) return std::nullopt;
  const os::ProcessIdentity& peer = *present->process;
  return PeerProcess{peer.process, peer.user, peer.group};
}

std::optional<PeerCertificate> present_peer_certificate() {
  const auto* const present = server::PresentPeer::present();
  if (!present || !present->certificate) return std::nullopt;
  const transport::CertificateNames& names = *present->certificate;
  return PeerCertificate{names.subject, names.issuer, names.serial};
}

}  // namespace takt
