// An object reference as a plain value (CORBA 3.0.3, 13.6.2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace takt::cdr {

class Decoder;
class Encoder;

struct TaggedProfile {
  std::uint32_t tag = 0;
  std::vector<std::uint8_t> data;
  friend bool operator==(const TaggedProfile&, const TaggedProfile&) = default;
};

// Nil has an empty type id and no profiles. Profiles keep their exact octets.
struct Ior {
  std::string type_id;
  std::vector<TaggedProfile> profiles;

  bool is_nil() const { return type_id.empty() && profiles.empty(); }
  friend bool operator==(const Ior&, const Ior&) = default;
};

void write_ior(Encoder& encoder, const Ior& ior);
// Returns false, and fails the decoder, if the IOR is malformed.
bool read_ior(Decoder& decoder, Ior& ior);

}  // namespace takt::cdr
