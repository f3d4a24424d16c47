// LocateRequests, which Takt's clients never send: made with parts of the ORB, over a socket of this program.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <takt/base/gather_buffer.h>

#include "giop/connection.h"
#include "giop/message/locate.h"
#include "giop/message/request.h"
#include "giop/references/profile.h"
#include "reference/text/stringified_ior.h"

namespace interop {

class Peer {
 public:
  // The object must be on this machine.
  explicit Peer(const std::string& reference) : profile_(profile_of(reference)) {
    const timeval limit{5, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (!connected()) throw std::runtime_error("no connection for a LocateRequest");
  }
  ~Peer() { close(socket_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  // Uses the GIOP version of the profile.
  takt::giop::LocateStatus locate() {
    using namespace takt;
    GatherBuffer message;
    cdr::Encoder out(message);
    giop::write_locate_request(out, giop::PreparedTarget::for_key(profile_.version, profile_.object_key), 4);
    if (!giop::finish_message(message) ||
        send(socket_, message.owned(), message.size(), 0) != static_cast<ssize_t>(message.size()))
      throw std::runtime_error("the LocateRequest was not sent");
    const giop::Limits limits;
    giop::Connection connection(giop::Connection::Role::client, limits);
    for (;;) {
      const MutableBytes space = connection.read_space();
      const ssize_t count = recv(socket_, space.data(), space.size(), 0);
      if (count <= 0) throw std::runtime_error("no LocateReply");
      connection.bytes_read(static_cast<std::size_t>(count));
      const giop::Event event = connection.next_event();
      if (event.kind == giop::EventKind::none) continue;
      if (event.kind != giop::EventKind::locate_reply || event.request_id != 4)
        throw std::runtime_error("something else than a LocateReply");
      return event.locate_status;
    }
  }

 private:
  static takt::giop::IiopProfile profile_of(const std::string& reference) {
    const auto ior = takt::reference::ior_from_text(reference).value();
    for (const auto& tagged : ior.profiles)
      if (const auto profile = takt::giop::read_iiop_profile(tagged)) return *profile;
    throw std::runtime_error("a reference without an IIOP profile");
  }

  // Port 0: uses the UNIX-domain socket that the profile also names.
  bool connected() const {
    if (profile_.port == 0) {
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      const auto* component = profile_.find(takt::giop::unix_path_component);
      const auto path = component ? takt::giop::read_unix_path(*component) : std::nullopt;
      if (!path || path->path.size() >= sizeof address.sun_path) return false;
      path->path.copy(address.sun_path, sizeof address.sun_path - 1);
      return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(profile_.port);
    inet_pton(AF_INET, profile_.host.c_str(), &address.sin_addr);
    return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  takt::giop::IiopProfile profile_;
  int socket_ = socket(profile_.port == 0 ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
};

}  // namespace interop
