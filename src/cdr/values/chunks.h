// The chunks in which the state of a value is encoded (CORBA 3.0.3, 15.3.4.2).
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::cdr {

class Decoder;

// Limits what a decoder reads to the data of one chunk after the other. Between two chunks there may be a
// tag: the header of a nested value or the end of values. It is read here, and kept until leave() gives it.
class Chunks {
 public:
  // From here on the state of a value is read; its first chunk has yet to be entered.
  void begin(Decoder& in) { enter(in, 0); }
  // Nothing is read until end() or begin(), as the end tag of an outer value has been read.
  void close(Decoder& in);
  // What follows is in no chunk.
  void end(Decoder& in);

  // At the end of a chunk: enters the next one. False if a tag follows, or there is no chunk here at all.
  bool enter_next(Decoder& in);
  // Enters a chunk whose size has been read.
  void enter(Decoder& in, std::uint32_t size);
  // Skips what is left of the chunk, and gives the tag or the size after it. What follows is in no chunk.
  std::uint32_t leave(Decoder& in);

 private:
  enum class Place : std::uint8_t {
    outside,  // no limit
    inside,   // the limit is the end of the chunk
    at_tag,   // nothing can be read; tag_ has been read
    closed,   // nothing can be read
  };
  Place place_ = Place::outside;
  std::uint32_t tag_ = 0;
};

}  // namespace takt::cdr
