// Definitions in the form of the standard's structs.
#pragma once

#include "ifr/service/core.h"

namespace takt::ifr {

// All functions that need TypeCodes of one call should share `types`.
CORBA::Any describe(Core& core, TypeCodes& types, const Definition& definition);
R::InterfaceDef::FullInterfaceDescription describe_interface(Core& core, const Definition& definition);
R::ValueDef::FullValueDescription describe_value(Core& core, const Definition& definition);

R::StructMemberSeq struct_members(Core& core, TypeCodes& types, const Members& members);
// `type`: the union's.
R::UnionMemberSeq union_members(Core& core, const CORBA::typecode_reference& type, const Members& members);
R::ParDescriptionSeq parameters(Core& core, TypeCodes& types, const Members& members);
R::InitializerSeq initializers(Core& core, TypeCodes& types, const Definition& value);
// The TypeCode that the object's attribute `type` has.
CORBA::typecode_reference type_of(Core& core, const Self& self);

}  // namespace takt::ifr
