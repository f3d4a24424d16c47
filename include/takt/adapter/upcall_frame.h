// Where a thread is: the upcalls that it is in, by which POACurrent knows whom it asks for.
#pragma once

#include <takt/base/bytes.h>

namespace takt::adapter {

struct ActiveObject;

// On the stack of the thread that runs the servant, innermost first. Three words, since each request writes
// them: what an active object knows by itself is not said twice.
class UpcallFrame {
 public:
  // `key`, the object of ByteView itself, outlives the upcall. `object`: null where the servant is not in the
  // active object map; then this is an AnyUpcall.
  UpcallFrame(ActiveObject* object, const ByteView& key) : object_(object), key_(key), outer_(innermost_) {
    innermost_ = this;
  }
  ~UpcallFrame() { innermost_ = outer_; }
  UpcallFrame(const UpcallFrame&) = delete;
  UpcallFrame& operator=(const UpcallFrame&) = delete;

  static const UpcallFrame* innermost() { return innermost_; }
  const UpcallFrame* outer() const { return outer_; }
  ActiveObject* object() const { return object_; }
  const ByteView& key() const { return key_; }

 private:
  ActiveObject* const object_;
  const ByteView& key_;
  const UpcallFrame* const outer_;
  static inline thread_local constinit const UpcallFrame* innermost_ = nullptr;
};

}  // namespace takt::adapter
