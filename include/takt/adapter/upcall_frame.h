// The upcalls that a thread is executing, for POACurrent.
#pragma once

#include <takt/base/bytes.h>

namespace takt::adapter {

struct Entrance;

// On the stack of the executing thread, innermost first. Only three words, because every request writes them;
// anything that the active object can supply is left out.
class UpcallFrame {
 public:
  // The ByteView object `key` itself must outlive the upcall. `object`: null if the servant is not in the
  // active object map; then this is an AnyUpcall.
  UpcallFrame(Entrance* object, const ByteView& key) : object_(object), key_(key), outer_(innermost_) {
    innermost_ = this;
  }
  ~UpcallFrame() { innermost_ = outer_; }
  UpcallFrame(const UpcallFrame&) = delete;
  UpcallFrame& operator=(const UpcallFrame&) = delete;

  static const UpcallFrame* innermost() { return innermost_; }
  const UpcallFrame* outer() const { return outer_; }
  // The active object's base; object_of() in the room has all of it.
  Entrance* object() const { return object_; }
  const ByteView& key() const { return key_; }

 private:
  Entrance* const object_;
  const ByteView& key_;
  const UpcallFrame* const outer_;
  static inline thread_local constinit const UpcallFrame* innermost_ = nullptr;
};

}  // namespace takt::adapter
