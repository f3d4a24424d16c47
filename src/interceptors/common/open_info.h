// The information on a call and that on a request share this.
#pragma once

#include <atomic>
#include <memory>
#include <new>

namespace takt::interceptors {

// BAD_INV_ORDER (OMG minor 14): the point does not have what is asked for, or has returned.
[[noreturn]] void throw_at_this_point();
// NO_RESOURCES (OMG minor 1).
[[noreturn]] void throw_not_available(const char* why);

// Shows its flow to interceptors during points, which are bits. Lives longer than the flow if an interceptor
// keeps it, but is closed then. Without a copy of its reference, no interceptor can use it after its point,
// so it need not be closed.
template <class Flow>
class OpenInfo {
 public:
  explicit OpenInfo(Flow& flow) : flow_(&flow) {}
  void open(unsigned point) { point_.store(point, std::memory_order_relaxed); }
  void close() { open(0); }

 protected:
  // The flow, if the present point is one of these; else throws as throw_at_this_point() does.
  Flow& at(unsigned points) const {
    if (!is_at(points)) throw_at_this_point();
    return *flow_;
  }
  bool is_at(unsigned points) const { return (point_.load(std::memory_order_relaxed) & points) != 0; }
  Flow& flow() const { return *flow_; }

 private:
  Flow* const flow_;
  std::atomic<unsigned> point_{0};  // threads that kept the info see that it is closed
};

// Call after a point that has copied its reference: one that was kept must not show later points. Without
// memory it does.
template <class Info, class Flow>
void renew(std::shared_ptr<Info>& info, Flow& flow) noexcept {
  info->close();
  try {
    info = std::make_shared<Info>(flow);
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace takt::interceptors
