// Object ids of the mapping, and octets.
#pragma once

#include <cstddef>
#include <cstring>

#include <takt/classic/poa.h>

namespace PortableServer {
inline namespace takt_classic_ {

inline ObjectId* new_id(const unsigned char* octets, std::size_t size) {
  const auto length = static_cast<CORBA::ULong>(size);
  ObjectId* const id = new ObjectId(length);
  id->length(length);
  if (length) std::memcpy(id->get_buffer(), octets, length);
  return id;
}

}  // namespace takt_classic_
}  // namespace PortableServer
