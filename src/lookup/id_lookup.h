// Look-up from an id to the slot of its object or adapter: the strategies' interface.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/base/bytes.h>
#include <takt/lookup/lookup_policy.h>

namespace takt::adapter {

// Adapters are found by path among all adapters, objects by object id in their adapter. A look-up stores
// neither objects nor ids: it offers slots, and the caller enters each and checks it. The contract of every
// strategy:
//  1. find() may be called in any thread at any time. It neither locks nor allocates, and never waits, not
//     even for a writer that was preempted halfway.
//  2. The owner serialises insert() and erase(). An id is in it at most once.
//  3. find() offers slots until one is accepted, and returns whether one was. It may offer slots with other
//     ids, unused slots, and the same slot twice.
//  4. An entry that exists throughout find() is offered, unless another slot is accepted first, regardless
//     of concurrent changes.
//  5. A hint is a former slot of the id, `no_hint`, or any number made up by a peer. It is only a slot to
//     offer first.
//  6. admits() returns whether insert() accepts the id; the answer never changes.
class IdLookup {
 public:
  static constexpr std::uint32_t no_hint = 0xffffffff;

  virtual ~IdLookup() = default;

  template <class Accepts>  // bool(std::uint32_t slot)
  bool find(ByteView id, std::uint32_t hint, Accepts accepts) const {
    return offer(
        id, hint,
        {[](void* asker, std::uint32_t slot) { return (*static_cast<Accepts*>(asker))(slot); }, &accepts});
  }
  virtual bool admits(ByteView) const { return true; }
  virtual void insert(ByteView id, std::uint32_t slot) = 0;
  virtual void erase(ByteView id, std::uint32_t slot) = 0;

 protected:
  struct Asker {
    bool (*function)(void* asker, std::uint32_t slot);
    void* asker;
    bool operator()(std::uint32_t slot) const { return function(asker, slot); }
  };

 private:
  virtual bool offer(ByteView id, std::uint32_t hint, Asker accepts) const = 0;
};

// `known` is for perfect hashing. Delayered is not a look-up within an adapter: the key leads straight to the
// table of all objects (RequestResolver). Look-ups within such an adapter work as with active.
std::unique_ptr<IdLookup> make_lookup(Lookup strategy, const IdTable& known);

}  // namespace takt::adapter
