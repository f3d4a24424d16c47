#include "trading/service/remote_types.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "events/delivery/with_timeout.h"
#include "trading/query/silence.h"
#include "trading/service/checks.h"

namespace takt::trading {
namespace {

[[noreturn]] void throw_silent(const std::string& why) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "the repository of service types that the trader uses does not answer: " + why);
}

}  // namespace

RemoteTypes::RemoteTypes(const CORBA::object_reference<CORBA::Object>& repository, const Limits& limits)
    : reference_(repository),
      repository_(IDL::traits<TypeRepository>::unchecked_narrow(
          events::with_timeout(repository, limits.link_timeout))),
      limits_(limits) {}

template <class Call>
auto RemoteTypes::answer(const Call& call) {
  {
    const std::lock_guard lock(mutex_);
    if (Clock::now() < silent_until_) throw_silent("it did not do so a short time ago");
  }
  try {
    return call(*repository_);
  } catch (const CORBA::SystemException& failure) {
    if (says_silence(failure)) {
      const std::lock_guard lock(mutex_);
      silent_until_ = Clock::now() + limits_.link_pause;
    }
    throw_silent(failure.what());
  }
}

// The repository is another's, and its answers may be of any size.
TypePtr RemoteTypes::read(const std::string& name, const TypeRepository::TypeStruct& full) const {
  const auto is_long = [this](const std::string& text) { return text.size() > limits_.name_bytes; };
  if (full.props().size() > limits_.type_properties || full.super_types().size() > limits_.super_types ||
      is_long(full.if_name()) || std::ranges::any_of(full.super_types(), is_long))
    throw_limit("the type " + name + " of the other repository is too large");
  for (const PropertyType& each : full.props()) {
    if (is_long(each.name())) throw_limit("the type " + name + " of the other repository is too large");
    if (!each.value_type() || each.value_type()->_unaliased().kind() <= CORBA::TCKind::tk_void)
      throw CORBA::BAD_TYPECODE(0, CORBA::COMPLETED_NO,
                                "the property " + each.name() + " of the other repository has no type");
  }
  auto type = std::make_shared<ServiceType>();
  type->name = name;
  type->own = full;
  type->properties = full.props();
  std::ranges::sort(type->properties, {}, [](const PropertyType& each) { return each.name(); });
  type->ancestors = full.super_types();
  std::ranges::sort(type->ancestors);
  return type;
}

void RemoteTypes::keep(std::uint64_t version, const std::string& name, const TypePtr& type) {
  const std::lock_guard lock(mutex_);
  if (version != version_) return;  // perhaps the type has been added anew
  if (known_.size() >= limits_.types) known_.clear();
  known_[name] = type;
}

TypePtr RemoteTypes::looked_up(const std::string& name) {
  std::uint64_t version = 0;
  {
    const std::lock_guard lock(mutex_);
    version = version_;
  }
  TypePtr type;
  try {
    type =
        read(name, answer([&](TypeRepository& repository) { return repository.fully_describe_type(name); }));
  } catch (const CosTrading::UnknownServiceType&) {
    keep(version, name, nullptr);
    return nullptr;
  }
  keep(version, name, type);
  return type;
}

TypePtr RemoteTypes::described(const std::string& name) {
  TypePtr type = looked_up(name);
  if (!type) throw CosTrading::UnknownServiceType(name);
  return type;
}

void RemoteTypes::forget(Incarnation now, const std::optional<std::vector<std::string>>& added) {
  const std::lock_guard lock(mutex_);
  ++version_;
  if (!added || added->size() > limits_.types) {
    known_.clear();
    incarnation_ = now;
    return;
  }
  for (const std::string& each : *added) known_.erase(each);
  incarnation_ = std::max(incarnation_, now);
}

void RemoteTypes::refresh() {
  Incarnation known = 0;
  {
    const std::lock_guard lock(mutex_);
    known = incarnation_;
  }
  const Incarnation now =
      answer([](TypeRepository& repository) { return incarnation_of(repository.incarnation()); });
  if (now == known) return;
  if (now < known || known == 0) return forget(now, std::nullopt);  // it began anew, or was not asked yet
  TypeRepository::SpecifiedServiceTypes since;
  since.incarnation(idl_of(known));
  forget(now, answer([&](TypeRepository& repository) { return repository.list_types(since); }));
}

TypePtr RemoteTypes::find(const std::string& name) {
  refresh();
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(name);
    if (found != known_.end() && found->second) return found->second;
  }
  return described(name);
}

std::vector<TypePtr> RemoteTypes::extending(const std::string& type, const std::vector<std::string>& names,
                                            Clock::time_point end) {
  const auto known = [&](const std::string& name) -> std::optional<TypePtr> {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(name);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  };
  std::vector<TypePtr> all;
  for (const std::string& each : names) {
    if (each == type) continue;
    std::optional<TypePtr> found = known(each);
    if (!found && Clock::now() >= end) throw_silent("the time of the query is over");
    if (!found) found = looked_up(each);
    if (*found && std::ranges::binary_search((*found)->ancestors, type)) all.push_back(*found);
  }
  return all;
}

}  // namespace takt::trading
