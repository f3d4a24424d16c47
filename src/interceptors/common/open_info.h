// The information on a call and that on a request share this.
#pragma once

namespace takt::interceptors {

// BAD_INV_ORDER (OMG minor 14): the point does not have what is asked for, or has returned.
[[noreturn]] void throw_at_this_point();
// NO_RESOURCES (OMG minor 1).
[[noreturn]] void throw_not_available(const char* why);

// Shows its flow to interceptors during points, which are bits. Lives longer than the flow if an interceptor
// keeps it, but is closed then.
template <class Flow>
class OpenInfo {
 public:
  explicit OpenInfo(Flow& flow) : flow_(&flow) {}
  void open(unsigned point) { point_ = point; }
  void close() { point_ = 0; }

 protected:
  // The flow, if the present point is one of these; else throws as throw_at_this_point() does.
  Flow& at(unsigned points) const {
    if (!is_at(points)) throw_at_this_point();
    return *flow_;
  }
  bool is_at(unsigned points) const { return (point_ & points) != 0; }

 private:
  Flow* const flow_;
  unsigned point_ = 0;
};

}  // namespace takt::interceptors
