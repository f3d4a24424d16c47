// How channels and proxies are named.
#pragma once

#include <cstdint>

namespace takt::events {

// Random, so that a client cannot guess the id of another client's proxy. Never 0.
using ChannelId = std::uint64_t;
using ProxyId = std::uint64_t;

// The numbers are stored.
enum class ProxyKind : std::uint8_t { push_consumer, pull_consumer, push_supplier, pull_supplier };

}  // namespace takt::events
