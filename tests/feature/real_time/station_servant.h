// A servant whose calls report their priority and then wait to be released.
#pragma once

#include <future>

#include "probe_servant.h"

namespace real_time {

class Station final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  explicit Station(const Orb& orb) : current_(initial<RTCORBA::Current>(orb, "RTCurrent")) {}
  RtTest::Seen look() override {
    const RtTest::Seen seen = what_i_run_at(current_);
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return let_go_ > 0; });
    --let_go_;
    return seen;
  }
  RtTest::Seen look_through(ProbeRef) override { throw 42; }  // an exception that clients get as UNKNOWN
  bool meet(std::uint32_t) override { return true; }

  // Whether that many calls have arrived so far.
  bool reached_by(int calls) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return arrived_ >= calls; });
  }
  void let_go(int calls) {
    std::lock_guard lock(mutex_);
    let_go_ += calls;
    changed_.notify_all();
  }

 private:
  const CORBA::object_reference<RTCORBA::Current> current_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  int let_go_ = 0;
};

// Calls in a thread with the priority.
inline std::future<RtTest::Seen> look_at(const TwoOrbs& orbs, const ProbeRef& probe, std::int16_t priority) {
  return std::async(std::launch::async, [&orbs, probe, priority] {
    orbs.current->the_priority(priority);
    return probe->look();
  });
}

}  // namespace real_time
