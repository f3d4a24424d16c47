// The peer whose request the calling thread serves.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <takt/os/process_identity.h>
#include <takt/transport/stream.h>

#include "server/request/upcall_context.h"

namespace takt::server {

// Identity of a connection's peer. The stream must outlive it.
struct Peer {
  // `keeps_address`: whether to set `address`.
  explicit Peer(transport::Stream& connection, bool keeps_address = false)
      : stream(connection), process(stream.peer_process()), certificate(stream.peer_certificate()) {
    if (keeps_address) address = stream.peer_address();
  }
  bool is_known() const { return process || certificate; }

  transport::Stream& stream;
  const std::optional<os::ProcessIdentity> process;
  const transport::CertificateNames* const certificate;
  std::string address;  // "127.0.0.1:40000"; may be empty
};

// While it lives, the calling thread serves a request of that peer, whose identity may be unknown.
class PresentPeer {
 public:
  explicit PresentPeer(const Peer& peer) : outer_(std::exchange(UpcallContext::mine().peer, &peer)) {}
  ~PresentPeer() { UpcallContext::mine().peer = outer_; }
  PresentPeer(const PresentPeer&) = delete;
  PresentPeer& operator=(const PresentPeer&) = delete;

  static const Peer* present() { return UpcallContext::mine().peer; }

 private:
  const Peer* const outer_;
};

}  // namespace takt::server
