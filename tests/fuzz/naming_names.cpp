// Stringified names and URLs: a name that was read is written as an equivalent one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "naming/model/names.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::naming;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto hash = text.find('#');
  if (hash != std::string_view::npos) {
    const auto url = url_of(text.substr(0, hash), text.substr(hash + 1));
    if (url && !url->starts_with("corbaname:")) std::abort();
  }
  const auto name = name_of(text);
  if (!name) return 0;
  if (!fault_of(*name, {}).empty()) std::abort();
  const auto again = name_of(text_of(*name));
  if (!again || *again != *name) std::abort();
  for (const auto& component : *name)
    if (text.find('\0') == std::string_view::npos && component_of(key_of(component)) != component)
      std::abort();
  return 0;
}
