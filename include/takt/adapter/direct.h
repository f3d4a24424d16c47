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

// An active object of this process, and what is looked at on the way into it. The base is the key, which an
// upcall's frame refers to, so that the frame leads here as well.
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
  // After entering in vain, or while the manager lets nobody in.
  void wait_and_enter() const;
  void end_leaving(bool last) const;

  std::shared_ptr<takt::reference::ObjectRef>
      ref_;  // keeps the ORB, and with it the table that the object is in
  std::shared_ptr<ManagerCore> manager_;
  const std::atomic<State>* state_;  // the manager's
  ObjectTable* table_;
  const std::atomic<std::uint32_t>* waiting_;  // how many wait for somebody to leave
  ActiveObject* object_;
  std::uint32_t generation_;
  PortableServer::Servant* servant_;
};

// One upcall. Each call writes and reads it all, so it is nothing but the frame.
class DirectEntry {
 public:
  explicit DirectEntry(const DirectTarget& target) : frame_(enter(target), target) {}
  ~DirectEntry() {
    const bool last = turnstile_of(frame_.object())->leave();
    if (last || target().waiting_->load() != 0) [[unlikely]]
      target().end_leaving(last);
  }
  DirectEntry(const DirectEntry&) = delete;
  DirectEntry& operator=(const DirectEntry&) = delete;

  const DirectTarget& target() const { return static_cast<const DirectTarget&>(frame_.key()); }

 private:
  // An active object's first member.
  static Turnstile* turnstile_of(ActiveObject* object) { return reinterpret_cast<Turnstile*>(object); }
  static ActiveObject* enter(const DirectTarget& target) {
    ActiveObject* const object = target.object_;
    if (!turnstile_of(object)->enter_known(target.generation_) ||
        target.state_->load() != DirectTarget::State::ACTIVE) [[unlikely]]
      target.wait_and_enter();
    return object;
  }

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
class Direct : private adapter::DirectTarget {
 public:
  using Servant = typename CORBA::servant_traits<Interface>::base_type;

  // BAD_PARAM if the object is not active in this process with a servant of that interface, or its adapter
  // has policies for upcalls (a single thread, priorities), which only a stub honours.
  explicit Direct(const CORBA::object_reference<Interface>& object)
      : DirectTarget(*object), servant_(&servant<Servant>()) {}

  // Of one expression.
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
