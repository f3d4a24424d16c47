// Made by takt-idl from PortableServer.idl; changes will be lost.
#include <takt/standard/PortableServerC.h>

#include <takt/cdr/codec.h>

namespace PortableServer {

CORBA::typecode_reference _type_code_of_ObjectId() {
  return takt::cdr::alias_typecode("IDL:omg.org/PortableServer/ObjectId:1.0", "ObjectId", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::uint8_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_ThreadPolicyValue() {
  return takt::cdr::enum_typecode<ThreadPolicyValue>();
}

CORBA::typecode_reference _type_code_of_LifespanPolicyValue() {
  return takt::cdr::enum_typecode<LifespanPolicyValue>();
}

CORBA::typecode_reference _type_code_of_IdUniquenessPolicyValue() {
  return takt::cdr::enum_typecode<IdUniquenessPolicyValue>();
}

CORBA::typecode_reference _type_code_of_IdAssignmentPolicyValue() {
  return takt::cdr::enum_typecode<IdAssignmentPolicyValue>();
}

CORBA::typecode_reference _type_code_of_ImplicitActivationPolicyValue() {
  return takt::cdr::enum_typecode<ImplicitActivationPolicyValue>();
}

CORBA::typecode_reference _type_code_of_ServantRetentionPolicyValue() {
  return takt::cdr::enum_typecode<ServantRetentionPolicyValue>();
}

CORBA::typecode_reference _type_code_of_RequestProcessingPolicyValue() {
  return takt::cdr::enum_typecode<RequestProcessingPolicyValue>();
}

}  // namespace PortableServer
