// Values of a call's result whose types derive from the declared ones.
#pragma once

#include <takt/corba.h>

#include "types/catalogue.h"

namespace takt::command {

// Lets the ORB make values of all valuetypes of the catalogue, except custom and abstract ones. Without that
// it has only those that an operation names, cuts derived values off to them, and refuses others.
void know_values(CORBA::ORB& orb, const Catalogue& catalogue);

}  // namespace takt::command
