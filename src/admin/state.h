// The state of an ORB, as Takt::Admin::State of idl/Takt_Admin.idl.
#pragma once

#include <takt/cdr/encoder.h>

#include "admin/observation.h"
#include "orb/runtime/runtime.h"

namespace takt::admin {

// Encodes the state. Holds locks of the ORB for short, bounded times: those of the adapters' table, of each
// queue and of the server. Allocates.
void write_state(cdr::Encoder& out, orb::Runtime& runtime, const Observation& observation);

}  // namespace takt::admin
