#include "events/service/factory_servant.h"

#include <algorithm>
#include <optional>

#include "events/service/refusals.h"

namespace takt::events {
namespace {

// omniEvents takes unsigned long only.
std::optional<std::uint32_t> number_in(const CORBA::Any& value) {
  std::uint32_t number = 0;
  if (value >>= number) return number;
  std::int32_t also = 0;
  if ((value >>= also) && also >= 0) return static_cast<std::uint32_t>(also);
  return std::nullopt;
}

// False if the value has the wrong type, or is out of range.
bool apply(const CosLifeCycle::NameValuePair& criterion, const Limits& limits, ChannelSettings& settings) {
  const std::string& name = criterion.name();
  if (name == "InsName" || name == "FilterId") {
    std::string& text = name == "InsName" ? settings.name : settings.filter;
    return (criterion.value() >>= text) && text.size() <= limits.name_bytes;
  }
  if (name != "PullRetryPeriod_ms" && name != "MaxQueueLength" && name != "MaxNumProxies" &&
      name != "CyclePeriod_ns")
    return true;
  const auto number = number_in(criterion.value());
  if (!number) return false;
  if (name == "PullRetryPeriod_ms") settings.pull_period = std::chrono::milliseconds(std::max(*number, 1u));
  if (name == "MaxQueueLength") settings.queued_events = std::min(*number, limits.max_queued_events);
  if (name == "MaxNumProxies") settings.pull_proxies = *number;
  return true;
}

}  // namespace

std::expected<ChannelSettings, CosLifeCycle::NameValuePair> settings_of(
    const CosLifeCycle::Criteria& criteria, const Limits& limits) {
  ChannelSettings settings;
  settings.discard = limits.discard;
  for (const auto& criterion : criteria)
    if (!apply(criterion, limits, settings)) return std::unexpected(criterion);
  return settings;
}

bool FactoryServant::supports(const CosLifeCycle::Key& key) {
  return key.size() == 1 && key[0].id() == "EventChannel" && key[0].kind() == "object interface";
}

CORBA::object_reference<CORBA::Object> FactoryServant::create_object(const CosLifeCycle::Key& key,
                                                                     const CosLifeCycle::Criteria& criteria) {
  if (!supports(key)) throw CosLifeCycle::NoFactory(key);
  auto settings = settings_of(criteria, limits_);
  if (!settings) throw CosLifeCycle::InvalidCriteria({settings.error()});
  auto made = make_(std::move(*settings));
  if (made) return *made;
  if (made.error() != Refusal::name_taken) throw_refusal(made.error());
  CosLifeCycle::Criteria names;
  std::copy_if(criteria.begin(), criteria.end(), std::back_inserter(names),
               [](const auto& criterion) { return criterion.name() == "InsName"; });
  throw CosLifeCycle::InvalidCriteria(std::move(names));
}

CORBA::object_reference<CosEventChannelAdmin::EventChannel> FactoryServant::create_channel(
    const std::string& name) {
  if (name.size() > limits_.name_bytes) throw_refusal(Refusal::too_long);
  ChannelSettings settings;
  settings.name = name;
  settings.discard = limits_.discard;
  auto made = make_(std::move(settings));
  if (!made && made.error() == Refusal::name_taken) throw event::NameAlreadyUsed();
  if (!made) throw_refusal(made.error());
  return *made;
}

CORBA::object_reference<CosEventChannelAdmin::EventChannel> FactoryServant::join_channel(
    const std::string& name) {
  auto found = find_(name);
  if (!found) throw event::EventChannelNotFound();
  return found;
}

}  // namespace takt::events
