#include "json/leaf_from_json.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <takt/dynamic/dyn_any.h>

#include "json/members.h"
#include "json/numbers.h"
#include "json/text.h"

namespace takt::json {

using CORBA::TCKind;
using CORBA::typecode_reference;

namespace {

template <class I>
std::string range() {
  return "a number from " + std::to_string(std::numeric_limits<I>::min()) + " to " +
         std::to_string(std::numeric_limits<I>::max());
}

}  // namespace

void refuse(const Json& json, const Path& at, const std::string& expected) {
  at.fail("expected " + expected + ", found " + found(json));
}

std::vector<std::uint8_t> octets_in(const Json& json, const std::string& expected, const Path& at) {
  auto octets = json.is_string() ? octets_of_base64(json.get_ref<const std::string&>()) : std::nullopt;
  if (!octets) refuse(json, at, expected);
  return std::move(*octets);
}

template <class I>
void LeafFromJson::put_integer(const Json& json) {
  const std::int64_t value = integer_of_json(json, range<I>(), at_);
  if (value < std::numeric_limits<I>::min() || value > std::numeric_limits<I>::max())
    refuse(json, at_, range<I>());
  out_.put(static_cast<I>(value));
}

void LeafFromJson::put(const Json& json, const typecode_reference& type) {
  switch (type->_parts().kind) {
    case TCKind::tk_null:
    case TCKind::tk_void:
      if (!json.is_null()) refuse(json, at_, "null");
      return;
    case TCKind::tk_boolean:
      if (!json.is_boolean()) refuse(json, at_, "true or false");
      return out_.put(json.get<bool>());
    case TCKind::tk_char:
      return out_.put(static_cast<std::uint8_t>(character(json, "a char", 0xff)));
    case TCKind::tk_wchar:
      return out_.put(static_cast<wchar_t>(character(json, "a wchar", 0x10ffff)));
    case TCKind::tk_string:
      return put_string(json, type);
    case TCKind::tk_wstring:
      return put_wstring(json, type);
    case TCKind::tk_enum:
      return put_enum(json, type);
    case TCKind::tk_fixed:
      return put_fixed(json, type);
    case TCKind::tk_Principal: {
      const auto octets = octets_in(json, "base64 of a Principal", at_);
      out_.put_count(octets.size());
      return out_.put_octets(octets);
    }
    default:
      put_number(json, type);
  }
}

void LeafFromJson::put_number(const Json& json, const typecode_reference& type) {
  switch (type->_parts().kind) {
    case TCKind::tk_octet:
      return put_integer<std::uint8_t>(json);
    case TCKind::tk_short:
      return put_integer<std::int16_t>(json);
    case TCKind::tk_ushort:
      return put_integer<std::uint16_t>(json);
    case TCKind::tk_long:
      return put_integer<std::int32_t>(json);
    case TCKind::tk_ulong:
      return put_integer<std::uint32_t>(json);
    case TCKind::tk_longlong:
      return out_.put(integer_of_json(json, range<std::int64_t>(), at_));
    case TCKind::tk_ulonglong:
      return out_.put(unsigned_of_json(json, range<std::uint64_t>(), at_));
    case TCKind::tk_float:
      return out_.put(float_of_json(json, at_));
    case TCKind::tk_double:
      return out_.put(double_of_json(json, at_));
    case TCKind::tk_longdouble:
      return put_quad(quad_of_json(json, at_));
    default:
      at_.fail(with_article(called(type)) + " cannot be sent");
  }
}

// In CDR a long double is aligned as its halves are.
void LeafFromJson::put_quad(Quad quad) {
  if constexpr (cdr::native_order == cdr::ByteOrder::little) std::ranges::reverse(quad);
  out_.align(8);
  out_.put_octets({quad.data(), quad.size()});
}

char32_t LeafFromJson::character(const Json& json, const std::string& type, char32_t most) const {
  const auto text = json.is_string() ? characters_of(json.get_ref<const std::string&>()) : std::nullopt;
  if (!text || text->size() != 1 || text->front() > most)
    refuse(
        json, at_,
        type + (most == 0xff ? ": a string of one character up to U+00FF" : ": a string of one character"));
  return text->front();
}

// A string that is no UTF-8 is {"base64": "..."}.
void LeafFromJson::put_string(const Json& json, const typecode_reference& type) {
  std::string text;
  if (json.is_object() && json.size() == 1 && json.contains("base64")) {
    const auto octets = octets_in(json["base64"], "base64", at_);
    text.assign(octets.begin(), octets.end());
  } else {
    if (!json.is_string()) refuse(json, at_, with_article(called(type)));
    text = json.get<std::string>();
  }
  check_text(text.size(), text.find('\0') != text.npos, type);
  out_.put_string(text);
}

void LeafFromJson::put_wstring(const Json& json, const typecode_reference& type) {
  const auto characters = json.is_string() ? characters_of(json.get_ref<const std::string&>()) : std::nullopt;
  if (!characters) refuse(json, at_, with_article(called(type)));
  const std::wstring text(characters->begin(), characters->end());
  check_text(text.size(), text.find(L'\0') != text.npos, type);
  out_.put_wstring(text);
}

void LeafFromJson::check_text(std::size_t size, bool has_nul, const typecode_reference& type) const {
  if (has_nul)
    at_.fail("expected " + with_article(called(type)) + ", found a string with the character U+0000");
  const std::uint32_t bound = type->_parts().length;
  if (bound && size > bound)
    at_.fail("expected " + with_article(called(type)) + ", found " + std::to_string(size));
}

void LeafFromJson::put_enum(const Json& json, const typecode_reference& type) {
  const auto& all = type->_parts().members;
  if (json.is_string()) {
    const auto place = std::ranges::find(all, json.get<std::string>(), &cdr::TypeCodeMember::name);
    if (place != all.end()) return out_.put(static_cast<std::uint32_t>(place - all.begin()));
  } else if (json.is_number_unsigned() && json.get<std::uint64_t>() < all.size()) {
    return out_.put(static_cast<std::uint32_t>(json.get<std::uint64_t>()));
  }
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  const std::string near = json.is_string() ? suggestion(json.get<std::string>(), names) : "";
  at_.fail("expected a name of " + called(type) + ", found " + found(json) + near);
}

void LeafFromJson::put_fixed(const Json& json, const typecode_reference& type) {
  const std::string expected = with_article(called(type)) + " as a string of digits, for example \"12.50\"";
  if (!json.is_string() && !json.is_number_integer()) refuse(json, at_, expected);
  DynamicAny::DynAnyFactory factory(nullptr);
  const auto fixed = IDL::traits<DynamicAny::DynFixed>::narrow(factory.create_dyn_any_from_type_code(type));
  try {
    if (!fixed->set_value(json.is_string() ? json.get<std::string>() : json.dump()))
      refuse(json, at_, expected + " without more digits behind the point");
  } catch (const CORBA::UserException&) {
    refuse(json, at_, expected);
  }
  cdr::write_any_value(out_, fixed->to_any());
}

}  // namespace takt::json
