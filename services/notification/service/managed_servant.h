// The operations that administrators and proxies share: qualities of service, filters, types of events.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "notification/service/access.h"

namespace takt::notification {

// The types as names. Throws InvalidEventType for a name that is too long, and IMP_LIMIT for too many.
std::set<TypeName> checked_names(const CosNotification::EventTypeSeq& types, const Limits& limits);

// Throws UnsupportedQoS.
CosNotification::NamedPropertyRangeSeq checked_ranges(const CosNotification::QoSProperties& required,
                                                      Level level, const Limits& limits);

// A servant of `Interface` for objects of the class `Target`, which is Admin or a class of proxies.
template <class Interface, class Target>
class ManagedServant : public virtual CORBA::servant_traits<Interface>::base_type, protected Access {
 public:
  using Access::Access;

  CosNotification::QoSProperties get_qos() override { return properties_of(existing()->qos(), level); }
  void set_qos(const CosNotification::QoSProperties& qos) override {
    if (auto set = registry_.set_qos(*existing(), qos); !set) throw_refusal(std::move(set.error()), what);
  }
  void validate_qos(const CosNotification::QoSProperties& required_qos,
                    CosNotification::NamedPropertyRangeSeq& available_qos) override {
    const auto object = existing();
    if (auto may = registry_.may_set_qos(*object, required_qos); !may)
      throw_refusal(std::move(may.error()), what);
    available_qos = checked_ranges(required_qos, level, limits());
  }

  CosNotifyFilter::FilterID add_filter(Ref<CosNotifyFilter::Filter> new_filter) override {
    const auto object = existing();
    auto filter = own(new_filter);
    if (!filter) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the filter's reference is nil");
    std::optional<std::int32_t> number;
    change_filters(*object, [&] {
      number = object->filters.add(std::move(filter));
      return number.has_value();
    });
    if (!number) throw_limit("filters of an object");
    return *number;
  }
  void remove_filter(CosNotifyFilter::FilterID filter) override {
    const auto object = existing();
    bool removed = false;
    change_filters(*object, [&] { return removed = object->filters.remove(filter); });
    if (!removed) throw CosNotifyFilter::FilterNotFound();
  }
  Ref<CosNotifyFilter::Filter> get_filter(CosNotifyFilter::FilterID filter) override {
    const auto found = existing()->filters.get(filter);
    if (!found) throw CosNotifyFilter::FilterNotFound();
    return references_.of(found.get());
  }
  CosNotifyFilter::FilterIDSeq get_all_filters() override { return existing()->filters.numbers(); }
  void remove_all_filters() override {
    const auto object = existing();
    change_filters(*object, [&] {
      object->filters.clear();
      return true;
    });
  }

  bool _non_existent() override { return is(find()) == nullptr; }

 protected:
  static constexpr const char* what = std::is_same_v<Target, Admin> ? "administrator" : "proxy";
  static constexpr Level level = std::is_same_v<Target, Admin> ? Level::admin : Level::proxy;

  const Limits& limits() const { return registry_.parts().limits; }
  // Whether the servant is the one for the object; null if not.
  virtual std::shared_ptr<Target> is(std::shared_ptr<Target> object) const = 0;
  std::shared_ptr<Target> find() const { return found<Target>(); }
  // `apply` changes the filters and returns whether it has. Throws PERSIST_STORE, and then nothing has
  // changed.
  template <class Apply>
  void change_filters(Target& object, const Apply& apply) const {
    decltype(object.filters.snapshot()) before;
    const auto noting_apply = [&] {
      before = object.filters.snapshot();  // no other change comes between
      return apply();
    };
    const auto written = registry_.change(object, noting_apply, [&] { object.filters.restore(before); });
    if (!written) throw_refusal(written.error(), what);
  }
  // Throws OBJECT_NOT_EXIST if the object of the request does not exist.
  std::shared_ptr<Target> existing() const {
    auto object = is(find());
    if (!object) throw_gone(what);
    return object;
  }
};

// A servant that has mapping filters too.
template <class Interface, class Target>
class MappingServant : public ManagedServant<Interface, Target> {
 public:
  using ManagedServant<Interface, Target>::ManagedServant;

  Ref<CosNotifyFilter::MappingFilter> priority_filter() override {
    return this->references_.of(this->existing()->mapping.priority().get());
  }
  void priority_filter(Ref<CosNotifyFilter::MappingFilter> value) override {
    const auto object = this->existing();
    set(
        *object, checked<std::int16_t>(value, "short, as priorities are"),
        [&] { return object->mapping.priority(); },
        [&](MappingFilterPtr filter) { object->mapping.set_priority(std::move(filter)); });
  }
  Ref<CosNotifyFilter::MappingFilter> lifetime_filter() override {
    return this->references_.of(this->existing()->mapping.lifetime().get());
  }
  void lifetime_filter(Ref<CosNotifyFilter::MappingFilter> value) override {
    const auto object = this->existing();
    set(
        *object, checked<Units>(value, "TimeBase::TimeT, as timeouts are"),
        [&] { return object->mapping.lifetime(); },
        [&](MappingFilterPtr filter) { object->mapping.set_lifetime(std::move(filter)); });
  }

 private:
  template <class Getter, class Setter>
  void set(Target& object, const MappingFilterPtr& now, const Getter& getter, const Setter& setter) const {
    MappingFilterPtr before;
    const auto apply = [&] {
      before = getter();
      setter(now);
      return true;
    };
    if (const auto written = this->registry_.change(object, apply, [&] { setter(before); }); !written)
      throw_refusal(written.error(), this->what);
  }
  template <class Value>
  MappingFilterPtr checked(const Ref<CosNotifyFilter::MappingFilter>& filter, const char* type) const {
    auto own = this->own(filter);
    Value value{};
    if (own && !(own->default_value() >>= value))
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             std::string("the mapping filter's values must have the type ") + type);
    return own;
  }
};

}  // namespace takt::notification
