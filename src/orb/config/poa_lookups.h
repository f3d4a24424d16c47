// POALookup: strategies by which one adapter is found, and its servants and operations.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/lookup/configured_lookups.h"

namespace takt::orb {

// One item, which has no table yet but the file that it is to be made of.
struct PoaLookup {
  std::string poa;   // as it is written: "RootPOA/navigation"
  std::string path;  // as the adapter has it
  adapter::ConfiguredLookup lookup;
  std::string servant_ids, adapter_paths;  // files; empty: there are none
};

// POA:KEY=VALUE[,KEY=VALUE...]. The error says what would have been right.
std::expected<PoaLookup, std::string> poa_lookup_from_text(std::string_view text);
// Whether its parts go with one another.
std::expected<void, std::string> check(const PoaLookup& one);
// The text of one key of what a file in TOML says.
std::string poa_lookup_text(std::string_view poa, std::string_view key, std::string_view value);

// All items, with their tables made; a list that several name makes one table. BAD_PARAM.
adapter::ConfiguredLookups poa_lookups(const std::vector<std::string>& texts);

}  // namespace takt::orb
