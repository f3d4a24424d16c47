// JSON to CDR: writes the octets of an Any of a given type.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cdr/values/opaque_value.h"
#include "cdr/values/value_state.h"
#include "json/leaf_from_json.h"
#include "json/members.h"
#include "json/numbers.h"
#include "json/text.h"
#include "json/types.h"
#include "json/values.h"
#include "reference/text/object_url.h"

namespace takt::json {

using CORBA::TCKind;
using CORBA::typecode_reference;

namespace {

constexpr std::string_view value_base_id = "IDL:omg.org/CORBA/ValueBase:1.0";

std::vector<std::string> names_of(const std::vector<Member>& members) {
  std::vector<std::string> names;
  for (const Member& member : members) names.push_back(member.name);
  return names;
}

// Whether a value of type `actual` may stand where `formal` is declared. Interfaces and abstract bases are
// not in TypeCodes, so those are believed.
bool derives_from(typecode_reference actual, const CORBA::TypeCode& formal) {
  if (formal._parts().id == value_base_id || formal._parts().modifier == CORBA::VM_ABSTRACT) return true;
  for (; actual; actual = actual->_parts().content ? behind_aliases(actual->_parts().content) : nullptr) {
    if (actual->_parts().id == formal._parts().id) return true;
    if (actual->_parts().kind == TCKind::tk_value_box) return false;
  }
  return false;
}

}  // namespace

class FromJson {
 public:
  FromJson(Values& values, Path& at) : values_(values), at_(at) {}

  CORBA::Any any(const Json& json, const typecode_reference& type) {
    auto content = std::make_shared<cdr::AnyContent>();
    content->octets = encoded(content->values, [&](FromJson& inner) { inner.put(json, type); });
    if (!content->values.empty()) values_.contents_.push_back(content);
    return CORBA::Any(type, std::move(content), values_.context_.environment);
  }

 private:
  // The octets that `write` puts with another object like this one.
  template <class Write>
  std::vector<std::uint8_t> encoded(cdr::ValueTable& table, Write write) {
    GatherBuffer buffer(128);
    cdr::Encoder out(buffer, cdr::any_format(values_.context_.environment));
    out.set_borrowing(false);
    cdr::collect_values(out, table);
    FromJson inner(values_, at_);
    inner.out_ = &out;
    write(inner);
    if (!out.ok()) at_.fail("the value has no encoding");
    return {buffer.owned(), buffer.owned() + buffer.owned_size()};
  }

  void put(const Json& json, const typecode_reference& given) {
    const typecode_reference type = behind_aliases(given);
    switch (type->_parts().kind) {
      case TCKind::tk_struct:
      case TCKind::tk_except:
        return put_struct(json, type);
      case TCKind::tk_union:
        return is_optional(*type) ? put_optional(json, *type) : put_union(json, *type);
      case TCKind::tk_sequence:
      case TCKind::tk_array:
        return has_octets(*type) && json.is_string() ? put_octets(json, *type) : put_elements(json, type);
      case TCKind::tk_any:
        return put_any(json);
      case TCKind::tk_TypeCode:
        return cdr::write_typecode(*out_, type_of_json(json, values_.context_, at_));
      case TCKind::tk_value:
      case TCKind::tk_event:
      case TCKind::tk_value_box:
        return cdr::write_value(*out_, value(json, type));
      case TCKind::tk_abstract_interface:
        return put_abstract(json, type);
      case TCKind::tk_objref:
      case TCKind::tk_component:
      case TCKind::tk_home:
        return put_reference(json, type);
      case TCKind::tk_native:
      case TCKind::tk_local_interface:
        at_.fail(with_article(called(type)) + " cannot be sent");
      default:
        LeafFromJson(*out_, at_).put(json, type);
    }
  }

  void put_struct(const Json& json, const typecode_reference& type) {
    if (type->_parts().kind == TCKind::tk_except) out_->put_raw_string(type->_parts().id);
    put_members(json, members_of(type, at_), called(type), {});
  }

  // `own` are names that the object may have beside the members'.
  void put_members(const Json& json, const std::vector<Member>& members, const std::string& type,
                   const std::vector<std::string>& own) {
    if (!have_names(members) && json.is_array()) return put_unnamed_members(json, members, type);
    if (!json.is_object()) refuse(json, at_, with_article(type));
    if (!have_names(members))
      refuse(json, at_, with_article(type) + " as an array, because its members have no names");
    for (const auto& [name, value] : json.items())
      if (std::ranges::find(members, name, &Member::name) == members.end() &&
          std::ranges::find(own, name) == own.end())
        at_.fail(with_article(type) + " has no member " + quoted(name) + suggestion(name, names_of(members)));
    for (const Member& member : members) {
      const auto place = json.find(member.name);
      const bool may_miss = is_optional(*behind_aliases(member.type));
      if (place == json.end() && !may_miss)
        at_.fail("expected the member \"" + member.name + "\", " + with_article(called(member.type)) +
                 ", found none");
      const Path::Step step(at_, Path::member(member.name));
      put(place == json.end() ? null_ : *place, member.type);
    }
  }

  void put_unnamed_members(const Json& json, const std::vector<Member>& members, const std::string& type) {
    if (json.size() != members.size())
      refuse(json, at_, with_article(type) + ": an array of " + std::to_string(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Path::Step step(at_, Path::element(i));
      put(json[i], members[i].type);
    }
  }

  void put_optional(const Json& json, const CORBA::TypeCode& type) {
    const typecode_reference inner = type.member_type(0);
    out_->put(!json.is_null());
    if (json.is_null()) return;
    if (!has_null(inner)) return put(json, inner);
    if (!json.is_object() || json.size() != 1 || !json.contains("value"))
      refuse(json, at_, "null or {\"value\": ...}");
    const Path::Step step(at_, ".value");
    put(json["value"], inner);
  }

  void put_union(const Json& json, const CORBA::TypeCode& type) {
    const std::string expected =
        "a union " + type._parts().name + " as {\"discriminator\": ..., \"value\": ...}";
    if (!json.is_object() || !json.contains("discriminator")) refuse(json, at_, expected);
    CORBA::Any discriminator;
    {
      const Path::Step step(at_, ".discriminator");
      discriminator = any(json["discriminator"], type._parts().discriminator);
    }
    std::int64_t label = 0;
    if (!cdr::label_in(discriminator, label)) refuse(json["discriminator"], at_, "a discriminator");
    cdr::write_any_value(*out_, discriminator);
    const cdr::TypeCodeMember* const member = type._member_with_label(label);
    for (const auto& [name, value] : json.items())
      if (name != "discriminator" && (name != "value" || !member))
        at_.fail(name == "value" ? "with this discriminator there is no value"
                                 : "expected " + expected + ", found the member " + quoted(name));
    if (!member) return;
    const Path::Step step(at_, ".value");
    const auto index = static_cast<std::uint32_t>(member - type._parts().members.data());
    if (!json.contains("value"))
      at_.fail("expected " + with_article(called(type.member_type(index))) + ", found none");
    put(json["value"], type.member_type(index));
  }

  void check_count(std::size_t count, const CORBA::TypeCode& type, const Json& json) const {
    const std::uint32_t length = type._parts().length;
    const bool is_array = type._parts().kind == TCKind::tk_array;
    if (is_array ? count != length : length != 0 && count > length)
      at_.fail("expected " + std::string(is_array ? "" : "at most ") + std::to_string(length) +
               " elements, found " + (json.is_string() ? std::to_string(count) + " octets" : found(json)));
  }

  void put_octets(const Json& json, const CORBA::TypeCode& type) {
    const auto octets = octets_in(json, "octets as base64, or an array of numbers", at_);
    check_count(octets.size(), type, json);
    if (type._parts().kind == TCKind::tk_sequence) out_->put_count(octets.size());
    out_->put_octets(octets);
  }

  void put_elements(const Json& json, const typecode_reference& type) {
    if (!json.is_array())
      refuse(json, at_,
             has_octets(*type) ? "octets as base64, or an array of numbers" : "an array of elements");
    check_count(json.size(), *type, json);
    const typecode_reference element = type->content_type();
    if (type->_parts().kind == TCKind::tk_sequence) out_->put_count(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      const Path::Step step(at_, Path::element(i));
      put(json[i], element);
    }
  }

  void put_any(const Json& json) {
    if (json.is_null()) return cdr::write_any(*out_, {});
    if (!json.is_object() || !json.contains("type") || json.size() != 1 + json.count("value"))
      refuse(json, at_, "an any as {\"type\": ..., \"value\": ...}");
    typecode_reference type;
    {
      const Path::Step step(at_, ".type");
      type = type_of_json(json["type"], values_.context_, at_);
    }
    const Path::Step step(at_, ".value");
    cdr::write_any(*out_, any(json.contains("value") ? json["value"] : null_, type));
  }

  void put_reference(const Json& json, const typecode_reference& type) {
    if (json.is_null()) return cdr::write_ior(*out_, {});
    if (!json.is_string())
      refuse(json, at_,
             "a reference to " + with_article(called(type)) + ": null or IOR:, corbaloc:, corbaname:");
    const auto& text = json.get_ref<const std::string&>();
    const auto url = reference::parse_object_url(text);
    using Scheme = reference::ObjectUrl::Scheme;
    if (!url || url->scheme == Scheme::file)
      refuse(json, at_,
             "a reference to " + with_article(called(type)) + ": null or IOR:, corbaloc:, corbaname:");
    if (url->scheme == Scheme::ior) return cdr::write_ior(*out_, url->ior);
    if (url->scheme == Scheme::corbaloc && !url->is_initial_reference())
      return cdr::write_ior(*out_, reference::ior_of(*url, "localhost"));
    if (!values_.context_.resolve) at_.fail("the name " + quoted(text) + " cannot be looked up here");
    const auto ior = values_.context_.resolve(text);
    if (!ior) at_.fail(ior.error());
    cdr::write_ior(*out_, *ior);
  }

  void put_abstract(const Json& json, const typecode_reference& type) {
    const bool is_object = json.is_object() && json.size() == 1 && json.contains("object");
    const bool is_value = json.is_object() && json.size() == 1 && json.contains("value");
    if (!json.is_null() && !is_object && !is_value)
      refuse(json, at_, with_article(called(type)) + " as null, {\"object\": ...} or {\"value\": ...}");
    out_->put(is_object);
    if (json.is_null()) return cdr::write_value(*out_, nullptr);
    const Path::Step step(at_, is_object ? ".object" : ".value");
    if (is_object) return put_reference(json["object"], type);
    cdr::write_value(*out_, value(json["value"], CORBA::ValueBase::_type_code()));
  }

  // A value: null, {"$ref": ID} for one that came before, or an object with its members.
  std::shared_ptr<CORBA::ValueBase> value(const Json& json, const typecode_reference& formal) {
    if (json.is_null()) return nullptr;
    if (!json.is_object()) refuse(json, at_, with_article(called(formal)) + ": null or an object");
    if (json.contains("$ref")) return referred_to(json, formal);
    const typecode_reference type = type_of_value(json, formal);
    const auto modifier = type->_parts().modifier;
    if (modifier == CORBA::VM_CUSTOM)
      at_.fail(with_article(called(type)) + " encodes itself, so only its own code can send it");
    if (modifier == CORBA::VM_ABSTRACT || type->_parts().id == value_base_id)
      at_.fail(with_article(called(type)) + " has no values of its own; say which it is by \"$type\"");
    const auto made = std::make_shared<cdr::OpaqueValue>(type);
    values_.made_.push_back(made);
    Values::Shared* shared = nullptr;
    if (json.contains("$id")) {
      const std::int64_t id = integer_of_json(json["$id"], "a number as \"$id\"", at_);
      const auto [place, is_new] = values_.by_id_.emplace(id, Values::Shared{made, type});
      if (!is_new) at_.fail("the \"$id\" " + std::to_string(id) + " is taken by another value");
      shared = &place->second;
    }
    cdr::ValueTable inner_values;
    const auto octets = encoded(inner_values, [&](FromJson& inner) { inner.put_state(json, type); });
    cdr::Decoder in(octets, 0, cdr::any_format(values_.context_.environment));
    cdr::take_values_from(in, inner_values);
    if (!made->_read_state(in)) at_.fail("the value has no encoding");
    if (shared) shared->whole = true;
    return made;
  }

  void put_state(const Json& json, const typecode_reference& type) {
    if (type->_parts().kind != TCKind::tk_value_box)
      return put_members(json, members_of(type, at_), called(type), {"$id", "$type"});
    if (!json.contains("value")) refuse(json, at_, with_article(called(type)) + " as {\"value\": ...}");
    const Path::Step step(at_, ".value");
    put(json["value"], type->content_type());
  }

  std::shared_ptr<CORBA::ValueBase> referred_to(const Json& json, const typecode_reference& formal) {
    const std::int64_t id = integer_of_json(json["$ref"], "a number as \"$ref\"", at_);
    const auto place = values_.by_id_.find(id);
    if (place == values_.by_id_.end())
      at_.fail("no value before this one has the \"$id\" " + std::to_string(id));
    if (json.size() != 1) at_.fail("an object with \"$ref\" has no other members");
    if (!derives_from(place->second.type, *formal))
      at_.fail("expected " + with_article(called(formal)) + ", found a reference to " +
               with_article(called(place->second.type)));
    if (!place->second.whole) values_.cyclic_ = true;
    return place->second.value;
  }

  typecode_reference type_of_value(const Json& json, const typecode_reference& formal) {
    if (!json.contains("$type")) return formal;
    const Path::Step step(at_, ".$type");
    const auto type = behind_aliases(type_of_json(json["$type"], values_.context_, at_));
    const TCKind kind = type->_parts().kind;
    if (kind != TCKind::tk_value && kind != TCKind::tk_event && kind != TCKind::tk_value_box)
      at_.fail("expected a valuetype, found " + with_article(called(type)));
    if (!derives_from(type, *formal)) at_.fail(with_article(called(type)) + " is no " + called(formal));
    return type;
  }

  const Json null_;
  Values& values_;
  Path& at_;
  cdr::Encoder* out_ = nullptr;
};

Values::~Values() {
  if (!cyclic_) return;
  by_id_.clear();
  alive_.clear();
  cdr::break_cycles(made_, contents_);
}

CORBA::Any Values::any_of(const Json& json, const typecode_reference& type, const std::string& name) {
  Path at(name, context_.limits);
  try {
    return FromJson(*this, at).any(json, type);
  } catch (const CORBA::Exception& failure) {
    throw Failure(name, failure.what());
  }
}

}  // namespace takt::json
