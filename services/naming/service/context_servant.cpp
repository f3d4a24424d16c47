#include "naming/service/context_servant.h"

#include <algorithm>
#include <shared_mutex>
#include <utility>

#include <takt/corba.h>

#include "naming/model/names.h"
#include "naming/service/refusals.h"
#include "naming/store/references.h"

namespace takt::naming {
namespace {

// Inside the servant, the interfaces' names mean its base classes, so the stubs need aliases.
using ContextStub = CosNaming::NamingContext;
using ExtStub = CosNaming::NamingContextExt;
using Action = Change::Action;
using Reason = ContextStub::NotFoundReason;

CosNaming::Name rest_of(const CosNaming::Name& name, std::size_t first) {
  return {name.begin() + static_cast<std::ptrdiff_t>(first), name.end()};
}

}  // namespace

PortableServer::ObjectId object_id_of(ContextId id) {
  PortableServer::ObjectId octets;
  for (int shift = 56; shift >= 0; shift -= 8) octets.push_back(static_cast<std::uint8_t>(id >> shift));
  return octets;
}

ContextId context_id_of(const PortableServer::ObjectId& octets) {
  if (octets.size() != sizeof(ContextId)) return 0;
  ContextId id = 0;
  for (const std::uint8_t octet : octets) id = id << 8 | octet;
  return id;
}

CORBA::object_reference<ExtStub> context_reference(PortableServer::POA& contexts, ContextId id) {
  return IDL::traits<ExtStub>::unchecked_narrow(
      contexts.create_reference_with_id(object_id_of(id), ExtStub::_interface_repository_id()));
}

template <class Look>
auto ContextServant::current(Look&& look) const {
  if (!parts_.changes.current_enough()) throw_out_of_date();
  try {
    return look();
  } catch (const CORBA::Exception&) {  // something missing may have been made through another service
    const auto renewal = parts_.changes.renew();
    if (renewal == Changes::Renewal::never_needed) throw;
    if (renewal == Changes::Renewal::failed) throw_out_of_date();
  }
  return look();
}

ContextId ContextServant::own_id() const { return context_id_of(parts_.current->get_object_id()); }

ContextId ContextServant::existing_id() const {
  const ContextId id = own_id();
  current([&] {
    const std::shared_lock lock(parts_.tree_mutex);
    if (!parts_.tree.context(id)) throw_no_context();
  });
  return id;
}

void ContextServant::check(const Name& name) const {
  if (!fault_of(name, parts_.limits).empty()) throw ContextStub::InvalidName();
}

ContextServant::Place ContextServant::follow(const Name& name) const {
  Place place{.context = own_id(), .reference = {}, .next = 0};
  std::string key;
  const std::shared_lock lock(parts_.tree_mutex);
  if (!parts_.tree.context(place.context)) throw_no_context();
  for (; place.next + 1 < name.size(); ++place.next) {
    const Binding* bound = parts_.tree.find(place.context, key_in(key, name[place.next]));
    if (!bound) throw ContextStub::NotFound(Reason::missing_node, rest_of(name, place.next));
    if (!bound->is_context()) throw ContextStub::NotFound(Reason::not_context, rest_of(name, place.next));
    if (bound->kind == BindingKind::foreign_context)
      return {.context = 0, .reference = bound->reference, .next = place.next + 1};
    if (!parts_.tree.context(bound->context))  // still bound, but destroyed
      throw ContextStub::CannotProceed(context_reference(*parts_.contexts, bound->context),
                                       rest_of(name, place.next + 1));
    place.context = bound->context;
  }
  return place;
}

// A context on the way may have been rebound through another service, so the tree is renewed first.
ContextServant::Place ContextServant::place_to_change(const Name& name) const {
  if (name.size() > 1 && parts_.changes.renew() == Changes::Renewal::failed) throw_out_of_date();
  return current([&] { return follow(name); });
}

ContextServant::Found ContextServant::find(const Name& name) const {
  Found found{.place = follow(name)};
  if (!found.place.context) return found;
  std::string key;
  const std::shared_lock lock(parts_.tree_mutex);
  const Binding* bound = parts_.tree.find(found.place.context, key_in(key, name.back()));
  if (!bound) throw ContextStub::NotFound(Reason::missing_node, rest_of(name, name.size() - 1));
  found.binding = *bound;
  return found;
}

ContextServant::ObjectRef ContextServant::reference_of(const Binding& binding) const {
  if (binding.kind == BindingKind::context) return context_reference(*parts_.contexts, binding.context);
  if (binding.reference.empty())
    throw CORBA::INTERNAL(0, CORBA::COMPLETED_NO,
                          "another program has written what the name has in etcd; bind it again");
  return object_of(parts_.orb, binding.reference);
}

ContextServant::ObjectRef ContextServant::resolve(const Name& name) {
  check(name);
  const auto [place, found] = current([&] { return find(name); });
  if (!place.context) {
    Name rest = rest_of(name, place.next);
    return federation_.call(object_of(parts_.orb, place.reference), rest,
                            [&](ContextStub& context) { return context.resolve(rest); });
  }
  return reference_of(found);
}

std::string ContextServant::reference_octets(const ObjectRef& object) const {
  std::string octets = octets_of(parts_.orb, object);
  if (octets.size() > parts_.limits.reference_bytes)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "the reference has " + std::to_string(octets.size()) + " octets, of " +
                               std::to_string(parts_.limits.reference_bytes) + " that one may have");
  return octets;
}

Binding ContextServant::binding_of(const ObjectRef& object) const {
  if (!object) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil reference cannot be bound");
  return {.kind = BindingKind::object, .context = 0, .reference = reference_octets(object)};
}

Binding ContextServant::binding_of(const ContextRef& context) const {
  if (!context) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil reference cannot be bound");
  try {
    const ContextId id = context_id_of(parts_.contexts->reference_to_id(context));
    current([&] {
      const std::shared_lock lock(parts_.tree_mutex);
      if (!parts_.tree.context(id))
        throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "the context to be bound was destroyed");
    });
    return {.kind = BindingKind::context, .context = id, .reference = {}};
  } catch (const PortableServer::POA::WrongAdapter&) {
    return {.kind = BindingKind::foreign_context, .context = 0, .reference = reference_octets(context)};
  }
}

ContextId ContextServant::carried_out(Change change, const Name& rest) {
  auto outcome = parts_.changes.carry_out(std::move(change));
  if (!outcome) throw_failure(outcome.error(), rest);
  return *outcome;
}

template <class Elsewhere>
ContextId ContextServant::change(const Name& name, Change change, Elsewhere&& elsewhere) {
  check(name);
  const Place place = place_to_change(name);
  const Name rest = rest_of(name, place.next);
  if (!place.context) {
    federation_.call(object_of(parts_.orb, place.reference), rest,
                     [&](ContextStub& context) { elsewhere(context, rest); });
    return 0;
  }
  change.context = place.context;
  change.key = key_of(name.back());
  return carried_out(std::move(change), rest);
}

void ContextServant::bind(const Name& name, ObjectRef object) {
  change(name, {.action = Action::bind, .binding = binding_of(object)},
         [&](ContextStub& there, const Name& rest) { there.bind(rest, object); });
}

void ContextServant::rebind(const Name& name, ObjectRef object) {
  change(name, {.action = Action::rebind, .binding = binding_of(object)},
         [&](ContextStub& there, const Name& rest) { there.rebind(rest, object); });
}

void ContextServant::bind_context(const Name& name, ContextRef context) {
  change(name, {.action = Action::bind, .binding = binding_of(context)},
         [&](ContextStub& there, const Name& rest) { there.bind_context(rest, context); });
}

void ContextServant::rebind_context(const Name& name, ContextRef context) {
  change(name, {.action = Action::rebind, .binding = binding_of(context)},
         [&](ContextStub& there, const Name& rest) { there.rebind_context(rest, context); });
}

void ContextServant::unbind(const Name& name) {
  change(name, {.action = Action::unbind}, [](ContextStub& there, const Name& rest) { there.unbind(rest); });
}

ContextServant::ContextRef ContextServant::new_context() {
  existing_id();
  return context_reference(*parts_.contexts, carried_out({.action = Action::create}, {}));
}

ContextServant::ContextRef ContextServant::bind_new_context(const Name& name) {
  ContextRef elsewhere;
  Binding made{.kind = BindingKind::context, .context = 0, .reference = {}};
  const ContextId id =
      change(name, {.action = Action::bind, .binding = std::move(made), .creates = true},
             [&](ContextStub& there, const Name& rest) { elsewhere = there.bind_new_context(rest); });
  return id ? ContextRef(context_reference(*parts_.contexts, id)) : elsewhere;
}

void ContextServant::destroy() { carried_out({.action = Action::destroy, .context = own_id()}, {}); }

void ContextServant::list(std::uint32_t how_many, CosNaming::BindingList& list,
                          CORBA::object_reference<CosNaming::BindingIterator>& iterator) {
  const ContextId id = existing_id();
  iterator = nullptr;
  std::string after;
  if (!parts_.cursors.list(id, std::min(how_many, parts_.limits.listed), after, list)) return;
  const std::string cursor = parts_.cursors.open(id, std::move(after), Cursors::Clock::now());
  iterator =
      IDL::traits<CosNaming::BindingIterator>::unchecked_narrow(parts_.iterators->create_reference_with_id(
          {cursor.begin(), cursor.end()}, CosNaming::BindingIterator::_interface_repository_id()));
}

std::string ContextServant::to_string(const Name& name) {
  check(name);
  return text_of(name);
}

ContextServant::Name ContextServant::to_name(const std::string& text) {
  auto name = name_of(text, parts_.limits);
  if (!name) throw ContextStub::InvalidName();
  return std::move(*name);
}

std::string ContextServant::to_url(const std::string& address, const std::string& name) {
  auto url = url_of(address, name, parts_.limits);
  if (url) return std::move(*url);
  if (url.error() == UrlFault::address) throw ExtStub::InvalidAddress();
  throw ContextStub::InvalidName();
}

ContextServant::ObjectRef ContextServant::resolve_str(const std::string& text) {
  return resolve(to_name(text));
}

bool ContextServant::_non_existent() {
  try {
    existing_id();
    return false;
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return true;
  }
}

}  // namespace takt::naming
