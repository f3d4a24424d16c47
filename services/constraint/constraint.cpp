#include "constraint/constraint.h"

#include <memory>
#include <optional>
#include <utility>

#include "constraint/component.h"
#include "constraint/evaluation.h"
#include "constraint/parser.h"
#include "constraint/plain_value.h"

namespace takt::constraint {
namespace {

class Event final : public Subject {
 public:
  explicit Event(Part whole) : whole_(std::move(whole)) {}

  bool is_there() const { return static_cast<bool>(whole_); }

  std::optional<Value> value(const Path& path, Budget& budget) const override {
    const auto reached = found(whole_, path, budget);
    if (!reached) return std::nullopt;
    return reached->part ? value_of(reached->part, budget) : reached->fact;
  }
  bool exists(const Path& path, Budget& budget) const override {
    try {
      return found(whole_, path, budget).has_value();
    } catch (const CORBA::UserException&) {  // as BadKind, for a type without a name or id
      return false;
    }
  }
  std::optional<bool> contains(const Path& path, const Value& wanted, Budget& budget) const override {
    const auto reached = found(whole_, path, budget);
    if (!reached || !reached->part) return std::nullopt;
    return constraint::contains(reached->part, wanted, budget);
  }
  std::optional<bool> is_default(const Path& path, Budget& budget) const override {
    const auto reached = found(whole_, path, budget);
    if (!reached || !reached->part || kind_of(reached->part) != CORBA::TCKind::tk_union) return std::nullopt;
    return has_default_member(reached->part);
  }

 private:
  const Part whole_;
};

}  // namespace

std::expected<Constraint, Fault> Constraint::parse(std::string_view text, const ParseLimits& limits) {
  if (text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos) return Constraint(nullptr);
  auto expression = parse_expression(text, limits);
  if (!expression) return std::unexpected(std::move(expression.error()));
  return Constraint(std::make_shared<const Expression>(std::move(*expression)));
}

std::size_t Constraint::bytes() const {
  if (!expression_) return 0;
  std::size_t bytes = sizeof(Expression) + expression_->nodes.capacity() * sizeof(Node) +
                      expression_->paths.capacity() * sizeof(Path);
  for (const Node& each : expression_->nodes)
    if (const auto* text = std::get_if<std::string>(&each.literal)) bytes += text->capacity();
  for (const Path& path : expression_->paths) {
    bytes += path.variable.capacity() + path.steps.capacity() * sizeof(Step);
    for (const Step& step : path.steps) bytes += step.name.capacity();
  }
  return bytes;
}

struct DecodedEvent::Parts {
  Part whole;  // nil if DynAnys do not have the event's type
};

DecodedEvent::DecodedEvent(const CORBA::Any& event) : event_(event) {}
DecodedEvent::~DecodedEvent() = default;

Match Constraint::match(DecodedEvent& event, std::size_t& steps) const {
  if (!expression_) return Match::yes;
  Budget budget(steps);
  Match match = Match::failed;
  try {
    if (!event.parts_) {
      event.parts_ = std::make_unique<DecodedEvent::Parts>();
      event.parts_->whole = DynamicAny::DynAnyFactory(nullptr).create_dyn_any(event.event_);
    }
    const Event subject(paid_within(event.parts_->whole, budget));
    const auto whole = subject.is_there() ? evaluate(*expression_, subject, budget) : std::nullopt;
    if (const auto* truth = whole ? std::get_if<bool>(&*whole) : nullptr)
      match = *truth ? Match::yes : Match::no;
  } catch (
      const CORBA::Exception&) {  // a type that DynAnys do not have, or a kind without what was asked for
  }
  steps = budget.left();
  return match;
}

Match Constraint::match(const CORBA::Any& event, std::size_t most_steps) const {
  DecodedEvent decoded(event);
  return match(decoded, most_steps);
}

}  // namespace takt::constraint
