#include "adapter/upcalls/destination.h"

#include <takt/reference/failure_codes.h>

#include "adapter/poa/unlisted_exceptions.h"
#include "reference/object_ref.h"

namespace takt::adapter {

namespace {

[[noreturn]] void throw_no_object(const char* why) {
  throw CORBA::OBJECT_NOT_EXIST(failure_codes().no_object, CORBA::COMPLETED_NO, why);
}
[[noreturn]] void throw_no_adapter() {
  throw CORBA::OBJECT_NOT_EXIST(failure_codes().no_adapter, CORBA::COMPLETED_NO,
                                "the object's adapter is not here");
}
[[noreturn]] void throw_no_servant(std::uint32_t minor, const char* why) {
  throw CORBA::OBJ_ADAPTER(CORBA::omg_minor(minor), CORBA::COMPLETED_NO, why);
}

// Runs the program's code; local callers get the exceptions that remote ones get.
template <class Function>
auto asked_for_request(Function function) {
  try {
    return function();
  } catch (const PortableServer::ForwardRequest&) {
    throw;
  } catch (...) {
    rethrow_as_answered();
  }
}

// Memory for reuse. A nested local call finds it empty, and leaves its own.
struct Spare {
  ObjectId id;
  std::string operation;
};
thread_local Spare spare;
constexpr std::size_t most_kept_octets = 1024;

}  // namespace

ManagerArguments::~ManagerArguments() {
  if (!set_ || id.capacity() + operation.capacity() > most_kept_octets) return;
  spare.id.swap(id);
  spare.operation.swap(operation);
}

void ManagerArguments::set(const PoaCore& poa, const KeyParts& key, std::string_view operation_name) {
  if (!std::exchange(set_, true)) {
    id.swap(spare.id);
    operation.swap(spare.operation);
  }
  if (key.id.empty())
    id = poa.id_of(key);
  else
    id.assign(key.id.begin(), key.id.end());
  operation = operation_name;
}

Destination::Destination(RequestResolver& resolver, ByteView key, std::string_view operation,
                         ExtendedUpcall& extended)
    : resolver_(resolver), tree_(resolver.tree), table_(tree_.table), key_(key), extended_(extended) {
  try {
    follow_alias();
    enter_admitted_poa();
    enter_extension();
    if (extended_.call() && extended_.call()->body_arrives()) read_body();
    if (poa_->policies.serialized()) take_turn();
    while (!find_servant(operation)) enter_next_poa();
    if (object_) extended_.enter(*poa_, object_->priority);
  } catch (...) {
    leave();
    throw;
  }
}

Destination::~Destination() {
  if (locator_) try {
      postinvoke();
    } catch (...) {  // the upcall's own exception is the answer
    }
  located_ = nullptr;
  leave();
}

void Destination::postinvoke() {
  PortableServer::ServantLocator* const locator = std::exchange(locator_, nullptr);
  const AdapterTree::Consulting here(tree_);
  try {
    locator->postinvoke(asked_.id, poa_->reference(), asked_.operation, cookie_, servant_->_lock());
  } catch (...) {
    rethrow_as_answered();
  }
}

void Destination::follow_alias() {
  parts_ = tree_.keys.read(key_);
  if (parts_) return;
  const auto target = resolver_.aliases.find(key_);
  if (!target) return;
  const ByteView local = target->_ref() ? target->_ref()->local_key() : ByteView();
  if (local.empty()) throw PortableServer::ForwardRequest(target);
  own_key_.assign(local.begin(), local.end());
  key_ = own_key_;
  parts_ = tree_.keys.read(key_);
}

// Waits for a holding manager or an adapter activator without being in the adapter, which may be destroyed
// meanwhile.
void Destination::enter_admitted_poa() {
  for (;;) {
    enter_poa();
    if (poa_->active()) return;
    const auto poa = slot_->poa;
    leave();
    tree_.wait_until_prepared(*poa);
    poa->manager->wait_for_admission();
  }
}

// A request that waits for its turn obeys a manager that meanwhile holds or refuses requests (11.3.2.1).
void Destination::take_turn() {
  for (;;) {
    turn_ = std::unique_lock(poa_->upcalls);
    if (poa_->leaves_to_turn()) table_.finish_in_turn(*poa_);
    if (poa_->active()) return;
    leave();
    extended_.forget_adapter();
    enter_admitted_poa();
    enter_extension();
    if (!poa_->policies.serialized()) return;  // another adapter of that name
  }
}

// An adapter that is destroyed before this thread enters it is made again.
[[gnu::cold]] void Destination::activate_poa() {
  bool ends = true;
  while (!slot_ && ends) {
    const auto poa = tree_.activate_path(parts_->path);
    slot_ = tree_.enter_poa(*parts_);
    ends = poa && poa->destroying;
  }
}

void Destination::enter_poa() {
  if (!parts_) throw_no_adapter();
  slot_ = tree_.enter_poa(*parts_);
  if (!slot_ && !parts_->transient) do {
      activate_poa();
    } while (!slot_ && tree_.completeness.wait_for_adapter(tree_.options.held_requests));
  if (!slot_) throw_no_adapter();
  poa_ = slot_->poa.get();
}

// The object may have a priority of its own.
void Destination::enter_extension() {
  if (!poa_->policies.extension) return;
  const Entered object(table_, poa_->policies.retain() ? resolver_.enter_in(*poa_, *parts_) : nullptr);
  extended_.enter(*poa_, object ? object->priority : std::int16_t{-1});
}

// A slow peer must not delay other requests, so the adapter is left while the body is read.
void Destination::read_body() {
  leave();
  if (!extended_.call()->read_body_to_end())
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "the rest of the request's arguments did not arrive");
  extended_.forget_adapter();
  enter_admitted_poa();
  enter_extension();
}

void Destination::leave() {
  if (object_) table_.leave(*std::exchange(object_, nullptr));
  if (default_servant_) table_.leave(*std::exchange(default_servant_, nullptr));
  if (turn_) {
    turn_.unlock();
    if (poa_->leaves_to_turn()) table_.finish_in_turn(*poa_);
  }
  if (slot_) table_.leave(*std::exchange(slot_, nullptr));
}

// False: the adapter is being destroyed, and another may take its place.
bool Destination::find_servant(std::string_view operation) {
  const PolicySet& policies = poa_->policies;
  if (policies.retain() && enter_active()) return true;
  if (policies.default_servant()) {
    default_servant_ = table_.enter_default_servant(*poa_);
    if (!default_servant_) throw_no_servant(3, "the adapter has been given no default servant");
    servant_ = default_servant_->servant.get();
    return true;
  }
  if (!policies.servant_manager()) return find_none();
  asked_.set(*poa_, *parts_, operation);
  return policies.retain() ? incarnate() : preinvoke();
}

[[gnu::cold, gnu::noinline]] bool Destination::find_none() const {
  if (is_to_find_next()) return false;
  throw_no_object("no such object is active");
}

// The request counts as newly arrived (CORBA 3.0.3, 11.3.8.4): it waits for the end of the adapter, and then
// asks the activator for the next.
[[gnu::cold]] void Destination::enter_next_poa() {
  leave();
  extended_.forget_adapter();
  if (!tree_.activate_path(parts_->path)) throw_no_adapter();
  enter_admitted_poa();
  enter_extension();
  if (poa_->policies.serialized()) take_turn();
}

bool Destination::enter_active() {
  object_ = resolver_.enter_in(*poa_, *parts_);
  if (object_) servant_ = object_->servant.get();
  return object_ != nullptr;
}

// A closing object is incarnated again only after it is gone.
[[gnu::cold]] void Destination::wait_for_etherealization() {
  const auto deadline = std::chrono::steady_clock::now() + tree_.server.options.hold_timeout.get();
  const auto closes = [&] {
    const ActiveObject* object = table_.find_closing_too(*poa_, asked_.id);
    return object && !object->turnstile.is_open();
  };
  std::unique_lock lock(table_.mutex);
  while (closes() && table_.wait(lock, [&] { return !closes() || poa_->leaves_to_turn(); }, deadline)) {
    if (!poa_->leaves_to_turn()) continue;
    lock.unlock();
    table_.finish_in_turn(*poa_);  // this thread has the turn
    lock.lock();
  }
  if (closes())
    throw CORBA::TRANSIENT(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "the object is still being deactivated");
}

// False: as find_servant().
bool Destination::incarnate() {
  if (!poa_->by_id->admits(asked_.id))
    throw_no_object("the adapter's table of servants does not have this object id");
  for (;;) {
    wait_for_etherealization();
    std::lock_guard one_at_a_time(poa_->servant_manager);
    if (enter_active()) return true;
    {
      std::lock_guard lock(table_.mutex);
      if (table_.find_closing_too(*poa_, asked_.id)) continue;
    }
    if (is_to_find_next()) return false;
    const auto& activator = poa_->servant_activator;
    if (!poa_->has_servant_manager.load(std::memory_order_acquire))
      throw_no_servant(4, "the adapter has been given no servant activator");
    CORBA::servant_reference<PortableServer::Servant> servant;
    {
      const AdapterTree::Consulting here(tree_, AdapterTree::Consulting::Lock::servant_manager);
      servant = asked_for_request([&] { return activator->incarnate(asked_.id, poa_->reference()); });
    }
    if (!servant) throw_no_servant(7, "the servant activator gave no servant");
    if (enter_active()) return true;  // the activator may have activated it itself
    std::lock_guard lock(table_.mutex);
    if (is_to_find_next()) return false;
    if (poa_->destroying) throw_no_adapter();
    if (poa_->policies.unique() && ServantLinks::find(*servant.get(), *poa_))
      throw_no_servant(5, "the servant activator gave a servant that is active already");
    if (table_.find_closing_too(*poa_, asked_.id)) throw_no_object("the object was deactivated at once");
    object_ = &table_.add(*poa_, servant.shared(), std::make_unique<const ObjectId>(asked_.id));
    // Before it opens, or another thread might deactivate it in between.
    static_cast<void>(object_->turnstile.enter(object_->turnstile.generation()));
    object_->turnstile.open();
    servant_ = servant.get();
    return true;
  }
}

bool Destination::preinvoke() {
  if (!poa_->has_servant_manager.load(std::memory_order_acquire))
    throw_no_servant(4, "the adapter has been given no servant locator");
  PortableServer::ServantLocator& locator = *poa_->servant_locator;
  {
    const AdapterTree::Consulting here(tree_);
    located_ = asked_for_request(
        [&] { return locator.preinvoke(asked_.id, poa_->reference(), asked_.operation, cookie_); });
  }
  if (!located_) throw_no_servant(7, "the servant locator gave no servant");
  servant_ = located_.get();
  locator_ = &locator;
  return true;
}

}  // namespace takt::adapter
