// Told of the servant that a request has led to.
#pragma once

#include <memory>
#include <utility>

#include <takt/adapter/entrance.h>

#include "reference/shown_values.h"

namespace takt::adapter {

class AdapterTree;

// Set by a thread before it dispatches a request, for that request alone. Programs that run on the way to the
// servant may make calls, whose upcalls are not the observer's: see Aside.
class UpcallObserver {
 public:
  // Called in the thread of the upcall, after servant managers. The frame is valid until the upcall ends.
  // False prevents the upcall; the observer's thread then answers.
  virtual bool found(const UpcallFrame& upcall) = 0;
  // A servant that has the values of the request as Anys has run, or has failed.
  virtual void served(std::shared_ptr<const reference::ShownValues> values) = 0;
  // Whether found() was told of that upcall, which goes on. Also asked after the request.
  virtual bool observes(const UpcallFrame& upcall) const = 0;
  // Whether a request to these adapters is being served by it, from its first point to its last one.
  virtual bool serves(const AdapterTree& adapters) const = 0;

  // Gives the observer of the request around this one, if that has found no servant yet.
  static UpcallObserver* set(UpcallObserver* observer) { return std::exchange(mine_, observer); }
  // The request has ended. `outer`: what set() gave.
  static void restore(UpcallObserver* outer) { mine_ = outer; }
  // Whether the calling thread serves an observed request to these adapters, also outside of its upcall.
  static bool any_serves(const AdapterTree& adapters) {
    const UpcallObserver* one = newest_;
    while (one && !one->serves(adapters)) one = one->older_;
    return one != nullptr;
  }
  // Whether the upcall may run.
  static bool admits(const UpcallFrame& upcall) { return !mine_ || asked(upcall); }
  // The observer of the thread's innermost upcall; null if it has none. Only until the upcall makes calls.
  static UpcallObserver* of_innermost() {
    const UpcallFrame* const upcall = UpcallFrame::innermost();
    return upcall && found_by_ && found_by_->observes(*upcall) ? found_by_ : nullptr;
  }
  // During its lifetime the thread runs the program's code, such as a servant manager, before the servant of
  // its request is known.
  class Aside {
   public:
    Aside() : outer_(std::exchange(mine_, nullptr)) {}
    ~Aside() { mine_ = outer_; }
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

   private:
    UpcallObserver* const outer_;
  };

 protected:
  // One thread makes, uses and destroys it.
  UpcallObserver() : older_(std::exchange(newest_, this)) {}
  UpcallObserver(const UpcallObserver&) = delete;
  UpcallObserver& operator=(const UpcallObserver&) = delete;
  ~UpcallObserver() {
    if (found_by_ == this) found_by_ = nullptr;
    UpcallObserver** place = &newest_;
    while (*place != this) place = &(*place)->older_;
    *place = older_;
  }
  // found() ends with this if the upcall goes on: by then, calls that it has made are over.
  void lets_go_on() { found_by_ = this; }

 private:
  [[gnu::cold, gnu::noinline]] static bool asked(const UpcallFrame& upcall) {
    return std::exchange(mine_, nullptr)->found(upcall);
  }

  UpcallObserver* older_;  // made by the same thread before
  static inline thread_local constinit UpcallObserver* newest_ = nullptr;
  static inline thread_local constinit UpcallObserver* mine_ = nullptr;
  static inline thread_local constinit UpcallObserver* found_by_ = nullptr;  // the request may have ended
};

}  // namespace takt::adapter
