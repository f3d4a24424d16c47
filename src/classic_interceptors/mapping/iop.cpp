// Codecs, and what crosses between the two mappings.
#include "classic_interceptors/mapping/asking.h"

namespace IOP {
inline namespace takt_classic_ {

namespace bridge = takt::classic::interceptors;
using takt::classic::asked;

TAKT_CLASSIC_DEFINE_OWN(IOP, Codec, Object, codec)
TAKT_CLASSIC_DEFINE_OWN(IOP, CodecFactory, Object, codec_factory)
TAKT_CLASSIC_DEFINE_EXCEPTION(Codec::, InvalidTypeForEncoding,
                              "IDL:omg.org/IOP/Codec/InvalidTypeForEncoding:1.0")
TAKT_CLASSIC_DEFINE_EXCEPTION(Codec::, FormatMismatch, "IDL:omg.org/IOP/Codec/FormatMismatch:1.0")
TAKT_CLASSIC_DEFINE_EXCEPTION(Codec::, TypeMismatch, "IDL:omg.org/IOP/Codec/TypeMismatch:1.0")
TAKT_CLASSIC_DEFINE_EXCEPTION(CodecFactory::, UnknownEncoding,
                              "IDL:omg.org/IOP/CodecFactory/UnknownEncoding:1.0")
TAKT_CLASSIC_DEFINE_EXCEPTION(CodecFactory::, UnsupportedCodeset,
                              "IDL:omg.org/IOP/CodecFactory/UnsupportedCodeset:1.0")

CORBA::OctetSeq* Codec::encode(const CORBA::Any& data) {
  return bridge::asking_runtime(
      [&] { return bridge::taken(bridge::encode(asked(*this), data._takt_handle(), true)); });
}
CORBA::OctetSeq* Codec::encode_value(const CORBA::Any& data) {
  return bridge::asking_runtime(
      [&] { return bridge::taken(bridge::encode(asked(*this), data._takt_handle(), false)); });
}
CORBA::Any* Codec::decode(const CORBA::OctetSeq& data) {
  return bridge::asking_runtime(
      [&] { return bridge::taken(bridge::decode(asked(*this), bridge::octets_of(data))); });
}
CORBA::Any* Codec::decode_value(const CORBA::OctetSeq& data, CORBA::TypeCode_ptr type) {
  return bridge::asking_runtime([&] {
    return bridge::taken(
        bridge::decode_value(asked(*this), bridge::octets_of(data), type ? type->_takt_handle() : nullptr));
  });
}

Codec_ptr CodecFactory::create_codec(const Encoding& encoding) {
  return bridge::asking_runtime([&] {
    return takt::classic::Proxies<Codec>::make(bridge::create_codec(
        asked(*this), encoding.format, encoding.major_version, encoding.minor_version, 0, 0));
  });
}

Codec_ptr CodecFactory::create_codec_with_codesets(const Encoding_1_2& encoding) {
  return bridge::asking_runtime([&] {
    return takt::classic::Proxies<Codec>::make(
        bridge::create_codec(asked(*this), encoding.format, encoding.major_version, encoding.minor_version,
                             encoding.char_codeset, encoding.wchar_codeset));
  });
}

}  // namespace takt_classic_
}  // namespace IOP

namespace takt {
namespace classic {
namespace interceptors {

void throw_raised(const Raised& raised) {
#define TAKT_CLASSIC_THROW(EXCEPTION) \
  if (raised.id == EXCEPTION()._rep_id()) throw EXCEPTION();
  TAKT_CLASSIC_THROW(PortableInterceptor::InvalidSlot)
  TAKT_CLASSIC_THROW(PortableInterceptor::ORBInitInfo::InvalidName)
  TAKT_CLASSIC_THROW(IOP::Codec::InvalidTypeForEncoding)
  TAKT_CLASSIC_THROW(IOP::Codec::FormatMismatch)
  TAKT_CLASSIC_THROW(IOP::Codec::TypeMismatch)
  TAKT_CLASSIC_THROW(IOP::CodecFactory::UnknownEncoding)
#undef TAKT_CLASSIC_THROW
  if (raised.id == IOP::CodecFactory::UnsupportedCodeset()._rep_id())
    throw IOP::CodecFactory::UnsupportedCodeset(raised.number);
  if (raised.id == PortableInterceptor::ORBInitInfo::DuplicateName()._rep_id())
    throw PortableInterceptor::ORBInitInfo::DuplicateName(raised.name.c_str());
  raise_system("IDL:omg.org/CORBA/UNKNOWN:1.0", not_listed_minor, CORBA::COMPLETED_MAYBE, raised.id.c_str());
}

CORBA::OctetSeq* taken(const Octets& octets) {
  CORBA::OctetSeq_var list = new CORBA::OctetSeq(static_cast<CORBA::ULong>(octets.size()));
  list->length(static_cast<CORBA::ULong>(octets.size()));
  for (CORBA::ULong i = 0; i < octets.size(); ++i) list[i] = octets[i];
  return list._retn();
}
CORBA::StringSeq* taken(const Names& names) {
  CORBA::StringSeq_var list = new CORBA::StringSeq(static_cast<CORBA::ULong>(names.size()));
  list->length(static_cast<CORBA::ULong>(names.size()));
  for (CORBA::ULong i = 0; i < names.size(); ++i) list[i] = names[i].c_str();
  return list._retn();
}
CORBA::Any* taken(AnyHandle* any) {
  CORBA::Any* const made = new CORBA::Any;
  made->_takt_replace(any);
  return made;
}
CORBA::Policy_ptr taken_policy(Reference* policy) {
  CORBA::Object_var object = make_object(policy);
  return CORBA::Policy::_narrow(object.in());
}
Octets octets_of(const CORBA::OctetSeq& octets) {
  return Octets(octets.get_buffer(), octets.get_buffer() + octets.length());
}

}  // namespace interceptors
}  // namespace classic
}  // namespace takt
