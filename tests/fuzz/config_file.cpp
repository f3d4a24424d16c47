// Options in a file: each accepted value must be valid for its option.
#include "config/config_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "config/option_values.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::orb;
  const auto read = options_in({reinterpret_cast<const char*>(data), size}, "input");
  if (!read) {
    if (!read.error().starts_with("input:")) std::abort();
    return 0;
  }
  Settings settings;
  for (const FileValue& value : *read)
    for (const std::string& item : value.items)
      if (!(value.is_list ? add_item(*value.option, item, settings)
                          : set_option(*value.option, item, settings)))
        std::abort();
  return 0;
}
