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

// An active object of this process, with everything that a call to it checks.
class DirectTarget {
 public:
  explicit DirectTarget(const CORBA::Object& object);

  const ByteView& key() const { return key_; }

  template <class Servant>
  Servant& servant() const {
    if (auto* servant = dynamic_cast<Servant*>(servant_)) return *servant;
    throw_other_interface();
  }

  // Begins an upcall; waits while the POA manager holds requests. Returns the object for its frame. Throws
  // OBJECT_NOT_EXIST if it is not active.
  Entrance* enter() const {
    Entrance* const object = object_;
    if (!object->turnstile.enter_known(generation_) || state_->load() != State::ACTIVE) [[unlikely]]
      wait_and_enter();
    return object;
  }
  // Ends it.
  void leave() const {
    const bool last = object_->turnstile.leave();
    if (last || waiting_->load() != 0) [[unlikely]]
      end_leaving(last);
  }

 private:
  using State = PortableServer::POAManager::State;

  [[noreturn]] static void throw_other_interface();
  // Call after a failed entry, or when the manager is not active.
  void wait_and_enter() const;
  void end_leaving(bool last) const;

  ByteView key_;  // the key of ref_; first, so that its address is this object's, which a call has at hand
  // Keeps the ORB alive, and with it the object table.
  std::shared_ptr<takt::reference::ObjectRef> ref_;
  std::shared_ptr<ManagerCore> manager_;
  const std::atomic<State>* state_;  // the state of manager_
  ObjectTable* table_;
  const std::atomic<std::uint32_t>* waiting_;  // number of threads that wait until upcalls have left
  Entrance* object_;
  std::uint32_t generation_;
  PortableServer::Servant* servant_;
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
class Direct {
 public:
  using Servant = typename CORBA::servant_traits<Interface>::base_type;

  // Throws BAD_PARAM unless the object is active in this process with a servant of that interface. Also
  // throws it if the POA has policies that only stubs observe (single thread, priorities).
  explicit Direct(const CORBA::object_reference<Interface>& object)
      : target_(*object), servant_(&target_.template servant<Servant>()) {}

  // One upcall. Exists for one full expression.
  class Call {
   public:
    explicit Call(const Direct& direct)
        : frame_(direct.target_.enter(), direct.target_.key()), direct_(direct) {}
    ~Call() { direct_.target_.leave(); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    Servant* operator->() const { return direct_.servant_; }

   private:
    const adapter::UpcallFrame frame_;
    const Direct& direct_;  // written after the entry, so that the call need not read it again
  };
  Call operator->() const { return Call(*this); }

 private:
  adapter::DirectTarget target_;
  Servant* servant_;
};

}  // namespace takt
