// Adapters that adapter activators make on demand (CORBA 3.0.3, 11.3.3).
#include "adapter/poa/adapter_tree.h"
#include "adapter/poa/unlisted_exceptions.h"
#include "lookup/keys/object_key.h"

namespace takt::adapter {

namespace {

// 11.3.3.1.
bool ask(PortableServer::AdapterActivator& activator, CORBA::object_reference<PortableServer::POA> parent,
         const std::string& name) {
  try {
    return activator.unknown_adapter(std::move(parent), name);
  } catch (const CORBA::SystemException&) {
    throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                             "the adapter activator failed to make the adapter " + name);
  }
}

// During its lifetime, requests to the child and its descendants wait. The mutex must not be held when it
// ends.
class Activating {
 public:
  // The table's mutex must be held.
  Activating(ObjectTable& table, PoaCore& parent, const std::string& name)
      : table_(table), place_(parent.activations.emplace(name, &activation_).first), parent_(parent) {}
  ~Activating() {
    const std::lock_guard lock(table_.mutex);
    parent_.activations.erase(place_);
    for (const auto& poa : activation_.made) poa->end_preparation();
    table_.tell_waiting();
  }
  Activating(const Activating&) = delete;

 private:
  ObjectTable& table_;
  AdapterActivation activation_;
  const std::map<std::string, AdapterActivation*>::iterator place_;
  PoaCore& parent_;
};

[[noreturn]] void throw_still(const std::string& name, const char* what) {
  throw CORBA::TRANSIENT(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "the adapter " + name + what);
}

}  // namespace

// An upcall does not wait for an adapter's end, which may wait for that upcall.
[[gnu::cold]] void AdapterTree::wait_for_child(std::unique_lock<os::PriorityMutex>& lock,
                                               const PoaCore& parent, const std::string& name) {
  const auto asked = [&] {
    const auto found = parent.activations.find(name);
    return found != parent.activations.end() && found->second->thread != std::this_thread::get_id();
  };
  const auto ends = [&] {
    const auto found = parent.children.find(name);
    return found != parent.children.end() && found->second->destroying;
  };
  const auto deadline = std::chrono::steady_clock::now() + server.options.hold_timeout.get();
  if (!table.wait(lock, [&] { return !asked() && (!ends() || in_upcall()); }, deadline))
    throw_still(name, " is still being made or destroyed");
  if (ends()) throw_still(name, " is being destroyed");
}

std::shared_ptr<PoaCore> AdapterTree::find_child(const std::shared_ptr<PoaCore>& parent,
                                                 const std::string& name, bool activate) {
  std::unique_lock lock(table.mutex);
  if (activate && parent->activator) wait_for_child(lock, *parent, name);
  const auto found = parent->children.find(name);
  if (found != parent->children.end() && !found->second->destroying) return found->second;
  const auto activator = parent->activator;
  if (!activate || !activator || parent->activations.contains(name)) return nullptr;
  {
    const Activating activating(table, *parent, name);
    lock.unlock();
    const Consulting here(*this);
    if (!ask(*activator, parent->reference(), name)) return nullptr;
  }
  return find_child(parent, name, false);
}

[[gnu::cold]] std::shared_ptr<PoaCore> AdapterTree::activate_path(ByteView path) {
  const auto names = names_of_path(path);
  auto poa = names ? root() : nullptr;
  for (std::size_t i = 0; poa && i < names->size(); ++i) {
    const std::string& name = (*names)[i];
    auto child = find_child(poa, name, false);
    if (!child && has_activator(*poa)) try {
        wait_until_prepared(*poa);
        poa->manager->wait_for_admission();  // managers that admit no requests keep activators from them
        child = find_child(poa, name, true);
      } catch (...) {
        rethrow_as_answered();
      }
    poa = std::move(child);
  }
  return poa;
}

bool AdapterTree::may_have(ByteView path) {
  const auto names = names_of_path(path);
  auto poa = names ? root() : nullptr;
  for (std::size_t i = 0; poa && i < names->size(); ++i) {
    auto child = find_child(poa, (*names)[i], false);
    if (!child) return has_activator(*poa);
    poa = std::move(child);
  }
  return poa != nullptr;
}

bool AdapterTree::has_activator(const PoaCore& poa) {
  const std::lock_guard lock(table.mutex);
  return static_cast<bool>(poa.activator);
}

[[gnu::cold]] void AdapterTree::wait_until_prepared(const PoaCore& poa) {
  if (!poa.prepared_elsewhere()) return;
  const auto deadline = std::chrono::steady_clock::now() + server.options.hold_timeout.get();
  std::unique_lock lock(table.mutex);
  if (!table.wait(lock, [&] { return !poa.prepared_elsewhere(); }, deadline))
    throw_still(poa.name, " is still prepared by its adapter activator");
}

}  // namespace takt::adapter
