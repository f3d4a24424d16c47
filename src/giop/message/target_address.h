// How a request names its target (CORBA 3.0.3, 15.4.2.1).
#pragma once

#include <cstdint>

#include <takt/base/bytes.h>

namespace takt::giop {

enum class Addressing : std::uint8_t {
  key = 0,        // the object key alone: all there is before GIOP 1.2
  profile = 1,    // a profile of the reference
  reference = 2,  // the whole reference, and which profile of it is meant
};

// The object key inside a profile, without copying; false if the profile is none that we understand or
// does not hold together. A view into `data`.
bool object_key_of_profile(std::uint32_t tag, ByteView data, ByteView& key);

}  // namespace takt::giop
