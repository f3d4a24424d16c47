// The state of an event service as a CORBA object, for operators.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "Takt_EventsS.h"
#include "events/service/event_service.h"

namespace takt::events {

class StateServant final : public virtual CORBA::servant_traits<Takt::Events::Service>::base_type {
 public:
  StateServant(std::function<ServiceState(std::size_t most_proxies)> look, CORBA::ORB& orb)
      : look_(std::move(look)), orb_(orb) {}
  Takt::Events::State look(std::uint32_t most_clients) override;

 private:
  const std::function<ServiceState(std::size_t most_proxies)> look_;
  CORBA::ORB& orb_;
};

}  // namespace takt::events
