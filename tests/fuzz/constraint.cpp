// Constraints: the text before the first zero, and behind it an Any in CDR, as for cdr_any.
#include "constraint/constraint.h"

#include "cdr_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto end = std::min(input.find('\0'), size);
  const auto constraint = constraint::Constraint::parse(input.substr(0, end));
  if (!constraint) {
    fuzz::require(!constraint.error().text.empty() && constraint.error().octet <= size);
    return 0;
  }
  CORBA::Any event;
  event <<= std::int32_t{7};
  if (size > end + 2) {
    cdr::Decoder in({data + end + 2, size - end - 2}, 0, fuzz::format_of(data[end + 1]));
    if (!cdr::read_any(in, event)) return 0;
  }
  const auto match = constraint->match(event, 1000);
  fuzz::require(match == constraint->match(event, 1000));
  return 0;
}
