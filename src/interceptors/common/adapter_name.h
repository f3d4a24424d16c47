// The names of adapters as interceptors see them.
#pragma once

#include <string>
#include <vector>

namespace takt::adapter {
class PoaCore;
}

namespace takt::interceptors {

// Those on the way to the adapter; "RootPOA" is the first.
std::vector<std::string> adapter_name_of(const adapter::PoaCore& poa);

}  // namespace takt::interceptors
