#include "rt_events/datagrams/packets.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <takt/cdr/codec.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::rt_events {
namespace {

// The octets after that of the byte order, in a big-endian order as in a little-endian one.
constexpr std::array<std::uint8_t, 3> magic{'A', 'B', 'C'};
// About what a fragment costs beside its octets.
constexpr std::size_t bytes_of_a_fragment = 96;

std::uint32_t number_at(ByteView packet, std::size_t index, cdr::ByteOrder order) {
  std::uint32_t value = 0;
  std::memcpy(&value, packet.data() + index, sizeof value);
  return order == cdr::native_order ? value : __builtin_bswap32(value);
}

void put_header(std::span<std::uint8_t, PacketHeader::bytes> into, const PacketHeader& header) {
  std::ranges::fill(into, std::uint8_t{0});
  into[0] = cdr::native_order == cdr::ByteOrder::little ? 1 : 0;
  std::ranges::copy(magic, into.begin() + 1);
  std::size_t index = 4;
  for (const std::uint32_t number : {header.request_id, header.request_bytes, header.fragment_bytes,
                                     header.fragment_offset, header.fragment_id, header.fragment_count}) {
    std::memcpy(into.data() + index, &number, sizeof number);
    index += sizeof number;
  }
}

}  // namespace

std::optional<PacketHeader> header_of(ByteView packet) {
  if (packet.size() < PacketHeader::bytes) return {};
  if (packet[0] > 1 || !std::ranges::equal(packet.subspan(1, magic.size()), magic)) return {};
  PacketHeader header;
  header.order = packet[0] == 1 ? cdr::ByteOrder::little : cdr::ByteOrder::big;
  const auto number = [&](std::size_t place) { return number_at(packet, 4 + 4 * place, header.order); };
  header.request_id = number(0);
  header.request_bytes = number(1);
  header.fragment_bytes = number(2);
  header.fragment_offset = number(3);
  header.fragment_id = number(4);
  header.fragment_count = number(5);
  const std::uint64_t end = std::uint64_t{header.fragment_offset} + header.fragment_bytes;
  if (header.fragment_bytes != packet.size() - PacketHeader::bytes || header.fragment_bytes == 0 ||
      header.fragment_id >= header.fragment_count || end > header.request_bytes ||
      (header.fragment_id + 1 == header.fragment_count) != (end == header.request_bytes) ||
      (header.fragment_id == 0) != (header.fragment_offset == 0))
    return {};
  return header;
}

// Fragments are multiples of 8 octets, so that a decoder may read them where they are.
PacketWriter::PacketWriter(std::size_t packet_bytes)
    : packet_bytes_(std::clamp(packet_bytes, least_packet, most_packet) / 8 * 8) {
  packet_.reserve(packet_bytes_);
}

PacketWriter::Written PacketWriter::write(const RtecEventComm::EventHeader& event_header,
                                          const RtecEventData& data,
                                          const std::function<bool(ByteView packet)>& send) {
  GatherBuffer buffer;
  cdr::Encoder encoder(buffer);
  encoder.put_count(1);
  cdr::Codec<RtecEventComm::EventHeader>::write(encoder, event_header);
  cdr::Codec<RtecEventData>::write(encoder, data);
  const std::size_t most = packet_bytes_ - PacketHeader::bytes;
  if (!encoder.ok() || buffer.size() > std::min(most_request_bytes, most * most_fragments))
    return {.packets = 0, .whole = false};
  const std::vector<std::uint8_t> octets = buffer.copy();
  PacketHeader header;
  header.request_id = next_id_++;
  header.request_bytes = static_cast<std::uint32_t>(octets.size());
  header.fragment_count = static_cast<std::uint32_t>((octets.size() + most - 1) / most);
  for (; header.fragment_id < header.fragment_count; ++header.fragment_id) {
    const std::size_t offset = header.fragment_id * most, count = std::min(most, octets.size() - offset);
    header.fragment_offset = static_cast<std::uint32_t>(offset);
    header.fragment_bytes = static_cast<std::uint32_t>(count);
    packet_.resize(PacketHeader::bytes + count);
    put_header(std::span<std::uint8_t, PacketHeader::bytes>(packet_.data(), PacketHeader::bytes), header);
    std::memcpy(packet_.data() + PacketHeader::bytes, octets.data() + offset, count);
    if (!send(packet_)) return {.packets = header.fragment_id + 1, .whole = false};
  }
  return {.packets = header.fragment_count};
}

std::optional<PacketAssembler::Request> PacketAssembler::add(const PacketSender& sender, ByteView packet,
                                                             TimePoint now) {
  ++counts_.packets;
  expire(now);
  const auto header = header_of(packet);
  if (!header || header->request_bytes > limits_.request_bytes ||
      header->fragment_count > limits_.fragments) {
    ++counts_.refused;
    return {};
  }
  const ByteView octets = packet.subspan(PacketHeader::bytes);
  if (header->fragment_count == 1) return Request{header->order, {octets.begin(), octets.end()}};
  const Key key{sender, header->request_id};
  auto found = known_.find(key);
  if (found == known_.end()) {
    make_room_of(sender, sender, limits_.requests_of_sender);
    make_room_of({sender.host, 0}, {sender.host, 0xffff}, limits_.requests_of_host);
    order_.push_back({.key = key, .first = *header, .began = now, .number = ++begun_, .fragments = {}});
    found = known_.emplace(key, std::prev(order_.end())).first;
  }
  Partial& partial = *found->second;
  const PacketHeader& first = partial.first;
  if (header->order != first.order || header->request_bytes != first.request_bytes ||
      header->fragment_count != first.fragment_count) {
    ++counts_.refused;
    return {};
  }
  const auto [fragment, is_new] = partial.fragments.try_emplace(header->fragment_id);
  if (!is_new) {
    ++counts_.repeated;
    return {};
  }
  fragment->second = {header->fragment_offset, {octets.begin(), octets.end()}};
  const std::size_t cost = octets.size() + sender.host.size() + bytes_of_a_fragment;
  partial.bytes += octets.size();
  partial.held += cost;
  held_ += cost;
  if (partial.fragments.size() == first.fragment_count) return taken(found->second);
  make_room();
  return {};
}

// Fragments that overlap, or leave a gap, are no request.
std::optional<PacketAssembler::Request> PacketAssembler::taken(Partials::iterator partial) {
  Request request{partial->first.order, {}};
  bool contiguous = partial->bytes == partial->first.request_bytes;
  if (contiguous) request.octets.reserve(partial->bytes);
  for (const auto& [id, fragment] : partial->fragments) {
    contiguous = contiguous && fragment.first == request.octets.size();
    if (contiguous)
      request.octets.insert(request.octets.end(), fragment.second.begin(), fragment.second.end());
  }
  remove(partial);
  if (contiguous) return request;
  ++counts_.refused;
  return {};
}

void PacketAssembler::remove(Partials::iterator partial) {
  held_ -= partial->held;
  known_.erase(partial->key);
  order_.erase(partial);
}

void PacketAssembler::give_up(Partials::iterator partial) {
  ++counts_.given_up;
  remove(partial);
}

// Leaves room for another request of these senders.
void PacketAssembler::make_room_of(const PacketSender& first, const PacketSender& last, std::size_t most) {
  const auto end = known_.upper_bound({last, 0xffff'ffff});
  auto oldest = known_.lower_bound({first, 0});
  std::size_t count = 0;
  for (auto each = oldest; each != end; ++each, ++count)
    if (each->second->number < oldest->second->number) oldest = each;
  if (count >= most && count > 0) give_up(oldest->second);
}

// A sender that restarts uses its ids again, so what is too old goes before another fragment joins it.
void PacketAssembler::expire(TimePoint now) {
  while (!order_.empty() && now - order_.front().began > limits_.patience) give_up(order_.begin());
}

void PacketAssembler::make_room() {
  while (!order_.empty() && (order_.size() > limits_.requests || held_ > limits_.bytes))
    give_up(order_.begin());
}

std::optional<RtecEventComm::EventSet> events_in(const PacketAssembler::Request& request) {
  cdr::Format format;
  format.order = request.order;
  cdr::Decoder decoder(request.octets, 0, format);
  RtecEventComm::EventSet events;
  if (!cdr::Codec<RtecEventComm::EventSet>::read(decoder, events) || !decoder.ok()) return {};
  return events;
}

}  // namespace takt::rt_events
