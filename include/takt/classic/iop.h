// Module IOP in the classic mapping: service contexts, tagged components and codecs (CORBA 3.0.3, 13.8).
// C++14.
//
//   CORBA::Object_var object = orb->resolve_initial_references("CodecFactory");
//   IOP::CodecFactory_var codecs = IOP::CodecFactory::_narrow(object);
//   IOP::Encoding encoding = {IOP::ENCODING_CDR_ENCAPS, 1, 2};
//   IOP::Codec_var codec = codecs->create_codec(encoding);
#pragma once

#include <takt/classic/any.h>
#include <takt/classic/orb_types.h>

namespace IOP {
inline namespace takt_classic_ {

typedef ::CORBA::ULong ServiceId;
typedef ::CORBA::ULong ComponentId;
typedef ::CORBA::ULong ProfileId;
typedef ::CORBA::Short EncodingFormat;
const EncodingFormat ENCODING_CDR_ENCAPS = 0;

struct ServiceContext {
  typedef ::CORBA::OctetSeq _context_data_seq;
  ServiceId context_id = 0;
  ::CORBA::OctetSeq context_data;
};
typedef takt::classic::ValueVar<ServiceContext> ServiceContext_var;
TAKT_CLASSIC_SEQUENCE(ServiceContextList, takt::classic::Values<ServiceContext>)

struct TaggedComponent {
  typedef ::CORBA::OctetSeq _component_data_seq;
  ComponentId tag = 0;
  ::CORBA::OctetSeq component_data;
};
typedef takt::classic::ValueVar<TaggedComponent> TaggedComponent_var;
TAKT_CLASSIC_SEQUENCE(TaggedComponentSeq, takt::classic::Values<TaggedComponent>)

struct TaggedProfile {
  typedef ::CORBA::OctetSeq _profile_data_seq;
  ProfileId tag = 0;
  ::CORBA::OctetSeq profile_data;
};
typedef takt::classic::ValueVar<TaggedProfile> TaggedProfile_var;

struct Encoding {
  EncodingFormat format;
  ::CORBA::Octet major_version;
  ::CORBA::Octet minor_version;
};

// With numbers of the OSF's registry of code sets; 0 is that of create_codec().
struct Encoding_1_2 {
  EncodingFormat format;
  ::CORBA::Octet major_version;
  ::CORBA::Octet minor_version;
  ::CORBA::ULong char_codeset;
  ::CORBA::ULong wchar_codeset;
};

TAKT_CLASSIC_OBJECT_TYPES(Codec)
// Encodes and decodes CDR encapsulations. Any thread. All functions allocate.
class Codec : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(Codec)
  TAKT_CLASSIC_USER_EXCEPTION(InvalidTypeForEncoding)
  TAKT_CLASSIC_USER_EXCEPTION(FormatMismatch)
  TAKT_CLASSIC_USER_EXCEPTION(TypeMismatch)

  ::CORBA::OctetSeq* encode(const ::CORBA::Any& data);        // InvalidTypeForEncoding
  ::CORBA::Any* decode(const ::CORBA::OctetSeq& data);        // FormatMismatch
  ::CORBA::OctetSeq* encode_value(const ::CORBA::Any& data);  // InvalidTypeForEncoding
  // FormatMismatch, TypeMismatch; BAD_TYPECODE for nil.
  ::CORBA::Any* decode_value(const ::CORBA::OctetSeq& data, ::CORBA::TypeCode_ptr type);
};

TAKT_CLASSIC_OBJECT_TYPES(CodecFactory)
// Initial reference "CodecFactory", in every program that uses this class.
class CodecFactory : public virtual ::CORBA::Object {
  TAKT_CLASSIC_OWN_OBJECT(CodecFactory)
  TAKT_CLASSIC_USER_EXCEPTION(UnknownEncoding)
  // There is no conversion for the code set.
  class UnsupportedCodeset : public ::CORBA::UserException {
   public:
    ::CORBA::ULong codeset;
    UnsupportedCodeset() : codeset(0) {}
    explicit UnsupportedCodeset(::CORBA::ULong of) : codeset(of) {}
    TAKT_CLASSIC_EXCEPTION_FUNCTIONS(UnsupportedCodeset)
  };

  Codec_ptr create_codec(const Encoding& encoding);  // UnknownEncoding; BAD_PARAM for the major version 0
  Codec_ptr create_codec_with_codesets(const Encoding_1_2& encoding);  // UnsupportedCodeset too
};

}  // namespace takt_classic_
}  // namespace IOP
