// The information on a call and that on a request share this.
#pragma once

namespace takt::interceptors {

// BAD_INV_ORDER (OMG minor 14): the point does not have what is asked for, or has returned.
[[noreturn]] void throw_at_this_point();
// NO_RESOURCES (OMG minor 1).
[[noreturn]] void throw_not_available(const char* why);

// Shows a flow to interceptors during a point, which is a bit.
template <class Flow>
class OpenInfo {
 public:
  // Opens it for a point of `flow`, and closes it.
  void open(Flow& flow, unsigned point) {
    flow_ = &flow;
    point_ = point;
  }
  void close() {
    flow_ = nullptr;
    point_ = 0;
  }

 protected:
  // The flow, if the present point is one of these; else throws as throw_at_this_point() does.
  Flow& at(unsigned points) const {
    if ((point_ & points) == 0) throw_at_this_point();
    return *flow_;
  }

 private:
  Flow* flow_ = nullptr;
  unsigned point_ = 0;
};

}  // namespace takt::interceptors
