// Made by takt-idl from IOP.idl; changes will be lost.
#include <takt/standard/IOPC.h>

#include <takt/cdr/codec.h>

namespace IOP {

CORBA::typecode_reference _type_code_of_ProfileId() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/ProfileId:1.0", "ProfileId",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference TaggedProfile::_type_code() {
  return takt::cdr::struct_typecode<TaggedProfile>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_ProfileId(),
                                takt::cdr::sequence_typecode(IDL::type_code<std::uint8_t>(), 0)};
  });
}

CORBA::typecode_reference _type_code_of_TaggedProfileSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/TaggedProfileSeq:1.0", "TaggedProfileSeq", [] {
    return takt::cdr::sequence_typecode(TaggedProfile::_type_code(), 0);
  });
}

CORBA::typecode_reference IOR::_type_code() {
  return takt::cdr::struct_typecode<IOR>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{IDL::type_code<std::string>(), _type_code_of_TaggedProfileSeq()};
  });
}

CORBA::typecode_reference _type_code_of_ComponentId() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/ComponentId:1.0", "ComponentId",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference TaggedComponent::_type_code() {
  return takt::cdr::struct_typecode<TaggedComponent>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_ComponentId(),
                                takt::cdr::sequence_typecode(IDL::type_code<std::uint8_t>(), 0)};
  });
}

CORBA::typecode_reference _type_code_of_TaggedComponentSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/TaggedComponentSeq:1.0", "TaggedComponentSeq", [] {
    return takt::cdr::sequence_typecode(TaggedComponent::_type_code(), 0);
  });
}

CORBA::typecode_reference _type_code_of_MultipleComponentProfile() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/MultipleComponentProfile:1.0", "MultipleComponentProfile",
                                   [] { return _type_code_of_TaggedComponentSeq(); });
}

CORBA::typecode_reference _type_code_of_ServiceId() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/ServiceId:1.0", "ServiceId",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference ServiceContext::_type_code() {
  return takt::cdr::struct_typecode<ServiceContext>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_ServiceId(),
                                takt::cdr::sequence_typecode(IDL::type_code<std::uint8_t>(), 0)};
  });
}

CORBA::typecode_reference _type_code_of_ServiceContextList() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/ServiceContextList:1.0", "ServiceContextList", [] {
    return takt::cdr::sequence_typecode(ServiceContext::_type_code(), 0);
  });
}

CORBA::typecode_reference _type_code_of_EncodingFormat() {
  return takt::cdr::alias_typecode("IDL:omg.org/IOP/EncodingFormat:1.0", "EncodingFormat",
                                   [] { return IDL::type_code<std::int16_t>(); });
}

CORBA::typecode_reference Encoding::_type_code() {
  return takt::cdr::struct_typecode<Encoding>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_EncodingFormat(), IDL::type_code<std::uint8_t>(),
                                IDL::type_code<std::uint8_t>()};
  });
}

CORBA::typecode_reference Encoding_1_2::_type_code() {
  return takt::cdr::struct_typecode<Encoding_1_2>(CORBA::TCKind::tk_struct, [] {
    return takt::cdr::TypeCodes{_type_code_of_EncodingFormat(), IDL::type_code<std::uint8_t>(),
                                IDL::type_code<std::uint8_t>(), IDL::type_code<std::uint32_t>(),
                                IDL::type_code<std::uint32_t>()};
  });
}

}  // namespace IOP
