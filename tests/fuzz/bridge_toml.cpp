// What a bridge does, in TOML: what is refused is told by its line, and what is taken has a key and a
// reference for each object.
#include "bridge_toml.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::command;
  const auto read = bridge_settings_of({reinterpret_cast<const char*>(data), size}, "input");
  if (!read) {
    const std::string& error = read.error();
    if (!error.starts_with("input:") || error.size() < 10 || error[6] < '0' || error[6] > '9') std::abort();
    return 0;
  }
  // The keys of a table are different ones.
  auto objects = read->objects;
  std::ranges::sort(objects, {}, &BridgedObject::key);
  if (std::ranges::adjacent_find(objects, {}, &BridgedObject::key) != objects.end()) std::abort();
  return 0;
}
