// Reads the files of omniNames: its data file (.dat, .bak), or the log of versions before 4.2.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

#include "naming/model/limits.h"

namespace takt::naming {

// The contexts and bindings after the whole file is read. The keys of `contexts` are the object keys in
// omniNames.
struct ImportedNames {
  struct Bound {
    bool is_context = false;  // also if the context belongs to another service
    std::string own_key;      // key of the context in this service; empty for all other bindings
    std::string reference;    // the IOR as an encapsulation
  };
  struct ImportedContext {
    std::string object_key;                 // as in references; empty unless a reference was seen
    std::map<std::string, Bound> bindings;  // by key_of()
  };

  std::map<std::string, ImportedContext> contexts;  // by their ids in the file
  std::string root;                                 // id of the root context; empty if there is none
};

// The text may come from an untrusted source. If it is malformed, returns the reason with the line number.
// Ignores an incomplete last line, which omniNames leaves if it ends while writing. Component lengths beyond
// the limits are errors.
std::expected<ImportedNames, std::string> read_omninames(std::string_view text, const Limits& limits = {});

}  // namespace takt::naming
