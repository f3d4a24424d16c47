#include "config/listen_place.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "config/endpoints.h"

namespace takt::orb {

namespace {

struct PortRange {
  std::string with_first;  // the text with the first port alone
  std::uint16_t last;
};
// The range at the end of a text; nullopt if there is none. Paths may end like one.
std::optional<PortRange> range_in(std::string_view text) {
  if (text.starts_with("unix:") || text.starts_with("shm:") || text.starts_with("inproc:")) return {};
  const auto dash = text.rfind('-'), colon = text.rfind(':');
  if (colon == text.npos || dash == text.npos || dash <= colon + 1 || dash + 1 == text.size()) return {};
  const std::string_view last = text.substr(dash + 1);
  constexpr std::string_view digits = "0123456789";
  if (last.find_first_not_of(digits) != text.npos ||
      text.substr(colon + 1, dash - colon - 1).find_first_not_of(digits) != text.npos)
    return {};
  PortRange range{std::string(text.substr(0, dash)), 0};
  std::from_chars(last.data(), last.data() + last.size(), range.last);  // too large a number leaves 0
  return range;
}

}  // namespace

ListenPlace listen_place_from_text(std::string_view text, std::string_view option,
                                   const transport::TransportRegistry& transports) {
  const std::string_view address = without_publish(text);
  ListenPlace place;
  if (const auto range = range_in(address)) {
    place.endpoint = endpoint_from_text(range->with_first, option, transports);
    place.last_port = range->last;
    if (place.endpoint.port == 0 || range->last < place.endpoint.port)
      refuse_endpoint(text, option, "a range of ports is FIRST-LAST, as in iiop://:2810-2820");
  } else {
    place.endpoint = endpoint_from_text(address, option, transports);
  }
  if (address.size() == text.size()) return place;
  const std::string_view host = text.substr(text.find('=', address.size()) + 1);
  place.published = host != "none";
  if (!place.published) return place;
  const transport::Transport& transport = *transports.find(place.endpoint.protocol);
  // A port behind the host shows that all of it is a host.
  const auto published = transport.parse(std::string(host) + ":1");
  const bool is_text = std::ranges::all_of(host, [](unsigned char c) { return c > ' ' && c != 0x7f; });
  if (!transport.profile_form().has_port || !is_text || !published || published->port != 1 ||
      !transport.is_definite(*published))
    refuse_endpoint(text, option,
                    "references contain HOST with ?publish=HOST, and nothing with ?publish=none");
  place.published_host = published->host;
  return place;
}

}  // namespace takt::orb
