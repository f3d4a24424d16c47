#include "mast/transactions.h"

namespace takt::scheduling::mast {
namespace {

class TransactionReader {
 public:
  TransactionReader(Platform& platform, Operations& operations, Reading& reading)
      : platform_(platform), operations_(operations), reading_(reading) {}

  Transaction read(const Element& element) {
    Fields fields(element.value, owner_of(element));
    fields.one_of("Type", {"Regular"});
    made_.name = fields.word("Name");
    made_.at = element.at;
    owner_ = fields.owner();
    fields.need("External_Events");
    fields.need("Event_Handlers");
    fields.list("External_Events", [&](const Value& event) { read_external(event); });
    fields.list("Internal_Events", [&](const Value& event) { read_internal(event); });
    fields.list("Event_Handlers", [&](const Value& handler) { read_handler(handler); });
    fields.finish();
    check_references();
    return std::move(made_);
  }

 private:
  // A part of the transaction, called as its attribute says.
  Fields part(const Value& group, const std::string& kind, std::string_view name) const {
    Fields fields(group, kind + " of " + owner_);
    if (const Value* given = fields.find(name); given && given->form == Value::Form::word)
      fields.own(kind + " '" + given->text + "' of " + owner_);
    return fields;
  }
  Time time(const Value& value, Rounding rounding) const {
    return time_of(decimal_of(value), reading_.unit, {}, rounding, value.at);
  }
  Time time(Fields& fields, std::string_view name, Rounding rounding) const {
    const Value* value = fields.find(name);
    return value ? time(*value, rounding) : Time(0);
  }
  Time positive(Fields& fields, std::string_view name) const {
    const Value& value = fields.need(name);
    const Time found = time(value, Rounding::down);
    if (found == Time(0))
      throw Wrong{value.at, std::string(name) + " of " + fields.owner() + " must be at least a nanosecond"};
    return found;
  }

  void read_external(const Value& group) {
    Fields fields = part(group, "external event", "Name");
    const auto type = fields.one_of("Type", {"Periodic", "Sporadic", "Bursty"});
    constexpr std::string_view periods[] = {"Period", "Min_Interarrival", "Bound_Interval"};
    Event made{.name = fields.word("Name"), .at = group.at, .arrival = Arrival{}};
    made.arrival->period = positive(fields, periods[type]);
    if (type == 0) {
      made.arrival->jitter = time(fields, "Max_Jitter", Rounding::up);
      made.arrival->phase = time(fields, "Phase", Rounding::up);
    } else {
      fields.skip(reading_.unused, {"Avg_Interarrival", "Distribution"});
    }
    if (type == 2)
      made.arrival->burst =
          static_cast<std::int32_t>(whole_number_of(fields.need("Max_Arrivals"), 1, most_in_a_burst));
    fields.finish();
    made_.events.add(std::move(made));
  }

  void read_internal(const Value& group) {
    Fields fields = part(group, "internal event", "Name");
    fields.one_of("Type", {"Regular"});
    Event made{.name = fields.word("Name"), .at = group.at};
    if (const Value* requirements = fields.find("Timing_Requirements"))
      read_requirement(*requirements, fields.owner(), made, true);
    fields.finish();
    made_.events.add(std::move(made));
  }

  void read_requirement(const Value& group, const std::string& event, Event& made, bool outer) {
    Fields fields(group, "Timing_Requirements of " + event);
    if (outer && fields.one_of("Type", {"Hard_Global_Deadline", "Composite"}) == 1) {
      fields.need("Requirements_List");
      fields.list("Requirements_List",
                  [&](const Value& each) { read_requirement(each, event, made, false); });
    } else {
      fields.one_of("Type", {"Hard_Global_Deadline"});
      const Value& from = fields.need("Referenced_Event");
      made.deadlines.push_back(
          {positive(fields, "Deadline"), word_of(from, "the name of an event"), from.at});
    }
    fields.finish();
  }

  std::size_t event_of(const Value& value) {
    return made_.events.place_of(made_.events.get(word_of(value, "the name of an event"), value.at));
  }

  void read_handler(const Value& group) {
    Fields fields(group, "event handler of " + owner_);
    const auto type = fields.one_of("Type", {"Activity", "System_Timed_Activity", "Multicast"});
    Handler made{.multicast = type == 2, .timed = type == 1, .at = group.at};
    const Value& input = fields.need("Input_Event");
    made.input = event_of(input);
    if (made.multicast) {
      fields.need("Output_Events_List");
      fields.list("Output_Events_List", [&](const Value& each) { add_output(made, each); });
    } else {
      add_output(made, fields.need("Output_Event"));
      const Value& operation = fields.need("Activity_Operation");
      made.operation = operations_.spelling_of(word_of(operation, "the name of an Operation"), operation.at);
      const Value& server = fields.need("Activity_Server");
      made.server = platform_.servers.place_of(
          platform_.servers.get(word_of(server, "the name of a Scheduling_Server"), server.at));
    }
    fields.finish();
    Event& consumed = made_.events.all()[made.input];
    if (consumed.consumer != none)
      throw Wrong{input.at, "event '" + consumed.name + "' is already the input of the handler in line " +
                                std::to_string(made_.handlers[consumed.consumer].at.line) +
                                "; a Multicast gives it to several"};
    consumed.consumer = made_.handlers.size();
    made_.handlers.push_back(std::move(made));
  }

  void add_output(Handler& made, const Value& value) {
    const std::size_t place = event_of(value);
    Event& produced = made_.events.all()[place];
    if (produced.arrival)
      throw Wrong{value.at,
                  "event '" + produced.name + "' is external, so no handler can have it as its output"};
    if (produced.producer != none)
      throw Wrong{value.at, "event '" + produced.name + "' is already an output of another handler"};
    produced.producer = made_.handlers.size();
    made.outputs.push_back(place);
  }

  void check_references() {
    for (const Event& each : made_.events.all()) {
      if (!each.arrival && each.producer == none)
        throw Wrong{each.at, "event '" + each.name + "' is neither external nor the output of a handler"};
      if (each.arrival && each.consumer == none)
        throw Wrong{each.at, "event '" + each.name + "' is external, but no handler has it as its input"};
      for (const HardDeadline& deadline : each.deadlines) made_.events.get(deadline.from, deadline.at);
    }
  }

  Platform& platform_;
  Operations& operations_;
  Reading& reading_;
  std::string owner_;
  Transaction made_;
};

}  // namespace

Transaction read_transaction(const Element& element, Platform& platform, Operations& operations,
                             Reading& reading) {
  return TransactionReader(platform, operations, reading).read(element);
}

}  // namespace takt::scheduling::mast
