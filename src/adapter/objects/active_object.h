// An active object: one cache line of the adapter's table.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/adapter/entrance.h>
#include <takt/adapter/servant.h>

#include "lookup/keys/object_key.h"

namespace takt::adapter {

class PoaCore;

// Written under the table's mutex while no thread can enter it. The fields do not change while the turnstile
// has users.
struct alignas(64) ActiveObject : Entrance {
  std::shared_ptr<PortableServer::Servant> servant;
  PoaCore* poa = nullptr;
  std::unique_ptr<const ObjectId> id;              // null: the id is the slot's name
  std::uint32_t next_of_servant = 0xffffffff;      // owned by ServantLinks
  std::uint32_t previous_of_servant = 0xffffffff;  // owned by ServantLinks
  std::uint32_t index = 0;                         // in the table
  std::uint32_t next_of_poa = 0xffffffff;          // owned by PoaCore
  std::uint32_t previous_of_poa = 0xffffffff;      // owned by PoaCore
  std::int16_t priority = -1;                      // the object's own RT-CORBA priority; -1: none
  // The row of its operations in the run-time scheduler; accessed by atomic_ref. 0: not known yet.
  std::uint16_t schedule_row = 0;
};
static_assert(sizeof(ActiveObject) == 64);

// The servant for requests to inactive objects of an adapter, until it is replaced or the adapter ends.
// Requests enter it like an object.
struct DefaultServant {
  Turnstile turnstile;
  std::uint32_t index = 0;  // in the table
  std::shared_ptr<PortableServer::Servant> servant;
  std::uint16_t schedule_row = 0;  // as in ActiveObject
};

// The objects that a servant incarnates, in all adapters of the process: one ring per adapter, because slot
// numbers are valid only within one table. Any thread; the caller holds the mutex of the object's table. The
// cost is logarithmic in the number of the servant's adapters, and independent of the number of its objects.
struct ServantLinks {
  // May allocate if the servant is already in another adapter.
  static void add(ActiveObject& object);
  static void remove(ActiveObject& object);
  // An open object of the servant in `poa`; null if there is none. Skips closing objects.
  static ActiveObject* find(const PortableServer::Servant& servant, const PoaCore& poa);
  // Whether the servant has an object in `poa`, open or closing.
  static bool any(const PortableServer::Servant& servant, const PoaCore& poa);
  // A POA with an object of the servant; null if there is none. Needs no mutex.
  static std::shared_ptr<PoaCore> any_poa(const PortableServer::Servant& servant);

 private:
  static ActiveObject* member(const PortableServer::Servant& servant, const PoaCore& poa);
};

}  // namespace takt::adapter
