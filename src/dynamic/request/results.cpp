#include "dynamic/request/results.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "cdr/text/transcoder.h"

namespace takt::dynamic {

using CORBA::TCKind;

namespace {

template <class T>
void put_number(cdr::Encoder& out, const std::vector<std::uint8_t>& octets) {
  T value;
  if (octets.size() != sizeof value) return out.fail(cdr::Error::underflow);
  std::memcpy(&value, octets.data(), sizeof value);
  out.put(value);
}

constexpr std::uint64_t bit(TCKind kind) { return std::uint64_t{1} << static_cast<std::uint32_t>(kind); }

// Kinds of values that have the same octets in every message that leaves chars unchanged.
constexpr std::uint64_t plain_kinds =
    bit(TCKind::tk_short) | bit(TCKind::tk_long) | bit(TCKind::tk_ushort) | bit(TCKind::tk_ulong) |
    bit(TCKind::tk_float) | bit(TCKind::tk_double) | bit(TCKind::tk_boolean) | bit(TCKind::tk_char) |
    bit(TCKind::tk_octet) | bit(TCKind::tk_longlong) | bit(TCKind::tk_ulonglong) | bit(TCKind::tk_enum);

// A string is UTF-8 here, while ISO 8859-1, which leaves chars unchanged, too, has other octets for it.
std::uint64_t plain_kinds_of(const cdr::Format& format) {
  if (!cdr::chars_unchanged(format)) return 0;
  return format.code_sets->narrow == cdr::CodeSetId::utf_8 ? plain_kinds | bit(TCKind::tk_string)
                                                           : plain_kinds;
}

// Whether the type consists of these kinds alone: its values have the same octets wherever they start at a
// multiple of 8, and refer to no other part of the message. False if the type has more than `parts_left`
// parts, so that a small value of a large type is not slowed.
bool is_plain(const CORBA::TypeCode& type, std::uint64_t kinds, std::size_t& parts_left) {
  if (parts_left == 0 || type._is_recursion()) return false;
  --parts_left;
  const cdr::TypeCodeParts& parts = type._parts();
  switch (parts.kind) {
    case TCKind::tk_struct:
      return std::ranges::all_of(
          parts.members, [&](const auto& member) { return is_plain(*member.type, kinds, parts_left); });
    case TCKind::tk_sequence:
    case TCKind::tk_array:
    case TCKind::tk_alias:
      return is_plain(*parts.content, kinds, parts_left);
    default:
      return static_cast<std::uint32_t>(parts.kind) < 64 && (kinds & bit(parts.kind)) != 0;
  }
}

constexpr std::size_t most_parts = 256;

void write_constructed(cdr::Encoder& out, const CORBA::Any& value, const CORBA::TypeCode& type) {
  const std::vector<std::uint8_t>& octets = value._content().octets;
  const cdr::Format& format = out.format();
  std::size_t parts_left = std::min(octets.size(), most_parts);
  if (out.position() % 8 == 0 && format.order == cdr::native_order &&
      is_plain(type, plain_kinds_of(format), parts_left))
    out.put_octets(octets);
  else
    cdr::write_any_value(out, value);
}

}  // namespace

void write_value(cdr::Encoder& out, const CORBA::Any& value) {
  const CORBA::typecode_reference type = value.type();
  const CORBA::TypeCode& actual = type->_unaliased();
  const std::vector<std::uint8_t>& octets = value._content().octets;
  switch (actual._parts().kind) {
    case TCKind::tk_octet:
    case TCKind::tk_boolean:
      return put_number<std::uint8_t>(out, octets);
    case TCKind::tk_short:
    case TCKind::tk_ushort:
      return put_number<std::uint16_t>(out, octets);
    case TCKind::tk_long:
    case TCKind::tk_ulong:
    case TCKind::tk_float:
    case TCKind::tk_enum:
      return put_number<std::uint32_t>(out, octets);
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
    case TCKind::tk_double:
      return put_number<std::uint64_t>(out, octets);
    default:
      write_constructed(out, value, actual);
  }
}

template <class T>
void Results::read_number(cdr::Decoder& in, CORBA::NamedValue& into) {
  const T value = in.take<T>();
  if (!in.ok()) return;
  const bool holds_memory = &into.value_._content() == into.memory_.get();
  if (!into.memory_ || into.memory_.use_count() != (holds_memory ? 2 : 1)) {
    into.memory_ = std::make_shared<cdr::AnyContent>();
    into.value_ = CORBA::Any(into.value_.type(), into.memory_);
  } else if (!holds_memory) {
    into.memory_->values.clear();
    into.value_ = CORBA::Any(into.value_.type(), into.memory_);
  }
  into.memory_->octets.resize(sizeof value);
  std::memcpy(into.memory_->octets.data(), &value, sizeof value);
}

bool Results::read_basic(cdr::Decoder& in, CORBA::NamedValue& into, TCKind kind) {
  switch (kind) {
    case TCKind::tk_null:
    case TCKind::tk_void:
      return true;
    case TCKind::tk_octet:
      read_number<std::uint8_t>(in, into);
      return true;
    case TCKind::tk_boolean:
      read_number<bool>(in, into);
      return true;
    case TCKind::tk_short:
    case TCKind::tk_ushort:
      read_number<std::uint16_t>(in, into);
      return true;
    case TCKind::tk_long:
    case TCKind::tk_ulong:
    case TCKind::tk_float:
      read_number<std::uint32_t>(in, into);
      return true;
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
    case TCKind::tk_double:
      read_number<std::uint64_t>(in, into);
      return true;
    default:
      return false;
  }
}

void Results::read(cdr::Decoder& in, CORBA::NamedValue& into) {
  const CORBA::typecode_reference type = into.value_.type();
  if (!type->_is_recursion() && read_basic(in, into, type->_unaliased()._parts().kind)) return;
  into.memory_ = nullptr;
  cdr::read_any_value(in, type, into.value_);
}

bool read_exception(cdr::Decoder& in, const CORBA::typecode_reference& type, CORBA::Any& exception) {
  auto content = std::make_shared<cdr::AnyContent>();
  GatherBuffer buffer(128);
  cdr::Encoder to(buffer, cdr::any_format(in.format().environment));
  to.set_borrowing(false);
  cdr::collect_values(to, content->values);
  const CORBA::TypeCode& actual = type->_unaliased();
  to.put_raw_string(actual.id());
  cdr::Transcoder transcoder(in, to);
  for (std::uint32_t i = 0; i < actual.member_count(); ++i)
    if (!transcoder.copy(actual.member_type(i))) break;
  if (!to.ok()) in.fail(to.error());
  if (!in.ok()) return false;
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  exception = CORBA::Any(type, std::move(content), in.format().environment);
  return true;
}

void write_exception_members(cdr::Encoder& out, const CORBA::Any& exception) {
  const cdr::AnyContent& content = exception._content();
  cdr::Decoder from(content.octets, 0, cdr::any_format(exception._environment()));
  if (!content.values.empty()) cdr::take_values_from(from, content.values);
  from.get_raw_string_view();
  const CORBA::typecode_reference type = exception.type();
  cdr::Transcoder transcoder(from, out);
  for (std::uint32_t i = 0; i < type->_unaliased().member_count(); ++i)
    if (!transcoder.copy(type->_unaliased().member_type(i))) break;
  if (!from.ok()) out.fail(from.error());
}

}  // namespace takt::dynamic
