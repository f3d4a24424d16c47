// Direct calls within a process, which cost only a few virtual calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <takt/adapter/entrance.h>
#include <takt/adapter/poa_manager.h>
#include <takt/adapter/servant.h>
#include <takt/base/bytes.h>
#include <takt/reference/object.h>

namespace CORBA {
template <class Interface>
struct servant_traits;
}

namespace takt {

namespace adapter {

class ManagerCore;
class ObjectTable;

// An active object of this process, with everything that a call to it checks. The base is the object key,
// which the upcall frame refers to, so that the frame also leads back to this object.
class DirectTarget : private ByteView {
 public:
  explicit DirectTarget(const CORBA::Object& object);

  template <class Servant>
  Servant& servant() const {
    if (auto* servant = dynamic_cast<Servant*>(servant_)) return *servant;
    throw_other_interface();
  }

 private:
  friend class DirectEntry;
  using State = PortableServer::POAManager::State;

  [[noreturn]] static void throw_other_interface();
  // Call after a failed entry, or when the manager is not active.
  void wait_and_enter() const;
  void end_leaving(bool last) const;

  // Keeps the ORB alive, and with it the object table.
  std::shared_ptr<takt::reference::ObjectRef> ref_;
  std::shared_ptr<ManagerCore> manager_;
  const std::atomic<State>* state_;  // that of manager_
  ObjectTable* table_;
  const std::atomic<std::uint32_t>* waiting_;  // number of threads that wait until upcalls have left
  Entrance* object_;
  std::uint32_t generation_;
  PortableServer::Servant* servant_;
};

// One upcall. It consists of the frame only, because each call writes and reads all of it.
class DirectEntry {
 public:
  explicit DirectEntry(const DirectTarget& target) : frame_(enter(target), target) {}
  ~DirectEntry() {
    const bool last = frame_.object()->turnstile.leave();
    if (last || target().waiting_->load() != 0) [[unlikely]]
      target().end_leaving(last);
  }
  DirectEntry(const DirectEntry&) = delete;
  DirectEntry& operator=(const DirectEntry&) = delete;

  const DirectTarget& target() const { return static_cast<const DirectTarget&>(frame_.key()); }

 private:
  static Entrance* enter(const DirectTarget& target) {
    Entrance* const object = target.object_;
    if (!object->turnstile.enter_known(target.generation_) ||
        target.state_->load() != DirectTarget::State::ACTIVE) [[unlikely]]
      target.wait_and_enter();
    return object;
  }

  const UpcallFrame frame_;
};

}  // namespace adapter

// Calls the servant of an object in this process without a stub:
//
//   const takt::Direct<Bank::Account> account(reference);
//   account->deposit(5);
//
// Each call is a normal upcall: it keeps the servant alive and is visible to POACurrent. It waits while the
// POA manager holds requests, and throws OBJECT_NOT_EXIST when the object is no longer active. The servant
// runs in the calling thread with the caller's own arguments; its exceptions pass through. It lacks what a
// stub adds: forwards, policies of the reference, and time probes.
//
// A call takes no lock and does not allocate; construction does both. Copies are independent. Any thread.
template <class Interface>
class Direct : private adapter::DirectTarget {
 public:
  using Servant = typename CORBA::servant_traits<Interface>::base_type;

  // Throws BAD_PARAM unless the object is active in this process with a servant of that interface. Also
  // throws it if the POA has policies that only stubs observe (single thread, priorities).
  explicit Direct(const CORBA::object_reference<Interface>& object)
      : DirectTarget(*object), servant_(&servant<Servant>()) {}

  // Exists for one full expression.
  class Call {
   public:
    explicit Call(const Direct& direct) : entry_(direct) {}
    Servant* operator->() const { return static_cast<const Direct&>(entry_.target()).servant_; }

   private:
    const adapter::DirectEntry entry_;
  };
  Call operator->() const { return Call(*this); }

 private:
  Servant* servant_;
};

}  // namespace takt
