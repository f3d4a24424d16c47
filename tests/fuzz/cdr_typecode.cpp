// Untrusted TypeCodes: a valid one can be written, equals the result of reading it back, and answers every
// query.
#include <takt/cdr/typecode.h>

#include "cdr_input.h"

namespace {

using namespace takt;

void look_at(const CORBA::typecode_reference& type, int depth) {
  if (depth == 0) return;
  (void)type->kind();
  const auto& parts = type->_parts();
  for (std::size_t i = 0; i < parts.members.size() && i < 8; ++i)
    if (parts.members[i].type) look_at(parts.members[i].type, depth - 1);
  if (parts.content) look_at(parts.content, depth - 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const cdr::Format format = fuzz::format_of(data[0]);
  cdr::Decoder in({data + 1, size - 1}, 0, format);
  const CORBA::typecode_reference type = cdr::read_typecode(in);
  fuzz::require(static_cast<bool>(type) == in.ok());
  if (!type) return 0;
  look_at(type, 6);
  GatherBuffer buffer;
  cdr::Encoder out(buffer, format);
  cdr::write_typecode(out, type);
  if (!out.ok()) return 0;  // repeated types, written out, may exceed the limit
  const fuzz::Octets said = fuzz::all(buffer);
  cdr::Decoder back(said, 0, format);
  const CORBA::typecode_reference again = cdr::read_typecode(back);
  fuzz::require(again && back.remaining() == 0);
  fuzz::require(type->equal(again) && again->equal(type) && type->equivalent(again));
  return 0;
}
