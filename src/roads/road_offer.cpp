#include "roads/road_offer.h"

#include <charconv>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

#include "transport/shm/shm_transport.h"

namespace takt::roads {

[[gnu::cold]] giop::TaggedComponent make_offer(const reference::RoadOffer& offer, std::uint64_t place) {
  return {reference::local_roads_component, cdr::encapsulate([&](cdr::Encoder& out) {
            out.put(offer_version);
            out.put(static_cast<std::uint8_t>(offer.roads | (offer.any_host ? any_host : 0)));
            out.put(static_cast<std::uint8_t>(transport::shm_protocol_version));
            out.put(place);
          })};
}

std::optional<reference::RoadOffer> read_offer(const giop::TaggedComponent& component, std::uint64_t place,
                                               std::uint8_t wanted) {
  if (component.tag != reference::local_roads_component) return std::nullopt;
  reference::RoadOffer offer;
  std::uint8_t version = 0, shm_version = 0;
  std::uint64_t their_place = 0;
  if (!cdr::decapsulate(component.data,
                        [&](cdr::Decoder& in) {
                          in.get(version);
                          in.get(offer.roads);
                          in.get(shm_version);
                          in.get(their_place);
                        }) ||
      version != offer_version || their_place != place)
    return std::nullopt;
  if (shm_version != transport::shm_protocol_version)
    wanted &= static_cast<std::uint8_t>(~static_cast<std::uint8_t>(Road::shared_memory));
  offer.any_host = (offer.roads & any_host) != 0;
  offer.roads &= wanted & all_roads;
  return offer.roads == 0 ? std::nullopt : std::optional(offer);
}

std::string socket_name(const reference::RoadOffer& offer, const std::string& host, std::uint16_t port,
                        Road road) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, hash_of(offer.any_host ? "" : host), 16).ptr;
  std::string name = "@takt-road-" + std::to_string(port) + "-";
  return name.append(digits, end).append(road == Road::shared_memory ? "-shm" : "-unix");
}

}  // namespace takt::roads
