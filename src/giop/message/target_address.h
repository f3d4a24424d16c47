// How a request identifies its target (CORBA 3.0.3, 15.4.2.1).
#pragma once

#include <cstdint>

#include <takt/base/bytes.h>

namespace takt::giop {

enum class Addressing : std::uint8_t {
  key = 0,        // an object key; the only form before GIOP 1.2
  profile = 1,    // a profile of the reference
  reference = 2,  // the whole reference, and the index of the profile
};

// Gets the object key in a profile as a view into `data`. Returns false if the profile is of an unknown kind
// or malformed.
bool object_key_of_profile(std::uint32_t tag, ByteView data, ByteView& key);

}  // namespace takt::giop
