#include "cdr/any_text.h"

#include <array>
#include <string>

#include <takt/cdr/ior.h>
#include <takt/cdr/mapping/output.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

using CORBA::TCKind;
using CORBA::TypeCode;
using CORBA::typecode_reference;

namespace {

constexpr int deepest = 8;

// "M::S" for "IDL:M/S:1.0", else the plain name.
std::string scoped_name(const TypeCodeParts& parts) {
  const auto begin = parts.id.find(':'), end = parts.id.rfind(':');
  if (!parts.id.starts_with("IDL:") || end <= begin) return parts.name;
  std::string name;
  for (const char c : std::string_view(parts.id).substr(begin + 1, end - begin - 1))
    c == '/' ? void(name += "::") : void(name += c);
  return name;
}

// The text is printed character by character, because it may come from a peer.
void put_name(ValueText& out, std::string_view name) {
  for (const char c : name) out << c;
}

}  // namespace

bool AnyText::print(const typecode_reference& type) {
  const TypeCodeParts& parts = type->_unaliased()._parts();
  const std::string_view basic = name_of(parts.kind);
  // The text of these begins with their name.
  const bool named =
      parts.kind == TCKind::tk_struct || parts.kind == TCKind::tk_union || parts.kind == TCKind::tk_except ||
      parts.kind == TCKind::tk_enum || parts.kind == TCKind::tk_value || parts.kind == TCKind::tk_value_box ||
      parts.kind == TCKind::tk_event || parts.kind == TCKind::tk_objref || parts.kind == TCKind::tk_any;
  if (!named) out_ << basic;
  if (parts.kind == TCKind::tk_null || parts.kind == TCKind::tk_void) return true;
  if (!named) out_ << " ";
  return value(type);
}

bool AnyText::value(const typecode_reference& type) {
  const auto meant = type ? type->_resolved(type.shared()) : nullptr;
  if (!meant || out_.is_full() || depth_ == deepest) {
    if (!out_.is_full()) out_ << "...";
    return false;
  }
  ++depth_;
  const bool whole = in_.spend(1) && value_of(meant->_unaliased());
  --depth_;
  return whole && in_.ok();
}

template <class T>
bool AnyText::number() {
  IDL::write(out_, in_.take<T>());
  return in_.ok();
}

bool AnyText::value_of(const TypeCode& type) {
  switch (type._parts().kind) {
    case TCKind::tk_null:
    case TCKind::tk_void:
      return true;
    case TCKind::tk_short:
      return number<std::int16_t>();
    case TCKind::tk_long:
      return number<std::int32_t>();
    case TCKind::tk_ushort:
      return number<std::uint16_t>();
    case TCKind::tk_ulong:
      return number<std::uint32_t>();
    case TCKind::tk_float:
      return number<float>();
    case TCKind::tk_double:
      return number<double>();
    case TCKind::tk_boolean:
      return number<bool>();
    case TCKind::tk_octet:
      return number<std::uint8_t>();
    case TCKind::tk_longlong:
      return number<std::int64_t>();
    case TCKind::tk_ulonglong:
      return number<std::uint64_t>();
    case TCKind::tk_longdouble:
      return number<long double>();
    default:
      return text_of(type);
  }
}

// Texts, enumerators and numbers of other forms.
bool AnyText::text_of(const TypeCode& type) {
  switch (type._parts().kind) {
    case TCKind::tk_char:
      return number<char>();
    case TCKind::tk_wchar:
      return number<wchar_t>();
    case TCKind::tk_string: {
      std::string text;
      if (in_.get_string(text)) IDL::write(out_, text);
      return in_.ok();
    }
    case TCKind::tk_wstring: {
      std::wstring text;
      if (in_.get_wstring(text)) IDL::write(out_, text);
      return in_.ok();
    }
    case TCKind::tk_TypeCode:
      if (const auto inner = read_typecode(in_); in_.ok()) inner._write_to(out_);
      return in_.ok();
    case TCKind::tk_fixed:
      return fixed(type);
    case TCKind::tk_enum:
      return enumerator(type);
    default:
      return content_of(type);
  }
}

// Types that have others in them, and references.
bool AnyText::content_of(const TypeCode& type) {
  const TypeCodeParts& parts = type._parts();
  switch (parts.kind) {
    case TCKind::tk_any:
      out_ << "any ";
      if (const auto inner = read_typecode(in_); in_.ok()) return print(inner);
      return false;
    case TCKind::tk_except:
      in_.get_raw_string_view();
      [[fallthrough]];
    case TCKind::tk_struct:
      return members(type);
    case TCKind::tk_union:
      return union_of(type);
    case TCKind::tk_sequence: {
      std::uint32_t count = 0;
      return in_.get_count(count, 1) && elements(type, count, '<', '>');
    }
    case TCKind::tk_array:
      return elements(type, parts.length, '[', ']');
    default:
      return reference_of(type);
  }
}

// Object references and values.
bool AnyText::reference_of(const TypeCode& type) {
  switch (type._parts().kind) {
    case TCKind::tk_objref:
    case TCKind::tk_component:
    case TCKind::tk_home:
      return reference();
    case TCKind::tk_value:
    case TCKind::tk_value_box:
    case TCKind::tk_event:
      return valuetype(&type);
    case TCKind::tk_abstract_interface:
      return in_.take<bool>() ? reference() : valuetype(nullptr);
    default:
      out_ << "...";
      return false;
  }
}

bool AnyText::fixed(const TypeCode& type) {
  std::array<std::uint8_t, 31 / 2 + 1> packed{};
  const std::size_t digits = type._parts().digits, octets = digits / 2 + 1;
  if (octets > packed.size() || !in_.get_fixed(MutableBytes(packed.data(), octets))) return false;
  std::string text;
  for (std::size_t i = 0; i + 1 < 2 * octets; ++i)
    text += static_cast<char>('0' + (packed[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15));
  if (const auto scale = type._parts().scale; scale > 0 && static_cast<std::size_t>(scale) <= text.size())
    text.insert(text.size() - static_cast<std::size_t>(scale), 1, '.');
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
  if (text.front() == '.') text.insert(0, 1, '0');
  put_name(out_, ((packed[octets - 1] & 15) == 13 ? "-" : "") + text);
  return true;
}

bool AnyText::enumerator(const TypeCode& type) {
  const std::uint32_t ordinal = in_.get_u32();
  const TypeCodeParts& parts = type._parts();
  if (!in_.ok() || ordinal >= parts.members.size()) return false;
  const std::string name = scoped_name(parts);
  put_name(out_, name.empty() ? std::to_string(ordinal) : name + "::" + parts.members[ordinal].name);
  return true;
}

bool AnyText::members(const TypeCode& type) {
  put_name(out_, scoped_name(type._parts()));
  out_ << "{";
  const char* before = "";
  for (const TypeCodeMember& member : type._parts().members) {
    out_ << before;
    before = ",";
    put_name(out_, member.name);
    out_ << "=";
    if (!value(member.type)) return false;
  }
  out_ << "}";
  return true;
}

bool AnyText::label(const TypeCode& type, std::int64_t& value) {
  switch (type._parts().kind) {
    case TCKind::tk_boolean:
      value = in_.take<bool>();
      break;
    case TCKind::tk_char:
      value = static_cast<unsigned char>(in_.take<char>());
      break;
    case TCKind::tk_octet:
      value = in_.take<std::uint8_t>();
      break;
    case TCKind::tk_wchar:
      value = in_.take<wchar_t>();
      break;
    case TCKind::tk_short:
      value = in_.take<std::int16_t>();
      break;
    case TCKind::tk_ushort:
      value = in_.take<std::uint16_t>();
      break;
    case TCKind::tk_long:
      value = in_.take<std::int32_t>();
      break;
    case TCKind::tk_ulong:
    case TCKind::tk_enum:
      value = in_.take<std::uint32_t>();
      break;
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      value = in_.take<std::int64_t>();
      break;
    default:
      return false;
  }
  return in_.ok();
}

bool AnyText::union_of(const TypeCode& type) {
  std::int64_t selector = 0;
  put_name(out_, scoped_name(type._parts()));
  if (!label(type._parts().discriminator->_unaliased(), selector)) return false;
  out_ << " {";
  if (const TypeCodeMember* const selected = type._member_with_label(selector)) {
    put_name(out_, selected->name);
    out_ << "=";
    if (!value(selected->type)) return false;
  }
  out_ << "}";
  return true;
}

bool AnyText::elements(const TypeCode& type, std::size_t count, char begin, char end) {
  out_ << begin;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out_ << ",";
    if (!value(type._parts().content)) return false;
  }
  out_ << end;
  return true;
}

bool AnyText::reference() {
  Ior ior;
  if (!read_ior(in_, ior)) return false;
  if (ior.profiles.empty() && ior.type_id.empty()) {
    out_ << "nil";
  } else {
    out_ << "object ";
    put_name(out_, ior.type_id);
  }
  return true;
}

bool AnyText::valuetype(const TypeCode* type) {
  FormalValue formal;
  if (type) {
    formal.id = type->_parts().id;
    formal.type = type;
  }
  const auto value = read_value(in_, formal);
  if (!in_.ok()) return false;
  if (value)
    out_ << "valuetype ", put_name(out_, value->_value_type().id());
  else
    out_ << "nil";
  return true;
}

std::string text_of(const CORBA::Any& any) {
  ValueText out;
  const AnyContent& content = any._content();
  Decoder in(content.octets, 0, any_format(any._environment()));
  if (!content.values.empty()) take_values_from(in, content.values);
  out << "any ";
  AnyText(in, out).print(any.type());
  return std::move(out).take();
}

}  // namespace takt::cdr
