// The service types of module TimeBase, which the runtime defines for its policies of time.
#pragma once

#include "model/model.h"

namespace takt::idl::cpp {

// Whether <takt/reference/time_base.h> defines the declaration: it is one of the OMG's, in a file
// TimeBase.idl.
bool is_runtimes_time(const Unit& unit, const Declaration& declaration);
// Whether that header defines all that the file declares, so that it takes the place of the generated one.
bool is_time_file(const Unit& unit, std::size_t file);
// Whether the main file declares any such type.
bool declares_time(const Unit& unit);

}  // namespace takt::idl::cpp
