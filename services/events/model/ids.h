// How channels and proxies are named.
#pragma once

#include <cstdint>

namespace takt::events {

// Random, so that a client cannot guess the id of another client's proxy. Never 0.
using ChannelId = std::uint64_t;
using ProxyId = std::uint64_t;

// The numbers are stored.
enum class ProxyKind : std::uint8_t { push_consumer, pull_consumer, push_supplier, pull_supplier };

// Whether a proxy of that kind receives the channel's events, for a consumer.
constexpr bool is_receiver(ProxyKind kind) {
  return kind == ProxyKind::push_supplier || kind == ProxyKind::pull_supplier;
}
// Whether it calls its client for each event. The others are called by their clients, which may be nil.
constexpr bool calls_client(ProxyKind kind) {
  return kind == ProxyKind::push_supplier || kind == ProxyKind::pull_consumer;
}

}  // namespace takt::events
