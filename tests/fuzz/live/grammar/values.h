// Values of the valuetypes in tests/interop/idl/values.idl: shared, cyclic, chunked, truncatable, and
// invalid.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

enum class ValueType : std::uint8_t { node, base, derived, wide, packed, text, numbers };

// Writes the values of one message, which may share earlier values.
class ValueWriter {
 public:
  ValueWriter(Writer& to, Random& random) : to_(to), random_(random) {}

  // A value of the type or of a derived one, null, or an indirection.
  void write(ValueType formal, int depth);
  // A node whose `others` are `length` nodes; the `next` of each is the previous one.
  void write_chain(std::uint32_t length);

 private:
  void write_new(ValueType formal, int depth);
  void write_indirection(const std::vector<std::size_t>& targets);
  void write_id(std::string_view id);
  void write_state(ValueType type, int depth);
  void write_node(int depth);
  void write_derived(int depth);
  void write_nested(ValueType formal, int depth);
  // State in a chunk, which sometimes ends where it should not.
  void member_text(std::uint32_t most);
  void member_octets(std::uint32_t most);
  void raw_octets(std::size_t count, std::uint8_t octet);
  void member_u32(std::uint32_t number);
  void perhaps_break();
  void open_chunk();
  void close_chunk();

  Writer& to_;
  Random& random_;
  std::vector<std::size_t> values_, ids_;  // where each begins
  int level_ = 0;                          // nesting level of chunked values
  std::size_t chunk_at_ = 0;               // position of the open chunk's length; 0: none is open
};

}  // namespace takt::fuzz::live
