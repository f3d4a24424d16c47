// Made by takt-idl from RTCORBA.idl; changes will be lost.
#include <takt/standard/RTCORBAC.h>

#include <takt/cdr/codec.h>

namespace RTCORBA {

CORBA::typecode_reference _type_code_of_NativePriority() {
  return takt::cdr::alias_typecode("IDL:omg.org/RTCORBA/NativePriority:1.0", "NativePriority",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference _type_code_of_Priority() {
  return takt::cdr::alias_typecode("IDL:omg.org/RTCORBA/Priority:1.0", "Priority",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference _type_code_of_PriorityModel() { return takt::cdr::enum_typecode<PriorityModel>(); }

CORBA::typecode_reference _type_code_of_ThreadpoolId() {
  return takt::cdr::alias_typecode("IDL:omg.org/RTCORBA/ThreadpoolId:1.0", "ThreadpoolId",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference ThreadpoolLane::_type_code() {
  return takt::cdr::struct_typecode<ThreadpoolLane>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_Priority(), IDL::type_code<std::uint32_t>(),
                                IDL::type_code<std::uint32_t>()};
  });
}

CORBA::typecode_reference _type_code_of_ThreadpoolLanes() {
  return takt::cdr::alias_typecode("IDL:omg.org/RTCORBA/ThreadpoolLanes:1.0", "ThreadpoolLanes", [] {
    return takt::cdr::sequence_typecode(ThreadpoolLane::_type_code(), 0);
  });
}

CORBA::typecode_reference PriorityBand::_type_code() {
  return takt::cdr::struct_typecode<PriorityBand>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_Priority(), _type_code_of_Priority()};
  });
}

CORBA::typecode_reference _type_code_of_PriorityBands() {
  return takt::cdr::alias_typecode("IDL:omg.org/RTCORBA/PriorityBands:1.0", "PriorityBands", [] {
    return takt::cdr::sequence_typecode(PriorityBand::_type_code(), 0);
  });
}

}  // namespace RTCORBA
