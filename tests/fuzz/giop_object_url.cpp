// Object URLs and stringified names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "giop/references/object_url.h"
#include "giop/references/profile.h"
#include "giop/references/stringified_name.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::giop;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto url = parse_object_url(text)) {
    const takt::cdr::Ior ior = ior_of(*url, "localhost");
    for (const auto& profile : ior.profiles) {
      const auto read = read_profile(profile, {profile.tag, profile.tag == internet_profile});
      if (!read || read->object_key != url->key) std::abort();
    }
    std::vector<std::uint8_t> key;
    if (!unescape_url(escape_url(url->key), key) || key != url->key) std::abort();
  }
  if (const auto name = parse_name(text)) {
    const auto again = parse_name(name_to_text(*name));
    if (!again || *again != *name) std::abort();
  }
  return 0;
}
