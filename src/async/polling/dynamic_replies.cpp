#include "async/polling/dynamic_replies.h"

#include <algorithm>
#include <mutex>
#include <string_view>

namespace takt::async {

DynamicReplies& DynamicReplies::of_process() {
  static auto* const replies = new DynamicReplies;  // never destroyed: threads of the ORB report to it
  return *replies;
}

void DynamicReplies::arrived() noexcept {
  std::size_t next = 0;
  {
    const std::lock_guard lock(signal_.mutex);
    ++untaken_replies_;
    signal_.changed.notify_all();
    next = sets_.size();
  }
  // From the last to the first, since add_waiting() may remove sets meanwhile: none is left out. Without a
  // copy of the list, which could fail for lack of memory.
  while (next > 0) {
    std::shared_ptr<Signal> set;
    {
      const std::lock_guard lock(signal_.mutex);
      next = std::min(next, sets_.size());
      if (next == 0) return;
      set = sets_[--next].lock();
    }
    if (!set) continue;
    const std::lock_guard lock(set->mutex);  // A set takes its own lock before the one above.
    set->changed.notify_all();
  }
}

void DynamicReplies::taken() {
  const std::lock_guard lock(signal_.mutex);
  --untaken_replies_;
}

bool DynamicReplies::wait(std::uint32_t timeout) {
  os::PriorityCondition::Lock lock(signal_.mutex);
  return wait_for(signal_, lock, timeout, [this] { return untaken_replies_ > 0; });
}

void DynamicReplies::add_waiting(const std::shared_ptr<Signal>& signal) {
  const std::lock_guard lock(signal_.mutex);
  std::erase_if(sets_, [](const auto& set) { return set.expired(); });
  const auto same = [&](const auto& set) { return !set.owner_before(signal) && !signal.owner_before(set); };
  if (std::ranges::none_of(sets_, same)) sets_.push_back(signal);
}

CORBA::object_reference<CORBA::PollableSet> DynamicPollable::create_pollable_set() {
  auto set = make_pollable_set();
  set->add_pollable(CORBA::valuetype_reference<CORBA::Pollable>(shared_from_this()));
  return set;
}

CORBA::valuetype_reference<CORBA::ValueBase> DynamicPollable::_copy_value() const {
  throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "a pollable cannot be copied");
}

// The id of no concrete value, since a pollable stays in its process.
const cdr::ValueDescription& DynamicPollable::_value_type() const {
  static constexpr std::string_view ids[] = {"IDL:omg.org/CORBA/DIIPollable:1.0"};
  static constexpr cdr::ValueDescription description{ids};
  return description;
}

void DynamicPollable::_write_state(cdr::Encoder& to) const { to.fail(cdr::Error::bad_value); }
bool DynamicPollable::_read_state(cdr::Decoder&) { return false; }

}  // namespace takt::async
