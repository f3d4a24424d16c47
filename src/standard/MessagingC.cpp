// Made by takt-idl from Messaging.idl; changes will be lost.
#include <takt/standard/MessagingC.h>

#include <takt/cdr/codec.h>

namespace Messaging {

CORBA::typecode_reference _type_code_of_RebindMode() {
  return takt::cdr::alias_typecode("IDL:omg.org/Messaging/RebindMode:1.0", "RebindMode",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference _type_code_of_SyncScope() {
  return takt::cdr::alias_typecode("IDL:omg.org/Messaging/SyncScope:1.0", "SyncScope",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference _type_code_of_Priority() {
  return takt::cdr::alias_typecode("IDL:omg.org/Messaging/Priority:1.0", "Priority",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference PriorityRange::_type_code() {
  return takt::cdr::struct_typecode<PriorityRange>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_Priority(), _type_code_of_Priority()};
  });
}

}  // namespace Messaging
