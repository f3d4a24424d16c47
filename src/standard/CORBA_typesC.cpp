// Made by takt-idl from CORBA_types.idl; changes will be lost.
#include <takt/standard/CORBA_typesC.h>

#include <takt/cdr/codec.h>

namespace CORBA {

CORBA::typecode_reference _type_code_of_Identifier() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/Identifier:1.0", "Identifier",
                                   [] { return IDL::type_code<std::string>(); });
}

CORBA::typecode_reference _type_code_of_RepositoryId() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/RepositoryId:1.0", "RepositoryId",
                                   [] { return IDL::type_code<std::string>(); });
}

CORBA::typecode_reference _type_code_of_VersionSpec() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/VersionSpec:1.0", "VersionSpec",
                                   [] { return IDL::type_code<std::string>(); });
}

CORBA::typecode_reference _type_code_of_ServiceType() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/ServiceType:1.0", "ServiceType",
                                   [] { return IDL::type_code<std::uint16_t>(); });
}

CORBA::typecode_reference _type_code_of_ServiceOption() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/ServiceOption:1.0", "ServiceOption",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference _type_code_of_ServiceDetailType() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/ServiceDetailType:1.0", "ServiceDetailType",
                                   [] { return IDL::type_code<std::uint32_t>(); });
}

CORBA::typecode_reference _type_code_of_AnySeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/AnySeq:1.0", "AnySeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<CORBA::Any>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_BooleanSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/BooleanSeq:1.0", "BooleanSeq",
                                   [] { return takt::cdr::sequence_typecode(IDL::type_code<bool>(), 0); });
}

CORBA::typecode_reference _type_code_of_CharSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/CharSeq:1.0", "CharSeq",
                                   [] { return takt::cdr::sequence_typecode(IDL::type_code<char>(), 0); });
}

CORBA::typecode_reference _type_code_of_WCharSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/WCharSeq:1.0", "WCharSeq",
                                   [] { return takt::cdr::sequence_typecode(IDL::type_code<wchar_t>(), 0); });
}

CORBA::typecode_reference _type_code_of_OctetSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/OctetSeq:1.0", "OctetSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::uint8_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_ShortSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/ShortSeq:1.0", "ShortSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::int16_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_UShortSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/UShortSeq:1.0", "UShortSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::uint16_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_LongSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/LongSeq:1.0", "LongSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::int32_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_ULongSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/ULongSeq:1.0", "ULongSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::uint32_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_LongLongSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/LongLongSeq:1.0", "LongLongSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::int64_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_ULongLongSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/ULongLongSeq:1.0", "ULongLongSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::uint64_t>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_FloatSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/FloatSeq:1.0", "FloatSeq",
                                   [] { return takt::cdr::sequence_typecode(IDL::type_code<float>(), 0); });
}

CORBA::typecode_reference _type_code_of_DoubleSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/DoubleSeq:1.0", "DoubleSeq",
                                   [] { return takt::cdr::sequence_typecode(IDL::type_code<double>(), 0); });
}

CORBA::typecode_reference _type_code_of_LongDoubleSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/LongDoubleSeq:1.0", "LongDoubleSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<long double>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_StringSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/StringSeq:1.0", "StringSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::string>(), 0);
  });
}

CORBA::typecode_reference _type_code_of_WStringSeq() {
  return takt::cdr::alias_typecode("IDL:omg.org/CORBA/WStringSeq:1.0", "WStringSeq", [] {
    return takt::cdr::sequence_typecode(IDL::type_code<std::wstring>(), 0);
  });
}

const std::string& StringValue::_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/StringValue:1.0";
  return id;
}
CORBA::typecode_reference StringValue::_type_code() {
  return takt::cdr::box_typecode<StringValue>("IDL:omg.org/CORBA/StringValue:1.0", "StringValue",
                                              [] { return IDL::type_code<std::string>(); });
}

const std::string& WStringValue::_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/WStringValue:1.0";
  return id;
}
CORBA::typecode_reference WStringValue::_type_code() {
  return takt::cdr::box_typecode<WStringValue>("IDL:omg.org/CORBA/WStringValue:1.0", "WStringValue",
                                               [] { return IDL::type_code<std::wstring>(); });
}

}  // namespace CORBA
