// Definitions in the form of the standard's structs.
#pragma once

#include "ifr/service/core.h"

namespace takt::ifr {

// All functions that need TypeCodes of one call should share `types`.
CORBA::Any describe(Core& core, TypeCodes& types, const Definition& definition);
R::InterfaceDef::FullInterfaceDescription describe_interface(Core& core, const Definition& definition);
R::ValueDef::FullValueDescription describe_value(Core& core, const Definition& definition);
// With the exceptions of attributes and initializers.
R::ExtAttributeDescription describe_ext_attribute(Core& core, const Definition& definition);
R::InterfaceAttrExtension::ExtFullInterfaceDescription describe_ext_interface(Core& core,
                                                                              const Definition& definition);
R::ExtValueDef::ExtFullValueDescription describe_ext_value(Core& core, const Definition& definition);
R::ExcDescriptionSeq exceptions(Core& core, TypeCodes& types, const std::vector<Number>& numbers);

R::StructMemberSeq struct_members(Core& core, TypeCodes& types, const Definition& definition);
// `type`: the union's.
R::UnionMemberSeq union_members(Core& core, TypeCodes& types, const Definition& definition);
R::ParDescriptionSeq parameters(Core& core, TypeCodes& types, const Definition& definition);
R::InitializerSeq initializers(Core& core, TypeCodes& types, const Definition& value);
R::ExtInitializerSeq ext_initializers(Core& core, TypeCodes& types, const Definition& value);
// The TypeCode that the object's attribute `type` has.
CORBA::typecode_reference type_of(Core& core, const Self& self);

}  // namespace takt::ifr
