#include "mast/operations.h"

#include <algorithm>

#include "schedulability/model/checked.h"
#include "schedulability/model/words.h"

namespace takt::scheduling::mast {
namespace {

constexpr int most_depth = 64;  // nesting of operations

Time sum(Time one, Time other, Place at) {
  const Time both = one + other;  // each is at most longest_time, which is far from an overflow
  if (both > longest_time)
    throw Wrong{at, "the operation takes longer than can be analysed, " + text_of(longest_time)};
  return both;
}

void add_lock(Cost& cost, const LockUse& lock, const Operation& operation) {
  const auto known = std::ranges::find(cost.locks, lock.name, &LockUse::name);
  if (known != cost.locks.end()) {
    known->held = std::max(known->held, lock.held);
    return;
  }
  if (cost.locks.size() == most_locks)
    throw Wrong{operation.at, "Operation '" + operation.name + "' uses more than " +
                                  std::to_string(most_locks) + " shared resources"};
  cost.locks.push_back(lock);
}

}  // namespace

Operations::Operations(std::span<const Element> elements, Reading& reading) : reading_(reading) {
  for (const Element& each : elements)
    if (same(each.kind, "Shared_Resource")) read_shared_resource(each);
  for (const Element& each : elements)
    if (same(each.kind, "Operation")) read(each);
}

// Takt computes ceilings, so one that is given may not be binding.
void Operations::read_shared_resource(const Element& element) {
  Fields fields(element.value, owner_of(element));
  fields.one_of("Type", {"Immediate_Ceiling_Resource"});
  SharedResource made{fields.word("Name"), element.at};
  if (fields.find("Preassigned")) {
    const bool binding = fields.one_of("Preassigned", {"No", "Yes"}) == 1;
    if (const Value* ceiling = fields.find("Ceiling"); ceiling && binding)
      throw Wrong{ceiling->at,
                  fields.owner() + " has a Ceiling that is Preassigned, which cannot be imported"};
  }
  fields.skip(reading_.unused, {"Ceiling", "Preassigned"});
  fields.finish();
  shared_.add(std::move(made));
}

void Operations::read(const Element& element) {
  Fields fields(element.value, owner_of(element));
  Operation made{.name = fields.word("Name"), .at = element.at, .worst_at = element.at};
  made.kind = static_cast<Operation::Kind>(
      fields.one_of("Type", {"Simple", "Composite", "Enclosing", "Message_Transmission"}));
  const bool message = made.kind == Operation::Kind::message;
  if (made.kind != Operation::Kind::composite) {
    const Value& worst = fields.need(message ? "Max_Message_Size" : "Worst_Case_Execution_Time");
    made.worst = decimal_of(worst);
    made.worst_at = worst.at;
    if (const Value* average = fields.find(message ? "Avg_Message_Size" : "Avg_Case_Execution_Time"))
      made.average = decimal_of(*average);
    fields.skip(reading_.unused, {message ? "Min_Message_Size" : "Best_Case_Execution_Time"});
  }
  if (made.kind == Operation::Kind::composite || made.kind == Operation::Kind::enclosing) {
    fields.need("Composite_Operation_List");
    fields.list("Composite_Operation_List", [&](const Value& part) {
      made.parts.emplace_back(word_of(part, "the name of an Operation"), part.at);
    });
  }
  if (made.kind == Operation::Kind::simple)
    fields.list("Shared_Resources_List", [&](const Value& lock) {
      made.locks.push_back(shared_.get(word_of(lock, "the name of a Shared_Resource"), lock.at).name);
    });
  fields.finish();
  all_.add(std::move(made));
}

Cost Operations::cost_of(const std::string& name, Place at, const Resource& resource,
                         std::size_t resource_number) {
  return compute(all_.get(name, at), resource, resource_number, 1);
}

Cost Operations::compute(const Operation& operation, const Resource& resource, std::size_t resource_number,
                         int depth) {
  if (depth > most_depth)
    throw Wrong{operation.at, "Operation '" + operation.name +
                                  "' contains itself, or operations nested deeper than " +
                                  std::to_string(most_depth)};
  const std::pair key(all_.place_of(operation), resource_number);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  Cost cost, inner;
  for (const auto& [name, at] : operation.parts) {
    const Cost part = compute(all_.get(name, at), resource, resource_number, depth + 1);
    inner.worst = sum(inner.worst, part.worst, operation.at);
    inner.typical = sum(inner.typical, part.typical, operation.at);
    for (const LockUse& lock : part.locks) add_lock(inner, lock, operation);
  }
  if (operation.kind == Operation::Kind::composite) {
    cost = inner;
  } else {
    const bool message = operation.kind == Operation::Kind::message;
    if (message && !resource.throughput)
      throw Wrong{operation.at, "Operation '" + operation.name + "' is a message, but '" + resource.name +
                                    "' has no Throughput"};
    const auto time = [&](Decimal number) {
      return time_of(number, reading_.unit, {resource.speed, message ? *resource.throughput : one},
                     Rounding::up, operation.worst_at);
    };
    cost.worst = time(operation.worst);
    // An average of 0 is MAST's default for an unknown one.
    const bool unknown = !operation.average || operation.average->is_zero();
    cost.typical = unknown ? cost.worst : std::min(cost.worst, time(*operation.average));
    cost.locks = std::move(inner.locks);
    if (cost.worst > Time(0))
      for (const std::string& lock : operation.locks) add_lock(cost, {lock, cost.worst}, operation);
  }
  known_.emplace(key, cost);
  return cost;
}

}  // namespace takt::scheduling::mast
