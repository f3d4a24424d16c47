// The chunks in which the state of a value is encoded (CORBA 3.0.3, 15.3.4.2), and TAO's form of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::cdr {

class Decoder;

// Limits a decoder to the data of one chunk after the other. Between two chunks there may be a tag: the
// header of a nested value or an end tag. The tag is read here, and kept until leave() returns it.
//
// TAO differs in three ways. A value inside another one is data of the other's chunk, with its header, chunks
// and end tags, and its levels begin at 1 again. The state of a base is written one level below that of the
// value, and the members that the value adds are a level of their own. A value in a chunk has no chunks
// itself if its type needs none. So a header inside a chunk, and an end tag deeper than the value, are valid
// only in TAO's form; a header between two chunks is valid only in the standard's. The first of them decides
// for the outermost value and all values in it.
class Chunks {
 public:
  // Begins the state of a value, whose first chunk has yet to be entered.
  void begin_value(Decoder& in);
  // Continues the state of the outer value after that of a nested one.
  void begin(Decoder& in) { enter(in, 0); }
  // Nothing is read until end() or begin(), because the end tag of an outer value has been read.
  void close(Decoder& in);
  // The state of a value has ended. The following octets are in no chunk, or in that of a value in TAO's
  // form.
  void end_value(Decoder& in);
  // Nesting level of the value that is read; 0: it has no chunks.
  std::uint32_t level() const { return level_; }

  // At the end of a chunk: enters the next one. Returns false if a tag follows, or there are no chunks here.
  bool enter_next(Decoder& in);
  // Enters a chunk whose size has been read.
  void enter(Decoder& in, std::uint32_t size);
  // Skips the rest of the chunk, and returns the tag or the size after it. The following octets are in no
  // chunk.
  std::uint32_t leave(Decoder& in);

  // The header of a nested value has been read between two chunks.
  void note_header_between(Decoder& in);
  // Whether the next octet is data of a chunk.
  bool is_inside() const { return place_ == Place::inside; }
  // The header of a nested value has been read inside a chunk. Returns the chunks of the nested value.
  Chunks for_value_inside(Decoder& in);
  // Continues the chunk of the outer value after a nested one that was read inside it.
  void resume(Decoder& in) const;

 private:
  enum class Place : std::uint8_t {
    outside,  // no limit
    inside,   // the limit is the end of the chunk
    at_tag,   // tag_ has been read; nothing else can be read before leave()
    closed,   // nothing can be read
  };
  enum class Form : std::uint8_t { unknown, standard, tao };

  void end(Decoder& in);
  void take_tao_form(Decoder& in);
  bool ends_part(Decoder& in, std::uint32_t tag);
  std::uint32_t next_tag(Decoder& in);

  Place place_ = Place::outside;
  Form form_ = Form::unknown;
  // In TAO's form: members have been read since the last end tag.
  bool has_members_ = false;
  std::uint32_t tag_ = 0;
  std::uint32_t level_ = 0;
  std::uint32_t open_ = 0;       // in TAO's form: levels of this value's classes that have yet to end
  std::size_t beyond_ = 0;       // octets of the message beyond the chunk that contains this value
  std::size_t beyond_mine_ = 0;  // and beyond the present chunk, while a value inside it is read
};

}  // namespace takt::cdr
