// An event that filters examine.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include <takt/corba.h>

#include "constraint/constraint.h"

namespace takt::notification {

// The parts of the event are decoded when the first constraint needs them, once for all. One thread at a
// time.
class Candidate {
 public:
  // `whole` gives the event as an any, which must outlive this.
  Candidate(std::string_view domain, std::string_view type, std::function<const CORBA::Any&()> whole)
      : domain_(domain), type_(type), whole_(std::move(whole)) {}

  std::string_view domain() const { return domain_; }
  std::string_view type() const { return type_; }
  constraint::DecodedEvent& parts() {
    if (!parts_) parts_.emplace(whole_());
    return *parts_;
  }

 private:
  const std::string_view domain_, type_;
  const std::function<const CORBA::Any&()> whole_;
  std::optional<constraint::DecodedEvent> parts_;
};

}  // namespace takt::notification
