// Context of a thread that its calls carry: priority, quality, policies and trace.
#pragma once

#include <memory>
#include <optional>

#include <takt/reference/quality.h>

#include "giop/contexts/priorities.h"

namespace takt::reference {

class Overrides;

// Position in a trace. Only the room tracing looks into it.
class CarriedTrace {
 public:
  // The same position, for as long as the result lives. May allocate.
  virtual std::shared_ptr<const CarriedTrace> keep() const = 0;

 protected:
  constexpr CarriedTrace() = default;
  ~CarriedTrace() = default;
};

// Slots of PICurrent of one thread, for all ORBs. Only the room interceptors looks into them.
class ThreadSlots {
 public:
  // They have no values afterwards. Runs destructors of the program's values.
  virtual void clear() noexcept = 0;

 protected:
  ~ThreadSlots() = default;
};

// The calling thread's context, for all ORBs. An upcall inherits it from its request, and a call from its
// thread:
//   priority   the RT-CORBA priority of its requests, and of the thread itself
//   quality    importance, period, class and deadline (RIOP)
//   overrides  its policies (PolicyCurrent)
//   trace      the span that its calls belong to
//   slots      values of PICurrent, which requests begin without
// Access takes no lock; the follower of a change may allocate.
class ThreadContext {
 public:
  static ThreadContext& mine() { return mine_; }

  // nullopt: the server chooses. Changes with the context.
  const std::optional<giop::Priority>& priority() const { return priority_; }
  void use_priority(std::optional<giop::Priority> priority) {
    if (priority == priority_) return;
    priority_ = priority;
    if (follower_) follower_->priority_or_quality_changed();
  }
  // Null if there is none. `quality` must outlive its use.
  const Quality* quality() const { return quality_; }
  void use_quality(const Quality* quality) {
    quality_ = quality;
    if (follower_) follower_->priority_or_quality_changed();
  }
  // Null if there are none.
  std::shared_ptr<const Overrides> overrides() const { return overrides_ ? *overrides_ : nullptr; }
  bool has_overrides() const { return overrides_ && *overrides_; }
  void use_overrides(std::shared_ptr<const Overrides> overrides);

  // Null if there is none. `trace` must outlive its use.
  const CarriedTrace* trace() const { return trace_; }
  void use_trace(const CarriedTrace* trace) { trace_ = trace; }

  // Null if the thread has had none. `slots` must outlive its use.
  ThreadSlots* slots() const { return slots_; }
  void use_slots(ThreadSlots* slots) { slots_ = slots; }
  // A thread of the ORB has run code of the program, whose slots the next such code must not find.
  void clear_slots() noexcept {
    if (slots_) [[unlikely]]
      slots_->clear();
  }

  // Notified of changes, to drop what it has cached.
  class Follower {
   public:
    virtual void priority_or_quality_changed() = 0;
    virtual void overrides_changed() = 0;

   protected:
    ~Follower() = default;
  };
  // At most one per thread, until the thread ends. Null removes it.
  void set_follower(Follower* follower) { follower_ = follower; }

 private:
  // No destructor, so that each access is a plain thread-local access.
  std::optional<giop::Priority> priority_;
  const Quality* quality_ = nullptr;
  const std::shared_ptr<const Overrides>* overrides_ = nullptr;
  Follower* follower_ = nullptr;
  const CarriedTrace* trace_ = nullptr;
  ThreadSlots* slots_ = nullptr;
  static thread_local constinit ThreadContext mine_;
};

inline thread_local constinit ThreadContext ThreadContext::mine_;

}  // namespace takt::reference
