#include "streams/service/flow_connection.h"

#include <algorithm>
#include <utility>

namespace takt::streams {
namespace {

using AVStreams::alreadyConnected, AVStreams::streamOpFailed;

template <class A, class B>
bool same(const Ref<A>& a, const Ref<B>& b) {
  return a && b && a->_is_equivalent(b);
}

// Runs the call for each; those that do not answer are passed over.
template <class Call>
void for_each_there(const std::vector<Ref<FlowEndPointStub>>& all, const Call& call) {
  for (const auto& each : all) {
    try {
      call(*each);
    } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): it is gone, or has no flow any more
    }
  }
}

}  // namespace

void FlowConnectionServant::hold(const ProducerRef& producer, const std::vector<ConsumerRef>& consumers) {
  const std::lock_guard lock(mutex_);
  producer_ = bounded(producer, limits_);
  consumers_.clear();
  for (const ConsumerRef& each : consumers) consumers_.push_back(bounded(each, limits_));
}

// Consumers first, so that they are ready when the producer starts.
std::vector<FlowConnectionServant::EndPointRef> FlowConnectionServant::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<EndPointRef> all(consumers_.begin(), consumers_.end());
  if (producer_) all.push_back(producer_);
  return all;
}

FlowConnectionServant::ProducerRef FlowConnectionServant::producer() const {
  const std::lock_guard lock(mutex_);
  return producer_;
}

void FlowConnectionServant::stop() {
  for_each_there(all(), [](FlowEndPointStub& each) { each.stop(); });
}

void FlowConnectionServant::start() {
  for_each_there(all(), [](FlowEndPointStub& each) { each.start(); });
}

void FlowConnectionServant::destroy() {
  destroyed_ = true;
  deactivate(*adapter_, own_);
  disconnect();
}

bool FlowConnectionServant::disconnect() {
  const auto left = all();
  {
    const std::lock_guard lock(mutex_);
    producer_ = nullptr;
    consumers_.clear();
  }
  for_each_there(left, [](FlowEndPointStub& each) { each.destroy(); });
  return !left.empty();
}

bool FlowConnectionServant::modify_QoS(Quality& quality) {
  for (const EndPointRef& each : all()) {
    try {
      each->set_dev_params(quality.QoSParams());
    } catch (const AVStreams::PropertyException&) {
      throw AVStreams::QoSRequestFailed("an end point of the flow cannot do that");
    } catch (const streamOpFailed& failed) {
      throw AVStreams::QoSRequestFailed(failed.reason());
    } catch (const CORBA::SystemException& failure) {
      throw AVStreams::QoSRequestFailed(std::string("an end point does not answer: ") + failure.what());
    }
  }
  return true;
}

bool FlowConnectionServant::use_flow_protocol(const std::string& name, const CORBA::Any& settings) {
  bool all_do = true;
  for (const EndPointRef& each : all()) all_do = each->use_flow_protocol(name, settings) && all_do;
  return all_do;
}

namespace {

// False: the producer has no group, or the consumer does not join it.
bool connect_by_group(const Ref<FlowProducerStub>& producer, const Ref<FlowConsumerStub>& consumer,
                      AVStreams::QoS& quality) {
  try {
    bool met = false;
    const std::string address = producer->connect_mcast(quality, met, "", "");
    consumer->connect_to_peer(quality, address, "");
    return true;
  } catch (const AVStreams::notSupported&) {
    return false;
  } catch (const AVStreams::failedToConnect&) {
    return false;
  }
}

void connect_by_address(const Ref<FlowProducerStub>& producer, const Ref<FlowConsumerStub>& consumer,
                        AVStreams::QoS& quality) {
  std::string protocol;
  const std::string address = consumer->go_to_listen(quality, false, producer, protocol);
  producer->connect_to_peer(quality, address, protocol);
}

}  // namespace

void FlowConnectionServant::introduce(const ProducerRef& producer, const ConsumerRef& consumer,
                                      Quality& quality) const {
  producer->set_peer(own_, consumer, quality);
  consumer->set_peer(own_, producer, quality);
}

bool FlowConnectionServant::try_link(const ProducerRef& producer, const ConsumerRef& consumer,
                                     Quality& quality) const {
  try {
    introduce(producer, consumer, quality);
    if (!connect_by_group(producer, consumer, quality)) connect_by_address(producer, consumer, quality);
    return true;
  } catch (const CORBA::Exception&) {
    return false;
  }
}

// With the lock.
void FlowConnectionServant::require_room(const ConsumerRef& consumer) const {
  const auto is_it = [&](const ConsumerRef& each) { return same(each, consumer); };
  if (std::ranges::any_of(consumers_, is_it)) throw alreadyConnected();
  if (consumers_.size() >= limits_.parties)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           "a flow has more than " + std::to_string(limits_.parties) + " consumers");
}

void FlowConnectionServant::keep(const ConsumerRef& consumer) {
  const std::lock_guard lock(mutex_);
  require_room(consumer);
  consumers_.push_back(consumer);
}

bool FlowConnectionServant::keep(const ProducerRef& producer, const ConsumerRef& consumer) {
  const std::lock_guard lock(mutex_);
  if (producer_ || destroyed_) return false;
  require_room(consumer);
  producer_ = producer;
  consumers_.push_back(consumer);
  return true;
}

bool FlowConnectionServant::forget(const EndPointRef& target) {
  const std::lock_guard lock(mutex_);
  if (same(producer_, target)) {
    producer_ = nullptr;
    return true;
  }
  return std::erase_if(consumers_, [&](const ConsumerRef& each) { return same(each, target); }) != 0;
}

bool FlowConnectionServant::connect_devs(DeviceRef a, DeviceRef b, Quality& quality) {
  if (!a || !b) throw streamOpFailed("there is no device to connect");
  if (producer()) throw streamOpFailed("the flow has a producer already");
  ProducerRef producer;
  ConsumerRef consumer;
  bool met_a = false, met_b = false;
  std::string name;
  try {
    producer = bounded(bounded(a, limits_)->create_producer(own_, quality, met_a, name), limits_);
    consumer = bounded(bounded(b, limits_)->create_consumer(own_, quality, met_b, name), limits_);
    if (!producer || !consumer) throw streamOpFailed("a device has made no end point");
    introduce(producer, consumer, quality);
    connect_by_address(producer, consumer, quality);
    if (!keep(producer, consumer)) throw streamOpFailed("the flow has a producer already, or has ended");
    return met_a && met_b;
  } catch (const CORBA::Exception& failure) {
    std::vector<EndPointRef> made;
    if (producer) made.push_back(producer);
    if (consumer) made.push_back(consumer);
    for_each_there(made, [](FlowEndPointStub& each) { each.destroy(); });
    if (dynamic_cast<const AVStreams::QoSRequestFailed*>(&failure) ||
        dynamic_cast<const AVStreams::streamOpDenied*>(&failure) ||
        dynamic_cast<const streamOpFailed*>(&failure))
      throw;
    throw streamOpFailed(std::string("the devices cannot be connected: ") + failure.what());
  }
}

bool FlowConnectionServant::connect(ProducerRef producer, ConsumerRef consumer, Quality& quality) {
  if (!producer || !consumer) throw AVStreams::FEPMismatch();
  if (this->producer()) throw alreadyConnected();
  const auto from = bounded(producer, limits_);
  const auto to = bounded(consumer, limits_);
  {
    const std::lock_guard lock(mutex_);
    require_room(to);
  }
  try {
    if (!from->is_fep_compatible(to)) throw AVStreams::FEPMismatch();
    introduce(from, to, quality);
    connect_by_address(from, to, quality);
  } catch (const AVStreams::formatMismatch&) {
    throw;
  } catch (const CORBA::Exception&) {
    throw AVStreams::FEPMismatch();
  }
  if (!keep(from, to)) throw alreadyConnected();
  return true;
}

bool FlowConnectionServant::add_producer(ProducerRef producer, Quality& quality) {
  if (!producer) throw AVStreams::notSupported();
  const auto from = bounded(producer, limits_);
  std::vector<ConsumerRef> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (producer_) throw alreadyConnected();
    producer_ = from;
    waiting = consumers_;
  }
  bool all_linked = true;
  for (const ConsumerRef& each : waiting) {
    if (try_link(from, each, quality)) continue;
    forget(each);
    all_linked = false;
  }
  return all_linked;
}

bool FlowConnectionServant::add_consumer(ConsumerRef consumer, Quality& quality) {
  if (!consumer) return false;
  const auto to = bounded(consumer, limits_);
  keep(to);
  const auto from = producer();
  if (!from || try_link(from, to, quality)) return true;
  forget(to);
  return false;
}

bool FlowConnectionServant::drop(EndPointRef target) {
  if (!forget(target)) throw AVStreams::notConnected();
  for_each_there({bounded(target, limits_)}, [](FlowEndPointStub& each) { each.destroy(); });
  return true;
}

MadeFlowConnection make_flow_connection(const Ref<PortableServer::POA>& adapter, const Limits& limits) {
  auto servant = CORBA::make_reference<FlowConnectionServant>(adapter, limits);
  const auto made = activated<FlowConnectionStub>(*adapter, servant);
  servant->set_reference(made);
  return {std::move(servant), made};
}

}  // namespace takt::streams
