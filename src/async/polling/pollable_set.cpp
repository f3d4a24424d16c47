// Sets of pollers.
#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <takt/async/poller.h>
#include <takt/reference/local_object.h>

#include "async/polling/dynamic_replies.h"
#include "async/polling/polled_waits.h"

namespace CORBA {

const std::string& PollableSet::_interface_repository_id() {
  static const std::string id = "IDL:omg.org/CORBA/PollableSet:1.0";
  return id;
}
bool PollableSet::_is_a_local(const std::string& id) const {
  return id == _interface_repository_id() || LocalObject::_is_a_local(id);
}
typecode_reference PollableSet::_type_code() {
  return takt::cdr::named_typecode<PollableSet>(TCKind::tk_local_interface,
                                                "IDL:omg.org/CORBA/PollableSet:1.0", "PollableSet");
}

}  // namespace CORBA

namespace takt::async {

using PollableRef = CORBA::valuetype_reference<CORBA::Pollable>;

// The lock of a call is taken inside that of its set, never the other way round.
class SetOfPollables final : public CORBA::PollableSet {
 public:
  ~SetOfPollables() override {
    for (const Member& member : members_) leave(member);
  }

  CORBA::valuetype_reference<CORBA::DIIPollable> create_dii_pollable() override {
    return CORBA::make_reference<DynamicPollable>();
  }

  void add_pollable(const PollableRef& potential) override {
    auto* const replies = dynamic_cast<DynamicPollable*>(potential.get());
    const auto* const poller = dynamic_cast<const PollerOfCall*>(potential.get());
    if (!poller && !replies)
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the pollable is nil, or not one of this ORB");
    if (replies) DynamicReplies::of_process().add_waiting(signal_);
    const std::lock_guard lock(signal_->mutex);
    if (members_.size() == std::numeric_limits<std::uint16_t>::max())
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "a set has 65535 pollables at most");
    members_.reserve(members_.size() + 1);
    if (replies ? replies->put_into_set() : !join(*poller->call_))
      throw CORBA::BAD_PARAM(CORBA::omg_minor(43), CORBA::COMPLETED_NO, "the pollable is in a set already");
    members_.push_back({potential, poller ? poller->call_ : nullptr, replies});
    signal_->changed.notify_all();  // for threads that wait for others of the set
  }

  PollableRef get_ready_pollable(std::uint32_t timeout) override {
    os::PriorityCondition::Lock lock(signal_->mutex);
    auto found = members_.end();
    const auto is_over = [&] {
      found = std::ranges::find_if(members_, [](const Member& one) { return one.is_ready(); });
      return found != members_.end() || members_.empty();
    };
    const bool over = wait_for(*signal_, lock, timeout, is_over);
    if (members_.empty()) throw NoPossiblePollable();
    if (!over) throw_not_ready(timeout, "no pollable of the set is ready");
    return take_out(found);
  }

  void remove(const PollableRef& potential) override {
    const std::lock_guard lock(signal_->mutex);
    const auto found = std::ranges::find(members_, potential.get(), &Member::address);
    if (!potential || found == members_.end()) throw UnknownPollable();
    take_out(found);
    signal_->changed.notify_all();  // the set may be empty
  }

  std::uint16_t number_left() override {
    const std::lock_guard lock(signal_->mutex);
    return static_cast<std::uint16_t>(members_.size());
  }

 private:
  struct Member {
    PollableRef pollable;
    std::shared_ptr<PolledCall> call;  // null for replies of dynamic requests
    DynamicPollable* replies;          // the pollable, or null
    const CORBA::Pollable* address() const { return pollable.get(); }
    bool is_ready() const { return call ? call->is_ready(0) : replies->is_ready(0); }
  };

  // False if the call is in a set.
  bool join(PolledCall& call) {
    const std::lock_guard lock(call.waits_->signal.mutex);
    if (call.waits_->of_set) return false;
    call.waits_->of_set = signal_;
    return true;
  }
  static void leave(const Member& member) {
    if (!member.call) return member.replies->leave_set();
    const std::lock_guard lock(member.call->waits_->signal.mutex);
    member.call->waits_->of_set = nullptr;
  }
  PollableRef take_out(std::vector<Member>::iterator member) {
    leave(*member);
    PollableRef pollable = std::move(member->pollable);
    members_.erase(member);
    return pollable;
  }

  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::vector<Member> members_;  // in the order in which they were added
};

CORBA::object_reference<CORBA::PollableSet> make_pollable_set() {
  return CORBA::make_reference<SetOfPollables>();
}

CORBA::object_reference<CORBA::PollableSet> PollerOfCall::create_pollable_set() {
  auto set = make_pollable_set();
  set->add_pollable(PollableRef(shared_from_this()));
  return set;
}

}  // namespace takt::async
