// An offer as constraints and preferences see it: names are those of its properties.
#pragma once

#include "constraint/evaluation.h"
#include "trading/model/offer.h"
#include "trading/model/values.h"
#include "trading/query/dynamic_values.h"

namespace takt::trading {

class OfferSubject final : public constraint::Subject {
 public:
  // Both must outlive it.
  OfferSubject(const Offer& offer, DynamicValues& dynamic) : offer_(offer), dynamic_(dynamic) {}

  std::optional<constraint::Value> value(const constraint::Path& path,
                                         constraint::Budget& budget) const override {
    const CORBA::Any* any = at(path);
    return any && pay_for(*any, budget) ? std::optional(value_of(*any)) : std::nullopt;
  }
  bool exists(const constraint::Path& path, constraint::Budget&) const override {
    return at(path) != nullptr;
  }
  std::optional<bool> contains(const constraint::Path& path, const constraint::Value& wanted,
                               constraint::Budget& budget) const override {
    const CORBA::Any* any = at(path);
    return any && pay_for(*any, budget) ? trading::contains(*any, wanted, budget) : std::nullopt;
  }
  std::optional<bool> is_default(const constraint::Path&, constraint::Budget&) const override {
    return std::nullopt;
  }

 private:
  // A value is read, and perhaps searched, in a time that its size determines.
  static bool pay_for(const CORBA::Any& any, constraint::Budget& budget) {
    constexpr std::size_t octets_a_step = 64;
    return budget.spend(any._content().octets.size() / octets_a_step);
  }
  const CORBA::Any* at(const constraint::Path& path) const {
    const OfferProperty* property = offer_.property(path.variable);
    return property ? dynamic_.value(offer_, *property) : nullptr;
  }

  const Offer& offer_;
  DynamicValues& dynamic_;
};

}  // namespace takt::trading
