// Told of the servant that a request has led to.
#pragma once

#include <memory>

#include "adapter/poa/upcall.h"
#include "reference/shown_values.h"

namespace takt::adapter {

// Set by a thread before it dispatches a request, for that request alone.
class UpcallObserver {
 public:
  // Called in the thread of the upcall, after servant managers. The frame is valid until the upcall ends.
  // False prevents the upcall; the observer's thread then answers.
  virtual bool found(const UpcallFrame& upcall) = 0;
  // A servant that has the values of the request as Anys has run, or has failed.
  virtual void served(std::shared_ptr<const reference::ShownValues> values) = 0;
  // Whether found() was told of that upcall, which goes on.
  virtual bool observes(const UpcallFrame& upcall) const = 0;

  static void set(UpcallObserver* observer) { mine_ = observer; }
  // The request has ended.
  static void clear() { mine_ = found_by_ = nullptr; }
  // Whether the upcall may run.
  static bool admits(const UpcallFrame& upcall) {
    UpcallObserver* const observer = mine_;
    if (!observer) [[likely]]
      return true;
    mine_ = nullptr;
    found_by_ = observer;
    return observer->found(upcall);
  }
  // The observer of the thread's innermost upcall; null if it has none. Only until the upcall makes calls.
  static UpcallObserver* of_innermost() {
    const UpcallFrame* const upcall = UpcallFrame::innermost();
    return upcall && found_by_ && found_by_->observes(*upcall) ? found_by_ : nullptr;
  }

 protected:
  ~UpcallObserver() = default;

 private:
  static inline thread_local constinit UpcallObserver* mine_ = nullptr;
  static inline thread_local constinit UpcallObserver* found_by_ = nullptr;
};

}  // namespace takt::adapter
