// Resolution of requests whose key does not lead straight to an active object, by CORBA 3.0.3, 11.2.6.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "adapter/poa/upcall.h"
#include "adapter/resolver/request_resolver.h"
#include "threads/locks/recursive_priority_mutex.h"

namespace takt::adapter {

// The arguments of servant managers, in memory that each thread reuses.
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

// Made once per request, on its thread's stack; keeps servant and adapter alive. The constructor may wait for
// a holding POA manager, as long as the options allow, and runs adapter activators and servant managers. It
// throws the exception for the caller, and PortableServer::ForwardRequest if the object is elsewhere. The
// order of the steps ensures that no request waits for a peer, or for a less urgent one beyond its upcall:
//  1. find the adapter, and wait until its manager admits the request;
//  2. give the thread the priority that the adapter's policies require;
//  3. leave the adapter and read the rest of the body;
//  4. if upcalls are serialised, wait for the turn, and for the manager again; then run servant managers.
//
// It is large because what is undone after the upcall, in the reverse order of the steps, are its members.
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

  // Call after the upcall: runs postinvoke() of a servant locator, and throws its exception, which is the
  // call's answer. Without it, the destructor runs postinvoke(), and the upcall's answer stands.
  void end() {
    if (locator_) postinvoke();
  }

 private:
  void follow_alias();
  void enter_poa();
  void activate_poa();
  void enter_admitted_poa();
  void read_body();
  void enter_extension();
  void take_turn();
  bool find_servant(std::string_view operation);
  bool find_none() const;
  void enter_next_poa();
  bool is_to_find_next() const { return !parts_->transient && poa_->destroying; }
  bool enter_active();
  bool incarnate();
  void wait_for_etherealization();
  bool preinvoke();
  void postinvoke();
  void leave();

  RequestResolver& resolver_;
  AdapterTree& tree_;
  ObjectTable& table_;
  ByteView key_;
  std::optional<KeyParts> parts_;  // the parsed key_
  ObjectId own_key_;               // the key to which an alias led
  ExtendedUpcall& extended_;
  PoaSlot* slot_ = nullptr;  // entered
  PoaCore* poa_ = nullptr;   // the POA of slot_
  std::unique_lock<os::RecursivePriorityMutex> turn_;
  ActiveObject* object_ = nullptr;             // entered
  DefaultServant* default_servant_ = nullptr;  // entered
  PortableServer::Servant* servant_ = nullptr;
  CORBA::servant_reference<PortableServer::Servant> located_;  // from the servant locator
  PortableServer::ServantLocator* locator_ = nullptr;          // postinvoke() is due
  PortableServer::ServantLocator::Cookie cookie_ = nullptr;
  ManagerArguments asked_;
};

}  // namespace takt::adapter
