// A notification service: makes notification channels, and serves them and their factory.
//
//   const auto service = takt::notification::NotificationService::start(orb);
//   const auto channel = service->make_channel("alarms");
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "NotifyMonitoringExtC.h"
#include "notification/channel/registry.h"

namespace takt::notification {

// Thread-safe. Before it is destroyed, the ORB must be shut down, after stop(). What is
// not in a store lasts as long as it does.
class NotificationService {
 public:
  using ChannelRef = CORBA::object_reference<CosNotifyChannelAdmin::EventChannel>;

  // Creates POAs below the root POA. Registers the factory under the object key and initial reference
  // "NotifyEventChannelFactory", and an object with the service's state under the key "TaktNotification"
  // (idl/Takt_Notification.idl). Requests are held until the root POA's manager is active. Clients are called
  // over the ORB's own connections: set -ORBClientConnections cached if there are many.
  static std::unique_ptr<NotificationService> start(CORBA::object_reference<CORBA::ORB> orb,
                                                    const Limits& limits = {});

  struct Options {
    // The SQLite file; empty: channels, connections and events last as long as this object.
    std::string store{};
    Limits limits{};
    // Called in any thread when writing to the store starts to fail, with the reason, and when it works
    // again, with an empty text.
    Persistence::Report report{};
  };
  // The same with a store: what is persistent in it is there again, its clients are connected, and its events
  // are delivered. Returns the reason on failure.
  static std::expected<std::unique_ptr<NotificationService>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, Options options);
  ~NotificationService();

  CORBA::object_reference<NotifyMonitoringExt::EventChannelFactory> factory() const;
  // A channel with a name is also at corbaloc::HOST:PORT/NAME. Returns why it cannot be made.
  std::expected<ChannelRef, Registry::ChannelFault> make_channel(
      const std::string& name, const CosNotification::QoSProperties& qos = {},
      const CosNotification::AdminProperties& admin = {});
  // Nil if no channel has the name.
  ChannelRef channel(const std::string& name) const;
  // Stored objects of which something could not be read, and what they have instead.
  const std::vector<std::string>& damaged() const;
  // Ends the threads that call clients, and waits for them.
  void stop();

 private:
  struct Made;
  explicit NotificationService(std::unique_ptr<Made> parts);

  const std::unique_ptr<Made> parts_;
};

}  // namespace takt::notification
