// The back end for the classic IDL to C++ mapping.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cpp/generator.h"
#include "model/model.h"

namespace takt::idl::classic {

// As cpp::generate(): the same files, by the names of `options`. An IDL construct that the back end does not
// have is an error that names it and its place.
std::expected<std::vector<cpp::GeneratedFile>, std::string> generate(const Unit& unit,
                                                                     const cpp::Options& options);

// The first construct of the unit's main file that the back end does not support, as readable text. Empty if
// all are supported.
std::string unsupported(const Unit& unit);

}  // namespace takt::idl::classic
