#include "interceptors/common/adapter_name.h"

#include <algorithm>

#include "adapter/poa/poa_core.h"

namespace takt::interceptors {

std::vector<std::string> adapter_name_of(const adapter::PoaCore& poa) {
  std::vector<std::string> names;
  for (const adapter::PoaCore* one = &poa; one; one = one->parent.get()) names.push_back(one->name);
  names.back() = "RootPOA";
  std::ranges::reverse(names);
  return names;
}

}  // namespace takt::interceptors
