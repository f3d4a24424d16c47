// What the transports over IP have in common: addresses as users write them, and trying several in turn.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <span>

#include <takt/transport/transport.h>

#include "os/net/address.h"
#include "os/net/resolver.h"

namespace takt::transport::internet_endpoints {

// As Transport::parse(): "//host:port", "//[::1]:2809", "//:2809", "//host"; the slashes may be left out.
EndpointResult parse(std::string_view protocol, std::string_view address);
// Whether it is no wildcard.
bool is_definite(const Endpoint& endpoint);

ConnectError not_resolved(const Endpoint& to, const os::ResolveError& error);
// To the first of the addresses that answers, each for its share of the time left. An attempt's error is an
// errno value; its deadline is its own.
using Attempt = std::function<std::expected<std::unique_ptr<Stream>, int>(const os::Address& address,
                                                                          os::TimePoint deadline)>;
ConnectResult connect_in_turn(const Endpoint& to, std::span<const os::Address> addresses,
                              os::TimePoint deadline, const Attempt& attempt);

// At the first of the host's addresses that can be bound; of both families, where there is no host.
using Listening = std::function<std::expected<std::unique_ptr<Acceptor>, int>(const os::Address& address)>;
ListenResult listen_in_turn(const Endpoint& on, os::Resolver& resolver, const Listening& listening);

}  // namespace takt::transport::internet_endpoints
