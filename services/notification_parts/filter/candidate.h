// An event that filters examine.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include <takt/corba.h>

#include "CosNotificationC.h"
#include "constraint/constraint.h"

namespace takt::notification {

// The parts of the event are decoded when the first constraint needs them, once for all. One thread at a
// time.
class Candidate {
 public:
  // `whole` gives the event as an any, which must outlive this; `decoding_steps`: those of its decoding.
  Candidate(std::string_view domain, std::string_view type, std::function<const CORBA::Any&()> whole,
            std::size_t decoding_steps)
      : domain_(domain), type_(type), whole_(std::move(whole)), decoding_steps_(decoding_steps) {}

  std::string_view domain() const { return domain_; }
  std::string_view type() const { return type_; }
  // The work of the first parts(), in steps of an evaluation.
  std::size_t decoding_steps() const { return decoding_steps_; }
  constraint::DecodedEvent& parts() {
    if (!parts_) parts_.emplace(whole_());
    return *parts_;
  }

 private:
  const std::string_view domain_, type_;
  const std::function<const CORBA::Any&()> whole_;
  const std::size_t decoding_steps_;
  std::optional<constraint::DecodedEvent> parts_;
};

// All that is in an any is decoded. The values in a structured event are not: each is an any.
inline std::size_t decoding_steps(const CORBA::Any& event) { return event._content().octets.size() / 64; }
inline std::size_t decoding_steps(const CosNotification::StructuredEvent& event) {
  return event.header().variable_header().size() + event.filterable_data().size();
}

}  // namespace takt::notification
