#include "cdr/text/transcoder.h"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <takt/cdr/environment.h>
#include <takt/cdr/ior.h>
#include <takt/cdr/text_bound.h>

#include "cdr/numbers/long_double.h"

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
bool Transcoder::copy_primitive(const TypeCode&) {
  T value{};
  if (in_.get(value)) out_.put(value);
  return in_.ok() && out_.ok();
}

template <class T>
bool Transcoder::copy_block(std::size_t count) {
  std::array<T, Encoder::least_borrowed_bytes / 2 / sizeof(T)>
      run;  // short enough to be copied, not borrowed
  while (count > 0 && in_.ok()) {
    const std::size_t some = std::min(count, run.size());
    in_.get_array(run.data(), some);
    if (in_.ok()) out_.put_array(run.data(), some);
    count -= some;
  }
  return in_.ok() && out_.ok();
}

template <class T>
bool Transcoder::copy_text(const TypeCode& type) {
  const std::uint32_t bound = type._parts().length;
  T text;
  if constexpr (std::is_same_v<T, std::string>) {
    if (in_.get_string(text)) out_.put_string(text);
  } else {
    if (in_.get_wstring(text)) out_.put_wstring(text);
  }
  if (bound != 0 && is_beyond(text, bound)) return refuse(Error::too_long);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_fixed(const TypeCode& type) {
  const std::size_t digits = type._parts().digits;
  std::array<std::uint8_t, 31 / 2 + 1> packed;
  const MutableBytes value(packed.data(), digits / 2 + 1);
  if (!in_.get_fixed(value)) return false;
  if (digits % 2 == 0 && packed[0] >= 0x10) return refuse(Error::bad_value);  // a digit too many
  out_.put_octets(value);
  return in_.ok() && out_.ok();
}

// Copied in quadruple precision, because this machine's long double may be narrower.
bool Transcoder::copy_long_double(const TypeCode&) {
  const Quad value = get_quad(in_);
  if (in_.ok()) put_quad(out_, value);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_reference(const TypeCode&) {
  Ior ior;
  if (read_ior(in_, ior)) {
    if (in_.format().environment) in_.format().environment->reference_copied(ior);
    write_ior(out_, ior);
  }
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_principal(const TypeCode&) {
  std::uint32_t size = 0;
  in_.get_count(size, 1);
  out_.put(size);
  return copy_block<std::uint8_t>(size);
}

bool Transcoder::copy_enum(const TypeCode& type) {
  const std::uint32_t ordinal = in_.get_u32();
  if (ordinal >= type._parts().members.size()) return refuse(Error::bad_enum);
  out_.put(ordinal);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_exception(const TypeCode& type) {
  const std::string_view id = in_.get_raw_string_view();
  if (in_.ok()) out_.put_raw_string(id);
  return copy_members(type);
}

constexpr Transcoder::Copiers Transcoder::make_copiers() {
  Copiers copiers{};
  std::array<bool, std::tuple_size_v<Copiers>> has{};
  const auto set = [&](Copier copier, std::initializer_list<TCKind> kinds) {
    for (const TCKind kind : kinds) {
      copiers[static_cast<std::size_t>(kind)] = copier;
      has[static_cast<std::size_t>(kind)] = true;
    }
  };
  using T = Transcoder;
  set(&T::copy_nothing, {TCKind::tk_null, TCKind::tk_void});
  set(&T::copy_primitive<std::int16_t>, {TCKind::tk_short});
  set(&T::copy_primitive<std::int32_t>, {TCKind::tk_long});
  set(&T::copy_primitive<std::uint16_t>, {TCKind::tk_ushort});
  set(&T::copy_primitive<std::uint32_t>, {TCKind::tk_ulong});
  set(&T::copy_primitive<float>, {TCKind::tk_float});
  set(&T::copy_primitive<double>, {TCKind::tk_double});
  set(&T::copy_primitive<bool>, {TCKind::tk_boolean});
  set(&T::copy_primitive<char>, {TCKind::tk_char});
  set(&T::copy_primitive<std::uint8_t>, {TCKind::tk_octet});
  set(&T::copy_primitive<std::int64_t>, {TCKind::tk_longlong});
  set(&T::copy_primitive<std::uint64_t>, {TCKind::tk_ulonglong});
  set(&T::copy_primitive<wchar_t>, {TCKind::tk_wchar});
  set(&T::copy_long_double, {TCKind::tk_longdouble});
  set(&T::copy_fixed, {TCKind::tk_fixed});
  set(&T::copy_enum, {TCKind::tk_enum});
  set(&T::copy_text<std::string>, {TCKind::tk_string});
  set(&T::copy_text<std::wstring>, {TCKind::tk_wstring});
  set(&T::copy_any, {TCKind::tk_any});
  set(&T::copy_inner_typecode, {TCKind::tk_TypeCode});
  set(&T::copy_principal, {TCKind::tk_Principal});
  set(&T::copy_reference, {TCKind::tk_objref, TCKind::tk_component, TCKind::tk_home});
  set(&T::copy_aliased, {TCKind::tk_alias});
  set(&T::copy_members, {TCKind::tk_struct});
  set(&T::copy_exception, {TCKind::tk_except});
  set(&T::copy_union, {TCKind::tk_union});
  set(&T::copy_sequence, {TCKind::tk_sequence});
  set(&T::copy_array, {TCKind::tk_array});
  set(&T::copy_value_of, {TCKind::tk_value, TCKind::tk_value_box, TCKind::tk_event});
  set(&T::copy_abstract, {TCKind::tk_abstract_interface});
  set(&T::refuse_local, {TCKind::tk_native, TCKind::tk_local_interface});
  // Throwing makes this no constant expression, so a missing copier is a compile error.
  if (!std::ranges::all_of(has, std::identity())) throw std::logic_error("a kind has no copier");
  return copiers;
}

bool Transcoder::copy(const TypeCode& type) {
  static constexpr Copiers copiers = make_copiers();
  if (!in_.spend(1)) return false;
  return (this->*copiers[static_cast<std::size_t>(type._parts().kind)])(type);
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
    const TCKind kind = base._parts().kind;
    if (kind != TCKind::tk_value && kind != TCKind::tk_event) return refuse(Error::bad_typecode);
    if (!copy_state(base)) return false;
    end_base_state(out_);
  }
  return copy_members(value);
}

template <class T>
bool Transcoder::copy_label(std::int64_t& label) {
  T value{};
  in_.get(value);
  if (in_.ok()) out_.put(value);
  if constexpr (std::is_same_v<T, char>)
    label = static_cast<unsigned char>(value);
  else
    label = static_cast<std::int64_t>(value);
  return in_.ok();
}

bool Transcoder::copy_discriminator(const TypeCode& type, std::int64_t& label) {
  switch (type._parts().kind) {
    case TCKind::tk_boolean:
      return copy_label<bool>(label);
    case TCKind::tk_char:
      return copy_label<char>(label);
    case TCKind::tk_octet:
      return copy_label<std::uint8_t>(label);
    case TCKind::tk_wchar:
      return copy_label<wchar_t>(label);
    case TCKind::tk_short:
      return copy_label<std::int16_t>(label);
    case TCKind::tk_ushort:
      return copy_label<std::uint16_t>(label);
    case TCKind::tk_long:
      return copy_label<std::int32_t>(label);
    case TCKind::tk_ulong:
      return copy_label<std::uint32_t>(label);
    case TCKind::tk_longlong:
      return copy_label<std::int64_t>(label);
    case TCKind::tk_ulonglong:
      return copy_label<std::uint64_t>(label);
    case TCKind::tk_enum:
      copy_label<std::uint32_t>(label);
      return std::cmp_less(label, type._parts().members.size()) ? in_.ok() : refuse(Error::bad_enum);
    default:
      return refuse(Error::bad_typecode);
  }
}

bool Transcoder::copy_union(const TypeCode& type) {
  std::int64_t label = 0;
  if (!copy_discriminator(type._parts().discriminator->_unaliased(), label)) return false;
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
  switch (type->_is_recursion() ? TCKind::tk_null : type->_unaliased()._parts().kind) {
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

// Repeated parts of a TypeCode are written again, so it may grow.
bool Transcoder::copy_typecode(typecode_reference& type, std::size_t& bytes) {
  const std::size_t charged = in_.costs().bytes_without_joined(), before = out_.position();
  type = read_typecode(in_);
  if (!in_.ok()) return false;
  write_typecode(out_, type);
  bytes = in_.costs().bytes_without_joined() - charged;
  in_.costs().uncharge(bytes);
  const std::size_t written = out_.position() - before;
  return in_.charge(written) && in_.spend(written / 64) && out_.ok();
}

bool Transcoder::copy_any(const TypeCode&) {
  typecode_reference type;
  std::size_t bytes = 0;
  if (!copy_typecode(type, bytes) || !copy(type)) return false;
  const bool is_kept = type.shared().use_count() > 1;  // by values that are known only by it
  return !is_kept || in_.charge(bytes);
}

bool Transcoder::copy_value(const TypeCode* type) {
  FormalValue formal;
  if (type) {
    formal.id = type->_parts().id;
    formal.type = type;
  }
  const auto value = read_value(in_, formal);
  // A bridge passes values on in the form in which they come.
  if (in_.format().values == ValueForm::tao) out_.set_value_form(ValueForm::tao);
  if (in_.ok()) write_value(out_, value);
  return in_.ok() && out_.ok();
}

bool Transcoder::copy_abstract(const TypeCode& type) {
  bool is_object;
  if (!in_.get(is_object)) return false;
  out_.put(is_object);
  return is_object ? copy_reference(type) : copy_value(nullptr);
}

}  // namespace takt::cdr
