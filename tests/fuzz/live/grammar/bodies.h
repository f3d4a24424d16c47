// Arguments and results of the operations of tests/interop/idl that take what a peer may shape.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// Adapters of the target, each with an object of the name: what names_of_objects() has.
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
// Null: there is none.
const Operation* find_operation(std::string_view name, Object object);

// A body that stands at a multiple of 8.
struct Body {
  std::string operation;
  Object object = Object::types;
  cdr::ByteOrder order = cdr::ByteOrder::little;
  Octets octets;
  std::vector<std::size_t> telling_at;  // where numbers stand that say what follows
  // Octets that the message says it has besides, and that never come.
  std::uint32_t promised = 0;
};

// What `operation` takes, or what it returns.
Body random_body(Random& random, const Operation& operation);

}  // namespace takt::fuzz::live
