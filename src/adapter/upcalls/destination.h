// Where a request goes whose key does not lead to an active object at once: the rules of CORBA 3.0.3, 11.2.6.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adapter/object_adapter.h"

namespace takt::adapter {

// Found once per request, on the stack of its thread. While it lives, servant and adapter stay. The
// constructor may wait for a POA manager that holds requests, as long as the adapter's options allow, and
// runs adapter activators and servant managers. It throws what the caller gets, and
// PortableServer::ForwardRequest where the object is elsewhere.
class Destination {
 public:
  Destination(ObjectAdapter& adapter, ByteView key, std::string_view operation);
  ~Destination();
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  PoaCore& poa() const { return *poa_; }
  PortableServer::Servant& servant() const { return *servant_; }
  ActiveObject* object() const { return object_; }
  const ByteView& key() const { return key_; }

 private:
  void follow_alias();
  void enter_poa();
  void enter_admitted_poa();
  void activate_path(ByteView path);
  void find_servant(std::string_view operation);
  bool enter_active();
  void incarnate();
  void wait_for_etherealization();
  void preinvoke(std::string_view operation);
  void leave_poa();

  ObjectAdapter& adapter_;
  ByteView key_;
  std::optional<KeyParts> parts_;  // of the key
  ObjectId own_key_;               // where an alias led
  ObjectId id_;
  PoaSlot* slot_ = nullptr;  // entered
  std::shared_ptr<PoaCore> poa_;
  std::unique_lock<std::recursive_mutex> serial_;
  ActiveObject* object_ = nullptr;  // entered
  std::shared_ptr<PortableServer::Servant> servant_;
  CORBA::object_reference<PortableServer::ServantLocator> locator_;  // to be told afterwards
  PortableServer::ServantLocator::Cookie cookie_ = nullptr;
  std::string operation_;
};

}  // namespace takt::adapter
