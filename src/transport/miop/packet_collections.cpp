#include "transport/miop/packet_collections.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace takt::transport::miop {
namespace {

std::string_view text_of(ByteView octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

}  // namespace

ByteView PacketCollections::take(ByteView peer, ByteView datagram, os::TimePoint now) {
  expire(now);
  const auto packet = MiopPacket::decode(datagram);
  if (!packet || packet->payload.size() > limits_.message_bytes) return {};
  key_.assign(text_of(peer)).append(text_of(packet->id));
  if (is_known(key_)) return {};
  const auto found = by_key_.find(key_);
  if (found == by_key_.end() && packet->number == 0 && packet->last) {
    remember(key_);
    return packet->payload;
  }
  const auto collection = found != by_key_.end() ? found->second : begin(key_, peer.size(), now);
  const std::size_t before = collection->bytes();
  bool honest = false;
  try {
    honest = add(*collection, *packet);
    bytes_ += collection->bytes() - before;
  } catch (...) {
    bytes_ += collection->bytes() - before;
    throw;
  }
  if (!honest) {
    give_up(collection);
    return {};
  }
  if (collection->parts.present() == collection->count) return complete(collection);
  while (bytes_ > limits_.bytes && !collections_.empty()) give_up(collections_.begin());
  return {};
}

void PacketCollections::expire(os::TimePoint now) {
  while (!collections_.empty() && now - collections_.front().begun > limits_.time)
    give_up(collections_.begin());
}

PacketCollections::Collections::iterator PacketCollections::begin(std::string_view key,
                                                                  std::size_t peer_bytes, os::TimePoint now) {
  const std::string_view peer = key.substr(0, peer_bytes);
  const auto is_peers = [&](const Collection& one) { return one.peer() == peer; };
  if (std::cmp_greater_equal(std::ranges::count_if(collections_, is_peers), limits_.collections_of_peer))
    give_up(std::ranges::find_if(collections_, is_peers));
  if (collections_.size() >= limits_.collections) give_up(collections_.begin());
  Collections begun;
  begun.push_back({.key = std::string(key), .peer_bytes = peer_bytes, .begun = now});
  const auto collection = begun.begin();
  by_key_.emplace(collection->key, collection);
  collections_.splice(collections_.end(), begun);
  bytes_ += collection->bytes();
  return collection;
}

// False: the packets contradict each other or exceed a limit.
bool PacketCollections::add(Collection& collection, const MiopPacket& packet) {
  const std::uint32_t said = packet.count != 0 ? packet.count : packet.last ? packet.number + 1 : 0;
  if (said != 0) {
    if (collection.count != 0 && collection.count != said) return false;
    if (collection.parts.end() > said) return false;
    collection.count = said;
  }
  if (packet.number >= limits_.packets || collection.count > limits_.packets) return false;
  if (collection.count != 0 && packet.number >= collection.count) return false;
  collection.parts.add(packet.number, packet.payload);  // ignores a duplicate
  return collection.parts.octets() <= limits_.message_bytes;
}

ByteView PacketCollections::complete(Collections::iterator collection) {
  message_.clear();
  collection->parts.append_to(message_);
  remember(collection->key);
  forget(collection);
  return message_;
}

void PacketCollections::give_up(Collections::iterator collection) {
  ++given_up_;
  forget(collection);
}

void PacketCollections::forget(Collections::iterator collection) {
  bytes_ -= collection->bytes();
  by_key_.erase(collection->key);
  collections_.erase(collection);
}

bool PacketCollections::is_known(std::string_view key) const {
  const std::size_t hash = std::hash<std::string_view>()(key);
  return std::ranges::any_of(known_, [&](const Known& one) { return one.hash == hash && one.key == key; });
}

void PacketCollections::remember(std::string_view key) {
  Known& oldest = known_[next_known_++ % remembered];
  oldest.hash = std::hash<std::string_view>()(key);
  oldest.key.assign(key);
}

}  // namespace takt::transport::miop
