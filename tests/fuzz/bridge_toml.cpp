// A bridge's settings in TOML: errors name the file, and no two objects have the same key.
#include "bridge/toml.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::command;
  const auto read = bridge_settings_of({reinterpret_cast<const char*>(data), size}, "input");
  if (!read) {
    if (!read.error().starts_with("input:")) std::abort();
    return 0;
  }
  // The keys of a table must be different.
  auto objects = read->objects;
  std::ranges::sort(objects, {}, &BridgedObject::key);
  if (std::ranges::adjacent_find(objects, {}, &BridgedObject::key) != objects.end()) std::abort();
  return 0;
}
