// Arguments and results of the operations of tests/interop/idl whose data a peer can shape.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// The target's adapters, each with an object of that name: see names_of_objects().
enum class Object : std::uint8_t { types, values, calls, serial };
inline constexpr std::string_view object_names[] = {"types", "values", "calls", "serial"};

enum class Content : std::uint8_t {
  nothing,
  any,
  named_any,
  node,
  nodes,
  base,
  derived,
  packed,
  text_value,
  numbers,
  octets,
  strings,
  tables,
  trees,
  reference,
  text,
  wide_text,
  captured
};

struct Operation {
  std::string_view name;
  Object object;
  Content content;
};
std::span<const Operation> operations();

// A body that begins at a multiple of 8.
struct Body {
  std::string operation;
  Object object = Object::types;
  cdr::ByteOrder order = cdr::ByteOrder::little;
  Octets octets;
  std::vector<std::size_t> telling_at;  // positions of numbers that say what follows
  // Further octets that the message announces but that never come.
  std::uint32_t promised = 0;
};

// The arguments of `operation`, or its results.
Body random_body(Random& random, const Operation& operation);

}  // namespace takt::fuzz::live
