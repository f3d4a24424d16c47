// Replies of deferred dynamic requests that the program has not taken. Sets of pollables wait for them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "async/polling/polled_waits.h"

namespace takt::async {

// One for the process, since a DIIPollable belongs to no ORB. Any thread.
class DynamicReplies {
 public:
  static DynamicReplies& of_process();

  // A reply is there; it was taken, or its request is gone. The two may come in either order.
  void arrived() noexcept;
  void taken();

  // Waits for a reply, `timeout` milliseconds at most (see Pollable::is_ready). Whether there is one.
  bool wait(std::uint32_t timeout);

  // The signal is notified when a reply arrives, as long as it exists.
  void add_waiting(const std::shared_ptr<Signal>& signal);

 private:
  Signal signal_;  // the mutex guards what follows
  std::ptrdiff_t untaken_replies_ = 0;
  std::vector<std::weak_ptr<Signal>> sets_;
};

// Ready while there is a reply.
class DynamicPollable final : public virtual CORBA::DIIPollable,
                              public std::enable_shared_from_this<DynamicPollable> {
 public:
  bool is_ready(std::uint32_t timeout) override { return DynamicReplies::of_process().wait(timeout); }
  CORBA::object_reference<CORBA::PollableSet> create_pollable_set() override;

  // Returns whether it was in a set.
  bool put_into_set() { return in_set_.exchange(true); }
  void leave_set() { in_set_ = false; }

  CORBA::valuetype_reference<CORBA::ValueBase> _copy_value() const override;  // throws MARSHAL
  const cdr::ValueDescription& _value_type() const override;
  void _write_state(cdr::Encoder& to) const override;  // fails
  bool _read_state(cdr::Decoder& from) override;

 private:
  std::atomic<bool> in_set_{false};
};

}  // namespace takt::async
