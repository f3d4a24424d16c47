// From an id to the slot of what has it: one question, several answers.
#pragma once

#include <cstdint>
#include <memory>

#include <takt/adapter/lookup_policy.h>
#include <takt/base/bytes.h>

namespace takt::adapter {

// Adapters are found among all adapters by their path, objects in their adapter by their object id. A look-up
// does not hold what it finds, nor the ids: it offers slots, and whoever asks enters them and looks. The
// contract of every answer:
//  1. find() may be called by any thread at any time. It takes no lock and no memory, and waits for nobody,
//  not
//     even for a writer that was preempted in the middle.
//  2. insert() and erase() are serialised by the owner. An id is in it at most once, in any slot.
//  3. find() offers slots until one is accepted, and says whether one was. It may offer slots that have
//  another
//     id, or none any more, and the same slot twice.
//  4. What was there before find() began and is there until it ends is offered, unless something else is
//     accepted first, whatever comes and goes meanwhile.
//  5. A hint is where the id may have been once, or `no_hint`, or any number that a peer made up: it is no
//     more than a slot to be offered first.
//  6. admits() says whether insert() takes the id; it is const for ever.
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

// `known` is for perfect hashing. Delayered is no look-up in an adapter, but one access to the table of all
// objects that the key names (ObjectAdapter::enter); what the adapter itself needs to find is found as with
// active.
std::unique_ptr<IdLookup> make_lookup(Lookup strategy, const IdTable& known);

}  // namespace takt::adapter
