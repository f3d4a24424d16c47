// TypeCodes of the types of an IDL file.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/cdr/typecode.h>

#include "model/model.h"

namespace takt::command {

// Makes TypeCodes, each type's once. TypeCodes of CORBA cannot say that a member is optional; json/members.h
// has the form that such a member's type has here. The Unit must outlive this object. One thread at a time.
class IdlTypes {
 public:
  IdlTypes();
  ~IdlTypes();

  CORBA::typecode_reference of(const idl::Type& type);
  // The type that a declaration declares: without aliases, for a typedef.
  CORBA::typecode_reference of(const idl::Declaration& declaration);

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

// A union's label, or a constant that could be one, as the bits of its type.
std::int64_t label_of(const idl::Value& value, idl::TypeKind discriminator);

}  // namespace takt::command
