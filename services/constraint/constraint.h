// Constraints on events, in the extended trader constraint language (ETCL) of the Notification Service:
//
//   const auto constraint = takt::constraint::Constraint::parse("$severity >= 3 and not exist $cleared");
//   if (constraint && constraint->matches(any)) ...
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include <takt/corba.h>

namespace takt::constraint {

struct Expression;

struct ParseLimits {
  std::size_t octets = 65'536;
  std::size_t nodes = 4'096;  // operators, literals and components together
  std::size_t depth = 100;    // parentheses and arithmetic within each other
};

// The reason why a text is refused, and its place.
struct Fault {
  std::size_t octet = 0;
  std::string text;
};

enum class Match : unsigned char {
  yes,
  no,
  failed,  // a component is absent, types do not fit, or the steps are used up: the event does not match
};

// An event on which several constraints are evaluated, so that its parts are decoded once. One thread at a
// time.
class DecodedEvent {
 public:
  // The event must outlive it. Decodes nothing yet.
  explicit DecodedEvent(const CORBA::Any& event);
  ~DecodedEvent();
  DecodedEvent(const DecodedEvent&) = delete;
  DecodedEvent& operator=(const DecodedEvent&) = delete;

 private:
  friend class Constraint;
  struct Parts;
  const CORBA::Any& event_;
  std::unique_ptr<Parts> parts_;  // null until a constraint needs them
};

// Immutable, so any number of threads may use one.
class Constraint {
 public:
  // An empty text matches every event.
  static std::expected<Constraint, Fault> parse(std::string_view text, const ParseLimits& limits = {});

  // Takes at most that many steps: an operator, a component's part, a member or an element that is looked at,
  // 64 octets of a text that is read or of an any that is decoded. Allocates for the event's parts.
  Match match(const CORBA::Any& event, std::size_t most_steps = 10'000) const;
  bool matches(const CORBA::Any& event) const { return match(event) == Match::yes; }
  // Takes the steps that it needs from `steps`.
  Match match(DecodedEvent& event, std::size_t& steps) const;
  // Whether it matches every event.
  bool is_empty() const { return expression_ == nullptr; }
  // An estimate of the memory that it takes.
  std::size_t bytes() const;

 private:
  explicit Constraint(std::shared_ptr<const Expression> expression) : expression_(std::move(expression)) {}

  std::shared_ptr<const Expression> expression_;  // null: matches every event
};

}  // namespace takt::constraint
