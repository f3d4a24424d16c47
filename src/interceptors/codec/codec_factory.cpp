#include "interceptors/codec/codec_factory.h"

#include <takt/interceptors/codec.h>

#include "interceptors/codec/cdr_codec.h"

namespace takt::interceptors {

CORBA::object_reference<CORBA::Object> make_codec_factory(cdr::Environment* environment) {
  return CORBA::make_reference<IOP::CodecFactory>(environment);
}

}  // namespace takt::interceptors

namespace IOP {

namespace {

constexpr std::uint8_t giop_major = 1, last_minor = 2;

void check_version(EncodingFormat format, std::uint8_t major, std::uint8_t minor) {
  if (major == 0)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a codec for version 0, which GIOP does not have");
  if (format != ENCODING_CDR_ENCAPS || major != giop_major || minor > last_minor)
    throw CodecFactory::UnknownEncoding();
}

}  // namespace

CodecFactory::CodecFactory(takt::cdr::Environment* environment)
    : environment_(environment ? environment->shared() : nullptr) {}
CodecFactory::~CodecFactory() = default;

CORBA::object_reference<Codec> CodecFactory::create_codec(const Encoding& encoding) {
  return create_codec_with_codesets(
      {encoding.format(), encoding.major_version(), encoding.minor_version(), 0, 0});
}

CORBA::object_reference<Codec> CodecFactory::create_codec_with_codesets(const Encoding_1_2& encoding) {
  using takt::cdr::CodeSetId;
  check_version(encoding.format(), encoding.major_version(), encoding.minor_version());
  takt::cdr::CodeSets sets{CodeSetId::iso_8859_1, CodeSetId::none};
  if (encoding.char_codeset() != 0) sets.narrow = static_cast<CodeSetId>(encoding.char_codeset());
  if (!can_convert(sets)) throw UnsupportedCodeset(encoding.char_codeset());
  sets.wide =
      encoding.wchar_codeset() != 0 ? static_cast<CodeSetId>(encoding.wchar_codeset()) : CodeSetId::utf_16;
  if (!can_convert(sets)) throw UnsupportedCodeset(encoding.wchar_codeset());
  if (encoding.minor_version() < last_minor) sets.wide = CodeSetId::none;
  return CORBA::make_reference<takt::interceptors::CdrCodec>(encoding.minor_version(), sets, environment_);
}

}  // namespace IOP
