// The option POALookup: strategies for finding one adapter, its servants and their operations.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "lookup/configured_lookups.h"

namespace takt::orb {

// One item of the option. Its tables are not built yet; it names the files with their content.
struct PoaLookup {
  std::string poa;   // as in the option: "RootPOA/navigation"
  std::string path;  // as the adapter stores it
  adapter::ConfiguredLookup lookup;
  std::string servant_ids, adapter_paths;  // files; empty: none
};

// POA:KEY=VALUE[,KEY=VALUE...]. The error says what is allowed.
std::expected<PoaLookup, std::string> poa_lookup_from_text(std::string_view text);
// Checks that the parts of an item fit together.
std::expected<void, std::string> check(const PoaLookup& one);
// The item's text for one key of a table in a TOML file.
std::string poa_lookup_text(std::string_view poa, std::string_view key, std::string_view value);

// Parses all items and builds their tables. Items that name the same file share a table. Throws BAD_PARAM.
// Reads files.
adapter::ConfiguredLookups poa_lookups(const std::vector<std::string>& texts);

}  // namespace takt::orb
