#include "json/types.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/numbers.h"
#include "json/text.h"

namespace takt::json {

using CORBA::TCKind;
using CORBA::typecode_reference;

namespace {

// The kind that JSON gives the name; none if it names no kind.
std::optional<TCKind> kind_of(std::string_view name) {
  for (TCKind kind = TCKind::tk_null; kind <= TCKind::tk_event;
       kind = static_cast<TCKind>(static_cast<std::uint32_t>(kind) + 1))
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

constexpr std::array<std::string_view, 4> modifiers = {"none", "custom", "abstract", "truncatable"};

bool is_basic(TCKind kind) {
  using enum TCKind;
  return kind <= tk_Principal || kind == tk_string || (kind >= tk_longlong && kind <= tk_wstring);
}

bool has_id(TCKind kind) {
  using enum TCKind;
  return kind == tk_objref || kind == tk_struct || kind == tk_union || kind == tk_enum || kind == tk_alias ||
         kind == tk_except || kind >= tk_value;
}

bool is_value(TCKind kind) { return kind == TCKind::tk_value || kind == TCKind::tk_event; }

// Writes a type as JSON.
class TypeWriter {
 public:
  explicit TypeWriter(Path& at) : at_(at) {}

  Json json(const typecode_reference& given) {
    typecode_reference type = given;
    if (!type) return "null";
    if (type->_is_recursion()) {
      const std::string& id = type->_parts().id;
      if (std::ranges::find(open_, id) != open_.end()) return {{"kind", "recursive"}, {"id", readable(id)}};
      auto meant = type->_resolved(type.shared());
      if (!meant) at_.fail("a type that is not complete");
      type = typecode_reference(std::move(meant));
    }
    const cdr::TypeCodeParts& parts = type->_parts();
    if (is_basic(parts.kind) && parts.length == 0) return std::string(name_of(parts.kind));
    const Path::Step step(at_, ".type");
    Json json = {{"kind", std::string(name_of(parts.kind))}};
    if (has_id(parts.kind)) {
      json["id"] = readable(parts.id);
      json["name"] = readable(parts.name);
    }
    open_.push_back(parts.id);
    add_parts(*type, json);
    open_.pop_back();
    return json;
  }

 private:
  const std::string& readable(const std::string& name) const {
    if (!characters_of(name)) at_.fail("a type has a name that is not UTF-8");
    return name;
  }

  void add_parts(const CORBA::TypeCode& type, Json& json) {
    const cdr::TypeCodeParts& parts = type._parts();
    switch (parts.kind) {
      case TCKind::tk_string:
      case TCKind::tk_wstring:
        json["bound"] = parts.length;
        return;
      case TCKind::tk_fixed:
        json["digits"] = parts.digits;
        json["scale"] = parts.scale;
        return;
      case TCKind::tk_sequence:
        if (parts.length) json["bound"] = parts.length;
        json["element"] = this->json(parts.content);
        return;
      case TCKind::tk_array:
        json["length"] = parts.length;
        json["element"] = this->json(parts.content);
        return;
      case TCKind::tk_alias:
      case TCKind::tk_value_box:
        json["type"] = this->json(parts.content);
        return;
      default:
        add_members(parts, json);
    }
  }

  void add_members(const cdr::TypeCodeParts& parts, Json& json) {
    if (is_value(parts.kind)) {
      if (static_cast<std::size_t>(parts.modifier) >= modifiers.size())
        at_.fail("its type has no such modifier");
      json["modifier"] = std::string(modifiers[static_cast<std::size_t>(parts.modifier)]);
      json["base"] = parts.content ? this->json(parts.content) : Json();
    }
    if (parts.kind == TCKind::tk_union) json["discriminator"] = this->json(parts.discriminator);
    if (!is_value(parts.kind) && parts.kind != TCKind::tk_struct && parts.kind != TCKind::tk_except &&
        parts.kind != TCKind::tk_union && parts.kind != TCKind::tk_enum)
      return;
    Json& members = json["members"] = Json::array();
    for (std::size_t i = 0; i < parts.members.size(); ++i) {
      const cdr::TypeCodeMember& member = parts.members[i];
      if (parts.kind == TCKind::tk_enum) {
        members.push_back(readable(member.name));
        continue;
      }
      Json one = {{"name", readable(member.name)}, {"type", this->json(member.type)}};
      if (parts.kind == TCKind::tk_union) {
        if (static_cast<std::int32_t>(i) == parts.default_index)
          one["default"] = true;
        else
          one["label"] = json_of_integer(member.label);
      }
      if (is_value(parts.kind)) one["public"] = member.visibility == CORBA::PUBLIC_MEMBER;
      members.push_back(std::move(one));
    }
  }

  Path& at_;
  std::vector<std::string> open_;  // ids of the types around the present one
};

// Makes a type from JSON.
class TypeReader {
 public:
  TypeReader(const Context& context, Path& at) : context_(context), at_(at) {}

  typecode_reference type(const Json& json) {
    if (json.is_string()) return named(json.get_ref<const std::string&>());
    if (!json.is_object())
      at_.fail("expected a type: its name or an object with \"kind\", found " + found(json));
    const std::string kind = text(json, "kind");
    if (kind == "recursive") return cdr::make_recursion(text(json, "id"));
    const std::optional<TCKind> known = kind_of(kind);
    if (!known) at_.fail("there is no kind " + quoted(kind) + near(kind));
    try {
      return made(*known, json);
    } catch (const CORBA::SystemException& failure) {
      at_.fail(std::string("the parts do not make a type: ") + failure.what());
    }
  }

 private:
  static std::string near(const std::string& word) {
    std::vector<std::string> names;
    for (std::uint32_t kind = 0; kind <= static_cast<std::uint32_t>(TCKind::tk_event); ++kind)
      names.emplace_back(name_of(static_cast<TCKind>(kind)));
    return suggestion(word, names);
  }

  typecode_reference named(const std::string& name) {
    if (const std::optional<TCKind> kind = kind_of(name)) {
      if (!is_basic(*kind)) at_.fail("a type of kind \"" + name + "\" is an object that describes it");
      return cdr::basic_typecode(*kind);
    }
    if (context_.type_named)
      if (auto type = context_.type_named(name)) return type;
    at_.fail("there is no type " + quoted(name));
  }

  typecode_reference made(TCKind kind, const Json& json) {
    cdr::TypeCodeParts parts;
    parts.kind = kind;
    if (has_id(kind)) {
      parts.id = text(json, "id");
      parts.name = text(json, "name");
    }
    const Path::Step step(at_, ".type");
    switch (kind) {
      case TCKind::tk_string:
      case TCKind::tk_wstring:
      case TCKind::tk_sequence:
        parts.length = static_cast<std::uint32_t>(number(json, "bound", UINT32_MAX, true));
        break;
      case TCKind::tk_array:
        parts.length = static_cast<std::uint32_t>(number(json, "length", UINT32_MAX));
        break;
      case TCKind::tk_fixed:
        parts.digits = static_cast<std::uint16_t>(number(json, "digits", 31));
        parts.scale = static_cast<std::int16_t>(number(json, "scale", 31));
        break;
      default:
        break;
    }
    if (is_basic(kind) && parts.length == 0) return cdr::basic_typecode(kind);
    if (kind == TCKind::tk_sequence || kind == TCKind::tk_array) parts.content = type(part(json, "element"));
    if (kind == TCKind::tk_alias || kind == TCKind::tk_value_box) parts.content = type(part(json, "type"));
    add_members(json, parts);
    return cdr::make_typecode(std::move(parts));
  }

  void add_members(const Json& json, cdr::TypeCodeParts& parts) {
    const TCKind kind = parts.kind;
    if (is_value(kind)) {
      const std::string modifier = text(json, "modifier");
      const auto place = std::ranges::find(modifiers, modifier);
      if (place == modifiers.end()) at_.fail("there is no modifier " + quoted(modifier));
      parts.modifier = static_cast<CORBA::ValueModifier>(place - modifiers.begin());
      if (const Json& base = part(json, "base"); !base.is_null()) parts.content = type(base);
    }
    if (kind == TCKind::tk_union) parts.discriminator = type(part(json, "discriminator"));
    const bool has_members = is_value(kind) || kind == TCKind::tk_struct || kind == TCKind::tk_except ||
                             kind == TCKind::tk_union || kind == TCKind::tk_enum;
    if (!has_members) return;
    const Json& members = part(json, "members");
    if (!members.is_array()) at_.fail("expected an array \"members\", found " + found(members));
    for (const Json& member : members) {
      const Path::Step step(at_, Path::element(parts.members.size()));
      parts.members.push_back(one_member(member, parts));
    }
  }

  cdr::TypeCodeMember one_member(const Json& json, cdr::TypeCodeParts& parts) {
    cdr::TypeCodeMember member;
    if (parts.kind == TCKind::tk_enum) {
      if (!json.is_string()) at_.fail("expected an enumerator's name, found " + found(json));
      member.name = json.get<std::string>();
      return member;
    }
    member.name = text(json, "name");
    member.type = type(part(json, "type"));
    if (is_value(parts.kind))
      member.visibility = flag(json, "public") ? CORBA::PUBLIC_MEMBER : CORBA::PRIVATE_MEMBER;
    if (parts.kind != TCKind::tk_union) return member;
    if (flag(json, "default"))
      parts.default_index = static_cast<std::int32_t>(parts.members.size());
    else
      member.label = integer_of_json(part(json, "label"), "a label", at_);
    return member;
  }

  const Json& part(const Json& json, const char* name) {
    if (!json.is_object()) at_.fail("expected an object, found " + found(json));
    const auto place = json.find(name);
    if (place == json.end()) at_.fail(std::string("a type of this kind has the member \"") + name + '"');
    return *place;
  }

  bool flag(const Json& json, const char* name) {
    const auto place = json.find(name);
    if (place == json.end()) return false;
    if (!place->is_boolean())
      at_.fail(std::string("expected true or false for \"") + name + "\", found " + found(*place));
    return place->get<bool>();
  }

  std::string text(const Json& json, const char* name) {
    const Json& value = part(json, name);
    if (!value.is_string())
      at_.fail(std::string("expected a string \"") + name + "\", found " + found(value));
    return value.get<std::string>();
  }

  std::uint64_t number(const Json& json, const char* name, std::uint64_t most, bool may_miss = false) {
    if (may_miss && !json.contains(name)) return 0;
    const Json& value = part(json, name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
      at_.fail(std::string("expected a number \"") + name + "\" from 0 to " + std::to_string(most) +
               ", found " + found(value));
    return value.get<std::uint64_t>();
  }

  const Context& context_;
  Path& at_;
};

}  // namespace

std::string_view name_of(TCKind kind) { return kind == TCKind::tk_objref ? "interface" : cdr::name_of(kind); }

Json json_of_type(const typecode_reference& type, Path& at) { return TypeWriter(at).json(type); }

typecode_reference type_of_json(const Json& json, const Context& context, Path& at) {
  return TypeReader(context, at).type(json);
}

}  // namespace takt::json
