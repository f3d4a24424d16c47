// Advice for programs that talk with the ORB of a reference.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/ior.h>

namespace takt::command {

// A sentence for each matter in which the ORB that made the reference differs, or in which the reference
// leaves something open, with the option that decides it. Uses only the reference.
std::vector<std::string> advice_on(const cdr::Ior& ior);

// " (OPTION)", by which a server of the reference's ORB publishes another address; empty if the reference
// does not say which ORB it is of.
std::string how_to_publish(const cdr::Ior& ior);

// Where a naming service, or another service of TAO's, listens, if the reference's key is the name of one and
// its ORB may be TAO; else empty. For services at whose address nothing listens.
std::string advice_on_port(const cdr::Ior& ior);

}  // namespace takt::command
