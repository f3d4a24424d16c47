// Module IOP's codecs: values of any type as octets, for service contexts and tagged components (CORBA 3.0.3,
// 13.8).
//
//   const auto codecs = IDL::traits<IOP::CodecFactory>::narrow(
//       orb->resolve_initial_references("CodecFactory"));
//   const auto codec = codecs->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2});
//   const std::vector<std::uint8_t> octets = codec->encode_value(any);
//
// Local objects; any thread. Nothing here blocks. All of it allocates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/reference/local_object.h>
#include <takt/standard/IOPC.h>

namespace IOP {

#define TAKT_IOP_EXCEPTION(NAME, SCOPE, WHY)                                                            \
  class NAME : public CORBA::UserException {                                                            \
   public:                                                                                              \
    const char* _rep_id() const noexcept override { return "IDL:omg.org/IOP/" SCOPE "/" #NAME ":1.0"; } \
    const char* _name() const noexcept override { return #NAME; }                                       \
    const char* what() const noexcept override { return "IOP::" SCOPE "::" #NAME ": " WHY; }            \
    [[noreturn]] void _raise() const override { throw *this; }                                          \
  };
#define TAKT_IOP_INTERFACE(NAME)                                             \
 public:                                                                     \
  using _traits_type = IDL::traits<NAME>;                                    \
  using _ref_type = CORBA::object_reference<NAME>;                           \
  static const std::string& _interface_repository_id() {                     \
    static const std::string id = "IDL:omg.org/IOP/" #NAME ":1.0";           \
    return id;                                                               \
  }                                                                          \
  bool _is_a_local(const std::string& id) const override {                   \
    return id == _interface_repository_id() || LocalObject::_is_a_local(id); \
  }

// Encodes and decodes CDR encapsulations in one version of GIOP. The octets are in this machine's byte order;
// both orders are read. Octets behind a value are ignored. It needs no ORB once it exists, but references
// that it decodes cannot be called after their ORB's end.
class Codec : public virtual CORBA::LocalObject {
  TAKT_IOP_INTERFACE(Codec)
  TAKT_IOP_EXCEPTION(InvalidTypeForEncoding, "Codec",
                     "wide characters are encoded only by codecs for GIOP 1.2 that have a code set for them")
  TAKT_IOP_EXCEPTION(FormatMismatch, "Codec", "the octets are not an encapsulation with such content")
  TAKT_IOP_EXCEPTION(TypeMismatch, "Codec", "the octets have no value of that type")

  // The TypeCode and the value. InvalidTypeForEncoding; MARSHAL (OMG minor 4) for local objects,
  // DATA_CONVERSION for characters that the code set does not have.
  virtual std::vector<std::uint8_t> encode(const CORBA::Any& data) = 0;
  // FormatMismatch for all octets that encode() could not have made.
  virtual CORBA::Any decode(const std::vector<std::uint8_t>& data) = 0;
  // The value without its TypeCode. Throws as encode() does.
  virtual std::vector<std::uint8_t> encode_value(const CORBA::Any& data) = 0;
  // FormatMismatch if the octets do not begin as an encapsulation does, TypeMismatch if what follows is no
  // value of the type. BAD_TYPECODE for nil.
  virtual CORBA::Any decode_value(const std::vector<std::uint8_t>& data,
                                  const CORBA::typecode_reference& type) = 0;
};

// Initial reference "CodecFactory", in every program that uses this class.
class CodecFactory : public virtual CORBA::LocalObject {
  TAKT_IOP_INTERFACE(CodecFactory)
  TAKT_IOP_EXCEPTION(UnknownEncoding, "CodecFactory", "codecs are for CDR encapsulations of GIOP 1.0 to 1.2")
  // `codeset` has no conversion.
  class UnsupportedCodeset final : public CORBA::UserException {
   public:
    UnsupportedCodeset() = default;
    explicit UnsupportedCodeset(std::uint32_t codeset) : codeset_(codeset) {}
    std::uint32_t codeset() const { return codeset_; }
    void codeset(std::uint32_t codeset) { codeset_ = codeset; }
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/IOP/CodecFactory/UnsupportedCodeset:1.0";
    }
    const char* _name() const noexcept override { return "UnsupportedCodeset"; }
    const char* what() const noexcept override {
      return "IOP::CodecFactory::UnsupportedCodeset: there is no conversion for the code set";
    }
    [[noreturn]] void _raise() const override { throw *this; }

   private:
    std::uint32_t codeset_ = 0;
  };

  // For the ORB's own use. `environment` makes the references in decoded values; null for none.
  explicit CodecFactory(takt::cdr::Environment* environment);
  ~CodecFactory() override;

  // With ISO 8859-1 and, in GIOP 1.2, UTF-16. UnknownEncoding; BAD_PARAM for the major version 0.
  CORBA::object_reference<Codec> create_codec(const Encoding& encoding);
  // With these code sets, as numbers of the OSF's registry; 0 is that of create_codec(). UnknownEncoding,
  // UnsupportedCodeset.
  CORBA::object_reference<Codec> create_codec_with_codesets(const Encoding_1_2& encoding);

 private:
  const std::shared_ptr<takt::cdr::Environment> environment_;
};

#undef TAKT_IOP_INTERFACE
#undef TAKT_IOP_EXCEPTION

}  // namespace IOP
