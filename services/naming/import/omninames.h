// What omniNames keeps: its data file (.dat, .bak), or the log of versions before 4.2.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "naming/model/limits.h"

namespace takt::naming {

// The contexts and bindings at the file's end. Contexts are known by the object keys that they had.
struct ImportedNames {
  struct Bound {
    bool is_context = false;  // also one of another service
    std::string own_key;      // of a context of this service; empty for all others
    std::string reference;    // the IOR as an encapsulation
  };
  struct ImportedContext {
    std::string object_key;                 // as references have it; empty unless a reference was seen
    std::map<std::string, Bound> bindings;  // by key_of()
  };

  std::map<std::string, ImportedContext> contexts;  // by the ids of the file
  std::string root;                                 // the id of the root context; empty if there is none
};

// From whoever wrote it: the reason, with the line, where the text is no such file. A last line without its
// end is left out, as one that omniNames was writing when it ended. Component lengths beyond the limits are
// errors.
std::expected<ImportedNames, std::string> read_omninames(std::string_view text, const Limits& limits = {});

}  // namespace takt::naming
