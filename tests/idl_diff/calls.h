// Whether a client with one version of an IDL file can call a server with another.
#pragma once

#include <string>
#include <vector>

#include <takt/invocation/operation_types.h>

#include "diff/specification.h"

namespace takt::idl::diff {

// One side of a call. Reads the file in its own way, and knows nothing of rules.
struct Side {
  explicit Side(const std::string& file);

  Specification specification;
  std::vector<OperationTypes> operations;
};

// What goes wrong when the client calls each operation that it knows of each interface that both versions
// mean, with all samples, and the server answers with all samples and each exception. Empty: nothing.
// An interface that only a new client has is no failure where the old version's interfaces are all kept.
std::string failure(const Side& client, const Side& server, bool client_is_new);

}  // namespace takt::idl::diff
