#include "streams/service/end_point.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <takt/orb/frames.h>

#include "addresses/address_in.h"
#include "streams/service/carriers.h"

namespace takt::streams {
namespace {

using AVStreams::FPError, AVStreams::noSuchFlow, AVStreams::QoSRequestFailed, AVStreams::streamOpDenied,
    AVStreams::streamOpFailed;

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Runs `action`, whose failures become the exception Failed with a reason.
template <class Failed, class Action>
void failing_as(const std::string& flow, const Action& action) {
  try {
    action();
  } catch (const std::system_error& failure) {
    throw QoSRequestFailed("flow " + flow + ": " + failure.what());
  } catch (const CORBA::SystemException& failure) {
    throw Failed("flow " + flow + ": " + failure.what());
  }
}

// Whether parameters that are given, other than the frame rate, differ from the present ones.
bool others_differ(const FlowQuality& given, const FlowQuality& present) {
  return (given.delay.count() != 0 && given.delay != present.delay) ||
         (given.late && given.late != present.late) || (given.dscp >= 0 && given.dscp != present.dscp) ||
         (given.priority != 0 && given.priority != present.priority);
}

}  // namespace

FlowState EndPoint::Flow::state() const {
  if (producer) return producer->state();
  return consumer ? consumer->state() : FlowState::stopped;
}

EndPoint::EndPoint(Parts& parts, std::uint64_t number, Side side, Quality& quality, const Flows& flows)
    : parts_(parts), number_(number), side_(side) {
  check_size(flows);
  if (const auto excess = excess_in(quality, parts.limits)) throw QoSRequestFailed(*excess);
  const auto add = [this, &quality](const FlowOffer& offer) {
    if (flows_.size() >= parts_.limits.flows) throw streamOpFailed("an end point has too many flows");
    flows_.push_back({.offer = &offer});
    met_ = grant(quality, flows_.back()) && met_;
  };
  for (const std::string& each : flows) {
    const FlowOffer* const offer = parts.offer(name_in(each));
    if (!offer) throw noSuchFlow();
    if (!find(offer->name)) add(*offer);
  }
  if (flows.empty())
    for (const FlowOffer& each : parts.offers) add(each);
}

EndPoint::~EndPoint() = default;

void EndPoint::set_references(EndPointRef own, ObjectRef device) {
  own_ = std::move(own);
  device_ = std::move(device);
}

void EndPoint::check_size(const Flows& flows) const {
  if (flows.size() > parts_.limits.entries)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           std::to_string(flows.size()) + " entries of flows; the limit is " +
                               std::to_string(parts_.limits.entries));
}

EndPoint::Flow* EndPoint::find(std::string_view name) {
  const auto found =
      std::ranges::find(flows_, name, [](const Flow& each) -> std::string_view { return each.offer->name; });
  return found == flows_.end() ? nullptr : &*found;
}

EndPoint::Flow& EndPoint::existing(std::string_view name) {
  Flow* const found = find(name);
  if (!found) throw noSuchFlow();
  return *found;
}

std::vector<EndPoint::Flow*> EndPoint::selected(const Flows& flows) {
  check_size(flows);
  std::vector<Flow*> all;
  for (const std::string& each : flows) all.push_back(&existing(name_in(each)));
  if (flows.empty())
    for (Flow& each : flows_) all.push_back(&each);
  return all;
}

bool EndPoint::grant(Quality& quality, Flow& flow) {
  auto negotiated = negotiate(quality, flow.offer->name, flow.offer->bounds);
  if (!negotiated) throw QoSRequestFailed(negotiated.error());
  if (negotiated->given) flow.quality = negotiated->granted;
  return negotiated->met;
}

bool EndPoint::produces_in(const Flow& flow, std::optional<Direction> direction) const {
  const bool can_produce = flow.offer->source != nullptr, can_consume = flow.offer->sink != nullptr;
  if (!direction) return can_produce && (side_ == Side::a || !can_consume);
  const bool produces = (*direction == Direction::in) == (side_ == Side::a);
  if (produces ? can_produce : can_consume) return produces;
  throw streamOpFailed("flow " + flow.offer->name + ": the device only " +
                       (can_produce ? "produces" : "consumes") + " it");
}

std::string EndPoint::carrier_of(const Flow& flow, std::string_view wanted) const {
  for (const std::string& each : flow.offer->carriers) {
    const bool allowed = allowed_carriers_.empty() || has(allowed_carriers_, each);
    if (allowed && (wanted.empty() || wanted == each)) return each;
  }
  throw streamOpFailed("flow " + flow.offer->name + ": no carrier that the device offers" +
                       (wanted.empty() ? "" : ", not " + std::string(wanted)));
}

FlowEntry EndPoint::listen(Flow& flow, const FlowEntry& entry) {
  if (flow.consumer) throw streamOpFailed("flow " + entry.name + " is connected already");
  FlowEntry listening = entry;
  failing_as<streamOpFailed>(entry.name, [&] {
    FrameOptions options{.clock_rate = flow.offer->clock_rate,
                         .late = flow.quality.late.value_or(flow.offer->late),
                         .delay = flow.quality.delay,
                         .frame_bytes = flow.offer->bounds.frame_octets};
    options.bytes = std::max(options.bytes, 4 * options.frame_bytes);
    FrameReceiver receiver =
        FrameStreams::of(parts_.orb).receiver(endpoint_of(entry.carrier.name, parts_.host), options);
    const FrameStream& stream = receiver.stream();
    listening.carrier = {entry.carrier.name, stream.host, stream.port};
    listening.protocol = {std::string(own_protocol), stream.source, stream.clock_rate};
    flow.consumer =
        std::make_unique<ConsumerFlow>(std::move(receiver), flow.offer->sink(), flow.quality.priority);
  });
  flow.produces = false;
  flow.carrier = listening.carrier;
  return listening;
}

void EndPoint::check_address(const Carrier& carrier, const EndPointRef& peer) const {
  if (parts_.any_address) return;
  const std::string address = addresses::address_in(addresses::ior_of(peer));
  const auto own = parse_carrier("REFERENCE=" + address);
  if (own && own->host == carrier.host) return;
  throw streamOpFailed("the flow would go to " + carrier.host + ", and its end point is at " +
                       (address.empty() ? "no address" : address));
}

void EndPoint::send_to(Flow& flow, const FlowEntry& entry, const EndPointRef& peer) {
  if (!entry.carrier.has_address() || entry.protocol.clock_rate == 0)
    throw streamOpFailed("flow " + entry.name + ": the consumer has given no address of " +
                         std::string(own_protocol));
  if (flow.producer && flow.producer->consumers() >= parts_.limits.consumers)
    throw streamOpFailed("flow " + entry.name + " has " + std::to_string(parts_.limits.consumers) +
                         " consumers, which is the limit");
  check_address(entry.carrier, peer);
  failing_as<streamOpFailed>(entry.name, [&] {
    const FlowOffer& offer = *flow.offer;
    if (!flow.producer) {
      const ProducerOptions options{
          .frame_rate = flow.quality.frame_rate > 0 ? flow.quality.frame_rate : offer.frame_rate,
          .clock_rate = offer.clock_rate,
          .priority = flow.quality.priority,
          .late = offer.late};
      flow.producer = std::make_unique<ProducerFlow>(offer.source(), options);
    }
    const FrameStream to{.host = entry.carrier.host,
                         .port = entry.carrier.port,
                         .source = entry.protocol.source,
                         .clock_rate = entry.protocol.clock_rate,
                         .transport = std::string(transport_of(entry.carrier.name))};
    FrameSender sender = FrameStreams::of(parts_.orb)
                             .sender(to, {.packet_bytes = offer.packet_bytes, .dscp = flow.quality.dscp});
    flow.producer->add(++last_consumer_, std::move(sender), text_of(entry.carrier));
    peers_.push_back({peer, offer.name, last_consumer_});
  });
  flow.produces = true;
  flow.carrier = entry.carrier;
}

FlowEntry EndPoint::proposal(Flow& flow, const FlowEntry& wanted) {
  const bool produces = produces_in(flow, wanted.direction);
  FlowEntry entry{.name = flow.offer->name,
                  .direction = produces == (side_ == Side::a) ? Direction::in : Direction::out,
                  .format = flow.offer->format,
                  .protocol = {.name = std::string(own_protocol)},
                  .carrier = {.name = carrier_of(flow, wanted.carrier.name)}};
  if (!wanted.format.empty() && wanted.format != flow.offer->format)
    throw streamOpFailed("flow " + entry.name + ": the format is " + flow.offer->format);
  return produces ? entry : listen(flow, entry);
}

bool EndPoint::connect(const EndPointRef& responder, Quality& quality, const Flows& flows) {
  if (!responder) throw streamOpFailed("there is no end point to connect with");
  if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
  Flows entries;
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    if (connecting_) throw streamOpFailed("the end point is connecting already");
    for (Flow* flow : selected(flows)) {
      const auto given = std::ranges::find(flows, flow->offer->name, name_in);
      const auto wanted =
          given == flows.end() ? FlowEntry() : parse_forward(*given, parts_.limits.entry_bytes);
      if (!wanted) throw streamOpFailed("'" + *given + "': " + wanted.error());
      grant(quality, *flow);
      names.push_back(flow->offer->name);
      entries.push_back(forward_text(proposal(*flow, *wanted)));
    }
    connecting_ = true;
  }
  const auto finished = [this] {
    const std::lock_guard lock(mutex_);
    connecting_ = false;
  };
  try {
    bool met = bounded(responder, parts_.limits)->request_connection(own_, false, quality, entries);
    finish(responder, names, entries, !flows.empty());
    finished();
    return met;
  } catch (const CORBA::Exception& failure) {
    finished();
    undo(names, responder);
    parts_.refusals.fetch_add(1, std::memory_order_relaxed);
    if (const auto* denied = dynamic_cast<const streamOpDenied*>(&failure))
      throw streamOpFailed("the other end point denies: " + denied->reason());
    if (const auto* wrong = dynamic_cast<const FPError*>(&failure))
      throw streamOpFailed("flow " + wrong->flow_name() + ": the other end point knows no such protocol");
    if (dynamic_cast<const CORBA::SystemException*>(&failure))
      throw streamOpFailed(std::string("the other end point does not answer: ") + failure.what());
    throw;
  }
}

void EndPoint::finish(const EndPointRef& responder, const std::vector<std::string>& proposed,
                      const Flows& answered, bool explicitly) {
  const std::lock_guard lock(mutex_);
  check_size(answered);
  std::size_t connected = 0;
  for (const std::string& name : proposed) {
    const auto found = std::ranges::find(answered, name, name_in);
    if (found == answered.end()) {
      if (explicitly) throw noSuchFlow();
      continue;
    }
    Flow& flow = existing(name);
    const auto entry = parse_reverse(*found, parts_.limits.entry_bytes);
    if (!entry) throw streamOpFailed("the other end point's '" + *found + "': " + entry.error());
    if (!flow.consumer) send_to(flow, *entry, responder);
    ++connected;
  }
  if (connected == 0) throw noSuchFlow();
  parts_.connections.fetch_add(connected, std::memory_order_relaxed);
}

void EndPoint::undo(const std::vector<std::string>& names, const EndPointRef& peer) {
  Ended ended;
  const std::lock_guard lock(mutex_);
  for (const std::string& name : names) {
    drop_peer(ended, peer, name);
    Flow* const flow = find(name);
    if (flow && flow->consumer) ended.take(*flow);
  }
}

FlowEntry EndPoint::answer(Flow& flow, const FlowEntry& proposed, const EndPointRef& initiator) {
  if (!proposed.protocol.name.empty() && proposed.protocol.name != own_protocol) throw FPError(proposed.name);
  FlowEntry entry{.name = flow.offer->name,
                  .direction = proposed.direction,
                  .format = flow.offer->format,
                  .protocol = {.name = std::string(own_protocol)},
                  .carrier = {.name = carrier_of(flow, proposed.carrier.name)}};
  const bool produces = produces_in(flow, proposed.direction);
  if (!proposed.direction) entry.direction = produces == (side_ == Side::a) ? Direction::in : Direction::out;
  if (!proposed.format.empty() && proposed.format != flow.offer->format)
    throw streamOpDenied("flow " + entry.name + ": the format is " + flow.offer->format + ", not " +
                         proposed.format);
  if (!produces) return listen(flow, entry);
  send_to(flow, proposed, initiator);
  entry.carrier = proposed.carrier;
  entry.protocol = proposed.protocol;
  return entry;
}

bool EndPoint::accept(const EndPointRef& initiator, Quality& quality, Flows& flows) {
  check_size(flows);
  if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
  bool met = true;
  Flows answers;
  std::vector<std::string> names;
  try {
    const std::lock_guard lock(mutex_);
    for (const std::string& each : flows) {
      Flow* const flow = find(name_in(each));
      if (!flow || has(names, flow->offer->name)) continue;
      const auto entry = parse_forward(each, parts_.limits.entry_bytes);
      if (!entry) throw FPError(flow->offer->name);
      met = grant(quality, *flow) && met;
      FlowEntry answered = answer(*flow, *entry, initiator);
      names.push_back(flow->offer->name);
      answers.push_back(reverse_text(answered));
    }
    if (answers.empty()) throw noSuchFlow();
  } catch (const CORBA::UserException& failure) {
    undo(names, initiator);
    parts_.refusals.fetch_add(1, std::memory_order_relaxed);
    if (const auto* failed = dynamic_cast<const streamOpFailed*>(&failure))
      throw streamOpDenied(failed->reason());
    throw;
  }
  parts_.connections.fetch_add(answers.size(), std::memory_order_relaxed);
  flows = std::move(answers);
  return met;
}

void EndPoint::drop_peer(Ended& ended, const EndPointRef& peer, const std::string& flow) {
  Flow* const own = find(flow);
  std::erase_if(peers_, [&](const Peer& each) {
    if (each.flow != flow || !each.end_point || !peer || !each.end_point->_is_equivalent(peer)) return false;
    if (own && own->producer) own->producer->remove(each.consumer);
    return true;
  });
  const bool is_last = std::ranges::none_of(peers_, [&](const Peer& each) { return each.flow == flow; });
  if (own && own->producer && is_last) ended.take(*own);
}

void EndPoint::disconnect(const Flows& flows) {
  Ended ended;
  const std::lock_guard lock(mutex_);
  for (Flow* flow : selected(flows)) {
    ended.take(*flow);
    std::erase_if(peers_, [flow](const Peer& each) { return each.flow == flow->offer->name; });
  }
}

void EndPoint::disconnect_from(const EndPointRef& peer, const Flows& flows) {
  Ended ended;
  const std::lock_guard lock(mutex_);
  for (Flow* flow : selected(flows)) drop_peer(ended, peer, flow->offer->name);
}

void EndPoint::start(const Flows& flows) {
  const std::lock_guard lock(mutex_);
  for (Flow* flow : selected(flows)) {
    if (flow->producer) flow->producer->start();
    if (flow->consumer) flow->consumer->start();
  }
}

void EndPoint::stop(const Flows& flows) {
  const std::lock_guard lock(mutex_);
  for (Flow* flow : selected(flows)) {
    if (flow->producer) flow->producer->stop();
    if (flow->consumer) flow->consumer->stop();
  }
}

// Flows without parameters in the quality stay as they are, and so do parameters that are left out.
bool EndPoint::modify(Quality& quality, const Flows& flows) {
  if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
  const std::lock_guard lock(mutex_);
  bool met = true;
  std::vector<std::pair<Flow*, FlowQuality>> changes;
  for (Flow* flow : selected(flows)) {
    const auto negotiated = negotiate(quality, flow->offer->name, flow->offer->bounds);
    if (!negotiated) throw QoSRequestFailed(negotiated.error());
    if (!negotiated->given) continue;
    if (flow->is_connected() && others_differ(negotiated->granted, flow->quality))
      throw QoSRequestFailed("flow " + flow->offer->name +
                             ": only the frame rate of a connected flow can be changed");
    met = met && negotiated->met;
    changes.emplace_back(flow, negotiated->granted);
  }
  for (const auto& [flow, granted] : changes) {
    const double before = flow->quality.frame_rate;
    if (!flow->is_connected()) flow->quality = granted;
    flow->quality.frame_rate = granted.frame_rate > 0 ? granted.frame_rate : before;
    if (flow->producer && granted.frame_rate > 0) flow->producer->set_rate(granted.frame_rate);
  }
  return met;
}

void EndPoint::remove(const Flows& flows) {
  disconnect(flows);
  const std::lock_guard lock(mutex_);
  for (const std::string& each : flows)
    std::erase_if(flows_, [&](const Flow& own) { return own.offer->name == name_in(each); });
}

void EndPoint::end() {
  {
    const std::lock_guard lock(parts_.mutex);
    parts_.end_points.erase(number_);
  }
  disconnect({});
  deactivate(*parts_.adapter, own_);
  deactivate(*parts_.adapter, device_);
}

void EndPoint::require(const Flows& flows) {
  const std::lock_guard lock(mutex_);
  selected(flows);
}

bool EndPoint::restrict_carriers(const AVStreams::protocolSpec& allowed) {
  check_size(allowed);
  std::vector<std::string> names;
  const std::lock_guard lock(mutex_);
  for (const std::string& each : allowed)
    if (const auto carrier = parse_carrier(each)) names.push_back(carrier->name);
  const bool some_remain = std::ranges::all_of(flows_, [&names](const Flow& flow) {
    return std::ranges::any_of(flow.offer->carriers,
                               [&names](const std::string& own) { return has(names, own); });
  });
  if (some_remain) allowed_carriers_ = std::move(names);
  return some_remain;
}

bool EndPoint::has_format(std::string_view flow, std::string_view format) {
  const std::lock_guard lock(mutex_);
  const Flow* const found = find(flow);
  return found && found->offer->format == format;
}

std::vector<FlowView> EndPoint::look() {
  std::vector<FlowView> views;
  const std::lock_guard lock(mutex_);
  for (Flow& each : flows_) {
    FlowView view{.name = each.offer->name,
                  .format = each.offer->format,
                  .carrier = each.producer ? each.producer->where() : text_of(each.carrier),
                  .produces = each.produces,
                  .state = each.state(),
                  .frame_rate = each.quality.frame_rate};
    if (each.producer) view.counts = each.producer->counts();
    if (each.consumer) view.counts = each.consumer->counts();
    views.push_back(std::move(view));
  }
  return views;
}

bool EndPoint::unused_since(os::TimePoint time) {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(
      flows_, [time](const Flow& each) { return !each.is_connected() || each.last_frame() < time; });
}

}  // namespace takt::streams
