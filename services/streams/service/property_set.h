// The operations of CosPropertyService::PropertySet, for servants whose interfaces inherit them.
#pragma once

#include <algorithm>
#include <utility>

#include <takt/corba.h>

#include "AVStreamsS.h"
#include "streams/model/property_table.h"
#include "streams/service/property_iterators.h"

namespace takt::streams {

template <class Interface>
class PropertySetServant : public virtual CORBA::servant_traits<Interface>::base_type {
  using Table = PropertyTable;
  using Name = std::string;

 public:
  void define_property(const Name& name, const CORBA::Any& value) override {
    using Reason = Table::Reason;
    const auto refused = properties_.define(name, value);
    if (refused == Reason::invalid_property_name) throw CosPropertyService::InvalidPropertyName();
    if (refused == Reason::conflicting_property) throw CosPropertyService::ConflictingProperty();
    if (refused == Reason::read_only_property) throw CosPropertyService::ReadOnlyProperty();
  }
  void define_properties(const CosPropertyService::Properties& properties) override {
    CosPropertyService::MultipleExceptions failed;
    for (const auto& each : properties)
      if (const auto refused = properties_.define(each.property_name(), each.property_value()))
        failed.exceptions().push_back({*refused, each.property_name()});
    if (!failed.exceptions().empty()) throw failed;
  }
  std::uint32_t get_number_of_properties() override { return static_cast<std::uint32_t>(properties_.size()); }
  void get_all_property_names(std::uint32_t how_many, CosPropertyService::PropertyNames& names,
                              Ref<CosPropertyService::PropertyNamesIterator>& rest) override {
    names.clear();
    for (const auto& each : properties_.all()) names.push_back(each.property_name());
    rest = iterators_.cut<CosPropertyService::PropertyNamesIterator>(names, how_many);
  }
  CORBA::Any get_property_value(const Name& name) override {
    if (name.empty()) throw CosPropertyService::InvalidPropertyName();
    auto value = properties_.find(name);
    if (!value) throw CosPropertyService::PropertyNotFound();
    return *std::move(value);
  }
  bool get_properties(const CosPropertyService::PropertyNames& names,
                      CosPropertyService::Properties& found) override {
    bool all = true;
    found = properties_.named(names, all);
    return all;
  }
  void get_all_properties(std::uint32_t how_many, CosPropertyService::Properties& properties,
                          Ref<CosPropertyService::PropertiesIterator>& rest) override {
    properties = properties_.all();
    rest = iterators_.cut<CosPropertyService::PropertiesIterator>(properties, how_many);
  }
  void delete_property(const Name& name) override {
    using Reason = Table::Reason;
    const auto refused = properties_.remove(name);
    if (refused == Reason::invalid_property_name) throw CosPropertyService::InvalidPropertyName();
    if (refused == Reason::property_not_found) throw CosPropertyService::PropertyNotFound();
    if (refused == Reason::fixed_property) throw CosPropertyService::FixedProperty();
  }
  void delete_properties(const CosPropertyService::PropertyNames& names) override {
    CosPropertyService::MultipleExceptions failed;
    for (const Name& each : names)
      if (const auto refused = properties_.remove(each)) failed.exceptions().push_back({*refused, each});
    if (!failed.exceptions().empty()) throw failed;
  }
  bool delete_all_properties() override {
    bool all = true;
    for (const auto& each : properties_.all()) all = !properties_.remove(each.property_name()) && all;
    return all;
  }
  bool is_property_defined(const Name& name) override {
    if (name.empty()) throw CosPropertyService::InvalidPropertyName();
    return properties_.find(name).has_value();
  }

 protected:
  PropertySetServant(const Limits& limits, const Ref<PortableServer::POA>& adapter)
      : properties_(limits), iterators_(adapter, limits.property_iterators) {}
  PropertyTable& properties() { return properties_; }

 private:
  PropertyTable properties_;
  PropertyIterators iterators_;
};

}  // namespace takt::streams
