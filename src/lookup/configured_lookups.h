// Look-up strategies that the configuration sets for single adapters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include <takt/lookup/lookup_policy.h>

namespace takt::adapter {

// The settings of one adapter. Only `perfect` strategies have a table.
struct ConfiguredLookup {
  std::optional<Lookup> adapter = {}, servant = {}, operation = {};
  IdTable adapters = {};
  IdTable servants = {};
};

// Settings by path, as adapter_path() makes it; the root POA's is empty. Filled before there are adapters;
// afterwards any thread may read it.
class ConfiguredLookups {
 public:
  // False if the adapter has settings already.
  bool add(std::string path, ConfiguredLookup lookup) {
    return lookups_.emplace(std::move(path), std::move(lookup)).second;
  }
  // Null if the adapter has no settings.
  const ConfiguredLookup* find(const std::string& path) const {
    const auto found = lookups_.find(path);
    return found == lookups_.end() ? nullptr : &found->second;
  }
  // The adapter's settings, completed by those in `usual`.
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
