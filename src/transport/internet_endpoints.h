// Shared by the IP transports: parsing of addresses, and trying several addresses in turn.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <span>

#include <takt/transport/transport.h>

#include "os/net/address.h"
#include "os/net/resolver.h"

namespace takt::transport::internet_endpoints {

// Like Transport::parse(): "//host:port", "//[::1]:2809", "//:2809", "//host"; the slashes may be omitted.
EndpointResult parse(std::string_view protocol, std::string_view address);
// Whether the host is not a wildcard.
bool is_definite(const Endpoint& endpoint);

ConnectError not_resolved(const Endpoint& to, const os::ResolveError& error);
// Connects to the first address that answers; each attempt gets its share of the remaining time as its own
// deadline. An attempt's error is an errno value.
using Attempt = std::function<std::expected<std::unique_ptr<Stream>, int>(const os::Address& address,
                                                                          os::TimePoint deadline)>;
ConnectResult connect_in_turn(const Endpoint& to, std::span<const os::Address> addresses,
                              os::TimePoint deadline, const Attempt& attempt);

// Listens at the first of the host's addresses that can be bound. Without a host, tries the wildcards of both
// address families.
using Listening = std::function<std::expected<std::unique_ptr<Acceptor>, int>(const os::Address& address)>;
ListenResult listen_in_turn(const Endpoint& on, os::Resolver& resolver, const Listening& listening);

}  // namespace takt::transport::internet_endpoints
