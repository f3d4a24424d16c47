// Nested adapters of a given depth for each lookup strategy.
#pragma once

#include <takt/corba.h>
#include <takt/lookup/lookup_policy.h>

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "demux/server.h"

// The objects' adapter. It and its parents below the root POA use the strategy. Active and delayered
// demultiplexing, and handles, have system ids; the other strategies search for an id and use the names of
// objects.
class Nest {
 public:
  using Poa = CORBA::object_reference<PortableServer::POA>;

  Nest(const Poa& root, const std::string& strategy, std::size_t depth, std::size_t objects)
      : named_(strategy != "active" && strategy != "delayered" && strategy != "handles") {
    CORBA::PolicyList policies;
    policies.push_back(takt::create_lookup_policy(strategies(strategy, depth, objects)));
    if (named_)
      policies.push_back(root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID));
    leaf_ = root;
    for (std::size_t level = 0; level < depth; ++level) {
      leaf_ = leaf_->create_POA(level_name(level), root->the_POAManager(), policies);
      if (level == 0) top_ = leaf_;
    }
  }
  Nest(const Nest&) = delete;
  Nest& operator=(const Nest&) = delete;

  template <class Servant>
  PortableServer::ObjectId activate(std::size_t object, CORBA::servant_reference<Servant> servant) {
    if (!named_) return leaf_->activate_object(std::move(servant));
    const auto id = PortableServer::string_to_ObjectId(bench::object_name(object));
    leaf_->activate_object_with_id(id, std::move(servant));
    return id;
  }
  auto reference(const PortableServer::ObjectId& id) const { return leaf_->id_to_reference(id); }
  void destroy() { top_->destroy(false, true); }

 private:
  static std::string level_name(std::size_t level) { return "level" + std::to_string(10 + level); }

  static takt::Lookup lookup_of(const std::string& strategy) {
    if (strategy == "linear") return takt::Lookup::linear;
    if (strategy == "dynamic") return takt::Lookup::dynamic;
    if (strategy == "perfect") return takt::Lookup::perfect;
    if (strategy == "active") return takt::Lookup::active;
    // Handles come before the look-up, which finds the object of a handle's first request.
    if (strategy == "delayered" || strategy == "handles") return takt::Lookup::delayered;
    throw std::runtime_error("no such strategy: " + strategy);
  }
  static takt::IdTable table_of(const std::vector<std::string>& ids) {
    return takt::make_id_table(std::vector<std::string_view>(ids.begin(), ids.end()));
  }
  // One table for all nests, because an ORB accepts only a few.
  static const takt::IdTable& paths_of(std::size_t depth) {
    static std::map<std::size_t, takt::IdTable> tables;
    auto& table = tables[depth];
    if (table.places() == 0) {
      std::vector<std::string> paths;
      for (std::size_t level = 0; level < depth; ++level)
        paths.push_back((level == 0 ? "" : paths.back()) + takt::adapter_path({level_name(level)}));
      table = table_of(paths);
    }
    return table;
  }
  static takt::LookupStrategies strategies(const std::string& strategy, std::size_t depth,
                                           std::size_t objects) {
    const takt::Lookup lookup = lookup_of(strategy);
    takt::LookupStrategies chosen{.adapter = lookup, .servant = lookup};
    if (lookup == takt::Lookup::linear || lookup == takt::Lookup::dynamic) chosen.operation = lookup;
    if (lookup != takt::Lookup::perfect) return chosen;
    std::vector<std::string> names;
    for (std::size_t object = 0; object < objects; ++object) names.push_back(bench::object_name(object));
    chosen.adapters = paths_of(depth);
    chosen.servants = table_of(names);
    return chosen;
  }

  const bool named_;
  Poa top_, leaf_;
};
