// Where a request goes whose key does not lead to an active object at once: the rules of CORBA 3.0.3, 11.2.6.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adapter/poa/upcall.h"
#include "adapter/resolver/request_resolver.h"
#include "os/threads/recursive_priority_mutex.h"

namespace takt::adapter {

// What servant managers are told, in memory that a thread uses again and again.
class ManagerArguments {
 public:
  ManagerArguments() = default;
  ~ManagerArguments();
  ManagerArguments(const ManagerArguments&) = delete;
  ManagerArguments& operator=(const ManagerArguments&) = delete;

  void set(const PoaCore& poa, const KeyParts& key, std::string_view operation_name);

  ObjectId id;
  std::string operation;

 private:
  bool set_ = false;
};

// Found once per request, on the stack of its thread. While it lives, servant and adapter stay. The
// constructor may wait for a POA manager that holds requests, as long as the adapter's options allow, and
// runs adapter activators and servant managers. It throws what the caller gets, and
// PortableServer::ForwardRequest where the object is elsewhere. In this order, so that no request waits for a
// less urgent one, or for a peer, longer than for its upcall:
//  1. the adapter is found, and its manager lets the request in;
//  2. the thread takes on the priority that the adapter's policies give the upcall;
//  3. what is missing of the body is read, outside of the adapter;
//  4. the turn of an adapter that has one upcall at a time is waited for; then servant managers run.
class Destination {
 public:
  Destination(RequestResolver& resolver, ByteView key, std::string_view operation, ExtendedUpcall& extended);
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
  void read_body();
  void enter_extension();
  void find_servant(std::string_view operation);
  ActiveObject* enter_object();
  bool enter_active();
  void incarnate();
  void wait_for_etherealization();
  void preinvoke();
  void leave();

  RequestResolver& resolver_;
  AdapterTree& tree_;
  ObjectTable& table_;
  ByteView key_;
  std::optional<KeyParts> parts_;  // of the key
  ObjectId own_key_;               // where an alias led
  ExtendedUpcall& extended_;
  PoaSlot* slot_ = nullptr;  // entered
  PoaCore* poa_ = nullptr;   // its adapter
  std::unique_lock<os::RecursivePriorityMutex> turn_;
  ActiveObject* object_ = nullptr;             // entered
  DefaultServant* default_servant_ = nullptr;  // entered
  PortableServer::Servant* servant_ = nullptr;
  CORBA::servant_reference<PortableServer::Servant> located_;  // by the locator
  PortableServer::ServantLocator* locator_ = nullptr;          // to be told afterwards
  PortableServer::ServantLocator::Cookie cookie_ = nullptr;
  ManagerArguments asked_;
};

}  // namespace takt::adapter
