// Filters, mapping filters and their factory as CORBA objects.
#pragma once

#include <variant>

#include "notification/service/access.h"

namespace takt::notification {

// Makes filters of the grammars EXTENDED_TCL, ETCL and TCL, which are one: each is a part of the first.
class FilterFactoryServant final
    : public virtual CORBA::servant_traits<CosNotifyFilter::FilterFactory>::base_type,
      private Access {
 public:
  using Access::Access;
  Ref<CosNotifyFilter::Filter> create_filter(const std::string& constraint_grammar) override;
  Ref<CosNotifyFilter::MappingFilter> create_mapping_filter(const std::string& constraint_grammar,
                                                            const CORBA::Any& default_value) override;
};

// Inside the servants, the interfaces' names mean their base classes.
using FilterObject = Filter;
using MappingFilterObject = MappingFilter;

// The object id is the filter's.
class FilterServant final : public virtual CORBA::servant_traits<CosNotifyFilter::Filter>::base_type,
                            private Access {
 public:
  using Access::Access;
  std::string constraint_grammar() override { return existing()->grammar(); }
  CosNotifyFilter::ConstraintInfoSeq add_constraints(
      const CosNotifyFilter::ConstraintExpSeq& constraint_list) override;
  void modify_constraints(const CosNotifyFilter::ConstraintIDSeq& del_list,
                          const CosNotifyFilter::ConstraintInfoSeq& modify_list) override;
  CosNotifyFilter::ConstraintInfoSeq get_constraints(
      const CosNotifyFilter::ConstraintIDSeq& id_list) override;
  CosNotifyFilter::ConstraintInfoSeq get_all_constraints() override;
  void remove_all_constraints() override;
  void destroy() override;
  bool match(const CORBA::Any& filterable_data) override;
  bool match_structured(const CosNotification::StructuredEvent& filterable_data) override;
  bool match_typed(const CosNotification::PropertySeq& filterable_data) override;
  CosNotifyFilter::CallbackID attach_callback(Ref<CosNotifyComm::NotifySubscribe> callback) override;
  void detach_callback(CosNotifyFilter::CallbackID callback) override;
  CosNotifyFilter::CallbackIDSeq get_callbacks() override { return existing()->callback_ids(); }
  bool _non_existent() override { return !found<FilterObject>(); }

 private:
  // Throws OBJECT_NOT_EXIST if the filter of the request does not exist.
  std::shared_ptr<FilterObject> existing() const;
};

// The object id is the mapping filter's.
class MappingFilterServant final
    : public virtual CORBA::servant_traits<CosNotifyFilter::MappingFilter>::base_type,
      private Access {
 public:
  using Access::Access;
  std::string constraint_grammar() override { return existing()->grammar(); }
  CORBA::typecode_reference value_type() override { return existing()->default_value().type(); }
  CORBA::Any default_value() override { return existing()->default_value(); }
  CosNotifyFilter::MappingConstraintInfoSeq add_mapping_constraints(
      const CosNotifyFilter::MappingConstraintPairSeq& pair_list) override;
  void modify_mapping_constraints(const CosNotifyFilter::ConstraintIDSeq& del_list,
                                  const CosNotifyFilter::MappingConstraintInfoSeq& modify_list) override;
  CosNotifyFilter::MappingConstraintInfoSeq get_mapping_constraints(
      const CosNotifyFilter::ConstraintIDSeq& id_list) override;
  CosNotifyFilter::MappingConstraintInfoSeq get_all_mapping_constraints() override;
  void remove_all_mapping_constraints() override;
  void destroy() override;
  bool match(const CORBA::Any& filterable_data, CORBA::Any& result_to_set) override;
  bool match_structured(const CosNotification::StructuredEvent& filterable_data,
                        CORBA::Any& result_to_set) override;
  bool match_typed(const CosNotification::PropertySeq& filterable_data, CORBA::Any& result_to_set) override;
  bool _non_existent() override { return !found<MappingFilterObject>(); }

 private:
  std::shared_ptr<MappingFilterObject> existing() const;
  void check(const CosNotifyFilter::ConstraintExp& expression, const CORBA::Any& value) const;
  bool matches(Candidate&& event, CORBA::Any& result) const;
};

}  // namespace takt::notification
