// Calls within a process at the price of a few virtual calls, for those who ask for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <takt/adapter/poa_manager.h>
#include <takt/adapter/servant.h>
#include <takt/adapter/turnstile.h>
#include <takt/adapter/upcall_frame.h>
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

// An active object of this process, and what is looked at on the way into it.
class DirectTarget {
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
  // After entering in vain, or while the manager lets nobody in.
  void wait_and_enter() const;
  void end_leaving(bool last) const;

  std::shared_ptr<reference::ObjectRef> ref_;  // keeps the ORB, and with it the table that the object is in
  std::shared_ptr<ManagerCore> manager_;
  const std::atomic<State>* state_;  // the manager's
  ObjectTable* table_;
  const std::atomic<std::uint32_t>* waiting_;  // how many wait for somebody to leave
  ActiveObject* object_;
  Turnstile* turnstile_;  // the object's
  std::uint32_t generation_;
  ByteView key_;
  PortableServer::Servant* servant_;
};

// One upcall.
class DirectEntry {
 public:
  explicit DirectEntry(const DirectTarget& target) : target_(target), frame_(enter(target), target.key_) {}
  ~DirectEntry() {
    const bool last = target_.turnstile_->leave();
    if (last || target_.waiting_->load() != 0) [[unlikely]]
      target_.end_leaving(last);
  }
  DirectEntry(const DirectEntry&) = delete;
  DirectEntry& operator=(const DirectEntry&) = delete;

 private:
  static ActiveObject* enter(const DirectTarget& target) {
    if (!target.turnstile_->enter_known(target.generation_) ||
        target.state_->load() != DirectTarget::State::ACTIVE) [[unlikely]]
      target.wait_and_enter();
    return target.object_;
  }

  const DirectTarget& target_;
  const UpcallFrame frame_;
};

}  // namespace adapter

// The servant of an object in this process, called without a stub in between:
//
//   const takt::Direct<Bank::Account> account(reference);
//   account->deposit(5);
//
// Each call is an upcall like any other: it waits while the adapter's manager holds requests, gets
// OBJECT_NOT_EXIST once the object is no longer active, keeps the servant while it runs, and POACurrent knows
// it. The servant runs in the calling thread with the caller's own arguments, and its exceptions pass
// through. What a stub adds is not there: forwards, policies of the reference, time probes.
//
// Takes no lock and no memory for a call; making one does. Copies are independent. Any thread.
template <class Interface>
class Direct {
 public:
  using Servant = typename CORBA::servant_traits<Interface>::base_type;

  // BAD_PARAM if the object is not active in this process with a servant of that interface, or its adapter
  // has policies for upcalls (a single thread, priorities), which only a stub honours.
  explicit Direct(const CORBA::object_reference<Interface>& object)
      : target_(*object), servant_(&target_.template servant<Servant>()) {}

  // Of one expression.
  class Call {
   public:
    explicit Call(const Direct& direct) : servant_(direct.servant_), entry_(direct.target_) {}
    Servant* operator->() const { return servant_; }

   private:
    Servant* const servant_;
    const adapter::DirectEntry entry_;
  };
  Call operator->() const { return Call(*this); }

 private:
  adapter::DirectTarget target_;
  Servant* servant_;
};

}  // namespace takt
