// Told of the servant that a request has led to.
#pragma once

#include <utility>

#include "adapter/poa/upcall.h"

namespace takt::adapter {

// Set by a thread before it dispatches a request, for that request alone. Needs AdapterTree::observed.
class UpcallObserver {
 public:
  // Called in the thread of the upcall, after servant managers. The frame is valid until the upcall ends.
  // False prevents the upcall; the observer's thread then answers.
  virtual bool found(const UpcallFrame& upcall) = 0;

  static void set(UpcallObserver* observer) { mine_ = observer; }
  // Whether the upcall may run.
  static bool admits(const UpcallFrame& upcall) { return !mine_ || asked(upcall); }

 protected:
  ~UpcallObserver() = default;

 private:
  [[gnu::cold, gnu::noinline]] static bool asked(const UpcallFrame& upcall) {
    return std::exchange(mine_, nullptr)->found(upcall);
  }

  static inline thread_local constinit UpcallObserver* mine_ = nullptr;
};

}  // namespace takt::adapter
