// Imports the names of another naming service.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "naming/import/omninames.h"
#include "naming/model/tree_mutex.h"
#include "naming/store/changes.h"

namespace takt::naming {

struct ImportCounts {
  std::uint64_t contexts = 0, bindings = 0;
};

// The bindings of the imported root context are added to the root context here; for each other context, one
// is created. A binding here with the same name is replaced. A context that was imported before is found by
// its old key, so an import can be repeated. On a refused change, returns the reason; the changes before it
// stay. Blocks for the disk.
std::expected<ImportCounts, std::string> import_names(const ImportedNames& names, const Tree& tree,
                                                      TreeMutex& mutex, Changes& changes);

}  // namespace takt::naming
