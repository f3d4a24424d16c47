// Made by takt-idl from TimeBase.idl; changes will be lost.
#include <takt/standard/TimeBaseC.h>

#include <takt/cdr/codec.h>

namespace TimeBase {

CORBA::typecode_reference _type_code_of_TimeT() {
  return takt::cdr::alias_typecode("IDL:omg.org/TimeBase/TimeT:1.0", "TimeT",
                                   [] { return IDL::type_code<std::uint64_t>(); });
}

CORBA::typecode_reference _type_code_of_InaccuracyT() {
  return takt::cdr::alias_typecode("IDL:omg.org/TimeBase/InaccuracyT:1.0", "InaccuracyT",
                                   [] { return _type_code_of_TimeT(); });
}

CORBA::typecode_reference _type_code_of_TdfT() {
  return takt::cdr::alias_typecode("IDL:omg.org/TimeBase/TdfT:1.0", "TdfT",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference UtcT::_type_code() {
  return takt::cdr::struct_typecode<UtcT>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_TimeT(), IDL::type_code<std::uint32_t>(),
                                IDL::type_code<std::uint16_t>(), _type_code_of_TdfT()};
  });
}

CORBA::typecode_reference IntervalT::_type_code() {
  return takt::cdr::struct_typecode<IntervalT>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_TimeT(), _type_code_of_TimeT()};
  });
}

}  // namespace TimeBase
