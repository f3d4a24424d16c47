// Look-up strategies that configuration gives to single adapters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include <takt/adapter/lookup_policy.h>

namespace takt::adapter {

// What it says of one adapter. A table belongs to a strategy that is `perfect`.
struct ConfiguredLookup {
  std::optional<Lookup> adapter = {}, servant = {}, operation = {};
  IdTable adapters = {};
  IdTable servants = {};
};

// By path, as adapter_path() has it; the root POA's is empty. Filled before there are adapters; then any
// thread may look.
class ConfiguredLookups {
 public:
  // False: it has been said of that adapter.
  bool add(std::string path, ConfiguredLookup lookup) {
    return lookups_.emplace(std::move(path), std::move(lookup)).second;
  }
  // Null: nothing is said of it.
  const ConfiguredLookup* find(const std::string& path) const {
    const auto found = lookups_.find(path);
    return found == lookups_.end() ? nullptr : &found->second;
  }
  // What is not said of it is as in `usual`.
  LookupStrategies of(const std::string& path, const LookupStrategies& usual) const {
    LookupStrategies strategies = usual;
    const ConfiguredLookup* const own = find(path);
    if (!own) return strategies;
    strategies.adapter = own->adapter.value_or(usual.adapter);
    strategies.servant = own->servant.value_or(usual.servant);
    strategies.operation = own->operation.value_or(usual.operation);
    strategies.adapters = own->adapters;
    strategies.servants = own->servants;
    return strategies;
  }

 private:
  std::map<std::string, ConfiguredLookup> lookups_;
};

}  // namespace takt::adapter
