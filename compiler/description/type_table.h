// The TypeCodes of an interface's operations, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "description/octets.h"
#include "model/model.h"

namespace takt::idl::description {

// Writes the TypeCodes as members of one struct, in which repeated types are indirections. Exceptions are
// written as structs, because a struct has no member that is an exception. Positions count from the first
// octet of the struct's encapsulation.
class TypeTable {
 public:
  // The number of the type, from 1; 0 for void. `declaration`: of any kind that is a type, or an exception.
  std::uint32_t number_of(const Type& type);
  std::uint32_t number_of(const Declaration& declaration);
  // The TypeCode of the struct.
  void write_to(Octets& out) const;

 private:
  struct Place {
    Octets& out;
    std::size_t base;  // the position of the first octet of `out`
    std::size_t position() const { return base + out.size(); }
  };
  template <class Write>
  static void write_encapsulation(const Place& at, Write write);

  // Equal for equal types.
  static std::string key_of(const Type& type);
  template <class Write>
  std::uint32_t number_of(const std::string& key, Write write);
  void write(const Place& at, const Type& type);
  void write_declared(const Place& at, const Declaration& declaration);
  void write_named(const Place& at, std::uint32_t kind, const Declaration& declaration);
  void write_map(const Place& at, const Type& type);
  void write_optional(const Place& at, const Type& type);
  void write_constructed(const Place& at, const Declaration& declaration);
  void write_members(const Place& at, const Declaration& declaration);
  void write_union(const Place& at, const Declaration& declaration);
  void write_value(const Place& at, const Declaration& declaration);

  Octets members_;
  std::uint32_t count_ = 0;
  std::map<std::string, std::uint32_t> numbers_;
  static constexpr std::size_t none = SIZE_MAX;
  struct Written {
    std::size_t position;
    std::size_t
        refers_to;  // index in open_ of the outermost type that it refers to; none: complete in itself
  };
  void close(std::size_t depth, std::size_t first_inside);
  std::map<const Declaration*, Written> written_;
  std::vector<const Declaration*> inside_;  // members of written_ that refer to a type in open_, in order
  std::vector<std::pair<const Declaration*, std::size_t>> open_;
  std::size_t refers_to_ = none;  // index in open_ of the outermost type that a recursion refers to
};

}  // namespace takt::idl::description
