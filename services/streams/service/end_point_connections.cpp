// How an end point connects its flows with those of others, and ends them.
#include <algorithm>
#include <exception>
#include <utility>

#include <takt/orb/frames.h>

#include "addresses/address_in.h"
#include "streams/service/carriers.h"
#include "streams/service/end_point_attempt.h"
#include "streams/sfp/input.h"
#include "streams/sfp/output.h"

namespace takt::streams {
namespace {

using AVStreams::FPError, AVStreams::noSuchFlow, AVStreams::QoSRequestFailed, AVStreams::streamOpDenied,
    AVStreams::streamOpFailed;

// The stream at the address that a consumer has given.
FrameStream stream_of(const FlowEntry& entry) {
  return {.host = entry.carrier.host,
          .port = entry.carrier.port,
          .source = entry.protocol.source,
          .clock_rate = entry.protocol.clock_rate,
          .transport = std::string(transport_of(entry.carrier.name))};
}

// Assumed of flows without a stated rate, to see how many frames a delay holds.
constexpr double usual_rate = 60;
constexpr double most_delayed_frames = 2000;

constexpr std::uint32_t credit_of_flows = 32;  // frames under way that a consumer allows over SFP

std::unique_ptr<FrameOutput> simple_output(const FrameStream& to, const FlowProtocol& protocol,
                                           const FrameSending& sending) {
  sfp::Output::Options options{.credit = protocol.credit, .dscp = sending.dscp};
  if (sending.packet_bytes != 0) options.packet_bytes = sending.packet_bytes;
  return std::make_unique<sfp::Output>(to.host, to.port, options);
}

bool is_known(const FlowProtocol& protocol) {
  return protocol.name.empty() || protocol.name == own_protocol || protocol.is_simple();
}

// The protocol that a flow has with the other end: the own one, unless that asks for SFP.
FlowProtocol protocol_for(const FlowProtocol& protocol) {
  return {.name = std::string(protocol.is_simple() ? simple_protocol : own_protocol)};
}

}  // namespace

// While one exists, the end point proposes no other flows.
class EndPoint::Connecting {
 public:
  explicit Connecting(EndPoint& of) : of_(of) {
    const std::lock_guard lock(of_.mutex_);
    if (of_.connecting_) throw streamOpFailed("the end point is connecting already");
    of_.connecting_ = true;
  }
  Connecting(const Connecting&) = delete;
  Connecting& operator=(const Connecting&) = delete;
  ~Connecting() {
    const std::lock_guard lock(of_.mutex_);
    of_.connecting_ = false;
  }

 private:
  EndPoint& of_;
};

FrameOptions EndPoint::receiving(const Flow& flow) const {
  FrameOptions options{.clock_rate = flow.offer->clock_rate,
                       .late = flow.quality.late.value_or(flow.offer->late),
                       .delay = flow.quality.delay,
                       .frame_bytes = flow.offer->bounds.frame_octets};
  if (flow.quality.frame_octets > 0) options.frame_bytes = flow.quality.frame_octets;
  options.bytes = std::max(options.bytes, 4 * options.frame_bytes);
  const double rate = flow.quality.frame_rate > 0 ? flow.quality.frame_rate : usual_rate;
  const double delayed = std::chrono::duration<double>(options.delay).count() * rate;
  options.frames += static_cast<std::size_t>(std::min(delayed, most_delayed_frames));
  return options;
}

std::size_t EndPoint::most_frame_bytes() {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const Flow& each : flows_)
    if (each.offer->sink) bytes += receiving(each).bytes;
  return bytes;
}

bool EndPoint::consumes(bool paused) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      flows_, [paused](const Flow& each) { return each.consumer && each.consumer->is_paused() == paused; });
}

std::shared_ptr<const void> EndPoint::memory_for(const Flow& flow, const FrameOptions& options) const {
  if (!parts_.frame_memory.take(options.bytes))
    throw streamOpFailed("flow " + flow.offer->name + ": the device has no memory left for " +
                         std::to_string(options.bytes) +
                         " octets of its frames; frame_octets of the quality lowers them");
  return {&parts_.frame_memory, [bytes = options.bytes](MemoryBudget* memory) { memory->give_back(bytes); }};
}

void EndPoint::consume(Flow& flow, std::unique_ptr<FrameInput> receiver, std::shared_ptr<const void> memory,
                       Attempt& attempt) const {
  flow.consumer = std::make_unique<ConsumerFlow>(std::move(receiver), flow.offer->sink(),
                                                 flow.quality.priority, std::move(memory));
  attempt.listening.push_back(flow.offer->name);
  flow.produces = false;
}

FlowEntry EndPoint::listen(Flow& flow, const FlowEntry& entry, Attempt& attempt) {
  if (flow.consumer) throw streamOpFailed("flow " + entry.name + " is connected already");
  FlowEntry listening = entry;
  const FrameOptions options = receiving(flow);
  auto memory = memory_for(flow, options);
  explaining_failures(entry.name, [&] {
    if (entry.protocol.is_simple()) {
      auto input = std::make_unique<sfp::Input>(parts_.host, options, credit_of_flows);
      listening.carrier = {entry.carrier.name, parts_.host, input->port()};
      listening.protocol.credit = credit_of_flows;
      return consume(flow, std::move(input), std::move(memory), attempt);
    }
    FrameReceiver receiver =
        FrameStreams::of(parts_.orb).receiver(endpoint_of(entry.carrier.name, parts_.host), options);
    const FrameStream& stream = receiver.stream();
    listening.carrier = {entry.carrier.name, stream.host, stream.port};
    listening.protocol = {std::string(own_protocol), stream.source, stream.clock_rate};
    consume(flow, input_of(std::move(receiver)), std::move(memory), attempt);
  });
  flow.carrier = listening.carrier;
  return listening;
}

void EndPoint::check_address(const Carrier& carrier, const ObjectRef& peer) const {
  if (parts_.any_address) return;
  const std::string address = addresses::address_in(addresses::ior_of(peer));
  const auto own = parse_carrier("REFERENCE=" + address);
  if (own && own->host == carrier.host) return;
  throw streamOpFailed("the flow would go to " + carrier.host + ", and its end point is at " +
                       (address.empty() ? "no address" : address));
}

// A client can make a reference that names any host, but not that an end point answers there. The call goes
// only to the address that check_address() compares: a server at another address of the reference would
// answer for a host that is no end point.
void EndPoint::require_answer(const ObjectRef& peer) const {
  if (parts_.any_address || !peer) return;  // check_address() refuses nil
  const auto one = addresses::with_one_address(addresses::ior_of(peer));
  if (!one) throw streamOpFailed("the reference of the end point to which frames would go has no address");
  try {
    const auto there = IDL::traits<CosPropertyService::PropertySet>::unchecked_narrow(
        parts_.orb->string_to_object(addresses::text_of(*one)));
    bounded(there, parts_.limits)->get_number_of_properties();
  } catch (const CORBA::Exception& failure) {
    throw streamOpFailed(std::string("the end point to which frames would go does not answer: ") +
                         failure.what());
  }
}

// Whether frames would go to the initiator of this connection.
bool EndPoint::would_send(const Flows& flows) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(flows, [this](const std::string& each) {
    const Flow* const flow = find(name_in(each));
    const auto entry = parse_forward(each, parts_.limits.entry_bytes);
    if (!flow || !entry || !flow->offer->source) return false;
    return entry->direction ? (*entry->direction == Direction::in) == (side_ == Side::a)
                            : side_ == Side::a || !flow->offer->sink;
  });
}

void EndPoint::send_to(Flow& flow, const FlowEntry& entry, const ObjectRef& peer, Attempt& attempt,
                       std::unique_lock<std::mutex>& lock) {
  const bool is_simple = entry.protocol.is_simple() && entry.carrier.name == "UDP";
  if (!entry.carrier.has_address() || (entry.protocol.clock_rate == 0 && !is_simple))
    throw streamOpFailed("flow " + entry.name + ": the consumer has given no address of " +
                         (is_simple ? entry.protocol.name : std::string(own_protocol)));
  if (is_group(entry.carrier))
    throw streamOpFailed("flow " + entry.name + ": the device sends to no group but that of its offer");
  check_address(entry.carrier, peer);
  begin_sending(flow, stream_of(entry), entry.protocol, peer, attempt, lock);
  flow.carrier = entry.carrier;
}

// Releases the lock for as long as it takes to reach the consumer.
void EndPoint::begin_sending(Flow& flow, const FrameStream& to, const FlowProtocol& protocol,
                             const ObjectRef& peer, Attempt& attempt, std::unique_lock<std::mutex>& lock) {
  const FlowOffer& offer = *flow.offer;
  if (flow.producer && flow.producer->consumers() >= parts_.limits.consumers)
    throw streamOpFailed("flow " + offer.name + " has " + std::to_string(parts_.limits.consumers) +
                         " consumers, which is the limit");
  explaining_failures(offer.name, [&] {
    const ProducerOptions options{
        .frame_rate = flow.quality.frame_rate > 0 ? flow.quality.frame_rate : offer.frame_rate,
        .priority = flow.quality.priority,
        .late = offer.late,
        .number = parts_.producers.fetch_add(1, std::memory_order_relaxed)};
    const bool is_first = !flow.producer || flow.producer->state() == FlowState::dead;
    const FrameSending sending{.packet_bytes = offer.packet_bytes,
                               .dscp = flow.quality.dscp,
                               .interface = offer.interface,
                               .hops = peer ? -1 : offer.hops};  // a host's name may be that of a group
    lock.unlock();
    auto sender = protocol.is_simple() ? simple_output(to, protocol, sending)
                                       : output_of(FrameStreams::of(parts_.orb).sender(to, sending));
    auto made = is_first ? std::make_unique<ProducerFlow>(offer.source(), options) : nullptr;
    lock.lock();
    if (made) flow.producer = std::move(made);
    drop_departed();
    const Carrier carrier{carrier_over(to.transport), to.host, to.port};
    const std::uint32_t clock_rate = protocol.is_simple() ? offer.clock_rate : to.clock_rate;
    if (!flow.producer->add(++last_consumer_, std::move(sender), clock_rate, text_of(carrier)))
      throw streamOpFailed("flow " + offer.name + ": its source has failed");
    peers_.push_back({peer, offer.name, last_consumer_});
    attempt.consumers.push_back(last_consumer_);
  });
  flow.produces = true;
}

FlowEntry EndPoint::proposal(Flow& flow, const FlowEntry& wanted, Attempt& attempt) {
  const bool produces = produces_in(flow, wanted.direction);
  FlowEntry entry{.name = flow.offer->name,
                  .direction = produces == (side_ == Side::a) ? Direction::in : Direction::out,
                  .format = flow.offer->format,
                  .protocol = protocol_for(wanted.protocol),
                  .carrier = {.name = carrier_of(flow, wanted)}};
  if (!is_known(wanted.protocol))
    throw streamOpFailed("flow " + entry.name + ": the flow protocol is " + std::string(own_protocol) +
                         " or " + std::string(simple_protocol));
  if (!wanted.format.empty() && wanted.format != flow.offer->format)
    throw streamOpFailed("flow " + entry.name + ": the format is " + flow.offer->format);
  return produces ? entry : listen(flow, entry, attempt);
}

EndPoint::Proposed EndPoint::proposals(Quality& quality, const Flows& flows, Attempt& attempt) {
  Proposed proposed;
  const std::lock_guard changing(changes_);
  const std::lock_guard lock(mutex_);
  for (Flow* flow : selected(flows)) {
    if (flows.empty() && flow->goes_to_group()) continue;
    const auto given = std::ranges::find(flows, flow->offer->name, name_in);
    const auto wanted = given == flows.end() ? FlowEntry() : parse_forward(*given, parts_.limits.entry_bytes);
    if (!wanted) throw streamOpFailed("'" + *given + "': " + wanted.error());
    proposed.met = grant(quality, *flow, &attempt) && proposed.met;
    proposed.entries.push_back(forward_text(proposal(*flow, *wanted, attempt)));
    proposed.names.push_back(flow->offer->name);
  }
  if (proposed.names.empty()) throw noSuchFlow();
  return proposed;
}

bool EndPoint::connect(const EndPointRef& responder, Quality& quality, const Flows& flows) {
  if (!responder) throw streamOpFailed("there is no end point to connect with");
  if (const auto excess = excess_in(quality, parts_.limits)) throw QoSRequestFailed(*excess);
  const Connecting connecting(*this);
  Attempt attempt(*this);
  Proposed proposed = proposals(quality, flows, attempt);
  try {
    const bool met =
        bounded(responder, parts_.limits)->request_connection(own_, false, quality, proposed.entries);
    const auto is_sent = [&](const std::string& name) { return !attempt.listens(name); };
    if (std::ranges::any_of(proposed.names, is_sent)) require_answer(responder);
    finish(responder, proposed, !flows.empty(), attempt);
    attempt.succeed();
    return met && proposed.met;
  } catch (const CORBA::Exception& failure) {
    note_refusal();
    if (const auto* denied = dynamic_cast<const streamOpDenied*>(&failure))
      throw streamOpFailed("the other end point denies: " + denied->reason());
    if (const auto* wrong = dynamic_cast<const FPError*>(&failure))
      throw streamOpFailed("flow " + wrong->flow_name() + ": the other end point knows no such protocol");
    if (dynamic_cast<const CORBA::SystemException*>(&failure))
      throw streamOpFailed(std::string("the other end point does not answer: ") + failure.what());
    throw;
  }
}

// `proposed` has the responder's answers. Other calls may have ended or begun flows since the proposal.
void EndPoint::finish(const EndPointRef& responder, const Proposed& proposed, bool explicitly,
                      Attempt& attempt) {
  const std::lock_guard changing(changes_);
  std::unique_lock lock(mutex_);
  check_size(proposed.entries);
  std::size_t connected = 0;
  for (const std::string& name : proposed.names) {
    const auto found = std::ranges::find(proposed.entries, name, name_in);
    if (found == proposed.entries.end()) {
      if (explicitly) throw noSuchFlow();
      continue;
    }
    Flow& flow = existing(name);
    const auto entry = parse_reverse(*found, parts_.limits.entry_bytes);
    if (!entry) throw streamOpFailed("the other end point's '" + *found + "': " + entry.error());
    const bool listens = attempt.listens(name);
    if (listens != (flow.consumer != nullptr))
      throw streamOpFailed("flow " + name + " has changed while it was being connected");
    if (!listens) send_to(flow, *entry, responder, attempt, lock);
    ++connected;
  }
  if (connected == 0) throw noSuchFlow();
  parts_.connections.fetch_add(connected, std::memory_order_relaxed);
}

FlowEntry EndPoint::answer(Flow& flow, const FlowEntry& proposed, const EndPointRef& initiator,
                           Attempt& attempt, std::unique_lock<std::mutex>& lock) {
  if (!is_known(proposed.protocol)) throw FPError(proposed.name);
  FlowEntry entry{.name = flow.offer->name,
                  .direction = proposed.direction,
                  .format = flow.offer->format,
                  .protocol = protocol_for(proposed.protocol),
                  .carrier = {.name = carrier_of(flow, proposed)}};
  const bool produces = produces_in(flow, proposed.direction);
  if (!proposed.direction) entry.direction = produces == (side_ == Side::a) ? Direction::in : Direction::out;
  if (!proposed.format.empty() && proposed.format != flow.offer->format)
    throw streamOpDenied("flow " + entry.name + ": the format is " + flow.offer->format + ", not " +
                         proposed.format);
  if (!produces) return listen(flow, entry, attempt);
  send_to(flow, proposed, initiator, attempt, lock);
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
  Attempt attempt(*this);
  try {
    if (would_send(flows)) require_answer(initiator);
    const std::lock_guard changing(changes_);
    std::unique_lock lock(mutex_);
    for (const std::string& each : flows) {
      Flow* const flow = find(name_in(each));
      if (!flow || std::ranges::find(names, flow->offer->name) != names.end()) continue;
      const auto entry = parse_forward(each, parts_.limits.entry_bytes);
      if (!entry) throw FPError(flow->offer->name);
      met = grant(quality, *flow, &attempt) && met;
      answers.push_back(reverse_text(answer(*flow, *entry, initiator, attempt, lock)));
      names.push_back(flow->offer->name);
    }
    if (answers.empty()) throw noSuchFlow();
  } catch (const CORBA::UserException& failure) {
    note_refusal();
    if (const auto* failed = dynamic_cast<const streamOpFailed*>(&failure))
      throw streamOpDenied(failed->reason());
    throw;
  }
  attempt.succeed();
  parts_.connections.fetch_add(answers.size(), std::memory_order_relaxed);
  flows = std::move(answers);
  return met;
}

void EndPoint::undo(const Attempt& attempt) {
  Ended ended;
  const std::lock_guard changing(changes_);
  const std::lock_guard lock(mutex_);
  drop_peers(ended, [&attempt](const Peer& each) {
    return std::ranges::find(attempt.consumers, each.consumer) != attempt.consumers.end();
  });
  for (const std::string& name : attempt.listening)
    if (Flow* const flow = find(name)) ended.take(*flow);
  for (auto each = attempt.qualities.rbegin(); each != attempt.qualities.rend(); ++each)
    if (Flow* const flow = find(each->flow); flow && flow->quality == each->now) flow->quality = each->before;
}

// A producer without a peer ends.
void EndPoint::drop_peers(Ended& ended, const std::function<bool(const Peer&)>& chosen) {
  std::erase_if(peers_, [&](const Peer& each) {
    if (!chosen(each)) return false;
    if (Flow* const own = find(each.flow); own && own->producer) own->producer->remove(each.consumer);
    return true;
  });
  drop_departed();
  for (Flow& own : flows_)
    if (own.producer && std::ranges::find(peers_, own.offer->name, &Peer::flow) == peers_.end())
      ended.take(own);
}

// Forgets the peers whose connections have ended.
void EndPoint::drop_departed() {
  std::erase_if(peers_, [this](const Peer& each) {
    const Flow* const own = find(each.flow);
    return !own || !own->producer || !own->producer->has(each.consumer);
  });
}

void EndPoint::disconnect(const Flows& flows) {
  Ended ended;
  const std::lock_guard changing(changes_);
  const std::lock_guard lock(mutex_);
  for (Flow* flow : selected(flows)) ended.take(*flow);
  drop_departed();
}

void EndPoint::disconnect_from(const EndPointRef& peer, const Flows& flows) {
  Ended ended;
  const std::lock_guard changing(changes_);
  const std::lock_guard lock(mutex_);
  const std::vector<Flow*> chosen = selected(flows);
  drop_peers(ended, [&](const Peer& each) {
    return each.end_point && peer && std::ranges::find(chosen, find(each.flow)) != chosen.end() &&
           each.end_point->_is_equivalent(peer);
  });
}

void EndPoint::remove(const Flows& flows) {
  Ended ended;
  std::vector<ObjectRef> objects;
  {
    const std::lock_guard changing(changes_);
    const std::lock_guard lock(mutex_);
    for (Flow* flow : selected(flows)) ended.take(*flow);
    for (const std::string& each : flows) {
      const std::string name(name_in(each));
      std::erase_if(flows_, [&](const Flow& own) { return own.offer->name == name; });
      if (auto object = flow_objects_.extract(name)) objects.push_back(object.mapped());
    }
    drop_departed();
  }
  for (const ObjectRef& each : objects) deactivate(*parts_.adapter, each);
}

}  // namespace takt::streams
