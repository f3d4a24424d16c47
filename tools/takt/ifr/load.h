// Loads IDL into the store of an interface repository.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "ifr/store/store.h"

namespace takt::command {

struct LoadCounts {
  std::uint64_t added = 0;      // definitions that were not there
  std::uint64_t completed = 0;  // definitions that were only declared
  std::uint64_t kept = 0;       // definitions that were there, and are the same
};

// Loads all files and what they include, in one transaction: all of it, or nothing. The error is readable
// text that ends with a line break: IDL's diagnostics, a definition that the store has in another form, or
// one that the standard's repository has no form for. Must be called while the process has only one thread.
// Throws what the store throws.
std::expected<LoadCounts, std::string> load_idl(ifr::Store& store, const std::vector<std::string>& files,
                                                const std::vector<std::string>& include_folders);

}  // namespace takt::command
