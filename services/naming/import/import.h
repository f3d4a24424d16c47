// Takes names of another service over.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "naming/import/omninames.h"
#include "naming/store/committer.h"

namespace takt::naming {

struct ImportCounts {
  std::uint64_t contexts = 0, bindings = 0;
};

// Its root context's bindings become those of ours, its other contexts are made. What is bound here by the
// same name is replaced; a context that was imported before is found again by its key, so that an import may
// be repeated. The reason where a change is refused; those before it have been made. Blocks for the disk.
std::expected<ImportCounts, std::string> import_names(const ImportedNames& names, const Tree& tree,
                                                      Committer& committer);

}  // namespace takt::naming
