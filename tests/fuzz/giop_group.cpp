// Requests to groups, profiles of groups, and their URLs.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "giop/heads/group_request.h"
#include "giop/references/group.h"

using namespace takt;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint8_t> octets(data, data + size);  // aligned to 8
  giop::Event event;
  const giop::Limits limits;
  if (giop::read_group_request(octets, limits, event)) {
    if (event.response_expected || event.body.data() + event.body.size() != octets.data() + octets.size())
      std::abort();
  }
  if (const auto profile = giop::read_group_profile({giop::group_profile, octets})) {
    const auto written = giop::write_group_profile(profile->address, profile->group);
    const auto again = giop::read_group_profile(written);
    if (!again || again->group != profile->group || again->address != profile->address) std::abort();
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto profile = giop::parse_group_url(text)) {
    const auto url = giop::to_url(*profile);
    const auto again =
        giop::parse_group_url(std::string_view(url).substr(std::string_view("corbaloc:miop:").size()));
    if (!again || again->group != profile->group || again->address != profile->address) std::abort();
  }
  return 0;
}
