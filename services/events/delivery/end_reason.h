// Why a proxy of an event or notification channel ends.
#pragma once

#include <cstdint>

namespace takt::events {

enum class EndReason : std::uint8_t {
  client,     // the client has disconnected
  destroyed,  // with its channel or administrator
  dead,       // the client does not exist, cannot be reached, or raises only exceptions
  replaced,   // least active, when its channel had too many pull suppliers
  unused,     // nothing has connected to the proxy
};

// Removes proxies whose clients have gone.
template <class Proxy>
class ProxyKeeper {
 public:
  virtual void end(Proxy& proxy, EndReason reason) = 0;

 protected:
  ~ProxyKeeper() = default;
};

}  // namespace takt::events
