// Octets of strangers for codecs. Whatever a codec decodes, it encodes again, and decodes as the same.
#include <takt/interceptors/codec.h>

#include "input.h"

namespace {

using Octets = std::vector<std::uint8_t>;

void decode(IOP::Codec& codec, const Octets& octets) {
  const CORBA::Any any = codec.decode(octets);
  const Octets first = codec.encode(any);
  takt::fuzz::require(codec.encode(codec.decode(first)) == first);
  takt::fuzz::require(codec.encode_value(codec.decode_value(codec.encode_value(any), any.type())) ==
                      codec.encode_value(any));
}

}  // namespace

// A cycle of values keeps itself alive until values are extracted and the cycle is broken.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  IOP::CodecFactory factory(nullptr);
  const auto minor = static_cast<std::uint8_t>((data[0] >> 1 & 3) % 3);
  const auto codec = factory.create_codec({IOP::ENCODING_CDR_ENCAPS, 1, minor});
  // The rest is aligned as in cdr_any.
  Octets octets{static_cast<std::uint8_t>(data[0] & 1), 0, 0, 0};
  octets.insert(octets.end(), data + 1, data + size);
  try {
    decode(*codec, octets);
  } catch (const IOP::Codec::FormatMismatch&) {
  } catch (const IOP::Codec::InvalidTypeForEncoding&) {  // in versions that read such characters only
  } catch (const CORBA::SystemException&) {
  }
  return 0;
}
