// CDR to JSON: reads the octets of an Any.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <takt/dynamic/dyn_any.h>

#include "cdr/values/collected_state.h"
#include "json/members.h"
#include "json/numbers.h"
#include "json/text.h"
#include "json/types.h"
#include "json/values.h"
#include "reference/text/stringified_ior.h"

namespace takt::json {

using CORBA::TCKind;
using CORBA::typecode_reference;

class ToJson {
 public:
  ToJson(Values& values, Path& at) : values_(values), at_(at) {}

  Json any(const CORBA::Any& any) {
    const cdr::AnyContent& content = any._content();
    cdr::Decoder in(content.octets, 0, cdr::any_format(any._environment()));
    if (!content.values.empty()) {
      cdr::join_message(in, content);
      cdr::take_values_from(in, content.values);
    }
    ToJson inner(values_, at_);
    inner.in_ = &in;
    Json json = inner.get(any.type());
    inner.check();
    return json;
  }

 private:
  using ValuePointer = std::shared_ptr<CORBA::ValueBase>;

  void check() const {
    if (!in_->ok()) at_.fail("its octets are no value of its type");
  }
  template <class T>
  T take() {
    T value{};
    in_->get(value);
    check();
    return value;
  }

  Json get(const typecode_reference& given) {
    const typecode_reference type = behind_aliases(given);
    switch (type->_parts().kind) {
      case TCKind::tk_struct:
        return members(members_of(type, at_));
      case TCKind::tk_except:
        in_->get_raw_string_view();
        return members(members_of(type, at_));
      case TCKind::tk_union:
        return is_optional(*type) ? optional(*type) : of_union(*type);
      case TCKind::tk_sequence:
      case TCKind::tk_array:
        return has_octets(*type) ? octets(*type) : elements(*type);
      case TCKind::tk_any:
        return inner_any();
      case TCKind::tk_TypeCode: {
        const auto inner = cdr::read_typecode(*in_);
        check();
        return json_of_type(inner, at_);
      }
      case TCKind::tk_value:
      case TCKind::tk_event:
      case TCKind::tk_value_box:
        return value(next_value(), type);
      case TCKind::tk_abstract_interface:
        return abstract();
      case TCKind::tk_objref:
      case TCKind::tk_component:
      case TCKind::tk_home:
        return reference();
      default:
        return leaf(type);
    }
  }

  Json leaf(const typecode_reference& type) {
    switch (type->_parts().kind) {
      case TCKind::tk_null:
      case TCKind::tk_void:
        return nullptr;
      case TCKind::tk_boolean:
        return take<bool>();
      case TCKind::tk_char:
        return character(take<std::uint8_t>());
      case TCKind::tk_wchar:
        return character(static_cast<char32_t>(take<wchar_t>()));
      case TCKind::tk_string:
        return string();
      case TCKind::tk_wstring:
        return wstring();
      case TCKind::tk_enum:
        return enumerator(*type);
      case TCKind::tk_fixed:
        return fixed(type);
      case TCKind::tk_Principal:
        return base64(octets_view(take<std::uint32_t>()));
      default:
        return number(type);
    }
  }

  Json number(const typecode_reference& type) {
    switch (type->_parts().kind) {
      case TCKind::tk_octet:
        return take<std::uint8_t>();
      case TCKind::tk_short:
        return take<std::int16_t>();
      case TCKind::tk_ushort:
        return take<std::uint16_t>();
      case TCKind::tk_long:
        return take<std::int32_t>();
      case TCKind::tk_ulong:
        return take<std::uint32_t>();
      case TCKind::tk_longlong:
        return json_of_integer(take<std::int64_t>());
      case TCKind::tk_ulonglong:
        return json_of_unsigned(take<std::uint64_t>());
      case TCKind::tk_float:
        return json_of_float(take<float>());
      case TCKind::tk_double:
        return json_of_double(take<double>());
      case TCKind::tk_longdouble:
        return quad();
      default:
        at_.fail(with_article(called(type)) + " has no value");
    }
  }

  Json quad() {
    in_->align(8);
    Quad quad{};
    in_->get_octets({quad.data(), quad.size()});
    check();
    if constexpr (cdr::native_order == cdr::ByteOrder::little) std::ranges::reverse(quad);
    return json_of_quad(quad);
  }

  static Json character(char32_t c) {
    std::string text;
    append_utf_8(text, c);
    return text;
  }

  ByteView octets_view(std::size_t count) {
    const ByteView octets = in_->get_octets_view(count);
    check();
    return octets;
  }

  Json string() {
    std::string text;
    in_->get_string(text);
    check();
    if (characters_of(text)) return text;
    return {{"base64", base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})}};
  }

  Json wstring() {
    std::wstring wide;
    in_->get_wstring(wide);
    check();
    std::string text;
    for (const wchar_t c : wide) append_utf_8(text, static_cast<char32_t>(c));
    return text;
  }

  // By its name, or by its number if its type has no names.
  Json enumerator(const CORBA::TypeCode& type) {
    const auto ordinal = take<std::uint32_t>();
    const auto& all = type._parts().members;
    if (ordinal >= all.size())
      at_.fail("the enumerator " + std::to_string(ordinal) + ", but its type has " +
               std::to_string(all.size()));
    const std::string& name = all[ordinal].name;
    const auto first = std::ranges::find(all, name, &cdr::TypeCodeMember::name);
    if (name.empty() || !characters_of(name) || first - all.begin() != static_cast<std::ptrdiff_t>(ordinal))
      return ordinal;
    return name;
  }

  Json fixed(const typecode_reference& type) {
    CORBA::Any any;
    cdr::read_any_value(*in_, type, any);
    check();
    DynamicAny::DynAnyFactory factory(nullptr);
    try {
      return IDL::traits<DynamicAny::DynFixed>::narrow(factory.create_dyn_any(any))->get_value();
    } catch (const CORBA::UserException&) {
      at_.fail("its octets are no fixed");
    }
  }

  Json members(const std::vector<Member>& all) {
    const bool named = have_names(all);
    Json json = named ? Json::object() : Json::array();
    for (const Member& member : all) {
      const Path::Step step(at_, Path::member(member.name));
      Json one = get(member.type);
      if (named)
        json[member.name] = std::move(one);
      else
        json.push_back(std::move(one));
    }
    return json;
  }

  Json optional(const CORBA::TypeCode& type) {
    if (!take<bool>()) return nullptr;
    const typecode_reference inner = type.member_type(0);
    Json json = get(inner);
    return has_null(inner) ? Json{{"value", std::move(json)}} : json;
  }

  Json of_union(const CORBA::TypeCode& type) {
    CORBA::Any discriminator;
    cdr::read_any_value(*in_, type._parts().discriminator, discriminator);
    check();
    std::int64_t label = 0;
    if (!cdr::label_in(discriminator, label)) at_.fail("its discriminator is none of its type");
    Json json = Json::object();
    {
      const Path::Step step(at_, ".discriminator");
      json["discriminator"] = any(discriminator);
    }
    const cdr::TypeCodeMember* const member = type._member_with_label(label);
    if (!member) return json;
    const Path::Step step(at_, ".value");
    json["value"] = get(type.member_type(static_cast<std::uint32_t>(member - type._parts().members.data())));
    return json;
  }

  std::uint32_t count_of(const CORBA::TypeCode& type) {
    return type._parts().kind == TCKind::tk_sequence ? take<std::uint32_t>() : type._parts().length;
  }

  Json octets(const CORBA::TypeCode& type) { return base64(octets_view(count_of(type))); }

  // Path's limit bounds elements that have no octets.
  Json elements(const CORBA::TypeCode& type) {
    const std::uint32_t count = count_of(type);
    const typecode_reference element = type.content_type();
    Json json = Json::array();
    for (std::uint32_t i = 0; i < count; ++i) {
      const Path::Step step(at_, Path::element(i));
      json.push_back(get(element));
    }
    return json;
  }

  Json inner_any() {
    CORBA::Any inner;
    cdr::read_any(*in_, inner);
    check();
    Json json = Json::object();
    {
      const Path::Step step(at_, ".type");
      json["type"] = json_of_type(inner.type(), at_);
    }
    const Path::Step step(at_, ".value");
    Json value = any(inner);
    const TCKind kind = behind_aliases(inner.type())->_parts().kind;
    if (kind != TCKind::tk_null && kind != TCKind::tk_void) json["value"] = std::move(value);
    return json;
  }

  Json reference() {
    cdr::Ior ior;
    cdr::read_ior(*in_, ior);
    check();
    if (ior.is_nil()) return nullptr;
    return reference::ior_to_text(ior);
  }

  Json abstract() {
    if (take<bool>()) {
      Json object = reference();
      return {{"object", std::move(object)}};
    }
    const ValuePointer pointer = next_value();
    if (!pointer) return nullptr;
    return {{"value", value(pointer, CORBA::ValueBase::_type_code())}};
  }

  ValuePointer next_value() {
    CORBA::valuetype_reference<CORBA::ValueBase> value;
    cdr::Codec<CORBA::valuetype_reference<CORBA::ValueBase>>::read(*in_, value);
    check();
    return value.shared();
  }

  Json value(const ValuePointer& pointer, const typecode_reference& formal) {
    if (!pointer) return nullptr;
    const void* const identity = dynamic_cast<const void*>(pointer.get());
    const auto [place, is_new] =
        values_.ids_.emplace(identity, static_cast<std::int64_t>(values_.ids_.size()) + 1);
    if (!is_new) return {{"$ref", place->second}};
    values_.alive_.push_back(pointer);
    Json json = {{"$id", place->second}};
    const typecode_reference type = type_of(*pointer, formal);
    if (type->_parts().id != formal->_parts().id) json["$type"] = type->_parts().id;
    if (pointer->_value_type().custom)
      at_.fail(with_article(called(type)) + " encodes itself, so only its own code can read it");
    add_state(*pointer, type, json);
    return json;
  }

  typecode_reference type_of(const CORBA::ValueBase& value, const typecode_reference& formal) const {
    const std::string id(value._value_type().id());
    if (id == formal->_parts().id) return formal;
    const auto& type_named = values_.context_.type_named;
    const typecode_reference type = type_named ? type_named(id) : nullptr;
    if (!type) at_.fail("a value of type " + quoted(id) + ", which is not known here");
    return behind_aliases(type);
  }

  void add_state(const CORBA::ValueBase& value, const typecode_reference& type, Json& json) {
    const cdr::CollectedState state(value, cdr::CollectedState::Anys::whole);
    if (state.error != cdr::Error::none) at_.fail("its members cannot be read");
    cdr::Decoder in({state.octets.owned(), state.octets.owned_size()}, 0, cdr::any_format(state.environment));
    cdr::take_values_from(in, state.values);
    ToJson inner(values_, at_);
    inner.in_ = &in;
    if (type->_parts().kind == TCKind::tk_value_box) {
      const Path::Step step(at_, ".value");
      json["value"] = inner.get(type->content_type());
    } else if (Json members = inner.members(members_of(type, at_)); members.is_object()) {
      json.update(members);
    } else {
      at_.fail(with_article(called(type)) + " whose members have no names");
    }
    inner.check();
  }

  Values& values_;
  Path& at_;
  cdr::Decoder* in_ = nullptr;
};

namespace {

void note_references(const Json& json, std::vector<std::int64_t>& referred) {
  if (json.is_object())
    if (const auto place = json.find("$ref"); place != json.end() && place->is_number_integer())
      referred.push_back(place->get<std::int64_t>());
  if (json.is_structured())
    for (const Json& part : json) note_references(part, referred);
}

void remove_ids(Json& json, const std::vector<std::int64_t>& kept) {
  if (json.is_object())
    if (const auto place = json.find("$id"); place != json.end() && place->is_number_integer())
      if (!std::ranges::binary_search(kept, place->get<std::int64_t>())) json.erase(place);
  if (json.is_structured())
    for (Json& part : json) remove_ids(part, kept);
}

}  // namespace

void remove_needless_ids(Json& json) {
  std::vector<std::int64_t> referred;
  note_references(json, referred);
  std::ranges::sort(referred);
  remove_ids(json, referred);
}

Json Values::json_of(const CORBA::Any& any, const std::string& name) {
  Path at(name, context_.limits);
  try {
    return ToJson(*this, at).any(any);
  } catch (const CORBA::Exception& failure) {
    throw Failure(name, failure.what());
  }
}

}  // namespace takt::json
