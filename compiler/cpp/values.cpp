// Valuetypes.
#include "cpp/declarations.h"

namespace takt::idl::cpp {

void print_value(Context&, const Declaration&) {}
void print_value_box(Context&, const Declaration&) {}
void print_value_source(Context&, const Declaration&) {}

}  // namespace takt::idl::cpp
