// The observers of a channel, which learn what its consumers want and its suppliers offer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "events/delivery/dispatcher.h"
#include "events/delivery/health.h"
#include "rt_events/service/merged_qos.h"
#include "rt_events/service/remote_consumer.h"

namespace takt::rt_events {

// Each observer is called in a dispatcher's thread, with what holds then: several changes may be one call. An
// observer that does not answer for Limits::give_up_after, or does not exist, is removed. Any thread.
class Observers {
 public:
  using Handle = std::uint32_t;
  using Kinds = std::function<EventKinds(Declared)>;

  // `kinds` returns what is declared at present, merged.
  Observers(events::Dispatcher& dispatcher, const events::Limits& limits, Kinds kinds);
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  // `observer` has the timeout of calls. It is called with the present state first. 0: there are `most`.
  Handle append(const CORBA::object_reference<RtecEventChannelAdmin::Observer>& observer, std::size_t most);
  bool remove(Handle handle);
  void clear();
  void changed(Declared kinds);
  std::size_t size() const;

 private:
  class Told;
  struct Shared;

  events::Dispatcher& dispatcher_;
  const std::shared_ptr<Shared> shared_;
};

}  // namespace takt::rt_events
