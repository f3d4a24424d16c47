// Demultiplexing strategies as a POA policy: how requests find their adapter, servant and operation.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <takt/lookup/id_table.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>

namespace takt {

// Strategies, with the cost of a look-up among n entries.
enum class Lookup : std::uint32_t {
  linear,   // O(n): compares one after the other
  dynamic,  // O(1) on average: a hash table that grows
  perfect,  // O(1): a perfect hash of names known in advance
  active,   // O(1): the key has the index in the table
  // O(1) for adapter and servant together: the key leads to the object, and the object to its adapter
  delayered,
};

// The strategies of an adapter. Operations: linear, dynamic or perfect. If only one of `adapter` and
// `servant` is delayered, it is looked up as with active. Keys of persistent adapters outlive their tables,
// so for these active and delayered mean dynamic.
struct LookupStrategies {
  Lookup adapter = Lookup::delayered;
  Lookup servant = Lookup::delayered;
  Lookup operation = Lookup::perfect;
  // The names for `perfect`: adapters by adapter_path(), servants by object id. Activating an object or
  // creating an adapter that is not in the table throws BAD_PARAM.
  IdTable adapters = {};
  IdTable servants = {};
};

inline constexpr CORBA::PolicyType LOOKUP_POLICY_ID = 0x54414b01;

// For create_POA. Without it an adapter uses the ORB's options: its -ORBPOALookup, else -ORBAdapterLookup,
// -ORBServantLookup and -ORBOperationLookup.
class LookupPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<LookupPolicy>;
  explicit LookupPolicy(LookupStrategies strategies) : strategies_(std::move(strategies)) {}
  const LookupStrategies& strategies() const { return strategies_; }
  CORBA::PolicyType policy_type() override { return LOOKUP_POLICY_ID; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::object_reference<CORBA::Policy>(std::make_shared<LookupPolicy>(strategies_));
  }

 private:
  const LookupStrategies strategies_;
};

inline CORBA::object_reference<LookupPolicy> create_lookup_policy(LookupStrategies strategies) {
  return CORBA::object_reference<LookupPolicy>(std::make_shared<LookupPolicy>(std::move(strategies)));
}

// The id in LookupStrategies::adapters of the adapter with these names, from the root POA's child downwards.
std::string adapter_path(std::initializer_list<std::string_view> names);

}  // namespace takt
