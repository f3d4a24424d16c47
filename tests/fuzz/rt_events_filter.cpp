// Subscriptions to a real-time event channel, and events: 1 octet for the number of entries, which have 6
// octets each, and 2 octets for each event.
#include "input.h"
#include "rt_events/model/correlator.h"
#include "rt_events/model/designators.h"

namespace {

using namespace takt;
using namespace takt::rt_events;

class Sink final : public CorrelatorSink {
 public:
  explicit Sink(const Filter& filter) : filter_(filter) {}
  void deliver(std::span<const EventRef> events) override {
    fuzz::require(!events.empty() && events.size() <= std::max<std::size_t>(1, Correlator::places(filter_)));
    for (const EventRef& event : events) {
      const auto& header = event->event.header();
      fuzz::require(event->timer != 0 || filter_.accepts(header.type(), header.source()));
    }
  }
  void restart(std::uint32_t timer) override { fuzz::require(filter_.timers()[timer].type == deadline); }

 private:
  const Filter& filter_;
};

void check_tree(const Filter& filter) {
  const auto nodes = filter.nodes();
  fuzz::require(nodes.front().end == nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    std::uint32_t child = i + 1;
    while (child < nodes[i].end) child = nodes[child].end;
    fuzz::require(child == nodes[i].end && child <= nodes.size());
  }
}

EventRef next_event(EventPool& pool, fuzz::Input& input, const Filter& filter) {
  EventRef event = pool.take();
  auto& header = event->event.header();
  header.type(static_cast<std::int8_t>(input.octet()));
  header.source(static_cast<std::int8_t>(input.octet()));
  if (!filter.timers().empty() && header.type() < 0)
    event->timer = 1 + static_cast<std::uint32_t>(-header.type()) % filter.timers().size();
  if (!filter.accepts_all_types() && filter.accepts(header.type(), header.source()))
    fuzz::require(std::ranges::binary_search(filter.types(), header.type()));
  return event;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  std::vector<FilterEntry> entries(input.octet());
  for (FilterEntry& entry : entries) {
    entry.type = static_cast<std::int8_t>(input.octet());
    entry.source = static_cast<std::int8_t>(input.octet());
    entry.time = std::uint64_t{input.number()} << 8;
  }
  const auto filter = Filter::parse(entries);
  if (!filter) {
    fuzz::require(!filter.error().text.empty() && filter.error().entry <= entries.size());
    return 0;
  }
  check_tree(*filter);
  EventPool pool;
  Correlator correlator(*filter);
  Sink sink(*filter);
  while (!input.empty()) {
    correlator.offer(next_event(pool, input, *filter), sink);
    fuzz::require(pool.in_use() <= Correlator::places(*filter));
  }
  correlator.clear();
  fuzz::require(pool.in_use() == 0);
  return 0;
}
