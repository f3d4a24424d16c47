#include <takt/adapter/lookup_policy.h>

#include "adapter/keys/object_key.h"

namespace takt {

std::string adapter_path(std::initializer_list<std::string_view> names) {
  std::string path;
  for (const std::string_view name : names) path = adapter::append_to_path(path, name);
  return path;
}

}  // namespace takt
