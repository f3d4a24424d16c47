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

}  // namespace

void throw_bad_param(std::uint32_t minor, const std::string& why) {
  throw CORBA::BAD_PARAM(minor ? CORBA::omg_minor(minor) : 0, CORBA::COMPLETED_NO, why);
}
void throw_limit(const std::string& why) { throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, why); }

PortableServer::ObjectId object_id_of(const ObjectName& name) {
  const std::string text = std::to_string(static_cast<unsigned>(name.kind)) + '/' + name.text;
  return {text.begin(), text.end()};
}

std::optional<ObjectName> object_name_of(const PortableServer::ObjectId& id, const Limits& limits) {
  // The longest has two digits for the kind, and for each level a letter, ten digits and a colon.
  if (id.size() > 32 + 12 * limits.nesting) return {};
  const std::string text(id.begin(), id.end());
  unsigned kind = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), kind);
  if (fault != std::errc() || kind >= interface_names.size() || !*interface_names[kind]) return {};
  const auto digits = static_cast<std::size_t>(end - text.data());
  ObjectName name{static_cast<Kind>(kind), {}};
  if (text.size() > digits + 1) name.text = text.substr(digits + 1);
  if (object_id_of(name) != id) return {};
  if (name.kind == Kind::dk_Repository) return name.text.empty() ? std::optional(name) : std::nullopt;
  if (!is_type_text(name.text, limits.nesting)) return {};
  const auto type = parse_type(name.text);
  const Kind unnamed = type ? kind_of(type->form) : Kind::dk_none;
  const bool is_definition = type && type->form == TypeText::Form::definition;
  const bool fits = is_definition ? is_type(name.kind) || may_hold(Kind::dk_Repository, name.kind) ||
                                        may_hold(Kind::dk_Value, name.kind)
                                  : unnamed == name.kind;
  return fits ? std::optional(name) : std::nullopt;
}

std::string interface_id_of(Kind kind) {
  return std::string("IDL:omg.org/CORBA/") + interface_names[static_cast<std::size_t>(kind)] + ":1.0";
}

Self Core::found(const ObjectName& name) {
  Self self{name.kind, {}, {}};
  self.definition.kind = name.kind;
  if (name.kind == Kind::dk_Repository) return self;
  const Number number = definition_in(name.text);
  const auto definition = number ? store_.find(number) : std::optional<Definition>();
  const bool is_definition = name.text.starts_with('d');
  if ((number && !definition) || (is_definition && definition->kind != name.kind) ||
      (number && !is_definition && !is_type(definition->kind)))
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "the definition was destroyed, or another repository made the reference");
  if (is_definition)
    self.definition = *definition;
  else
    self.type = name.text;
  return self;
}

Self Core::self() {
  const auto name = object_name_of(current_->get_object_id(), limits_);
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

ObjectName Core::name_of_type(std::string_view text) {
  const auto type = parse_type(text);
  if (!type) throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, "the repository's file lacks a type");
  const Kind kind = type->form == TypeText::Form::definition ? entry(type->number).kind : kind_of(type->form);
  return {kind, std::string(text)};
}

Ref<R::IDLType> Core::type(std::string_view text) { return narrowed<R::IDLType>(name_of_type(text)); }

ObjectName Core::passed(const Ref<CORBA::Object>& object) {
  if (!object) throw_bad_param(0, "a nil reference stands for a definition");
  try {
    if (auto name = object_name_of(poa_->reference_to_id(object), limits_)) return *name;
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
  if (!given.type.empty()) return given.type;
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
