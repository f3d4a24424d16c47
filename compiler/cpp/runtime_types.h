// Types of the OMG's modules that headers of the runtime declare. No code is generated for them.
#pragma once

#include <set>
#include <string_view>

#include "model/model.h"

namespace takt::idl::cpp {

// The header, such as "takt/standard/TimeBaseC.h", that declares the declaration: it is one of the OMG's, in
// a file with the OMG's name, such as TimeBase.idl. Empty if there is none.
std::string_view runtimes_header(const Unit& unit, const Declaration& declaration);
// The header that declares all that the file declares, so that it takes the place of the generated one.
// Empty if there is none.
std::string_view runtimes_header_of_file(const Unit& unit, std::size_t file);
// The headers for such declarations of the main file.
std::set<std::string_view> runtimes_headers_of_main_file(const Unit& unit);

}  // namespace takt::idl::cpp
