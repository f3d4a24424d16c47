#include "transport/inproc/inproc_transport.h"

#include <atomic>
#include <cerrno>

#include "os/error_text.h"
#include "os/shared_memory/machine_identity.h"
#include "transport/shm/connection_memory.h"
#include "transport/shm/shm_stream.h"
#include "transport/uds/unix_acceptor.h"

namespace takt::transport {
namespace {

constexpr std::size_t longest_name = 32;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name.find_first_of("/\0", 0, 2) == name.npos;
}

std::string bad_name() {
  return "write inproc:NAME, of 1 to " + std::to_string(longest_name) + " octets without a slash, or inproc:";
}

// The name in the abstract namespace where the two ends meet.
std::string place_of(const std::string& name) { return "@takt-" + os::process_identity() + '/' + name; }
std::string name_at(const std::string& place) { return place.substr(place.rfind('/') + 1); }

bool is_own_process(const std::optional<os::ProcessIdentity>& peer) {
  return peer && peer->process == os::own_process();
}

std::unique_ptr<Stream> serve(os::Socket socket, const std::string& place, const StreamOptions& options) {
  if (!is_own_process(os::peer_of_unix_socket(socket))) return nullptr;
  return std::make_unique<ShmStream>(std::move(socket), StreamEnds{"inproc", name_at(place), "client"},
                                     options);
}

class InprocAcceptor final : public Acceptor {
 public:
  InprocAcceptor(os::UnixListener listener, const std::string& protocol, const StreamOptions& options)
      : acceptor_(std::move(listener), protocol, options, serve) {}

  AcceptResult accept() override { return acceptor_.accept(); }
  void set_blocking(bool blocking) override { acceptor_.set_blocking(blocking); }
  int native_handle() const override { return acceptor_.native_handle(); }
  Endpoint local_endpoint() const override {
    Endpoint endpoint = acceptor_.local_endpoint();
    endpoint.host = name_at(endpoint.host);
    return endpoint;
  }
  void close() override { acceptor_.close(); }

 private:
  UnixAcceptor acceptor_;
};

std::string new_name() {
  static std::atomic<unsigned> count{0};
  return std::to_string(count.fetch_add(1) + 1);
}

ListenError listen_refusal(const Endpoint& on, int error) {
  const char* const advice =
      error == EADDRINUSE ? "an ORB of this process listens there already: choose another name"
      : error == EMFILE || error == ENFILE ? "this process is out of descriptors: raise 'ulimit -n'"
                                           : "check the name to listen at";
  return {error, "cannot listen on " + to_text(on) + " (" + os::error_text(error) + "); " + advice};
}

[[gnu::cold]] ConnectError refusal(const Endpoint& to, int error) {
  const char* const advice =
      error == ECONNREFUSED ? "is the server running, and listening in this very process?"
      : error == ETIMEDOUT  ? "the server takes no connections: is it busy?"
      : error == EMFILE || error == ENFILE
          ? "this process is out of descriptors: raise 'ulimit -n', or close connections"
          : "check the name in the object reference";
  return {ConnectError::Phase::connect, error,
          "cannot connect to " + to_text(to) + ": " + os::error_text(error) + "; " + advice};
}

}  // namespace

EndpointResult InprocTransport::parse(std::string_view address) const {
  if (address.starts_with("//")) address.remove_prefix(2);
  if (!address.empty() && !is_name(address)) return std::unexpected(bad_name());
  return Endpoint{std::string(name()), std::string(address), 0};
}

Endpoint InprocTransport::beside(const Endpoint& configured) const { return {configured.protocol, "", 0}; }

[[gnu::cold]] ListenResult InprocTransport::listen(const Endpoint& on, const ListenOptions& options) {
  if (!on.host.empty() && !is_name(on.host)) return std::unexpected(ListenError{EINVAL, bad_name()});
  for (;;) {
    const auto place = os::UnixAddress::parse(place_of(on.host.empty() ? new_name() : on.host));
    auto listener = os::UnixListener::listen(*place, options.backlog, 0);
    if (listener) return std::make_unique<InprocAcceptor>(std::move(*listener), on.protocol, options.stream);
    if (!on.host.empty() || listener.error() != EADDRINUSE)
      return std::unexpected(listen_refusal(on, listener.error()));
  }
}

[[gnu::cold]] ConnectResult InprocTransport::connect(const Endpoint& to, os::TimePoint deadline,
                                                     const StreamOptions& options) {
  if (!is_name(to.host))
    return std::unexpected(ConnectError{ConnectError::Phase::resolve, EINVAL,
                                        "cannot connect to " + to_text(to) + ": " + bad_name()});
  auto own = make_connection_memory(options);
  if (!own) return std::unexpected(refusal(to, own.error()));
  auto socket = os::connect_unix(*os::UnixAddress::parse(place_of(to.host)), deadline, 0, 0);
  if (!socket) return std::unexpected(refusal(to, socket.error()));
  if (!is_own_process(os::peer_of_unix_socket(*socket))) return std::unexpected(refusal(to, ECONNREFUSED));
  if (const int error = os::send_with_descriptor(*socket, own->hello.encode(), own->descriptor.fd()))
    return std::unexpected(refusal(to, error));
  return std::make_unique<ShmStream>(std::move(*socket), std::move(own->memory),
                                     StreamEnds{"inproc", "client", to.host}, options);
}

}  // namespace takt::transport
