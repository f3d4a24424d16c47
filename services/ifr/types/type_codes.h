// TypeCodes of the types in a store.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <takt/cdr/typecode.h>
#include <takt/cdr/types_in_progress.h>

#include "ifr/model/limits.h"
#include "ifr/store/store.h"

namespace takt::ifr {

// Makes each definition's TypeCode once. To be used within one transaction of the store. Throws IMP_LIMIT if
// a type needs too many definitions, INTERNAL or BAD_TYPECODE if the definitions are no legal type, and what
// the store throws.
class TypeCodes {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  // `reply_bytes`: octets of all that is counted.
  TypeCodes(Store& store, const Limits& limits, std::size_t reply_bytes = unlimited)
      : store_(store), limits_(limits), reply_bytes_(reply_bytes) {}

  // A type's text, or the number of a type or an exception. The result is counted.
  CORBA::typecode_reference of(std::string_view type) { return counted(whole(type)); }
  CORBA::typecode_reference of(Number number) { return counted(whole(number)); }
  CORBA::typecode_reference of(const Definition& definition) { return counted(whole(definition)); }

  // Counts a part of the reply, which takes as many octets each time that the reply has it. IMP_LIMIT if the
  // reply would be too long.
  CORBA::typecode_reference counted(CORBA::typecode_reference type);
  void count(std::size_t octets);

 private:
  CORBA::typecode_reference whole(std::string_view type);
  CORBA::typecode_reference whole(Number number);
  CORBA::typecode_reference whole(const Definition& definition);
  CORBA::typecode_reference made(const Definition& definition);
  CORBA::typecode_reference made_value(const Definition& definition);
  CORBA::typecode_reference made_union(const Definition& definition);
  CORBA::typecode_reference with_members(CORBA::TCKind kind, const Definition& definition);

  Store& store_;
  const Limits& limits_;
  std::map<Number, CORBA::typecode_reference> made_;
  cdr::TypesInProgress<Number> in_progress_;
  std::size_t makings_ = 0;  // including those of types that were made again
  const std::size_t reply_bytes_;
  std::size_t counted_ = 0;
  // Encoded lengths by address, with the TypeCodes, so that no other gets the address.
  std::unordered_map<const void*, std::pair<CORBA::typecode_reference, std::size_t>> lengths_;
};

}  // namespace takt::ifr
