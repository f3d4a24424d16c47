#include "naming/service/naming_service.h"

#include <shared_mutex>
#include <utility>

#include <takt/corba.h>

#include "adapters/adapters.h"
#include "naming/model/tree_mutex.h"
#include "naming/service/context_servant.h"
#include "naming/service/iterators.h"
#include "naming/service/state_servant.h"

namespace takt::naming {

using PoaRef = CORBA::object_reference<PortableServer::POA>;

struct NamingService::Parts {
  explicit Parts(const Limits& limits) : cursors(tree, mutex, limits) {}

  Tree tree;
  mutable TreeMutex mutex;
  std::unique_ptr<Changes> changes;
  Cursors cursors;
  ImportCounts imported;
  PoaRef contexts, iterators, state;
};

namespace {

// Accepts the object keys of the service from which names were imported, because clients still hold
// references with these keys.
void answer_for_old_keys(const Tree& tree, TreeMutex& mutex, CORBA::ORB& orb, PortableServer::POA& contexts) {
  const std::shared_lock lock(mutex);
  for (const auto& [id, context] : tree.all())
    if (!context.old_key.empty()) orb.register_object_key(context.old_key, context_reference(contexts, id));
}

std::expected<std::unique_ptr<Changes>, std::string> committer_for(const NamingService::Options& options,
                                                                   Tree& tree, TreeMutex& mutex) {
  std::unique_ptr<Store> store;
  if (!options.store.empty()) {
    auto opened = Store::open(options.store);
    if (!opened) return std::unexpected(std::move(opened.error()));
    if (const auto read = opened->read(tree); !read)
      return std::unexpected(options.store + ": " + read.error());
    store = std::make_unique<Store>(std::move(*opened));
  }
  return std::make_unique<Committer>(tree, mutex, std::move(store), options.limits, options.report);
}

}  // namespace

std::expected<std::unique_ptr<NamingService>, std::string> NamingService::start(
    CORBA::object_reference<CORBA::ORB> orb, Options options) {
  using namespace PortableServer;
  auto parts = std::make_unique<Parts>(options.limits);
  auto changes = options.keeper ? options.keeper(parts->tree, parts->mutex)
                                : committer_for(options, parts->tree, parts->mutex);
  if (!changes) return std::unexpected(std::move(changes.error()));
  parts->changes = std::move(*changes);
  if (options.imported) {
    const auto imported = import_names(*options.imported, parts->tree, parts->mutex, *parts->changes);
    if (!imported) return std::unexpected(imported.error());
    parts->imported = *imported;
  }
  const auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto current = IDL::traits<Current>::narrow(orb->resolve_initial_references("POACurrent"));
  parts->contexts = adapter_without_objects(*root, "NamingContexts", LifespanPolicyValue::PERSISTENT);
  parts->iterators = adapter_without_objects(*root, "NamingIterators", LifespanPolicyValue::TRANSIENT);
  parts->contexts->set_servant(
      CORBA::make_reference<ContextServant>(ContextParts{.tree = parts->tree,
                                                         .tree_mutex = parts->mutex,
                                                         .changes = *parts->changes,
                                                         .cursors = parts->cursors,
                                                         .limits = options.limits,
                                                         .orb = *orb,
                                                         .current = current,
                                                         .contexts = parts->contexts,
                                                         .iterators = parts->iterators}));
  parts->iterators->set_servant(
      CORBA::make_reference<IteratorServant>(parts->cursors, *parts->changes, current, options.limits));
  parts->state = adapter_without_objects(*root, "NamingState", LifespanPolicyValue::PERSISTENT);
  parts->state->set_servant(
      CORBA::make_reference<StateServant>(parts->tree, parts->mutex, *parts->changes, parts->cursors));
  const auto state =
      parts->state->create_reference_with_id({'s'}, Takt::Naming::Service::_interface_repository_id());
  answer_for_old_keys(parts->tree, parts->mutex, *orb, *parts->contexts);
  std::unique_ptr<NamingService> service(new NamingService(std::move(parts)));
  orb->register_object_key("NameService", service->root());
  orb->register_object_key("TaktNaming", state);
  orb->register_initial_reference("NameService", service->root());
  return service;
}

NamingService::NamingService(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
NamingService::~NamingService() = default;

CORBA::object_reference<CosNaming::NamingContextExt> NamingService::root() const {
  return context_reference(*parts_->contexts, root_context);
}

ImportCounts NamingService::imported() const { return parts_->imported; }

std::uint64_t NamingService::bindings() const {
  const std::shared_lock lock(parts_->mutex);
  return parts_->tree.bindings();
}

std::uint64_t NamingService::contexts() const {
  const std::shared_lock lock(parts_->mutex);
  return parts_->tree.contexts();
}

std::size_t NamingService::iterators() const { return parts_->cursors.size(); }

}  // namespace takt::naming
