// What a thread's calls carry, and by which policies they go.
#pragma once

#include <memory>
#include <optional>

#include <takt/reference/quality.h>

#include "giop/contexts/priorities.h"

namespace takt::reference {

class Overrides;

// The calling thread's, for all ORBs. What an upcall inherits from its request, and a call from its thread,
// is this:
//   priority   the RT-CORBA priority of its requests, which its thread runs at, too
//   quality    importance, period, class and deadline (RIOP)
//   overrides  its policies (PolicyCurrent)
// Reading and changing it takes no lock; what follows it may allocate.
class ThreadContext {
 public:
  static ThreadContext& mine() { return mine_; }

  // Nothing: the server's to choose.
  std::optional<giop::Priority> priority() const { return priority_; }
  void use_priority(std::optional<giop::Priority> priority) {
    if (priority == priority_) return;
    priority_ = priority;
    if (follower_) follower_->priority_or_quality_changed();
  }
  // Null: nothing. `quality` outlives its use.
  const Quality* quality() const { return quality_; }
  void use_quality(const Quality* quality) {
    quality_ = quality;
    if (follower_) follower_->priority_or_quality_changed();
  }
  // Null: none.
  std::shared_ptr<const Overrides> overrides() const { return overrides_ ? *overrides_ : nullptr; }
  void use_overrides(std::shared_ptr<const Overrides> overrides);

  // What remembers something by it.
  class Follower {
   public:
    virtual void priority_or_quality_changed() = 0;
    virtual void overrides_changed() = 0;

   protected:
    ~Follower() = default;
  };
  // One, until its thread ends; null: none.
  void set_follower(Follower* follower) { follower_ = follower; }

 private:
  // Without a destructor, so that each access is one to the thread's storage.
  std::optional<giop::Priority> priority_;
  const Quality* quality_ = nullptr;
  const std::shared_ptr<const Overrides>* overrides_ = nullptr;
  Follower* follower_ = nullptr;
  static thread_local constinit ThreadContext mine_;
};

inline thread_local constinit ThreadContext ThreadContext::mine_;

}  // namespace takt::reference
