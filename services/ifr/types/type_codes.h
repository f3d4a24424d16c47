// TypeCodes of the types in a store.
#pragma once

#include <map>
#include <string_view>

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
  TypeCodes(Store& store, const Limits& limits) : store_(store), limits_(limits) {}

  // A type's text, or the number of a type or an exception.
  CORBA::typecode_reference of(std::string_view type);
  CORBA::typecode_reference of(Number number);
  CORBA::typecode_reference of(const Definition& definition);

 private:
  CORBA::typecode_reference made(const Definition& definition);
  CORBA::typecode_reference made_value(const Definition& definition);
  CORBA::typecode_reference made_union(const Definition& definition);
  CORBA::typecode_reference with_members(CORBA::TCKind kind, const Definition& definition);

  Store& store_;
  const Limits& limits_;
  std::map<Number, CORBA::typecode_reference> made_;
  cdr::TypesInProgress<Number> in_progress_;
  std::size_t makings_ = 0;  // including those of types that were made again
};

}  // namespace takt::ifr
