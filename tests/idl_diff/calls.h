// Whether a client with one version of an IDL file can call a server with another.
#pragma once

#include <string>
#include <vector>

#include <takt/invocation/operation_types.h>

#include "diff/specification.h"

namespace takt::idl::diff {

// One side of a call. Reads the file independently and knows nothing of the rules.
struct Side {
  explicit Side(const std::string& file);

  Specification specification;
  std::vector<OperationTypes> operations;
};

// The first failure when the client calls each operation it knows of each common interface with all samples,
// and the server answers with all samples and each exception. Empty if there is none. An interface that only
// a new client has is no failure if the new version keeps all old interfaces.
std::string failure(const Side& client, const Side& server, bool client_is_new);

}  // namespace takt::idl::diff
