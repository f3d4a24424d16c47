#include "hostile_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "giop/message/reply.h"
#include "giop/references/profile.h"
#include "giop/references/secure_transport.h"
#include "reference/text/stringified_ior.h"
#include "replies.h"

namespace takt::fuzz::live {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using transport::IoStatus;

namespace {

const giop::Limits limits;
constexpr auto pause_before_close = 40ms;  // for clients that wait for more than they were sent

std::string reference(const transport::Endpoint& at, Carrier carrier, std::uint8_t minor,
                      std::string_view interface) {
  giop::IiopProfile profile;
  profile.version = {1, minor};
  profile.host = at.host;
  profile.port = at.port;
  profile.object_key = {'k', 'e', 'y'};
  giop::ProfileLayout form;
  if (carrier == Carrier::unix_socket) form = {giop::unix_profile, false};
  if (carrier == Carrier::udp) form = {giop::udp_profile, true};
  if (carrier == Carrier::tls) {
    profile.port = 0;
    constexpr giop::association::Options needed =
        giop::association::integrity | giop::association::confidentiality;
    profile.components.push_back(giop::make_secure_transport_component({needed, needed, at.port}));
  }
  cdr::Ior ior;
  ior.type_id = "IDL:Interop/" + std::string(interface) + ":1.0";
  ior.profiles.push_back(giop::write_profile(profile, form));
  return reference::ior_to_text(ior);
}

}  // namespace

HostileServer::Peer::Peer(Carrier of, std::unique_ptr<transport::Stream> accepted)
    : carrier(of),
      stream(std::move(accepted)),
      end(giop::Connection::Role::server, limits, giop::Messaging::lite,
          giop::compression::default_methods()) {
  stream->set_blocking(false);
}

HostileServer::HostileServer(const Surroundings& surroundings, const std::vector<Carrier>& carriers) {
  for (const Carrier carrier : carriers) {
    if (carrier == Carrier::shared_memory)
      continue;  // references of this protocol work on one machine only, and have a form of their own
    transport::Endpoint at{std::string(protocol_of(carrier)), "127.0.0.1", 0};
    if (carrier == Carrier::unix_socket) at.host = surroundings.folder + "/hostile";
    auto listening = surroundings.transport(carrier).listen(at, {});
    if (!listening) throw std::runtime_error(listening.error().text);
    listeners_.push_back({carrier, std::move(*listening)});
  }
}

std::vector<std::string> HostileServer::references() const {
  std::vector<std::string> all;
  for (const Listener& listener : listeners_)
    for (const std::uint8_t minor : {std::uint8_t{2}, std::uint8_t{1}}) {
      if (minor == 1 && listener.carrier != Carrier::tcp && listeners_.size() > 1) continue;
      for (const char* interface : {"Types", "Values", "Calls"})
        all.push_back(reference(listener.acceptor->local_endpoint(), listener.carrier, minor, interface));
    }
  return all;
}

bool HostileServer::accept() {
  bool some = false;
  for (const Listener& listener : listeners_)
    while (auto stream = listener.acceptor->accept()) {
      peers_.push_back(std::make_unique<Peer>(listener.carrier, std::move(*stream)));
      some = true;
    }
  return some;
}

bool HostileServer::write(Peer& peer, ByteView octets) {
  for (int waits = 0; !octets.empty() && waits < 100;) {
    const auto result = peer.stream->write(octets);
    if (result.status == IoStatus::ok) {
      octets = octets.subspan(result.bytes);
      octets_ += result.bytes;
    } else if (result.status == IoStatus::would_block) {
      // Requests that come meanwhile are normally read later, but if only reading makes room, they must be
      // read now.
      pollfd ready{peer.stream->native_handle(), POLLOUT, 0};
      ::poll(&ready, 1, 2);
      ++waits;
    } else {
      return false;
    }
  }
  return octets.empty();
}

void HostileServer::answer_with(Peer& peer, const Conversation& conversation, std::uint32_t id) {
  for (const Step& step : conversation.steps) {
    if (step.beneath) {
      if (::send(peer.stream->native_handle(), step.octets.data(), step.octets.size(),
                 MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
        peer.over = true;
    } else if (!write(peer, with_id(step.octets, id))) {
      peer.over = true;
    }
  }
  peer.close_at = steady_clock::now() + pause_before_close;
}

bool HostileServer::serve(Peer& peer, const Answerer& answer) {
  const auto result = peer.stream->read(peer.end.read_space());
  if (result.status == IoStatus::would_block) {
    if (peer.close_at && steady_clock::now() > *peer.close_at) peer.over = true;
    return false;
  }
  if (result.status != IoStatus::ok) {
    peer.over = true;
    return true;
  }
  peer.close_at.reset();
  peer.end.bytes_read(result.bytes);
  while (!peer.over) {
    const giop::Event& event = peer.end.next_event();
    if (event.kind == giop::EventKind::none) break;
    if (peer.end.over()) peer.over = true;
    if (event.kind != giop::EventKind::request || !event.response_expected) continue;
    const std::uint32_t id = event.request_id;
    const Question question{peer.carrier, event.version.minor, std::string(event.operation)};
    if (const auto conversation = answer(question))
      answer_with(peer, *conversation, id);
    else if (!write(peer, honest_answer(question.minor, id, question.operation)))
      peer.over = true;
  }
  return true;
}

void HostileServer::serve(const Answerer& answer) {
  bool some = accept();
  for (const auto& peer : peers_)
    for (int turns = 0; turns < 20 && !peer->over && serve(*peer, answer); ++turns) some = true;
  std::erase_if(peers_, [](const auto& peer) { return peer->over; });
  if (some) return;
  std::vector<pollfd> waiting;
  for (const Listener& listener : listeners_)
    waiting.push_back({listener.acceptor->native_handle(), POLLIN, 0});
  for (const auto& peer : peers_) waiting.push_back({peer->stream->native_handle(), POLLIN, 0});
  ::poll(waiting.data(), waiting.size(), 5);
}

}  // namespace takt::fuzz::live
