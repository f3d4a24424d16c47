// Untrusted octets as values of the classic mapping: structs, unions, sequences, Anys, fixed and contexts.
// The first octet of an input selects the format, the second the type. Values that were read can be written,
// and are then read as the same.
#include "classic_values.h"
#include "cdr_input.h"
#include "classic/bridge/runtime.h"

namespace {

using namespace takt;

fuzz::Octets passed(unsigned type, ByteView octets, const cdr::Format& format, bool must) {
  cdr::Decoder in(octets, 0, format);
  GatherBuffer buffer(16);
  cdr::Encoder out(buffer, format);
  out.set_borrowing(false);
  const bool done = pass(type, classic::reader(in), classic::writer(out)) && out.ok();
  fuzz::require(done || !must);
  return done ? fuzz::all(buffer) : fuzz::Octets();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const cdr::Format format = fuzz::format_of(data[0]);
  const ByteView octets(data + 2, size - 2);
  const unsigned type = data[1] % (types_to_pass() + 1);
  if (type == types_to_pass()) {
    cdr::Decoder in(octets, 0, format);
    extract_all(classic::reader(in));
    return 0;
  }
  const fuzz::Octets once = passed(type, octets, format, false);
  if (!once.empty()) fuzz::require(passed(type, once, format, true) == once);
  return 0;
}
