// Where a reference leads, endpoint by endpoint.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <takt/cdr/ior.h>

#include <takt/transport/endpoint.h>

namespace takt::command {

struct Way {
  std::size_t profile = 0;  // which of the reference's
  transport::Endpoint endpoint;
  cdr::Ior only;  // the same object by this endpoint alone, of no type: what its type is, will be asked
};

// Of the profiles that Takt understands: addresses, alternate addresses, those of lanes, those by TLS, paths;
// each once.
std::vector<Way> ways_of(const cdr::Ior& ior);

}  // namespace takt::command
