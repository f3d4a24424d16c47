#include "target.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "cdr_input.h"
#include "giop/connection.h"
#include "giop/message/request.h"
#include "giop/references/profile.h"
#include "reference/text/stringified_ior.h"
#include "tls/tls_transport.h"
#include "transport/shm/shm_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/udp/udp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::fuzz::live {

using namespace std::chrono_literals;

namespace {

const giop::Limits limits;

Octets key_in(const std::string& reference) {
  const auto ior = reference::ior_from_text(reference);
  if (!ior) throw std::runtime_error("the server has written no reference");
  for (const auto& tagged : ior->profiles)
    if (const auto profile = giop::read_profile(tagged, {})) return profile->object_key;
  throw std::runtime_error("the server's reference has no IIOP profile");
}

bool write_all(transport::Stream& stream, ByteView octets) {
  while (!octets.empty()) {
    const auto result = stream.write(octets);
    if (result.status != transport::IoStatus::ok) return false;
    octets = octets.subspan(result.bytes);
  }
  return true;
}

// The next event on a blocking stream; empty if none comes in time.
giop::EventKind next_event(transport::Stream& stream, giop::Connection& end) {
  while (true) {
    if (const auto& event = end.next_event(); event.kind != giop::EventKind::none) return event.kind;
    const auto result = stream.read(end.read_space());
    if (result.status != transport::IoStatus::ok) return giop::EventKind::none;
    end.bytes_read(result.bytes);
  }
}

}  // namespace

Surroundings::Surroundings() {
  transport::TlsOptions tls;
  tls.certificate_file = credentials.certificate_file;
  tls.key_file = credentials.key_file;
  tls.authorities = authority.file();
  transports.add(std::make_unique<transport::TcpTransport>());
  transports.add(std::make_unique<transport::TlsTransport>(tls));
  transports.add(std::make_unique<transport::UdsTransport>());
  transports.add(std::make_unique<transport::ShmTransport>());
  transports.add(std::make_unique<transport::UdpTransport>());
}

std::string_view protocol_of(Carrier carrier) {
  constexpr std::string_view protocols[] = {"iiop", "ssliop", "unix", "shm", "udp"};
  return protocols[static_cast<std::size_t>(carrier)];
}

transport::Transport& Surroundings::transport(Carrier carrier) const {
  return *transports.find(protocol_of(carrier));
}

std::uint16_t free_port(int type) {
  const int socket = ::socket(AF_INET, type, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = ::bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(socket);
  if (!bound) throw std::runtime_error("no port is free");
  return ntohs(address.sin_port);
}

Server::Server(const Surroundings& surroundings, std::string_view architecture)
    : surroundings_(surroundings), architecture_(architecture) {
  const std::string file = surroundings.folder + "/references";
  ::unlink(file.c_str());
  process_ = std::make_unique<Process>(command(file), surroundings.folder + "/server.log");
  OwnTime time(*process_);
  while (::access(file.c_str(), R_OK) != 0) {
    if (!process_->alive())
      throw std::runtime_error("the server " + process_->end() + "\n" + process_->last_words());
    if (time.passed() > 30s) throw std::runtime_error("the server has not started in 30 s");
    std::this_thread::sleep_for(5ms);
  }
  std::ifstream references(file);
  for (Octets& key : keys_) {
    std::string reference;
    references >> reference;
    key = key_in(reference);
  }
}

std::vector<std::string> Server::command(const std::string& reference_file) {
  std::string listen;
  for (std::size_t i = 0; i < endpoints_.size(); ++i) {
    const auto carrier = static_cast<Carrier>(i);
    transport::Endpoint& endpoint = endpoints_[i];
    endpoint.protocol = protocol_of(carrier);
    const bool path = carrier == Carrier::unix_socket || carrier == Carrier::shared_memory;
    endpoint.host = path ? surroundings_.folder + "/" + endpoint.protocol : "127.0.0.1";
    if (path) ::unlink(endpoint.host.c_str());
    if (!path) endpoint.port = free_port(carrier == Carrier::udp ? SOCK_DGRAM : SOCK_STREAM);
    if (i > 0) listen += ',';
    listen +=
        endpoint.protocol + (path ? ":" + endpoint.host : "://127.0.0.1:" + std::to_string(endpoint.port));
  }
  // All timeouts are shorter than the watchdog's.
  std::vector<std::string> command = {surroundings_.server_program,
                                      reference_file,
                                      "-ORBListenEndpoints",
                                      listen,
                                      "-ORBServerConcurrency",
                                      architecture_,
                                      "-ORBServerThreads",
                                      "2",
                                      "-ORBMessaging",
                                      "giop-lite",
                                      "-ORBCompression",
                                      "on",
                                      "-ORBMaxMessageSize",
                                      "64MiB",
                                      "-ORBMaxConnections",
                                      "500",
                                      "-ORBMessageTimeout",
                                      "2s",
                                      "-ORBSendTimeout",
                                      "2s",
                                      "-ORBIdleTimeout",
                                      "3s",
                                      "-ORBRoundTripTimeout",
                                      "1s",
                                      "-ORBConnectTimeout",
                                      "1s",
                                      "-ORBLogLevel",
                                      "off",
                                      "-ORBTLSCertificate",
                                      surroundings_.credentials.certificate_file,
                                      "-ORBTLSKey",
                                      surroundings_.credentials.key_file,
                                      "-ORBTLSAuthorities",
                                      surroundings_.authority.file()};
  if (architecture_ != "reactive") command.insert(command.end(), {"-ORBAcceptBidirectional", "any"});
  return command;
}

std::unique_ptr<transport::Stream> Server::connect(Carrier carrier,
                                                   std::chrono::milliseconds patience) const {
  auto stream = surroundings_.transport(carrier).connect(endpoints_[static_cast<std::size_t>(carrier)],
                                                         os::Clock::now() + patience, {});
  return stream ? std::move(*stream) : nullptr;
}

std::string Server::ask(Carrier carrier, std::chrono::milliseconds patience) const {
  const auto stream = connect(carrier, patience);
  const std::string by = " by " + std::string(carrier_names[static_cast<std::size_t>(carrier)]);
  if (!stream) return "no connection can be opened" + by;
  stream->set_timeouts(patience, patience);
  giop::Connection end(giop::Connection::Role::client, limits);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    GatherBuffer buffer;
    cdr::Encoder out(buffer);
    giop::write_request(out, giop::PreparedTarget::for_key({1, 2}, keys_[i]),
                        {.request_id = static_cast<std::uint32_t>(2 * i), .operation = "_non_existent"});
    giop::finish_message(buffer);
    const std::string whom = "the object " + std::string(object_names[i]);
    if (!write_all(*stream, all(buffer))) return "a request to " + whom + " cannot be sent" + by;
    if (next_event(*stream, end) != giop::EventKind::reply) return whom + " does not answer" + by;
    if (end.last_event().reply_status != giop::ReplyStatus::no_exception)
      return whom + " answers with an exception" + by;
  }
  return "";
}

}  // namespace takt::fuzz::live
