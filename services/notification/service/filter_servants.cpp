#include "notification/service/filter_servants.h"

#include <optional>
#include <utility>

#include "events/delivery/with_timeout.h"
#include "notification/service/set_servants.h"

namespace takt::notification {
namespace {

void check_grammar(const std::string& grammar) {
  if (grammar != "EXTENDED_TCL" && grammar != "ETCL" && grammar != "TCL")
    throw CosNotifyFilter::InvalidGrammar();
}

[[noreturn]] void throw_fault(const ConstraintTable::Fault& fault) {
  if (const auto* missing = std::get_if<ConstraintTable::Missing>(&fault))
    throw CosNotifyFilter::ConstraintNotFound(missing->id);
  if (const auto* invalid = std::get_if<ConstraintTable::Invalid>(&fault))
    throw CosNotifyFilter::InvalidConstraint(invalid->expression);
  if (std::holds_alternative<ConstraintTable::TooLarge>(fault))
    throw_limit("memory for the constraints of a filter");
  throw_limit("constraints of a filter, or of types of a constraint");
}

Candidate candidate_of(const CORBA::Any& data) {
  return Candidate("", any_type, [&data]() -> const CORBA::Any& { return data; }, decoding_steps(data));
}

// The event, and the same as an any when it is needed.
class StructuredCandidate {
 public:
  explicit StructuredCandidate(const CosNotification::StructuredEvent& event) : event_(event) {}
  Candidate candidate() {
    const auto& type = event_.header().fixed_header().event_type();
    const auto whole = [this]() -> const CORBA::Any& {
      whole_ <<= event_;
      return whole_;
    };
    return Candidate(type.domain_name(), type.type_name(), whole, decoding_steps(event_));
  }

 private:
  const CosNotification::StructuredEvent& event_;
  CORBA::Any whole_;
};

CORBA::Any any_of(const CosNotification::PropertySeq& properties) {
  CORBA::Any any;
  any <<= properties;
  return any;
}

ConstraintTable::List found_or_throw(std::expected<ConstraintTable::List, ConstraintTable::Fault> list) {
  if (!list) throw_fault(list.error());
  return *std::move(list);
}

// Carries out `modify` on the filter's constraints, and returns its outcome. Throws if it fails or cannot be
// stored, and then nothing has changed.
template <class F, class Modify>
auto changed_constraints(Registry& registry, F& filter, const Modify& modify) {
  ConstraintTable::Snapshot before;
  std::optional<decltype(modify())> outcome;
  const auto written = registry.change(
      filter,
      [&] {
        before = filter.constraints.snapshot();  // no other change comes between
        outcome.emplace(modify());
        return outcome->has_value();
      },
      [&] { filter.constraints.restore(before); });
  if (outcome && !*outcome) throw_fault(outcome->error());
  if (!written) throw_refusal(written.error(), "filter");
  return *std::move(outcome);
}

template <class F>
void clear_constraints(Registry& registry, F& filter) {
  changed_constraints(registry, filter, [&]() -> std::expected<void, ConstraintTable::Fault> {
    filter.constraints.clear();
    return {};
  });
}

template <class F>
void destroy_filter(Registry& registry, F& filter) {
  if (const auto written = registry.destroy(filter); !written) throw_refusal(written.error(), "filter");
}

}  // namespace

Ref<CosNotifyFilter::Filter> FilterFactoryServant::create_filter(const std::string& constraint_grammar) {
  check_grammar(constraint_grammar);
  const auto made = registry_.make_filter(constraint_grammar);
  if (!made) throw_refusal(made.error(), "filter");
  return references_.of(made->get());
}

Ref<CosNotifyFilter::MappingFilter> FilterFactoryServant::create_mapping_filter(
    const std::string& constraint_grammar, const CORBA::Any& default_value) {
  check_grammar(constraint_grammar);
  const auto made = registry_.make_mapping_filter(constraint_grammar, default_value);
  if (!made) throw_refusal(made.error(), "filter");
  return references_.of(made->get());
}

std::shared_ptr<FilterObject> FilterServant::existing() const {
  auto filter = found<FilterObject>();
  if (!filter) throw_gone("filter");
  return filter;
}

CosNotifyFilter::ConstraintInfoSeq FilterServant::add_constraints(
    const CosNotifyFilter::ConstraintExpSeq& constraint_list) {
  const auto filter = existing();
  std::vector<ConstraintText> texts;
  for (const auto& each : constraint_list) texts.push_back({.expression = each});
  const auto added = changed_constraints(registry_, *filter, [&] { return filter->constraints.add(texts); });
  registry_.tell_callbacks(*filter);
  return infos_of(*added);
}

void FilterServant::modify_constraints(const CosNotifyFilter::ConstraintIDSeq& del_list,
                                       const CosNotifyFilter::ConstraintInfoSeq& modify_list) {
  const auto filter = existing();
  std::vector<ConstraintTable::Replacement> replaced;
  for (const auto& each : modify_list)
    replaced.push_back({.id = each.constraint_id(), .text = {.expression = each.constraint_expression()}});
  changed_constraints(registry_, *filter, [&] { return filter->constraints.modify(del_list, replaced); });
  registry_.tell_callbacks(*filter);
}

CosNotifyFilter::ConstraintInfoSeq FilterServant::get_constraints(
    const CosNotifyFilter::ConstraintIDSeq& id_list) {
  return infos_of(found_or_throw(existing()->constraints.get(id_list)));
}

CosNotifyFilter::ConstraintInfoSeq FilterServant::get_all_constraints() {
  return infos_of(existing()->constraints.all());
}

void FilterServant::remove_all_constraints() {
  const auto filter = existing();
  clear_constraints(registry_, *filter);
  registry_.tell_callbacks(*filter);
}

bool FilterServant::match(const CORBA::Any& filterable_data) {
  Candidate event = candidate_of(filterable_data);
  std::size_t steps = registry_.parts().limits.filter_steps;
  return existing()->matches(event, steps);
}

bool FilterServant::match_structured(const CosNotification::StructuredEvent& filterable_data) {
  StructuredCandidate structured(filterable_data);
  Candidate event = structured.candidate();
  std::size_t steps = registry_.parts().limits.filter_steps;
  return existing()->matches(event, steps);
}

bool FilterServant::match_typed(const CosNotification::PropertySeq& filterable_data) {
  return match(any_of(filterable_data));
}

CosNotifyFilter::CallbackID FilterServant::attach_callback(Ref<CosNotifyComm::NotifySubscribe> callback) {
  if (!callback) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the callback's reference is nil");
  const auto bounded = events::with_timeout(callback, registry_.parts().limits.call_timeout);
  const auto id = registry_.attach_callback(
      *existing(), IDL::traits<CosNotifyComm::NotifySubscribe>::unchecked_narrow(bounded));
  if (!id && id.error() == Refusal::too_many) throw_limit("callbacks of a filter");
  if (!id) throw_refusal(id.error(), "filter");
  return *id;
}

void FilterServant::detach_callback(CosNotifyFilter::CallbackID callback) {
  if (!registry_.detach_callback(*existing(), callback)) throw CosNotifyFilter::CallbackNotFound();
}

std::shared_ptr<MappingFilterObject> MappingFilterServant::existing() const {
  auto filter = found<MappingFilterObject>();
  if (!filter) throw_gone("filter");
  return filter;
}

void MappingFilterServant::check(const CosNotifyFilter::ConstraintExp& expression,
                                 const CORBA::Any& value) const {
  if (!value.type()->equivalent(existing()->default_value().type()))
    throw CosNotifyFilter::InvalidValue(expression, value);
}

CosNotifyFilter::MappingConstraintInfoSeq MappingFilterServant::add_mapping_constraints(
    const CosNotifyFilter::MappingConstraintPairSeq& pair_list) {
  std::vector<ConstraintText> texts;
  for (const auto& each : pair_list) {
    check(each.constraint_expression(), each.result_to_set());
    texts.push_back({each.constraint_expression(), each.result_to_set()});
  }
  const auto filter = existing();
  const auto added = changed_constraints(registry_, *filter, [&] { return filter->constraints.add(texts); });
  return mapping_infos_of(*added);
}

void MappingFilterServant::modify_mapping_constraints(
    const CosNotifyFilter::ConstraintIDSeq& del_list,
    const CosNotifyFilter::MappingConstraintInfoSeq& modify_list) {
  std::vector<ConstraintTable::Replacement> replaced;
  for (const auto& each : modify_list) {
    check(each.constraint_expression(), each.value());
    replaced.push_back({each.constraint_id(), {each.constraint_expression(), each.value()}});
  }
  const auto filter = existing();
  changed_constraints(registry_, *filter, [&] { return filter->constraints.modify(del_list, replaced); });
}

CosNotifyFilter::MappingConstraintInfoSeq MappingFilterServant::get_mapping_constraints(
    const CosNotifyFilter::ConstraintIDSeq& id_list) {
  return mapping_infos_of(found_or_throw(existing()->constraints.get(id_list)));
}

CosNotifyFilter::MappingConstraintInfoSeq MappingFilterServant::get_all_mapping_constraints() {
  return mapping_infos_of(existing()->constraints.all());
}

void MappingFilterServant::remove_all_mapping_constraints() { clear_constraints(registry_, *existing()); }
void FilterServant::destroy() { destroy_filter(registry_, *existing()); }
void MappingFilterServant::destroy() { destroy_filter(registry_, *existing()); }

bool MappingFilterServant::matches(Candidate&& event, CORBA::Any& result) const {
  const auto filter = existing();
  std::size_t steps = registry_.parts().limits.filter_steps;
  const auto match = filter->match(event, steps);
  result = match ? match->text.value : filter->default_value();
  return match != nullptr;
}

bool MappingFilterServant::match(const CORBA::Any& filterable_data, CORBA::Any& result_to_set) {
  return matches(candidate_of(filterable_data), result_to_set);
}

bool MappingFilterServant::match_structured(const CosNotification::StructuredEvent& filterable_data,
                                            CORBA::Any& result_to_set) {
  StructuredCandidate structured(filterable_data);
  return matches(structured.candidate(), result_to_set);
}

bool MappingFilterServant::match_typed(const CosNotification::PropertySeq& filterable_data,
                                       CORBA::Any& result_to_set) {
  return match(any_of(filterable_data), result_to_set);
}

void set_filter_servants(Registry& registry, const Adapters& adapters) {
  adapters.filter_factory->set_servant(CORBA::make_reference<FilterFactoryServant>(registry, adapters));
  adapters.filters->set_servant(CORBA::make_reference<FilterServant>(registry, adapters));
  adapters.mapping_filters->set_servant(CORBA::make_reference<MappingFilterServant>(registry, adapters));
}

}  // namespace takt::notification
