#include "ifr/service/changes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ifr/model/type_text.h"
#include "ifr/service/checks.h"
#include "ifr/store/details_octets.h"

namespace takt::ifr {
namespace {

// The TypeCode of a changed type must be legal, and so must those of the types that use it.
void check_type(Core& core, const Definition& definition) {
  if (is_type(definition.kind) || definition.kind == Kind::dk_Exception) core.type_codes().of(definition);
}

void require_few(std::size_t count, std::size_t limit, const char* what) {
  if (count > limit) throw_limit("there are more than " + std::to_string(limit) + ' ' + what);
}

[[noreturn]] void throw_used(const std::string& user, const std::string& used) {
  throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(1), CORBA::COMPLETED_NO, user + " refers to " + used);
}

// Removes the types without a name among these that nothing uses, and then those that only they used.
void collect(Core& core, std::vector<Number> unused) {
  while (!unused.empty()) {
    const Number number = unused.back();
    unused.pop_back();
    if (number >= 0 || !core.store().users(number, 1).empty()) continue;
    const auto text = core.store().find_unnamed(number);
    if (!text) continue;
    core.store().remove_unnamed(number, *text);
    unused.push_back(used_in(*text));
  }
}

void check_unnamed(Core& core, const std::string& text) {
  const std::string whole = core.expanded(text);
  if (!is_type_text(whole, core.limits().nesting)) throw_limit("sequences and arrays nest too deep");
  const auto element = std::string(parse_type(whole)->element);
  if (element.empty()) return;
  const auto kind = core.type_codes().of(element)->kind();
  if (kind == CORBA::TCKind::tk_void || kind == CORBA::TCKind::tk_null)
    throw CORBA::BAD_TYPECODE(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                              "void and null are types of no element");
}

// Those that refer to the definition or type, directly or through aliases, types without a name and derived
// interfaces, must follow the rules still: a union may have labels of a changed enum, an interface names of a
// new base, and a sequence that has become an array may make its struct contain itself.
void check_users(Core& core, Number changed) {
  std::vector<Number> open{changed};
  std::set<Number> seen{changed};
  while (!open.empty()) {
    const Number number = open.back();
    open.pop_back();
    for (const Number user : core.store().users(number, core.limits().listed)) {
      if (!seen.insert(user).second) continue;
      require_few(seen.size(), core.limits().listed, "definitions that refer to this one");
      if (user < 0) {
        check_unnamed(core, core.unnamed_row(user));
        open.push_back(user);
        continue;
      }
      const Definition definition = core.definition(user);
      if (changed < 0) check_containment(core, definition);
      check_details(core, definition);
      check_type(core, definition);
      if (definition.kind == Kind::dk_Alias || is_interface(definition.kind) ||
          definition.kind == Kind::dk_Value)
        open.push_back(user);
    }
  }
}

std::size_t depth_of(Core& core, Number scope) {
  std::size_t depth = 0;
  for (; scope != repository_number; scope = core.entry(scope).container) ++depth;
  return depth;
}

// How many scopes nest in the definition.
std::size_t height_of(Core& core, Number number) {
  std::size_t height = 0;
  std::vector<std::pair<Number, std::size_t>> open{{number, 0}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto [scope, depth] = open[i];
    height = std::max(height, depth);
    for (const Entry& inner : core.store().contents(scope, core.limits().listed + 1))
      open.emplace_back(inner.number, depth + 1);
    require_few(open.size(), core.limits().listed, "definitions in what is to be moved");
  }
  return height;
}

// The definition and all in it, the outermost first.
std::vector<Definition> subtree(Core& core, const Definition& definition) {
  std::vector<Definition> all{definition};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Entry& inner : core.store().contents(all[i].number, core.limits().listed + 1))
      all.push_back(core.definition(inner.number));
    require_few(all.size(), core.limits().listed, "definitions in what is to be destroyed");
  }
  return all;
}

// An octet 0 is the default, unless octets are the discriminators.
bool is_default(const CORBA::Any& label, const CORBA::typecode_reference& discriminator) {
  std::int64_t number = 0;
  return label.type()->_unaliased()._parts().kind == CORBA::TCKind::tk_octet &&
         discriminator->_unaliased()._parts().kind != CORBA::TCKind::tk_octet &&
         cdr::label_in(label, number) && number == 0;
}

}  // namespace

Entry create(Core& core, const Self& container, Kind kind, const Head& head, Details details) {
  check_id(core, head.id);
  check_identifier(core, head.name);
  check_version(core, head.version);
  check_place(core, container.definition, kind, head.name);
  const Number number = core.store().next_number();
  // Numbers are never used again, so there are at most as many definitions; to count them takes long.
  if (static_cast<std::uint64_t>(number) > core.limits().definitions &&
      core.store().count() >= core.limits().definitions)
    throw_limit("the repository has its maximum number of definitions");
  const Definition definition{{.number = number,
                               .kind = kind,
                               .container = container.definition.number,
                               .id = head.id,
                               .name = head.name,
                               .version = head.version},
                              std::move(details)};
  check_details(core, definition);
  core.store().insert(definition);
  check_type(core, definition);
  return definition;
}

void set_details(Core& core, const Self& self, Details details) {
  Definition changed = self.definition;
  changed.details = std::move(details);
  changed.details.is_incomplete(false);
  core.store().update(self.definition, changed);
  check_containment(core, changed);
  check_details(core, changed);
  check_type(core, changed);
  check_users(core, changed.number);
  collect(core, used_by(self.definition.details));
}

void set_id(Core& core, const Self& self, const std::string& id) {
  if (id == self.definition.id) return;
  check_id(core, id);
  Definition changed = self.definition;
  changed.id = id;
  core.store().update(self.definition, changed);
}

void set_version(Core& core, const Self& self, const std::string& version) {
  check_version(core, version);
  Definition changed = self.definition;
  changed.version = version;
  core.store().update(self.definition, changed);
}

void set_name(Core& core, const Self& self, const std::string& name) {
  Definition container;
  container.kind = Kind::dk_Repository;
  if (self.definition.container != repository_number) container = core.definition(self.definition.container);
  move(core, self, container, name, self.definition.version);
}

void move(Core& core, const Self& self, const Definition& container, const std::string& name,
          const std::string& version) {
  check_identifier(core, name);
  check_version(core, version);
  for (Number scope = container.number; scope != repository_number; scope = core.entry(scope).container)
    if (scope == self.definition.number) throw_bad_param(4, self.definition.id + " cannot be in itself");
  if (container.number != self.definition.container &&
      depth_of(core, container.number) + height_of(core, self.definition.number) >= core.limits().nesting)
    throw_limit("the scopes would nest too deep");
  // Removed first, so that the name may change only its case.
  core.store().remove(self.definition);
  check_place(core, container, self.definition.kind, name);
  Definition changed = self.definition;
  changed.container = container.number;
  changed.name = name;
  changed.version = version;
  core.store().insert(changed);
}

namespace {

void destroy_unnamed(Core& core, const Self& self) {
  if (self.place.user) throw_used(self.place.user > 0 ? core.id_of(self.place.user) : "another type", "it");
  if (!core.store().users(self.unnamed, 1).empty()) throw_used("a definition or type", "it");
  collect(core, {self.unnamed});
}

// Whether nothing but doomed definitions uses a type without a name, directly or through others. It and those
// others are added to `ending`.
bool ends_with(Core& core, Number unnamed, const std::set<Number>& doomed, std::set<Number>& ending) {
  std::vector<Number> open{unnamed};
  std::set<Number> seen{unnamed};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const Number user : core.store().users(open[i], core.limits().listed + 1)) {
      if (user < 0 && seen.insert(user).second) open.push_back(user);
      if (user >= 0 && !doomed.contains(user)) return false;
    }
    require_few(open.size(), core.limits().listed, "types without a name that refer to this definition");
  }
  ending.insert(seen.begin(), seen.end());
  return true;
}

// Those that nothing uses come first; collect() ends the others with them.
void collect_unused(Core& core, const std::set<Number>& unnamed) {
  for (bool is_over = false; !is_over;) {
    is_over = true;
    for (const Number number : unnamed) {
      if (!core.store().find_unnamed(number) || !core.store().users(number, 1).empty()) continue;
      collect(core, {number});
      is_over = false;
    }
  }
}

}  // namespace

void destroy(Core& core, const Self& self) {
  if (self.kind == Kind::dk_Repository || self.kind == Kind::dk_Primitive)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                               std::string(name_of(self.kind)) + " cannot be destroyed");
  if (self.definition.number == 0) return destroy_unnamed(core, self);
  const auto doomed = subtree(core, self.definition);
  std::set<Number> numbers, ending;
  for (const Definition& each : doomed) numbers.insert(each.number);
  for (const Definition& each : doomed)
    for (const Number user : core.store().users(each.number, doomed.size() + core.limits().listed + 1))
      if (user < 0 ? !ends_with(core, user, numbers, ending) : !numbers.contains(user))
        throw_used(user < 0 ? "a type without a name, which is used," : core.id_of(user), each.id);
  for (const Definition& each : doomed) core.store().remove(each);
  for (const Definition& each : doomed) collect(core, used_by(each.details));
  collect_unused(core, ending);
}

Number create_unnamed(Core& core, const std::string& text) {
  check_unnamed(core, text);
  const Number number = core.store().insert_unnamed(text);
  if (static_cast<std::uint64_t>(-number) > core.limits().definitions &&
      core.store().count_unnamed() > core.limits().definitions)
    throw_limit("the repository has its maximum number of types without a name");
  return number;
}

namespace {

void set_row(Core& core, Number number, const std::string& text) {
  const std::string old = core.unnamed_row(number);
  std::string reached = text;
  for (Number used = used_in(reached); used < 0; used = used_in(reached)) {
    if (used == number)
      throw CORBA::BAD_TYPECODE(CORBA::omg_minor(2), CORBA::COMPLETED_NO, "the type would contain itself");
    reached = core.unnamed_row(used);
  }
  core.store().update_unnamed(number, old, text);
  check_unnamed(core, text);
  check_users(core, number);
  collect(core, {used_in(old)});
}

// The text with another type at a depth.
std::string with_inner(const std::string& text, std::size_t depth, const std::string& inner) {
  std::string_view rest = text;
  for (std::size_t i = 0; i < depth; ++i) rest = parse_type(rest)->element;
  return text.substr(0, text.size() - rest.size()) + inner;
}

}  // namespace

void set_unnamed(Core& core, const Self& self, const std::string& text) {
  const Place& place = self.place;
  if (place.user == 0) return set_row(core, self.unnamed, text);
  if (place.user < 0)
    return set_row(core, place.user, with_inner(core.unnamed_row(place.user), place.depth, text));
  check_unnamed(core, text);
  Self user;
  user.definition = core.definition(place.user);
  Details details = user.definition.details;
  std::string& changed = *types_in(details).at(place.slot);
  changed = with_inner(changed, place.depth, text);
  check_unnamed(core, changed);
  set_details(core, user, std::move(details));
}

Members members_from(Core& core, const R::StructMemberSeq& given) {
  require_few(given.size(), core.limits().members, "members");
  Members members;
  for (const auto& member : given)
    members.push_back({member.name(), core.text_of(member.type_def()), 0, false, 0});
  return members;
}

Members members_from(Core& core, const R::UnionMemberSeq& given, const std::string& discriminator) {
  require_few(given.size(), core.limits().members, "members");
  const auto type = core.type_codes().of(discriminator);
  Members members;
  for (const auto& member : given) {
    std::int64_t label = 0;
    const bool by_default = is_default(member.label(), type);
    if (!by_default && (!member.label().type()->equivalent(type) || !cdr::label_in(member.label(), label)))
      throw_bad_param(19, "a union's label is not of its discriminator's type");
    members.push_back({member.name(), core.text_of(member.type_def()), label, by_default, 0});
  }
  return members;
}

Members members_from(Core& core, const R::EnumMemberSeq& given) {
  require_few(given.size(), core.limits().members, "members");
  Members members;
  for (const std::string& name : given) members.push_back({name, "", 0, false, 0});
  return members;
}

Members members_from(Core& core, const R::ParDescriptionSeq& given) {
  require_few(given.size(), core.limits().members, "parameters");
  Members members;
  for (const auto& parameter : given)
    members.push_back({parameter.name(), core.text_of(parameter.type_def()), 0, false,
                       static_cast<std::int16_t>(parameter.mode())});
  return members;
}

Takt::Ifr::InitializerSeq initializers_from(Core& core, const R::InitializerSeq& given) {
  require_few(given.size(), core.limits().members, "initializers");
  Takt::Ifr::InitializerSeq all;
  std::vector<std::string> names;
  for (const auto& one : given) {
    all.push_back({one.name(), members_from(core, one.members())});
    names.push_back(one.name());
    std::vector<std::string> parameters;
    for (const auto& member : one.members()) parameters.push_back(member.name());
    check_member_names(core, parameters);
  }
  check_member_names(core, names);
  return all;
}

std::vector<Number> exceptions_from(Core& core, const R::ExcDescriptionSeq& given) {
  require_few(given.size(), core.limits().members, "exceptions");
  std::vector<Number> numbers;
  for (const auto& each : given) {
    const auto found = core.store().find_id(each.id());
    if (!found || found->kind != Kind::dk_Exception)
      throw_bad_param(0, "the repository has no exception with the id '" + each.id() + "'");
    numbers.push_back(found->number);
  }
  return numbers;
}

void set_initializers(Core& core, Details& details, const R::ExtInitializerSeq& given) {
  R::InitializerSeq plain;
  Takt::Ifr::NumbersSeq raised;
  for (const auto& one : given) {
    plain.emplace_back(one.members(), one.name());
    raised.push_back(exceptions_from(core, one.exceptions()));
  }
  details.initializers(initializers_from(core, plain));
  if (std::ranges::all_of(raised, &std::vector<Number>::empty)) raised.clear();
  details.more.of_initializers(std::move(raised));
}

Takt::Ifr::Texts contexts_from(Core& core, const R::ContextIdSeq& given) {
  require_few(given.size(), core.limits().members, "contexts");
  for (const std::string& each : given)
    if (each.size() > core.limits().name_bytes) throw_limit("a context's name is too long");
  return given;
}

const CORBA::Any& constant_from(Core& core, const CORBA::Any& given) {
  Details details;
  details.value(given);
  if (octets_of(details).size() > core.limits().constant_bytes)
    throw_limit("the constant has more than " + std::to_string(core.limits().constant_bytes) + " octets");
  return given;
}

}  // namespace takt::ifr
