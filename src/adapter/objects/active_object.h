// An object that a servant incarnates: one cache line of the adapter's table.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/adapter/servant.h>

#include <takt/adapter/turnstile.h>
#include "adapter/keys/object_key.h"

namespace takt::adapter {

class PoaCore;

// Written under the adapter's mutex while nobody can enter it; what users of the turnstile see does not
// change.
struct alignas(64) ActiveObject {
  Turnstile turnstile;
  std::shared_ptr<PortableServer::Servant> servant;
  PoaCore* poa = nullptr;
  std::unique_ptr<const ObjectId> id;              // null: named by its slot
  std::uint32_t next_of_servant = 0xffffffff;      // ServantLinks'
  std::uint32_t previous_of_servant = 0xffffffff;  // ServantLinks'
  std::uint32_t index = 0;                         // in the table
  std::uint32_t next_of_poa = 0xffffffff;          // PoaCore's
  std::uint32_t previous_of_poa = 0xffffffff;      // PoaCore's
  std::int16_t priority = -1;                      // RT-CORBA's, if it has one of its own
  std::uint16_t schedule_row =
      0;  // where a run-time scheduler knows its operations, by atomic_ref; 0: not yet
};
static_assert(sizeof(ActiveObject) == 64);

// A servant for requests whose object is not active. Of an adapter, until it is given another one or ends;
// requests enter it as they enter objects.
struct DefaultServant {
  Turnstile turnstile;
  std::uint32_t index = 0;  // in the table
  std::shared_ptr<PortableServer::Servant> servant;
};

// Which objects a servant incarnates, in all adapters of the process: a ring for each adapter, since slots
// name each other only in one table. Any thread; the caller holds the mutex of the object's adapter. What one
// object costs depends on the number of adapters that its servant is in, by its logarithm, and not on the
// number of objects.
struct ServantLinks {
  // May allocate from the second adapter on.
  static void add(ActiveObject& object);
  static void remove(ActiveObject& object);
  // Any of the servant's objects in `poa` that is open; null if it has none there. Walks past those that are
  // closing.
  static ActiveObject* find(const PortableServer::Servant& servant, const PoaCore& poa);
  // A POA that the servant has an object in; null if it has none. Needs no mutex.
  static std::shared_ptr<PoaCore> any_poa(const PortableServer::Servant& servant);
};

}  // namespace takt::adapter
