// Headers of a library that stand for the files generated of some IDL files (takt-idl --header-of).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace takt::idl::cpp {

// For an IDL file of this name whose declarations are all in this outermost module.
struct ProvidedHeader {
  std::string module, file;
  std::string client, server;  // as after #include, without < and >
};

// Reads "MODULE/FILE=CLIENT" or "MODULE/FILE=CLIENT,SERVER". No value: the text has another form.
std::optional<ProvidedHeader> provided_header(const std::string& text);

// The header for the unit's file of this index; null: the file's own are used.
const ProvidedHeader* provided_header(const Unit& unit, std::size_t file,
                                      const std::vector<ProvidedHeader>& all);
const ProvidedHeader* provided_header_of_main_file(const Unit& unit, const std::vector<ProvidedHeader>& all);

}  // namespace takt::idl::cpp
