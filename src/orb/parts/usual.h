// The features of programs that do not choose.
#pragma once

#include <takt/orb/parts.h>

namespace takt::orb {

// Adds everything but add_admin(), add_recorder(), add_tracing(), add_io_uring() and add_reflection().
void add_usual(Parts& parts);

}  // namespace takt::orb
