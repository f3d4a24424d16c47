#include "streams/service/end_point.h"

#include <algorithm>
#include <utility>

#include "streams/service/end_point_attempt.h"

namespace takt::streams {
namespace {

using AVStreams::noSuchFlow, AVStreams::QoSRequestFailed, AVStreams::streamOpFailed;

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Whether parameters other than the frame rate differ.
bool others_differ(FlowQuality one, const FlowQuality& other) {
  one.frame_rate = other.frame_rate;
  return one != other;
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
    met_ = grant(quality, flows_.back(), nullptr) && met_;
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
  for (const std::string& each : flows) {
    Flow* const flow = &existing(name_in(each));
    if (std::ranges::find(all, flow) == all.end()) all.push_back(flow);
  }
  if (flows.empty())
    for (Flow& each : flows_) all.push_back(&each);
  return all;
}

double EndPoint::Flow::frame_rate() const {
  const bool has_own = quality.frame_rate > 0 || !(producer || produces);
  return has_own ? quality.frame_rate : offer->frame_rate;
}

// A producer keeps its rate and its priority for all of its consumers.
bool EndPoint::grant(Quality& quality, Flow& flow, Attempt* attempt) {
  PresentQuality present{.quality = flow.quality, .is_produced = flow.producer && flow.is_connected()};
  if (present.is_produced) present.quality.frame_rate = flow.frame_rate();
  const auto negotiated = negotiate(quality, flow.offer->name, flow.offer->bounds, present);
  if (!negotiated) throw QoSRequestFailed(negotiated.error());
  if (!negotiated->given) return negotiated->met;
  if (attempt) attempt->qualities.push_back({flow.offer->name, flow.quality, negotiated->granted});
  flow.quality = negotiated->granted;
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

bool EndPoint::may_use(const std::string& carrier) const {
  return allowed_carriers_.empty() || has(allowed_carriers_, carrier);
}

std::string EndPoint::carrier_of(const Flow& flow, std::string_view wanted) const {
  for (const std::string& each : flow.offer->carriers) {
    if (may_use(each) && (wanted.empty() || wanted == each)) return each;
  }
  throw streamOpFailed("flow " + flow.offer->name + ": no carrier that the device offers" +
                       (wanted.empty() ? "" : ", not " + std::string(wanted)));
}

std::string EndPoint::carrier_of(const Flow& flow, const FlowEntry& wanted) const {
  if (!wanted.protocol.is_simple()) return carrier_of(flow, wanted.carrier.name);
  if (!wanted.carrier.name.empty() && wanted.carrier.name != "UDP")
    throw streamOpFailed("flow " + flow.offer->name + ": SFP goes over UDP, not " + wanted.carrier.name);
  return carrier_of(flow, "UDP");
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
    const auto negotiated =
        negotiate(quality, flow->offer->name, flow->offer->bounds, {.quality = flow->quality});
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
    flow->quality = granted;
    if (granted.frame_rate <= 0) flow->quality.frame_rate = before;
    if (flow->producer && granted.frame_rate > 0 && granted.frame_rate != before)
      flow->producer->set_rate(granted.frame_rate);
  }
  return met;
}

void EndPoint::end() {
  {
    const std::lock_guard lock(parts_.mutex);
    parts_.end_points.erase(number_);
  }
  disconnect({});
  std::map<std::string, ObjectRef, std::less<>> objects;
  {
    const std::lock_guard lock(mutex_);
    objects.swap(flow_objects_);
  }
  for (const auto& [flow, object] : objects) deactivate(*parts_.adapter, object);
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

bool EndPoint::produces(std::string_view flow) {
  const std::lock_guard lock(mutex_);
  const Flow& found = existing(flow);
  return found.is_connected() ? found.produces : produces_in(found, std::nullopt);
}

ObjectRef EndPoint::flow_object(std::string_view flow, const std::function<ObjectRef()>& make) {
  {
    const std::lock_guard lock(mutex_);
    existing(flow);
    const auto known = flow_objects_.find(flow);
    if (known != flow_objects_.end()) return known->second;
  }
  const ObjectRef made = make();
  ObjectRef first;
  {
    const std::lock_guard lock(mutex_);
    first = flow_objects_.try_emplace(std::string(flow), made).first->second;
  }
  if (!first->_is_equivalent(made)) deactivate(*parts_.adapter, made);
  return first;
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
                  .frame_rate = each.frame_rate()};
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
