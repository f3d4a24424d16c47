#include "transport/internet_endpoints.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "os/error_text.h"
#include "os/time/time_share.h"

namespace takt::transport::internet_endpoints {

namespace {

const char* advice(int error) {
  switch (error) {
    case ECONNREFUSED:
      return "is the server running, and listening on that port?";
    case ETIMEDOUT:
      return "is the host up, and does a firewall drop the packets? A longer connect timeout helps only if "
             "it is slow";
    case ENETUNREACH:
    case EHOSTUNREACH:
      return "check the network, and that the reference names an address that can be reached from here";
    case EMFILE:
    case ENFILE:
      return "this process is out of descriptors: raise 'ulimit -n', or close connections";
    case EADDRNOTAVAIL:
      return "this host has no address or no free local port for it";
    case EACCES:
    case EPERM:
      return "a local firewall or sandbox forbids it";
    default:
      return "check the host and port in the object reference";
  }
}

const char* advice_for_listening(int error) {
  switch (error) {
    case EADDRINUSE:
      return "another process listens there already: stop it, or choose another port (0: any free one)";
    case EACCES:
      return "ports below 1024 need a privilege: choose a higher one";
    case EADDRNOTAVAIL:
      return "that is not an address of this machine: listen on one that is, and publish the other";
    case EMFILE:
    case ENFILE:
      return "this process is out of descriptors: raise 'ulimit -n'";
    default:
      return "check the address to listen on";
  }
}

// A reference that a server made for clients of its own machine leads other clients to themselves.
const char* advice_on_loopback(std::span<const os::Address> addresses) {
  if (!std::ranges::all_of(addresses, &os::Address::is_loopback)) return "";
  return " The address is this machine's own: if the server runs on another one, let it listen for other "
         "machines there (-ORBListenEndpoints iiop://:PORT or ssliop://:PORT of a server of Takt, which "
         "listens only for its own machine by default)";
}

// The number of a link-local network means nothing by itself: each interface has one.
[[gnu::cold]] const char* advice_on_interface(std::span<const os::Address> addresses) {
  for (const os::Address& address : addresses)
    if (address.family() == os::Address::Family::v6 && address.is_link_local() &&
        address.text().find('%') == std::string::npos)
      return ": a link-local address needs the interface of this machine, as in fe80::1%eth0; let the server "
             "publish another address (-ORBPublishedEndpoints of a server of Takt)";
  return "";
}

std::expected<os::AddressList, ListenError> addresses_of(const Endpoint& on, os::Resolver& resolver) {
  using Family = os::Address::Family;
  if (on.host.empty())
    return os::AddressList{os::Address::wildcard(Family::v6, on.port),
                           os::Address::wildcard(Family::v4, on.port)};
  auto addresses = resolver.resolve(on.host, on.port, os::Clock::now() + std::chrono::seconds(10));
  if (addresses) return std::move(*addresses);
  return std::unexpected(ListenError{addresses.error().error,
                                     "cannot listen on " + to_text(on) + ": " + addresses.error().text +
                                         "; listen on a numeric address, or on none for all interfaces"});
}

}  // namespace

[[gnu::cold]] EndpointResult parse(std::string_view protocol, std::string_view address) {
  const std::string name(protocol);
  const auto refuse = std::unexpected("write " + name + "://HOST:PORT, an IPv6 address in brackets");
  Endpoint endpoint;
  endpoint.protocol = name;
  if (address.starts_with("//")) address.remove_prefix(2);
  if (address.ends_with('/')) address.remove_suffix(1);
  if (address.starts_with('[')) {
    const auto end = address.find(']');
    if (end == std::string_view::npos) return refuse;
    endpoint.host = address.substr(1, end - 1);
    address.remove_prefix(end + 1);
  } else {
    const auto end = address.find(':');
    endpoint.host = address.substr(0, end);
    address.remove_prefix(end == std::string_view::npos ? address.size() : end);
  }
  if (endpoint.host.find('/') != std::string::npos) return refuse;
  if (address.empty()) return endpoint;
  if (address.front() != ':') return refuse;
  address.remove_prefix(1);
  const auto [end, error] = std::from_chars(address.data(), address.data() + address.size(), endpoint.port);
  if (error == std::errc::result_out_of_range) return std::unexpected("a port ends at 65535");
  if (error != std::errc() || end != address.data() + address.size()) return refuse;
  return endpoint;
}

bool is_definite(const Endpoint& endpoint) {
  const auto address = os::Address::parse(endpoint.host, 0);
  return !endpoint.host.empty() && !(address && address->is_wildcard());
}

[[gnu::cold]] ConnectError not_resolved(const Endpoint& to, const os::ResolveError& error) {
  return {ConnectError::Phase::resolve, error.error,
          "cannot connect to " + to_text(to) + ": " + error.text +
              "; check the host name in the object reference, or publish a numeric address at the server"};
}

[[gnu::cold]] ConnectResult connect_in_turn(const Endpoint& to, std::span<const os::Address> addresses,
                                            os::TimePoint deadline, const Attempt& attempt) {
  std::string tried;
  int error = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    auto stream = attempt(addresses[i], os::end_of_share(deadline, os::Clock::now(), addresses.size() - i));
    if (stream) return std::move(*stream);
    error = stream.error();
    tried += (i == 0 ? "" : ", ") + addresses[i].text() + ": " + os::error_text(error);
  }
  return std::unexpected(ConnectError{ConnectError::Phase::connect, error,
                                      "cannot connect to " + to_text(to) + " (tried " + tried + "); " +
                                          advice(error) +
                                          (error == ECONNREFUSED ? advice_on_loopback(addresses) : "") +
                                          (error == EINVAL ? advice_on_interface(addresses) : "")});
}

[[gnu::cold]] ListenResult listen_in_turn(const Endpoint& on, os::Resolver& resolver,
                                          const Listening& listening) {
  const auto addresses = addresses_of(on, resolver);
  if (!addresses) return std::unexpected(addresses.error());
  std::string tried;
  int error = 0;
  for (const os::Address& address : *addresses) {
    auto acceptor = listening(address);
    if (acceptor) return std::move(*acceptor);
    error = acceptor.error();
    tried += (tried.empty() ? "" : ", ") + address.text() + ": " + os::error_text(error);
    // Listening in only one address family would surprise the user.
    if (error == EADDRINUSE && on.host.empty()) break;
  }
  return std::unexpected(ListenError{
      error, "cannot listen on " + to_text(on) + " (" + tried + "); " + advice_for_listening(error)});
}

}  // namespace takt::transport::internet_endpoints
