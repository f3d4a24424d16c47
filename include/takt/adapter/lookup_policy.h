// How requests find their adapter, servant and operation: demultiplexing strategies, as a policy of POAs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <takt/adapter/id_table.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>

namespace takt {

// What each costs, in a table of n entries.
enum class Lookup : std::uint32_t {
  linear,     // n: compares with one after the other
  dynamic,    // 1 on average: a hash table that grows
  perfect,    // 1: a hash without collisions, of names known beforehand
  active,     // 1: the key says where in the table
  delayered,  // 1 for adapter and servant together: the key says where the object is, and that knows its
              // adapter
};

// An adapter's choices. Operations: linear, dynamic or perfect. Delayered is one answer to two questions;
// where only one of them has it, that one is looked up as with active. A persistent adapter's keys outlive
// their tables, so there active and delayered mean dynamic.
struct LookupStrategies {
  Lookup adapter = Lookup::delayered;
  Lookup servant = Lookup::delayered;
  Lookup operation = Lookup::perfect;
  // For `perfect`: what there is to be found. Adapters by adapter_path(), servants by object id.
  // Activating an object, or making an adapter, that the table does not have is BAD_PARAM.
  IdTable adapters = {};
  IdTable servants = {};
};

inline constexpr CORBA::PolicyType LOOKUP_POLICY_ID = 0x54414b01;

// For create_POA. Without one an adapter has the strategies of its ORB's options: those that -ORBPOALookup
// gives to it, else those of all (-ORBAdapterLookup, -ORBServantLookup, -ORBOperationLookup).
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

// Of the adapter with these names, from the root POA's child down: its id in LookupStrategies::adapters.
std::string adapter_path(std::initializer_list<std::string_view> names);

}  // namespace takt
