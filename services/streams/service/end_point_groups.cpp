// How an end point sends flows to groups of consumers, and joins such groups.
#include <algorithm>
#include <utility>

#include "octets/random.h"
#include "streams/service/carriers.h"
#include "streams/service/end_point_attempt.h"

namespace takt::streams {
namespace {

using AVStreams::FPError, AVStreams::noSuchFlow, AVStreams::QoSRequestFailed, AVStreams::streamOpFailed;

// Random, to tell streams to one group apart; two have the same number by a chance of one in 2^32.
std::uint32_t random_source() { return static_cast<std::uint32_t>(octets::random_number()); }

// Groups that routers do not pass on, which are those of a network's own protocols, and ports of services.
bool is_reserved(const Carrier& group) {
  const std::string& host = group.host;
  const bool is_v6 = host.find(':') != std::string::npos;
  return group.port < 1024 || host.starts_with("224.0.0.") || (is_v6 && (host[3] == '1' || host[3] == '2'));
}

Carrier carrier_of_group(const FrameStream& group) { return {"UDP", group.host, group.port}; }

}  // namespace

// A flow goes to its group once, however many streams ask for it.
void EndPoint::send_to_group(Flow& flow, Attempt& attempt, std::unique_lock<std::mutex>& lock) {
  if (flow.goes_to_group()) return;
  const auto carrier = parse_carrier("UDP=" + flow.offer->group);  // the device has checked it
  const FrameStream group{.host = carrier->host,
                          .port = carrier->port,
                          .source = flow.group ? flow.group->source : random_source(),
                          .clock_rate = flow.offer->clock_rate};
  begin_sending(flow, group, {.name = std::string(own_protocol)}, nullptr, attempt, lock);
  flow.group = group;
  flow.group_consumer = last_consumer_;
  flow.carrier = *carrier;
}

bool EndPoint::wants_group(const Flow& flow, const FlowEntry& wanted) const {
  return !flow.offer->group.empty() && may_use("UDP") &&
         (wanted.carrier.name.empty() || wanted.carrier.name == "UDP") && produces_in(flow, wanted.direction);
}

// Throws unless the flow in its group is what a client wants.
void EndPoint::require_group(const Flow& flow, const FlowEntry& wanted) {
  const FlowOffer& offer = *flow.offer;
  if (wanted.carrier.has_address() &&
      text_of(wanted.carrier) != text_of(*parse_carrier("UDP=" + offer.group)))
    throw streamOpFailed("flow " + offer.name + ": its group is " + offer.group);
  if (!wanted.format.empty() && wanted.format != offer.format)
    throw streamOpFailed("flow " + offer.name + ": the format is " + offer.format);
  if (!wanted.protocol.name.empty() && wanted.protocol.name != own_protocol)
    throw streamOpFailed("flow " + offer.name + ": the flow protocol is " + std::string(own_protocol));
}

bool EndPoint::send_to_groups(Quality& quality, Flows& flows) {
  Flows answers;
  bool met = true;
  Attempt attempt(*this);
  try {
    if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
    met = modify(quality, flows);
    const std::lock_guard changing(changes_);
    std::unique_lock lock(mutex_);
    for (Flow* flow : selected(flows)) {
      const auto given = std::ranges::find(flows, flow->offer->name, name_in);
      auto wanted = given == flows.end() ? FlowEntry() : parse_forward(*given, parts_.limits.entry_bytes);
      if (!wanted) throw streamOpFailed("'" + *given + "': " + wanted.error());
      if (wants_group(*flow, *wanted)) {
        require_group(*flow, *wanted);
        send_to_group(*flow, attempt, lock);
        FlowEntry entry;
        entry.name = flow->offer->name;
        entry.direction = Direction::in;
        entry.format = flow->offer->format;
        entry.protocol.name = own_protocol;
        entry.protocol.source = flow->group->source;
        entry.protocol.clock_rate = flow->group->clock_rate;
        entry.carrier = carrier_of_group(*flow->group);
        answers.push_back(forward_text(entry));
      } else if (given != flows.end()) {
        const bool has_address = std::exchange(wanted->carrier.host, {}) != "";
        answers.push_back(has_address ? forward_text(*wanted) : *given);  // only groups have addresses
      }
    }
  } catch (const CORBA::UserException&) {
    note_refusal();
    throw;
  }
  parts_.connections.fetch_add(attempt.consumers.size(), std::memory_order_relaxed);
  attempt.succeed();
  flows = std::move(answers);
  return met;
}

// Clients name the group, so a device joins none that others of its network need.
void EndPoint::require_joinable(const FlowOffer& offer, const FlowEntry& entry) {
  const std::string group = text_of(entry.carrier);
  const auto is_it = [&group](const std::string& each) {
    const auto own = parse_carrier("UDP=" + each);
    return own && text_of(*own) == group;
  };
  const bool allowed = offer.allowed_groups.empty() ? !is_reserved(entry.carrier)
                                                    : std::ranges::any_of(offer.allowed_groups, is_it);
  if (!allowed) throw streamOpFailed("flow " + offer.name + ": the device does not join the group " + group);
  if (entry.protocol.clock_rate != offer.clock_rate)  // all members get the producer's time stamps
    throw streamOpFailed("flow " + offer.name + ": the clock has " + std::to_string(offer.clock_rate) +
                         " units a second, not " + std::to_string(entry.protocol.clock_rate));
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
  if (!is_group(entry.carrier))
    throw streamOpFailed("flow " + name + ": " + entry.carrier.host + " is no group");
  require_joinable(*flow.offer, entry);
  FrameOptions options = receiving(flow);
  options.clock_rate = entry.protocol.clock_rate;
  auto memory = memory_for(flow, options);
  explaining_failures(name, [&] {
    const FrameStream group{.host = entry.carrier.host,
                            .port = entry.carrier.port,
                            .source = entry.protocol.source,
                            .clock_rate = entry.protocol.clock_rate};
    FrameReceiver receiver =
        FrameReceiver::of_group(group, flow.offer->interface, options, flow.offer->allowed_senders);
    consume(flow, input_of(std::move(receiver)), std::move(memory), attempt);
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
      met = grant(quality, *flow, &attempt) && met;
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
