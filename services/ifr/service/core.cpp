#include "ifr/service/core.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>

#include "ifr/model/type_text.h"

namespace takt::ifr {
namespace {

// In the order of DefinitionKind; empty for kinds without objects.
constexpr std::array<const char*, 26> interface_names{"",
                                                      "",
                                                      "AttributeDef",
                                                      "ConstantDef",
                                                      "ExceptionDef",
                                                      "InterfaceDef",
                                                      "ModuleDef",
                                                      "OperationDef",
                                                      "",
                                                      "AliasDef",
                                                      "StructDef",
                                                      "UnionDef",
                                                      "EnumDef",
                                                      "PrimitiveDef",
                                                      "StringDef",
                                                      "SequenceDef",
                                                      "ArrayDef",
                                                      "Repository",
                                                      "WstringDef",
                                                      "FixedDef",
                                                      "ValueDef",
                                                      "ValueBoxDef",
                                                      "ValueMemberDef",
                                                      "NativeDef",
                                                      "AbstractInterfaceDef",
                                                      "LocalInterfaceDef"};

// The kinds of types without a name that clients may change.
bool is_changeable(Kind kind) {
  return kind == Kind::dk_String || kind == Kind::dk_Wstring || kind == Kind::dk_Fixed ||
         kind == Kind::dk_Sequence || kind == Kind::dk_Array;
}

std::string place_text(const Place& place) {
  return '@' + std::to_string(place.user) + ',' + std::to_string(place.slot) + ',' +
         std::to_string(place.depth);
}

std::optional<Place> parse_place(std::string_view text) {
  Place place;
  const auto take = [&](char before, auto& number) {
    if (!text.starts_with(before)) return false;
    text.remove_prefix(1);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
  };
  if (!take('@', place.user) || !take(',', place.slot) || !take(',', place.depth)) return {};
  return text.empty() && place.user != 0 ? std::optional(place) : std::nullopt;
}

// Whether the repository gives an object of the kind this text.
bool is_name_of(Kind kind, const std::string& text) {
  if (kind == Kind::dk_Repository) return text.empty();
  if (is_changeable(kind) && text.starts_with('@')) {
    const auto place = parse_place(text);
    return place && place_text(*place) == text;
  }
  const auto type = parse_type(text);
  if (!type) return false;
  switch (type->form) {
    case TypeText::Form::primitive:
      return kind == Kind::dk_Primitive;
    case TypeText::Form::unnamed:
      return is_changeable(kind);
    case TypeText::Form::definition:
      return is_type(kind) || may_hold(Kind::dk_Repository, kind) || may_hold(Kind::dk_Value, kind);
    default:
      return false;
  }
}

[[noreturn]] void throw_destroyed() {
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                "the definition was destroyed, or another repository made the reference");
}

}  // namespace

void throw_bad_param(std::uint32_t minor, const std::string& why) {
  throw CORBA::BAD_PARAM(minor ? CORBA::omg_minor(minor) : 0, CORBA::COMPLETED_NO, why);
}
void throw_limit(const std::string& why) { throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, why); }

PortableServer::ObjectId object_id_of(const ObjectName& name) {
  const std::string text = std::to_string(static_cast<unsigned>(name.kind)) + '/' + name.text;
  return {text.begin(), text.end()};
}

std::optional<ObjectName> object_name_of(const PortableServer::ObjectId& id) {
  // The longest has two digits for the kind, and a place with three numbers.
  if (id.size() > 64) return {};
  const std::string text(id.begin(), id.end());
  unsigned kind = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), kind);
  if (fault != std::errc() || kind >= interface_names.size() || !*interface_names[kind]) return {};
  const auto digits = static_cast<std::size_t>(end - text.data());
  ObjectName name{static_cast<Kind>(kind), {}};
  if (text.size() > digits + 1) name.text = text.substr(digits + 1);
  return object_id_of(name) == id && is_name_of(name.kind, name.text) ? std::optional(name) : std::nullopt;
}

std::string interface_id_of(Kind kind) {
  return std::string("IDL:omg.org/CORBA/") + interface_names[static_cast<std::size_t>(kind)] + ":1.0";
}

void Core::count_inherited(std::size_t count) {
  inherited_ += count;
  if (inherited_ > limits_.inherited)
    throw_limit("the request concerns more than " + std::to_string(limits_.inherited) +
                " bases and features of bases, counted for each interface or value that inherits them");
}

std::optional<std::string> Core::text_at(const Place& place) {
  std::optional<std::string> text;
  if (place.user < 0) {
    if (place.slot == 0) text = store_.find_unnamed(place.user);
  } else if (const auto user = store_.find(place.user)) {
    const auto all = types_in(user->details);
    if (place.slot < all.size()) text = *all[place.slot];
  }
  for (std::size_t depth = 0; text && depth < place.depth; ++depth) {
    const auto type = parse_type(*text);
    text = type && !type->element.empty() ? std::optional(std::string(type->element)) : std::nullopt;
  }
  return text;
}

Self Core::found_unnamed(const ObjectName& name) {
  Self self{.kind = name.kind, .type = {}, .definition = {}, .place = {}};
  self.definition.kind = name.kind;
  std::optional<std::string> text;
  if (const auto place = parse_place(name.text)) {
    self.place = *place;
    text = text_at(*place);
  } else {
    self.unnamed = used_in(name.text);
    text = store_.find_unnamed(self.unnamed);
  }
  const auto type = text ? parse_type(*text) : std::nullopt;
  if (!type || kind_of(type->form) != name.kind) throw_destroyed();
  self.type = *text;
  return self;
}

Self Core::found(const ObjectName& name) {
  if (is_changeable(name.kind)) return found_unnamed(name);
  Self self{.kind = name.kind, .type = {}, .definition = {}, .place = {}};
  self.definition.kind = name.kind;
  if (name.kind == Kind::dk_Repository) return self;
  if (name.kind == Kind::dk_Primitive) {
    self.type = name.text;
    return self;
  }
  auto definition = store_.find(used_in(name.text));
  if (!definition || definition->kind != name.kind) throw_destroyed();
  self.definition = std::move(*definition);
  return self;
}

Self Core::self() {
  const auto name = object_name_of(current_->get_object_id());
  if (!name)
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the repository makes no such object keys");
  return found(*name);
}

Core::Turn::Turn(Core& core) : lock(core.mutex_, std::defer_lock) {
  constexpr int most_attempts = 250;
  constexpr std::chrono::milliseconds pause(20);
  for (int attempt = 1; !transaction; ++attempt) {
    lock.lock();
    try {
      transaction = std::make_unique<Store::Transaction>(core.store_, Store::Access::change);
    } catch (const CORBA::TRANSIENT&) {
      lock.unlock();
      if (attempt == most_attempts) throw;
      std::this_thread::sleep_for(pause);
    }
  }
}

bool Core::exists() {
  try {
    read([](const Self&) { return true; });
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return false;
  }
  return true;
}

Definition Core::definition(Number number) {
  auto found = store_.find(number);
  if (!found)
    throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO,
                               "the repository's file lacks a definition that it refers to");
  return std::move(*found);
}

Entry Core::entry(Number number) {
  auto found = store_.find_entry(number);
  if (!found)
    throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO,
                               "the repository's file lacks a definition that it refers to");
  return std::move(*found);
}

std::string Core::id_of(Number number) { return number ? entry(number).id : std::string(); }

Ref<R::Container> Core::container(Number number) {
  return number ? reference<R::Container>(entry(number)) : narrowed<R::Container>({Kind::dk_Repository, {}});
}

std::string Core::unnamed_row(Number number) {
  auto found = store_.find_unnamed(number);
  if (!found || !parse_type(*found))
    throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO,
                               "the repository's file lacks a type without a name that it refers to");
  return std::move(*found);
}

Ref<R::IDLType> Core::type_at(const Place& place, const std::string& text) {
  const auto type = parse_type(text);
  if (!type) throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, "the repository's file lacks a type");
  switch (type->form) {
    case TypeText::Form::definition:
      return reference<R::IDLType>(type->number);
    case TypeText::Form::unnamed:
      return unnamed<R::IDLType>(-type->number);
    case TypeText::Form::primitive:
      return narrowed<R::IDLType>({Kind::dk_Primitive, text});
    default:
      return narrowed<R::IDLType>({kind_of(type->form), place_text(place)});
  }
}

Ref<R::IDLType> Core::type(const Definition& definition, std::size_t slot) {
  return type_at({definition.number, slot, 0}, *types_in(definition.details).at(slot));
}

Ref<R::IDLType> Core::element_of(const Self& self) {
  Place place = self.unnamed ? Place{self.unnamed, 0, 0} : self.place;
  ++place.depth;
  return type_at(place, std::string(parse_type(self.type)->element));
}

ObjectName Core::passed(const Ref<CORBA::Object>& object) {
  if (!object) throw_bad_param(0, "a nil reference stands for a definition");
  try {
    if (auto name = object_name_of(poa_->reference_to_id(object))) return *name;
  } catch (const PortableServer::POA::WrongAdapter&) {  // NOLINT(bugprone-empty-catch): as other foreign keys
  }
  throw_bad_param(0, "an argument is no object of this repository");
}

Self Core::object_of(const Ref<CORBA::Object>& object) {
  const ObjectName name = passed(object);
  try {
    return found(name);
  } catch (const CORBA::OBJECT_NOT_EXIST& failure) {
    throw_bad_param(0, "an argument's definition was destroyed");
  }
}

std::string Core::text_of(const Ref<R::IDLType>& type) {
  const Self given = object_of(type);
  if (given.unnamed) return unnamed_text(given.unnamed);
  if (!given.type.empty()) return expanded(given.type);  // a copy of a part of its user
  if (!is_type(given.definition.kind))
    throw_bad_param(0, given.definition.id + " is " + ifr::name_of(given.definition.kind) + ", no type");
  return definition_text(given.definition.number);
}

Definition Core::definition_of(const Ref<CORBA::Object>& object, bool (*is_kind)(Kind)) {
  Self given = object_of(object);
  if (given.definition.number == 0 || !is_kind(given.definition.kind))
    throw_bad_param(0,
                    "an argument is " + std::string(ifr::name_of(given.kind)) + ", which does not fit there");
  return std::move(given.definition);
}

}  // namespace takt::ifr
