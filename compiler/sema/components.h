// Components, homes and ports (CCM): takt-idl reads them, but generates no code for them.
#pragma once

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// For a run that generates code. Warns of each component, home and port type in the main file. Reports an
// error for each operation, attribute, member or typedef of the main file whose type is one of them, because
// its code would not compile.
void check_components(const Unit& unit, Diagnostics& diagnostics);

}  // namespace takt::idl
