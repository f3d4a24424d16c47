// Values without parts, read from octets without a DynAny.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <takt/cdr/any.h>
#include <takt/cdr/decoder.h>

#include "constraint/component.h"
#include "constraint/expression.h"

namespace takt::constraint {

// Whether read_plain() reads values of the type, which has no aliases.
bool is_plain(const CORBA::TypeCode& type);
// The next value of a plain type. Nothing if the octets end, or for an enumerator that there is not.
std::optional<Value> read_plain(cdr::Decoder& in, const CORBA::TypeCode& type);

// The elements of a sequence or array of numbers, booleans, characters or enumerators, read where they are: a
// DynAny of each would take hundreds of octets. Valid while the list lives and does not change.
class PlainElements {
 public:
  // Nothing for other types.
  static std::optional<PlainElements> of(const Part& list);

  std::uint32_t count() const { return count_; }
  std::optional<Value> at(std::uint32_t index) const;

 private:
  PlainElements(CORBA::Any list, const CORBA::TypeCode& element, std::size_t size)
      : list_(std::move(list)), element_(element), size_(size) {}

  CORBA::Any list_;
  const CORBA::TypeCode& element_;  // a part of list_'s type
  std::size_t size_, first_ = 0;    // octets of an element; where the first is
  std::uint32_t count_ = 0;
};

// Whether an element of the sequence or array equals `wanted`. Nothing for other types, or if the steps do
// not suffice.
std::optional<bool> contains(const Part& list, const Value& wanted, Budget& budget);

}  // namespace takt::constraint
