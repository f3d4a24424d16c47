#include "streams/service/control_servant.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace takt::streams {
namespace {

using AVStreams::noSuchFlow, AVStreams::QoSRequestFailed, AVStreams::streamOpDenied,
    AVStreams::streamOpFailed;

// Runs the calls to another object. Its exceptions become those that bind operations may raise.
template <class Action>
auto calling(const char* whom, const Action& action) {
  try {
    return action();
  } catch (const streamOpDenied& denied) {
    throw streamOpFailed(std::string(whom) + " denies: " + denied.reason());
  } catch (const AVStreams::notSupported&) {
    throw streamOpFailed(std::string(whom) + " does not support it");
  } catch (const CORBA::SystemException& failure) {
    throw streamOpFailed(std::string(whom) + " does not answer: " + failure.what());
  }
}

// A bind begins no call later than four calls may take.
constexpr int most_calls_of_bind = 4;

// Destroys what a bind operation has made, although the end point may be gone.
void discard(const Ref<EndPointStub>& end_point, const AVStreams::flowSpec& flows) {
  try {
    if (end_point) end_point->destroy(flows);
  } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): it is gone, or its flows are
  }
}

// Leaves one entry for each flow that goes to a group. The answer is that of a device which clients choose.
void keep_groups(AVStreams::flowSpec& entries, const Limits& limits) {
  if (entries.size() > limits.entries)
    throw streamOpFailed("the device answers " + std::to_string(entries.size()) +
                         " entries of flows; the limit is " + std::to_string(limits.entries));
  std::erase_if(entries, [&limits](const std::string& each) {
    const auto parsed = parse_forward(each, limits.entry_bytes);
    return !parsed || !is_group(parsed->carrier);
  });
  std::ranges::stable_sort(entries, {}, name_in);
  const auto rest = std::ranges::unique(entries, {}, name_in);
  entries.erase(rest.begin(), rest.end());
}

// Joins the groups of the entries; leaves in these what was joined, which is nothing for a device that
// cannot.
bool joined_groups(EndPointBStub& consumer, AVStreams::streamQoS& quality, AVStreams::flowSpec& entries) {
  try {
    const std::size_t asked = entries.size();
    const bool met = consumer.multiconnect(quality, entries);
    if (entries.size() > asked) throw streamOpFailed("the consumer has joined more groups than there are");
    return met;
  } catch (const CORBA::UserException&) {  // NOLINT(bugprone-empty-catch): packets of its own may go
  } catch (const CORBA::NO_IMPLEMENT&) {   // NOLINT(bugprone-empty-catch)
  }
  entries.clear();
  return true;
}

// Runs the call for every party. `noSuchFlow` is raised if none knows the flows.
template <class Parties, class Call>
void for_each_party(const Parties& parties, const Call& call) {
  bool known = parties.empty();
  for (const auto& each : parties) {
    try {
      call(each);
      known = true;
    } catch (const noSuchFlow&) {  // another party may have it
    } catch (const CORBA::SystemException&) {
      known = true;  // it is gone
    }
  }
  if (!known) throw noSuchFlow();
}

}  // namespace

ControlServant::ControlServant(Ref<PortableServer::POA> adapter, const Limits& limits,
                               std::function<void()> ended)
    : PropertySetServant(limits, adapter),
      adapter_(std::move(adapter)),
      limits_(limits),
      ended_(std::move(ended)) {}

ControlServant::Parties ControlServant::parties() const {
  const std::lock_guard lock(mutex_);
  return parties_;
}

ControlServant::Parties ControlServant::consumers_first() const {
  Parties all = parties();
  std::ranges::stable_partition(all, [](const Party& each) { return each.side == Side::b; });
  return all;
}

ControlServant::Parties ControlServant::take_out(const std::function<bool(const Party&)>& chosen) {
  Parties taken;
  const std::lock_guard lock(mutex_);
  for (const Party& each : parties_)
    if (chosen(each)) taken.push_back(each);
  std::erase_if(parties_, chosen);
  return taken;
}

void ControlServant::keep(std::vector<Party> parties) {
  bool destroyed = false;
  {
    const std::lock_guard lock(mutex_);
    destroyed = destroyed_;
    if (!destroyed && parties_.size() + parties.size() <= limits_.parties) {
      parties_.insert(parties_.end(), parties.begin(), parties.end());
      return;
    }
  }
  for (const Party& each : parties) discard(each.end_point, {});
  if (destroyed) throw streamOpFailed("the stream was destroyed meanwhile");
  throw streamOpFailed("a stream has more than " + std::to_string(limits_.parties) + " end points");
}

void ControlServant::stop(const Flows& flows) {
  touch();
  for_each_party(parties(), [&flows](const Party& each) { each.end_point->stop(flows); });
}

void ControlServant::start(const Flows& flows) {
  touch();
  for_each_party(consumers_first(), [&flows](const Party& each) { each.end_point->start(flows); });
}

// Gives its place back first: end points that do not answer may take minutes.
void ControlServant::destroy(const Flows& flows) {
  touch();
  if (!flows.empty()) return part(parties(), flows);
  if (!destroyed_.exchange(true)) close();  // keep() discards later bindings
  try {
    part(take_out([](const Party&) { return true; }), {});
  } catch (const noSuchFlow&) {  // NOLINT(bugprone-empty-catch): there is nothing left to destroy
  }
}

ObjectRef ControlServant::get_flow_connection(const std::string& flow) {
  touch();
  Ref<FlowProducerStub> producer;
  std::vector<Ref<FlowConsumerStub>> consumers;
  for_each_party(parties(), [&](const Party& each) {
    const auto object = bounded(each.end_point, limits_)->get_fep(flow);
    if (auto found = IDL::traits<FlowProducerStub>::narrow(object))
      producer = std::move(found);
    else if (auto consumer = IDL::traits<FlowConsumerStub>::narrow(object))
      consumers.push_back(std::move(consumer));
  });
  if (!producer && consumers.empty()) throw noSuchFlow();
  const auto made = make_flow_connection(adapter_, limits_);
  MadeFlowConnection kept;
  {
    const std::lock_guard lock(mutex_);
    if (!destroyed_) {
      MadeFlowConnection& known = flow_connections_[flow];
      if (!known.servant || known.servant->is_destroyed()) known = made;
      kept = known;
    }
  }
  if (!kept.servant || kept.servant != made.servant) deactivate(*adapter_, made.reference);
  if (!kept.servant) throw noSuchFlow();
  kept.servant->hold(producer, consumers);
  return kept.reference;
}

void ControlServant::close() {
  decltype(flow_connections_) connections;
  {
    const std::lock_guard lock(mutex_);
    connections.swap(flow_connections_);
  }
  for (const auto& [flow, each] : connections) deactivate(*adapter_, each.reference);
  deactivate(*adapter_, own_);
  ended_();
}

std::vector<Ref<EndPointStub>> ControlServant::end_points() const {
  std::vector<Ref<EndPointStub>> all;
  for (const Party& each : parties()) all.push_back(each.end_point);
  return all;
}

void ControlServant::abandon() {
  if (destroyed_.exchange(true)) return;
  close();
  const auto end = os::Clock::now() + limits_.call_timeout;
  for (const Party& each : take_out([](const Party&) { return true; })) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - os::Clock::now());
    if (left <= left.zero()) return;
    discard(IDL::traits<EndPointStub>::unchecked_narrow(events::with_timeout(each.end_point, left)), {});
  }
}

// An end point that refuses does not keep the others.
void ControlServant::part(const Parties& parties, const Flows& flows) const {
  std::exception_ptr refusal;
  for_each_party(parties, [&](const Party& each) {
    try {
      each.end_point->destroy(flows);
    } catch (const noSuchFlow&) {
      throw;
    } catch (const CORBA::UserException&) {
      refusal = std::current_exception();
    }
  });
  if (refusal && !flows.empty()) std::rethrow_exception(refusal);
}

bool ControlServant::modify_QoS(Quality& quality, const Flows& flows) {
  touch();
  if (const auto excess = excess_in(quality, limits_)) throw QoSRequestFailed(*excess);
  bool met = true;
  for_each_party(consumers_first(),
                 [&](const Party& each) { met = each.end_point->modify_QoS(quality, flows) && met; });
  return met;
}

void ControlServant::set_FPStatus(const Flows& flows, const std::string& protocol,
                                  const CORBA::Any& settings) {
  touch();
  for_each_party(parties(),
                 [&](const Party& each) { each.end_point->set_FPStatus(flows, protocol, settings); });
}

ControlServant::Party ControlServant::create(Side side, const Ref<DeviceStub>& device, Quality& quality,
                                             const Flows& flows) const {
  return calling("the device", [&] {
    const auto called = bounded(device, limits_);
    Party party{.side = side, .device = device};
    std::string name;
    if (side == Side::a)
      party.end_point = called->create_A(own_, party.virtual_device, quality, party.met, name, flows);
    else
      party.end_point = called->create_B(own_, party.virtual_device, quality, party.met, name, flows);
    if (!party.end_point || !party.virtual_device) throw streamOpFailed("the device has made no end point");
    party.end_point = bounded(party.end_point, limits_);
    party.virtual_device = bounded(party.virtual_device, limits_);
    return party;
  });
}

bool ControlServant::join(const Party& a, const Party& b, Quality& quality, const Flows& flows) const {
  return calling("the stream", [&] {
    bool met = true;
    if (a.virtual_device && b.virtual_device) {
      met = a.virtual_device->set_peer(own_, b.virtual_device, quality, flows) && met;
      met = b.virtual_device->set_peer(own_, a.virtual_device, quality, flows) && met;
    }
    return a.end_point->connect(b.end_point, quality, flows) && met;
  });
}

bool ControlServant::bind_devs(Ref<DeviceStub> a, Ref<DeviceStub> b, Quality& quality, const Flows& flows) {
  touch();
  if (const auto excess = excess_in(quality, limits_)) throw QoSRequestFailed(*excess);
  if (!a && !b) throw streamOpFailed("there is no device to bind");
  if (!a) return add_consumer(b, quality, flows);
  Parties made{create(Side::a, a, quality, flows)};
  if (!b) return add_producer(std::move(made.front()), quality, flows);
  try {
    made.push_back(create(Side::b, b, quality, flows));
    const bool met = join(made[0], made[1], quality, flows) && made[0].met && made[1].met;
    keep(made);
    return met;
  } catch (const CORBA::Exception&) {
    for (const Party& each : made) discard(each.end_point, {});
    throw;
  }
}

bool ControlServant::add_producer(Party producer, Quality& quality, const Flows& flows) {
  try {
    producer.groups = flows;
    const auto root = IDL::traits<EndPointAStub>::unchecked_narrow(producer.end_point);
    producer.met = root->multiconnect(quality, producer.groups) && producer.met;
    keep_groups(producer.groups, limits_);
  } catch (const CORBA::NO_IMPLEMENT&) {  // a device of another ORB: each consumer gets packets of its own
    producer.groups.clear();
  } catch (const CORBA::SystemException& failure) {
    discard(producer.end_point, {});
    throw streamOpFailed(std::string("the device does not answer: ") + failure.what());
  } catch (const CORBA::UserException&) {
    discard(producer.end_point, {});
    throw;
  }
  const bool met = producer.met;
  keep({std::move(producer)});
  return met;
}

// The wanted flows that go to groups. A producer whose source has failed begins again.
ControlServant::Flows ControlServant::groups_of(const Party& producer, const Flows& flows) const {
  Flows groups;
  for (const std::string& each : producer.groups) {
    const auto named = std::ranges::find(flows, name_in(each), name_in);
    if (flows.empty())
      groups.emplace_back(name_in(each));
    else if (named != flows.end())
      groups.push_back(*named);
  }
  if (groups.empty()) return groups;
  Quality unchanged;
  IDL::traits<EndPointAStub>::unchecked_narrow(producer.end_point)->multiconnect(unchanged, groups);
  keep_groups(groups, limits_);
  return groups;
}

// Joins the groups of the producer's flows, and connects the other flows. A consumer that cannot join a group
// gets packets of its own.
bool ControlServant::attach(const Party& producer, const Party& consumer, Quality& quality,
                            const Flows& flows) const {
  const Flows groups = groups_of(producer, flows);
  const auto leaf = IDL::traits<EndPointBStub>::unchecked_narrow(consumer.end_point);
  Flows joined = groups;
  bool met = groups.empty() || joined_groups(*leaf, quality, joined);
  const auto is_joined = [&joined](const std::string& entry) {
    return std::ranges::find(joined, name_in(entry), name_in) != joined.end();
  };
  const auto root = IDL::traits<EndPointAStub>::unchecked_narrow(producer.end_point);
  if (!flows.empty()) {
    Flows others = flows;
    std::erase_if(others, is_joined);
    return (others.empty() || root->connect_leaf(leaf, quality, others)) && met;
  }
  std::size_t connected = joined.size();
  const auto last_begin = os::Clock::now() + most_calls_of_bind * limits_.call_timeout;
  const auto connect = [&](const Flows& some) {
    if (os::Clock::now() > last_begin) throw streamOpFailed("the end points take too long");
    try {
      met = root->connect_leaf(leaf, quality, some) && met;
      ++connected;
    } catch (const noSuchFlow&) {  // NOLINT(bugprone-empty-catch): the consumer need not have it
    }
  };
  for (const std::string& each : groups)
    if (!is_joined(each)) connect({std::string(name_in(each))});
  connect({});
  if (connected == 0) throw noSuchFlow();
  return met;
}

bool ControlServant::add_consumer(const Ref<DeviceStub>& device, Quality& quality, const Flows& flows) {
  const Parties all = parties();
  const auto producer = std::ranges::find(all, Side::a, &Party::side);
  if (producer == all.end())
    throw streamOpFailed("there is no device A yet: bind it first, with a nil device B");
  Party made = create(Side::b, device, quality, flows);
  try {
    const bool met = calling("the stream", [&] {
      if (producer->virtual_device)
        made.virtual_device->set_peer(own_, producer->virtual_device, quality, flows);
      return attach(*producer, made, quality, flows);
    });
    keep({made});
    return met && made.met;
  } catch (const CORBA::Exception&) {
    discard(made.end_point, {});
    throw;
  }
}

bool ControlServant::bind(Ref<EndPointAStub> a, Ref<EndPointBStub> b, Quality& quality, const Flows& flows) {
  touch();
  if (const auto excess = excess_in(quality, limits_)) throw QoSRequestFailed(*excess);
  if (!a || !b) throw streamOpFailed("there is no end point to bind");
  const Party first{.side = Side::a, .end_point = bounded(a, limits_)};
  const Party second{.side = Side::b, .end_point = bounded(b, limits_)};
  const bool met = join(first, second, quality, flows);
  keep({first, second});
  return met;
}

void ControlServant::unbind_dev(Ref<DeviceStub> device, const Flows& flows) {
  touch();
  const auto is_it = [&device](const Party& each) {
    return device && each.device && each.device->_is_equivalent(device);
  };
  Parties chosen;
  if (flows.empty()) {
    chosen = take_out(is_it);
  } else {
    chosen = parties();
    std::erase_if(chosen, [&is_it](const Party& each) { return !is_it(each); });
  }
  if (chosen.empty()) throw streamOpFailed("the stream has no such device");
  part(chosen, flows);
}

void ControlServant::unbind_party(Ref<EndPointStub> end_point, const Flows& flows) {
  touch();
  const auto is_it = [&end_point](const Party& each) {
    return end_point && each.end_point->_is_equivalent(end_point);
  };
  Parties others = parties();
  const auto found = std::ranges::find_if(others, is_it);
  if (found == others.end()) throw streamOpFailed("the stream has no such end point");
  const Party party = *found;
  if (flows.empty()) take_out(is_it);
  // A producer stops to send to a consumer that leaves.
  for (const Party& each : others) {
    if (each.side != Side::a || party.side != Side::b) continue;
    try {
      IDL::traits<EndPointAStub>::unchecked_narrow(each.end_point)
          ->disconnect_leaf(IDL::traits<EndPointBStub>::unchecked_narrow(party.end_point), flows);
    } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): it had none of the flows
    }
  }
  part({party}, flows);
}

void ControlServant::unbind() {
  try {
    destroy({});
  } catch (const noSuchFlow&) {  // NOLINT(bugprone-empty-catch): nothing is bound, which was wanted
  }
}

Ref<VirtualDeviceStub> ControlServant::get_related_vdev(Ref<DeviceStub> device,
                                                        Ref<EndPointStub>& end_point) {
  touch();
  for (const Party& each : parties()) {
    if (!device || !each.device || !each.device->_is_equivalent(device)) continue;
    end_point = each.end_point;
    return each.virtual_device;
  }
  throw streamOpFailed("the stream has no such device");
}

}  // namespace takt::streams
