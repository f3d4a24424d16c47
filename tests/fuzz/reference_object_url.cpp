// Object URLs and stringified names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "giop/references/group.h"
#include "giop/references/profile.h"
#include "reference/text/object_url.h"
#include "reference/text/stringified_name.h"

namespace {

using namespace takt::giop;
using namespace takt::reference;

bool says_the_same(const takt::cdr::TaggedProfile& profile, const ObjectUrl& url) {
  if (profile.tag == group_profile) {
    const auto read = read_group_profile(profile);
    const auto written = read ? parse_object_url(to_url(*read)) : std::unexpected(UrlError::bad_address);
    const auto again = written ? parse_group_url(written->addresses.front().specific) : std::nullopt;
    return again && again->group == read->group && again->address == read->address;
  }
  const auto read = read_profile(profile, {profile.tag, profile.tag == internet_profile});
  return read && read->object_key == url.key;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto url = parse_object_url(text)) {
    const takt::cdr::Ior ior = ior_of(*url, "localhost");
    for (const auto& profile : ior.profiles)
      if (!says_the_same(profile, *url)) std::abort();
    std::vector<std::uint8_t> key;
    if (!unescape_url(escape_url(url->key), key) || key != url->key) std::abort();
  }
  if (const auto name = parse_name(text)) {
    const auto again = parse_name(name_to_text(*name));
    if (!again || *again != *name) std::abort();
  }
  return 0;
}
