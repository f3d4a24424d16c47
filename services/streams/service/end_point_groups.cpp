// How an end point sends flows to groups of consumers, and joins such groups.
#include <random>
#include <utility>

#include "streams/service/carriers.h"
#include "streams/service/end_point_attempt.h"

namespace takt::streams {
namespace {

using AVStreams::FPError, AVStreams::noSuchFlow, AVStreams::QoSRequestFailed, AVStreams::streamOpFailed;

// Another stream to the same group has another number, but for one of 2^32 cases.
std::uint32_t random_source() {
  thread_local std::random_device numbers;
  return numbers();
}

Carrier carrier_of_group(const FrameStream& group) { return {"UDP", group.host, group.port}; }

}  // namespace

// A flow goes to its group once, however many streams ask for it.
void EndPoint::send_to_group(Flow& flow, Attempt& attempt, std::unique_lock<std::mutex>& lock) {
  if (flow.group && flow.producer && flow.producer->state() != FlowState::dead) return;
  const auto carrier = parse_carrier("UDP=" + flow.offer->group);  // the device has checked it
  const FrameStream group{.host = carrier->host,
                          .port = carrier->port,
                          .source = random_source(),
                          .clock_rate = flow.offer->clock_rate};
  begin_sending(flow, group, nullptr, attempt, lock);
  flow.group = group;
  flow.carrier = *carrier;
}

bool EndPoint::send_to_groups(Quality& quality, Flows& flows) {
  if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
  const bool met = modify(quality, flows);
  Attempt attempt(*this);
  Flows answers;
  const std::lock_guard changing(changes_);
  std::unique_lock lock(mutex_);
  for (Flow* flow : selected(flows)) {
    const auto given = std::ranges::find(flows, flow->offer->name, name_in);
    const auto wanted = given == flows.end() ? FlowEntry() : parse_forward(*given, parts_.limits.entry_bytes);
    if (!wanted) throw streamOpFailed("'" + *given + "': " + wanted.error());
    if (flow->offer->group.empty() || !may_use("UDP") || !produces_in(*flow, wanted->direction)) {
      if (given != flows.end()) answers.push_back(*given);
      continue;
    }
    if (wanted->carrier.has_address() && text_of(wanted->carrier) != "UDP=" + flow->offer->group)
      throw streamOpFailed("flow " + flow->offer->name + ": its group is " + flow->offer->group);
    send_to_group(*flow, attempt, lock);
    answers.push_back(
        forward_text({.name = flow->offer->name,
                      .direction = side_ == Side::a ? Direction::in : Direction::out,
                      .format = flow->offer->format,
                      .protocol = {std::string(own_protocol), flow->group->source, flow->group->clock_rate},
                      .carrier = carrier_of_group(*flow->group)}));
  }
  lock.unlock();
  parts_.connections.fetch_add(attempt.consumers.size(), std::memory_order_relaxed);
  attempt.succeed();
  flows = std::move(answers);
  return met;
}

void EndPoint::join(Flow& flow, const FlowEntry& entry, Attempt& attempt) {
  const std::string& name = flow.offer->name;
  if (!entry.protocol.name.empty() && entry.protocol.name != own_protocol) throw FPError(name);
  if (produces_in(flow, entry.direction))
    throw streamOpFailed("flow " + name + ": the device would produce it");
  if (!flow.offer->joins_groups) throw streamOpFailed("flow " + name + ": the device joins no groups");
  if (!entry.format.empty() && entry.format != flow.offer->format)
    throw streamOpFailed("flow " + name + ": the format is " + flow.offer->format + ", not " + entry.format);
  if (entry.carrier.name != "UDP" || !entry.carrier.has_address() || entry.protocol.clock_rate == 0)
    throw streamOpFailed("flow " + name + ": the producer has given no group of " +
                         std::string(own_protocol));
  if (flow.consumer) throw streamOpFailed("flow " + name + " is connected already");
  carrier_of(flow, "UDP");
  explaining_failures(name, [&] {
    FrameOptions options = receiving(flow);
    options.clock_rate = entry.protocol.clock_rate;
    const FrameStream group{.host = entry.carrier.host,
                            .port = entry.carrier.port,
                            .source = entry.protocol.source,
                            .clock_rate = entry.protocol.clock_rate};
    consume(flow, FrameReceiver::of_group(group, flow.offer->interface, options), attempt);
  });
  flow.carrier = entry.carrier;
}

bool EndPoint::join_groups(Quality& quality, Flows& flows) {
  check_size(flows);
  if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
  bool met = true;
  Flows answers;
  Attempt attempt(*this);
  try {
    const std::lock_guard changing(changes_);
    const std::lock_guard lock(mutex_);
    for (const std::string& each : flows) {
      Flow* const flow = find(name_in(each));
      if (!flow || attempt.listens(flow->offer->name)) continue;
      const auto entry = parse_forward(each, parts_.limits.entry_bytes);
      if (!entry) throw FPError(flow->offer->name);
      met = grant(quality, *flow) && met;
      join(*flow, *entry, attempt);
      FlowEntry joined = *entry;
      joined.name = flow->offer->name;
      answers.push_back(reverse_text(joined));
    }
    if (answers.empty()) throw noSuchFlow();
  } catch (const CORBA::UserException&) {
    note_refusal();
    throw;
  }
  attempt.succeed();
  parts_.connections.fetch_add(answers.size(), std::memory_order_relaxed);
  flows = std::move(answers);
  return met;
}

}  // namespace takt::streams
