// The chunks in which the state of a value is encoded (CORBA 3.0.3, 15.3.4.2).
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::cdr {

class Decoder;

// Limits a decoder to the data of one chunk after the other. Between two chunks there may be a tag: the
// header of a nested value or an end tag. The tag is read here, and kept until leave() returns it.
class Chunks {
 public:
  // Begins the state of a value, whose first chunk has yet to be entered.
  void begin(Decoder& in) { enter(in, 0); }
  // Nothing is read until end() or begin(), because the end tag of an outer value has been read.
  void close(Decoder& in);
  // The following octets are in no chunk.
  void end(Decoder& in);

  // At the end of a chunk: enters the next one. Returns false if a tag follows, or there are no chunks here.
  bool enter_next(Decoder& in);
  // Enters a chunk whose size has been read.
  void enter(Decoder& in, std::uint32_t size);
  // Skips the rest of the chunk, and returns the tag or the size after it. The following octets are in no
  // chunk.
  std::uint32_t leave(Decoder& in);

 private:
  enum class Place : std::uint8_t {
    outside,  // no limit
    inside,   // the limit is the end of the chunk
    at_tag,   // tag_ has been read; nothing else can be read before leave()
    closed,   // nothing can be read
  };
  Place place_ = Place::outside;
  std::uint32_t tag_ = 0;
};

}  // namespace takt::cdr
