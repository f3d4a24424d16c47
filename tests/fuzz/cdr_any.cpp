// Untrusted Anys with values of types unknown to the program. An Any that was read can be written in either
// byte order, and has the same meaning when read again.
#include <takt/cdr/any.h>

#include "cdr_input.h"

namespace {

using namespace takt;

bool pass_on(const CORBA::Any& any, const cdr::Format& format, fuzz::Octets& octets) {
  GatherBuffer buffer;
  cdr::Encoder out(buffer, format);
  cdr::write_any(out, any);
  octets = fuzz::all(buffer);
  return out.ok();
}

CORBA::Any read_back(const fuzz::Octets& octets, const cdr::Format& format) {
  cdr::Decoder in(octets, 0, format);
  CORBA::Any any;
  fuzz::require(cdr::read_any(in, any) && in.remaining() == 0);
  return any;
}

}  // namespace

// A cycle of values keeps itself alive until values are extracted and the cycle is broken.
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const cdr::Format format = fuzz::format_of(data[0]);
  cdr::Decoder in({data + 1, size - 1}, 0, format);
  CORBA::Any any;
  if (!cdr::read_any(in, any)) {
    fuzz::require(!in.ok());
    return 0;
  }
  cdr::Format unicode = fuzz::format_of(8 | 4);
  fuzz::Octets first, second, third;
  unicode.order = cdr::ByteOrder::big;
  if (!pass_on(any, unicode, first)) return 0;
  const CORBA::Any there = read_back(first, unicode);
  fuzz::require(any.type()->equal(there.type()));
  unicode.order = cdr::ByteOrder::little;
  fuzz::require(pass_on(there, unicode, second));
  const CORBA::Any back = read_back(second, unicode);
  unicode.order = cdr::ByteOrder::big;
  fuzz::require(pass_on(back, unicode, third) && first == third);
  std::int32_t number = 0;
  std::string text;
  (void)(any >>= number);
  (void)(any >>= text);
  return 0;
}
