#include "cdr/text/transcoder.h"

#include <algorithm>
#include <array>

#include <takt/cdr/environment.h>
#include <takt/cdr/ior.h>

namespace takt::cdr {

using CORBA::TCKind;
using CORBA::TypeCode;
using CORBA::typecode_reference;

bool Transcoder::refuse(Error error) {
  in_.fail(error);
  return false;
}

bool Transcoder::copy(const typecode_reference& type) {
  const auto meant = type ? type->_resolved(type.shared()) : nullptr;
  if (!meant) return refuse(Error::bad_typecode);
  const Nesting deeper(in_);
  return in_.ok() && out_.ok() && copy(*meant);
}

template <class T>
bool Transcoder::copy_primitive() {
  T value{};
  if (in_.get(value)) out_.put(value);
  return in_.ok() && out_.ok();
}

// Numbers in their own order, or swapped, in runs that need no memory.
template <class T>
bool Transcoder::copy_block(std::size_t count) {
  std::array<T, Encoder::least_borrowed_bytes / 2 / sizeof(T)> run;  // which is copied
  while (count > 0 && in_.ok()) {
    const std::size_t some = std::min(count, run.size());
    in_.get_array(run.data(), some);
    if (in_.ok()) out_.put_array(run.data(), some);
    count -= some;
  }
  return in_.ok() && out_.ok();
}

template <class T>
bool Transcoder::copy_text(std::uint32_t bound) {
  T text;
  if constexpr (std::is_same_v<T, std::string>) {
    if (in_.get_string(text)) out_.put_string(text);
  } else {
    if (in_.get_wstring(text)) out_.put_wstring(text);
  }
  if (bound != 0 && text.size() > bound) return refuse(Error::too_long);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_fixed(std::size_t digits) {
  std::array<std::uint8_t, 31 / 2 + 1> packed;
  const MutableBytes value(packed.data(), digits / 2 + 1);
  if (in_.get_fixed(value)) out_.put_octets(value);
  return in_.ok() && out_.ok();
}

// As two halves of quadruple precision, of which this machine's long double may not have all bits.
bool Transcoder::copy_long_double() {
  auto first = in_.take<std::uint64_t>(), second = in_.take<std::uint64_t>();
  if (in_.format().order != out_.format().order) std::swap(first, second);
  out_.put(first);
  out_.put(second);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_reference() {
  Ior ior;
  if (read_ior(in_, ior)) {
    if (in_.format().environment) in_.format().environment->reference_passes(ior);
    write_ior(out_, ior);
  }
  return in_.ok() && out_.ok();
}

bool Transcoder::copy(const TypeCode& type) {
  if (!in_.spend(1)) return false;
  const TypeCodeParts& parts = type._parts();
  switch (parts.kind) {
    case TCKind::tk_null:
    case TCKind::tk_void:
      return true;
    case TCKind::tk_short:
      return copy_primitive<std::int16_t>();
    case TCKind::tk_long:
      return copy_primitive<std::int32_t>();
    case TCKind::tk_ushort:
      return copy_primitive<std::uint16_t>();
    case TCKind::tk_ulong:
      return copy_primitive<std::uint32_t>();
    case TCKind::tk_float:
      return copy_primitive<float>();
    case TCKind::tk_double:
      return copy_primitive<double>();
    case TCKind::tk_boolean:
      return copy_primitive<bool>();
    case TCKind::tk_char:
      return copy_primitive<char>();
    case TCKind::tk_octet:
      return copy_primitive<std::uint8_t>();
    case TCKind::tk_longlong:
      return copy_primitive<std::int64_t>();
    case TCKind::tk_ulonglong:
      return copy_primitive<std::uint64_t>();
    case TCKind::tk_longdouble:
      return copy_long_double();
    case TCKind::tk_wchar:
      return copy_primitive<wchar_t>();
    case TCKind::tk_string:
      return copy_text<std::string>(parts.length);
    case TCKind::tk_wstring:
      return copy_text<std::wstring>(parts.length);
    case TCKind::tk_any:
      return copy_any();
    case TCKind::tk_TypeCode: {
      typecode_reference inner;
      return copy_typecode(inner);
    }
    case TCKind::tk_Principal: {
      std::uint32_t size = 0;
      in_.get_count(size, 1);
      out_.put(size);
      return copy_block<std::uint8_t>(size);
    }
    case TCKind::tk_objref:
    case TCKind::tk_component:
    case TCKind::tk_home:
      return copy_reference();
    case TCKind::tk_enum: {
      const std::uint32_t ordinal = in_.get_u32();
      if (ordinal >= parts.members.size()) return refuse(Error::bad_enum);
      out_.put(ordinal);
      return in_.ok() && out_.ok();
    }
    case TCKind::tk_fixed:
      return copy_fixed(parts.digits);
    case TCKind::tk_alias:
      return copy(parts.content);
    case TCKind::tk_struct:
      return copy_members(type);
    case TCKind::tk_except: {
      const std::string_view id = in_.get_raw_string_view();
      if (in_.ok()) out_.put_raw_string(id);
      return copy_members(type);
    }
    case TCKind::tk_union:
      return copy_union(type);
    case TCKind::tk_sequence:
      return copy_sequence(type);
    case TCKind::tk_array:
      return copy_elements(parts.content, parts.length);
    case TCKind::tk_value:
    case TCKind::tk_value_box:
    case TCKind::tk_event:
      return copy_value(&type);
    case TCKind::tk_abstract_interface:
      return copy_abstract();
    case TCKind::tk_native:
    case TCKind::tk_local_interface:
      return refuse(Error::local_object);
  }
  return refuse(Error::bad_typecode);
}

bool Transcoder::copy_members(const TypeCode& type) {
  for (const TypeCodeMember& member : type._parts().members)
    if (!copy(member.type)) return false;
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_state(const TypeCode& value) {
  const TypeCodeParts& parts = value._parts();
  if (parts.kind == TCKind::tk_value_box) return copy(parts.content);
  const Nesting deeper(in_);
  if (!in_.ok() || !in_.spend(1)) return false;
  if (parts.content) {
    const TypeCode& base = parts.content->_unaliased();
    if (base._is_recursion()) return refuse(Error::bad_typecode);
    if (!copy_state(base)) return false;
  }
  return copy_members(value);
}

bool Transcoder::copy_union(const TypeCode& type) {
  const TypeCodeParts& parts = type._parts();
  std::int64_t label = 0;
  // The discriminator is copied by itself; what it was is read by a copy.
  const auto look = [&]<class T>(T value) {
    in_.get(value);
    if (in_.ok()) out_.put(value);
    if constexpr (std::is_same_v<T, char>)
      label = static_cast<unsigned char>(value);
    else
      label = static_cast<std::int64_t>(value);
  };
  const TypeCode& discriminator = parts.discriminator->_unaliased();
  switch (discriminator.kind()) {
    case TCKind::tk_boolean:
      look(false);
      break;
    case TCKind::tk_char:
      look(char{});
      break;
    case TCKind::tk_octet:
      look(std::uint8_t{});
      break;
    case TCKind::tk_wchar:
      look(wchar_t{});
      break;
    case TCKind::tk_short:
      look(std::int16_t{});
      break;
    case TCKind::tk_ushort:
      look(std::uint16_t{});
      break;
    case TCKind::tk_long:
      look(std::int32_t{});
      break;
    case TCKind::tk_ulong:
      look(std::uint32_t{});
      break;
    case TCKind::tk_longlong:
      look(std::int64_t{});
      break;
    case TCKind::tk_ulonglong:
      look(std::uint64_t{});
      break;
    case TCKind::tk_enum:
      look(std::uint32_t{});
      if (label >= static_cast<std::int64_t>(discriminator._parts().members.size()))
        return refuse(Error::bad_enum);
      break;
    default:
      return refuse(Error::bad_typecode);
  }
  if (!in_.ok()) return false;
  const TypeCodeMember* const selected = type._member_with_label(label);
  return selected ? copy(selected->type) : out_.ok();
}

bool Transcoder::copy_sequence(const TypeCode& type) {
  const TypeCodeParts& parts = type._parts();
  std::uint32_t count;
  if (!in_.get_count(count, 1)) return false;
  if (parts.length != 0 && count > parts.length) return refuse(Error::too_long);
  out_.put(count);
  return copy_elements(parts.content, count);
}

bool Transcoder::copy_elements(const typecode_reference& type, std::size_t count) {
  switch (type->_is_recursion() ? TCKind::tk_null : type->_unaliased().kind()) {
    case TCKind::tk_octet:
      return copy_block<std::uint8_t>(count);
    case TCKind::tk_short:
    case TCKind::tk_ushort:
      return copy_block<std::uint16_t>(count);
    case TCKind::tk_long:
    case TCKind::tk_ulong:
      return copy_block<std::uint32_t>(count);
    case TCKind::tk_float:
      return copy_block<float>(count);
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      return copy_block<std::uint64_t>(count);
    case TCKind::tk_double:
      return copy_block<double>(count);
    default:
      break;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!copy(type)) return false;
  return in_.ok() && out_.ok();
}

// Repeated parts of a TypeCode are written out, so that it may grow.
bool Transcoder::copy_typecode(typecode_reference& type) {
  const std::size_t charged = in_.costs().bytes(), before = out_.position();
  type = read_typecode(in_);
  if (!in_.ok()) return false;
  write_typecode(out_, type);
  in_.costs().uncharge(in_.costs().bytes() - charged);  // it lasts no longer than this copy
  const std::size_t written = out_.position() - before;
  return in_.charge(written) && in_.spend(written / 64) && out_.ok();
}

bool Transcoder::copy_any() {
  typecode_reference type;
  return copy_typecode(type) && copy(type);
}

bool Transcoder::copy_value(const TypeCode* type) {
  FormalValue formal;
  if (type) {
    formal.id = type->_parts().id;
    formal.type = type;
  }
  const auto value = read_value(in_, formal);
  if (in_.ok()) write_value(out_, value);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_abstract() {
  bool is_object;
  if (!in_.get(is_object)) return false;
  out_.put(is_object);
  return is_object ? copy_reference() : copy_value(nullptr);
}

}  // namespace takt::cdr
