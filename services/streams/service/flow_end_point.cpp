#include "streams/service/flow_end_point.h"

#include <algorithm>
#include <utility>

namespace takt::streams {
namespace {

using AVStreams::FPError, AVStreams::QoSRequestFailed, AVStreams::streamOpFailed;

template <class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

// Runs `action`; a failure to connect becomes `Failed`.
template <class Failed, class Action>
auto or_fail(const Action& action) {
  try {
    return action();
  } catch (const streamOpFailed& failed) {
    throw Failed(failed.reason());
  } catch (const AVStreams::noSuchFlow&) {
    throw Failed("the flow has left its stream");
  }
}

}  // namespace

template <class Interface>
FlowEndPointServant<Interface>::FlowEndPointServant(std::shared_ptr<EndPoint> end_point,
                                                    const FlowOffer& offer, Parts& parts)
    : PropertySetServant<Interface>(parts.limits, parts.adapter),
      end_point_(std::move(end_point)),
      flow_(offer.name),
      parts_(parts),
      related_end_point_(end_point_->reference()) {
  this->properties().fix("FlowName", any_of(flow_));
  this->properties().fix("Format", any_of(offer.format));
  this->properties().fix("Carriers", any_of(offer.carriers));
}

template <class Interface>
void FlowEndPointServant<Interface>::destroy() {
  if (end_point_->reference())
    end_point_->remove({flow_});
  else
    end_point_->end();
}

template <class Interface>
Ref<FlowEndPointStub> FlowEndPointServant<Interface>::get_connected_fep() {
  auto connected = peer();
  if (!connected) throw AVStreams::notConnected();
  return connected;
}

template <class Interface>
void FlowEndPointServant<Interface>::set_dev_params(const CosPropertyService::Properties& params) {
  AVStreams::streamQoS quality{{flow_, params}};
  try {
    end_point_->modify(quality, {flow_});
  } catch (const AVStreams::noSuchFlow&) {
    throw streamOpFailed("the flow has left its stream");
  } catch (const QoSRequestFailed&) {
    throw AVStreams::PropertyException();
  }
}

template <class Interface>
bool FlowEndPointServant<Interface>::is_fep_compatible(Ref<FlowEndPointStub> other) {
  if (!other) return false;
  std::string format;
  std::vector<std::string> carriers;
  try {
    const auto asked = bounded(other, parts_.limits);
    if (!(asked->get_property_value("Format") >>= format) ||
        !(asked->get_property_value("Carriers") >>= carriers))
      return false;
  } catch (const CORBA::Exception&) {
    return false;
  }
  if (!end_point_->has_format(flow_, format)) throw AVStreams::formatMismatch();
  const FlowOffer* const offer = parts_.offer(flow_);
  if (!std::ranges::any_of(carriers, [offer](const std::string& each) {
        return std::ranges::find(offer->carriers, each) != offer->carriers.end();
      }))
    throw AVStreams::deviceQosMismatch();
  return true;
}

template <class Interface>
bool FlowEndPointServant<Interface>::set_peer(Ref<FlowConnectionStub> connection, Ref<FlowEndPointStub> peer,
                                              AVStreams::QoS& quality) {
  const bool met = with_quality(quality, [this](auto& all) {
    try {
      return end_point_->modify(all, {flow_});
    } catch (const AVStreams::noSuchFlow&) {
      throw QoSRequestFailed("the flow has left its stream");
    }
  });
  related([&] {
    connection_ = std::move(connection);
    peer_ = std::move(peer);
    return true;
  });
  return met;
}

// The address may have the protocol behind it: "UDP=239.255.1.1:5004\\takt:1.0:source=7:clock=90000".
template <class Interface>
FlowEntry FlowEndPointServant<Interface>::entry_of(const std::string& address,
                                                   const std::string& protocol) const {
  const std::string behind = address.find('\\') == std::string::npos ? '\\' + protocol : std::string();
  const auto entry = parse_reverse(flow_ + '\\' + address + behind, parts_.limits.entry_bytes);
  if (!entry) throw AVStreams::failedToConnect("'" + address + "': " + entry.error());
  if (!entry->protocol.name.empty() && entry->protocol.name != own_protocol) throw FPError(flow_);
  return *entry;
}

bool FlowProducerServant::connect_to_peer(AVStreams::QoS& quality, const std::string& address,
                                          const std::string& protocol) {
  const FlowEntry to = entry_of(address, protocol);
  return with_quality(quality, [&](auto& all) {
    or_fail<AVStreams::failedToConnect>([&] { end_point_->send_flow(flow_, all, to, this->peer()); });
    return true;
  });
}

std::string FlowProducerServant::connect_mcast(AVStreams::QoS& quality, bool& met, const std::string& address,
                                               const std::string& protocol) {
  if (parts_.offer(flow_)->group.empty()) throw AVStreams::notSupported();
  use_flow_protocol(protocol, {});
  AVStreams::flowSpec entries{address.empty() ? flow_ : flow_ + "\\\\\\\\" + address};
  met = with_quality(quality, [&](auto& all) {
    return or_fail<AVStreams::failedToConnect>([&] { return end_point_->send_to_groups(all, entries); });
  });
  const auto sent = parse_forward(entries.front(), parts_.limits.entry_bytes);
  if (!is_group(sent->carrier)) throw AVStreams::notSupported();
  return text_of(sent->carrier) + '\\' + text_of(sent->protocol);
}

bool FlowConsumerServant::connect_to_peer(AVStreams::QoS& quality, const std::string& address,
                                          const std::string& protocol) {
  AVStreams::flowSpec entries{forward_text(entry_of(address, protocol))};
  return with_quality(quality, [&](auto& all) {
    return or_fail<AVStreams::failedToConnect>([&] { return end_point_->join_groups(all, entries); });
  });
}

std::string FlowConsumerServant::go_to_listen(AVStreams::QoS& quality, bool is_mcast, Ref<FlowEndPointStub>,
                                              std::string& protocol) {
  if (is_mcast)
    throw AVStreams::failedToListen("a consumer joins the group of its producer: connect_to_peer()");
  use_flow_protocol(std::string(protocol.substr(0, own_protocol.size())), {});
  return with_quality(quality, [&](auto& all) {
    const FlowEntry entry =
        or_fail<AVStreams::failedToListen>([&] { return end_point_->receive_flow(flow_, all); });
    protocol = text_of(entry.protocol);
    return text_of(entry.carrier);
  });
}

namespace {

template <class Servant, class Stub>
ObjectRef activated_flow(const std::shared_ptr<EndPoint>& end_point, const FlowOffer& offer, Parts& parts) {
  return activated<Stub>(*parts.adapter, CORBA::make_reference<Servant>(end_point, offer, parts));
}

}  // namespace

ObjectRef flow_end_point_of(const std::shared_ptr<EndPoint>& end_point, const std::string& flow,
                            Parts& parts) {
  const bool produces = end_point->produces(flow);
  const FlowOffer& offer = *parts.offer(flow);
  return end_point->flow_object(flow, [&] {
    return produces ? activated_flow<FlowProducerServant, FlowProducerStub>(end_point, offer, parts)
                    : activated_flow<FlowConsumerServant, FlowConsumerStub>(end_point, offer, parts);
  });
}

}  // namespace takt::streams
