// The contexts of a naming service as CORBA objects.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "CosNamingS.h"
#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming/service/federation.h"
#include "naming/service/iterators.h"
#include "naming/store/changes.h"

namespace takt::naming {

// The objects that the servant uses. They must outlive it.
struct ContextParts {
  const Tree& tree;
  TreeMutex& tree_mutex;
  Changes& changes;
  Cursors& cursors;
  const Limits limits;
  CORBA::ORB& orb;
  CORBA::object_reference<PortableServer::Current> current;
  CORBA::object_reference<PortableServer::POA> contexts, iterators;  // the adapters of contexts and iterators
};

// The object id of a context: its number as eight octets, the most significant first.
PortableServer::ObjectId object_id_of(ContextId id);
ContextId context_id_of(const PortableServer::ObjectId& id);  // 0 if it is not the id of a context
CORBA::object_reference<CosNaming::NamingContextExt> context_reference(PortableServer::POA& contexts,
                                                                       ContextId id);

// One servant for all contexts; the object id selects the context. Thread-safe. Follows names through the
// contexts in memory. Where a name leads to a context of another service, calls that context with the rest of
// the name. A change is on disk when its operation returns. PERSIST_STORE if it cannot be written; with
// COMPLETED_MAYBE, the change may exist after a restart. OBJECT_NOT_EXIST for destroyed contexts.
class ContextServant final : public virtual CORBA::servant_traits<CosNaming::NamingContextExt>::base_type {
 public:
  using Name = CosNaming::Name;
  using ContextRef = CORBA::object_reference<CosNaming::NamingContext>;
  using ObjectRef = CORBA::object_reference<CORBA::Object>;

  explicit ContextServant(ContextParts parts) : parts_(std::move(parts)), federation_(parts_.limits) {}

  void bind(const Name& name, ObjectRef object) override;
  void rebind(const Name& name, ObjectRef object) override;
  void bind_context(const Name& name, ContextRef context) override;
  void rebind_context(const Name& name, ContextRef context) override;
  ObjectRef resolve(const Name& name) override;
  void unbind(const Name& name) override;
  ContextRef new_context() override;
  ContextRef bind_new_context(const Name& name) override;
  void destroy() override;
  void list(std::uint32_t how_many, CosNaming::BindingList& list,
            CORBA::object_reference<CosNaming::BindingIterator>& iterator) override;

  std::string to_string(const Name& name) override;
  Name to_name(const std::string& text) override;
  std::string to_url(const std::string& address, const std::string& name) override;
  ObjectRef resolve_str(const std::string& text) override;

  bool _non_existent() override;

 private:
  // The place that a name leads to: the context of its last component, or a context of another service.
  struct Place {
    ContextId context = 0;  // context of this service; 0: another service
    std::string reference;  // the context at the other service
    std::size_t next = 0;   // the component to look up there
  };

  struct Found {
    Place place;
    Binding binding{};  // if the place is in a context of this service
  };

  // Returns the result of `look`. If it fails on a tree that may be out of date, it looks again in a renewed
  // tree.
  template <class Look>
  auto current(Look&& look) const;
  ContextId own_id() const;
  ContextId existing_id() const;
  void check(const Name& name) const;
  Place follow(const Name& name) const;
  Place place_to_change(const Name& name) const;
  Found find(const Name& name) const;
  ObjectRef reference_of(const Binding& binding) const;
  Binding binding_of(const ObjectRef& object) const;
  Binding binding_of(const ContextRef& context) const;
  std::string reference_octets(const ObjectRef& object) const;
  // Makes a change at the place that the name leads to: the committer does it for this service's contexts,
  // `elsewhere(context, rest)` for those of other services.
  template <class Elsewhere>
  ContextId change(const Name& name, Change change, Elsewhere&& elsewhere);
  ContextId carried_out(Change change, const Name& rest);

  const ContextParts parts_;
  Federation federation_;
};

}  // namespace takt::naming
