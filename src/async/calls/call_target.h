// The object that a run loop's calls are made on.
#pragma once

#include <memory>
#include <utility>

#include "reference/object_ref.h"

namespace takt::async {

// Holds the target of the last call that the loop has kept. The next call often has the same target, whose
// references are then not counted again. Used by the loop's thread.
class CallTarget {
 public:
  // Whether it holds that target.
  bool is(const std::shared_ptr<reference::ObjectRef>& target) const { return target_ == target; }
  [[gnu::noinline]] void change_to(const std::shared_ptr<reference::ObjectRef>& target) noexcept {
    if (handles_ && !handled_) handled_ = std::move(target_);
    target_ = target;
  }
  // No call needs it now. While a handler runs, it stays.
  void drop() noexcept {
    if (!handles_) target_ = nullptr;
  }
  // Between them, the target of the call whose handler runs stays, also if the handler begins calls with
  // another one.
  void begin_handling() noexcept { handles_ = true; }
  void end_handling() noexcept {
    handles_ = false;
    if (handled_) [[unlikely]]
      handled_ = nullptr;
  }

 private:
  std::shared_ptr<reference::ObjectRef> target_, handled_;
  bool handles_ = false;
};

}  // namespace takt::async
