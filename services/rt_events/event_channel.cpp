#include "rt_events/event_channel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include <takt/rt/rtcorba.h>

#include "octets/type_bytes.h"
#include "rt_events/channel/subscriptions.h"
#include "rt_events/model/times.h"

namespace takt {

using namespace rt_events;

namespace {

constexpr std::size_t most_levels = 256;

// About the memory of the payload, the value and its type, which counts for at most `most` octets.
std::size_t bytes_of(const RtecEventComm::Event& event, std::size_t most) {
  return event.data().payload().size() + octets::any_bytes(event.data().any_value(), most);
}

std::vector<EventLevel> levels_of(const EventChannelOptions& options) {
  if (!options.levels.empty()) return options.levels;
  std::vector<std::int16_t> priorities;
  for (const rt::ScheduledOperation& operation : options.schedule)
    if (operation.priority >= 0) priorities.push_back(operation.priority);
  std::ranges::sort(priorities, std::greater());
  priorities.erase(std::ranges::unique(priorities).begin(), priorities.end());
  std::vector<EventLevel> levels;
  for (const std::int16_t priority : priorities)
    levels.push_back({"priority " + std::to_string(priority), priority});
  if (levels.empty()) levels.push_back({"ordinary"});
  return levels;
}

std::string fault_in(const EventChannelOptions& options) {
  const auto between = [](const char* name, std::size_t value, std::size_t least, std::size_t most) {
    if (value >= least && value <= most) return std::string();
    return std::string(name) + " is " + std::to_string(value) + "; it may be " + std::to_string(least) +
           " to " + std::to_string(most);
  };
  for (const std::string& fault :
       {between("the number of levels", options.levels.size(), 0, most_levels),
        between("consumers", options.consumers, 1, Ring::most),
        between("max_queued_events", options.max_queued_events, 1, EventPool::most_events / 2),
        between("queued_events", options.queued_events, 1, options.max_queued_events),
        between("suppliers", options.suppliers, 1, EventPool::most_events / 2),
        between("payload_bytes", options.payload_bytes, 0, EventPool::kept_payload_bytes),
        between("max_threads", options.max_threads, 1, 10'000),
        between("most_hops", static_cast<std::size_t>(std::max(options.most_hops, -1)), 0, 1'000)})
    if (!fault.empty()) return fault;
  for (const EventLevel& level : options.levels)
    if (level.priority < -1)
      return "level '" + level.name + "' has the priority " + std::to_string(level.priority) +
             "; it may be 0 to 32767, or -1 for none";
  constexpr std::chrono::seconds longest_gather{1};
  if (options.gather < std::chrono::nanoseconds(0) || options.gather > longest_gather)
    return "gather may be 0 to 1 s";
  return options.slow_after <= std::chrono::nanoseconds(0) ? "slow_after must be positive" : "";
}

}  // namespace

// Shared with the connections, which may outlive the channel.
class EventChannel::Parts : public std::enable_shared_from_this<Parts> {
 public:
  Parts(CORBA::object_reference<CORBA::ORB> orb, EventChannelOptions of_channel)
      : options(std::move(of_channel)),
        levels_given(levels_of(options)),
        natives_(levels_given.size()),
        orb_(std::move(orb)),
        pool(options.payload_bytes, options.encodes),
        timers(
            priority_of(std::ranges::max(levels_given, {}, &EventLevel::priority).priority).set,
            [this](os::TimePoint now) { return supervise(now); }, options.slow_after,
            options.timer_expiries) {
    for (std::size_t i = 0; i < levels_given.size(); ++i)
      levels.push_back(std::make_unique<Level>(options.consumers, options.max_threads, options.gather,
                                               priority_of(levels_given[i].priority, &natives_[i]),
                                               [this] { timers.wake(); }));
  }

  std::string start() {
    if (!pool.reserve(options.suppliers)) return "there is no memory for events";
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (const auto started = levels[i]->start(); !started)
        return "level " + std::to_string(i) + " (" + levels_given[i].name + ") with priority " +
               std::to_string(levels_given[i].priority) + " has no thread: " + started.error();
    if (std::string fault = fault_in_natives(); !fault.empty()) return fault;
    try {
      timers.start();
    } catch (const std::system_error& failure) {
      return std::string("the timers have no thread: ") + failure.what();
    }
    return {};
  }
  std::expected<std::unique_ptr<EventConnection>, std::string> connect(
      std::shared_ptr<EventConsumer> consumer, const EventSubscription& subscription);
  // `ttl`: in place of the event's.
  void push(const RtecEventComm::Event& event, std::optional<std::int32_t> ttl = {});
  void disconnect(Connection& connection) {
    subscriptions.remove(connection);
    connection.end();
    if (!connection.settings().filter.timers().empty()) timers.forget();
    connection.wait_for_end();
    subscriptions.sweep();
  }
  void stop();
  EventChannelCounts counts() const;

  const EventChannelOptions options;
  const std::vector<EventLevel> levels_given;

 private:
  // `native`: where the thread notes its priority of the system; may be null.
  Level::Priority priority_of(std::int16_t priority, std::atomic<int>* native = nullptr) {
    if (priority < 0) return without_priority();
    const auto current = IDL::traits<RTCORBA::Current>::narrow(orb_->resolve_initial_references("RTCurrent"));
    const auto set = [current, priority] { current->the_priority(priority); };
    return {.set =
                [set, native] {
                  set();
                  if (native) *native = scheduling_here().second;
                },
            .set_again =
                [set] {
                  try {
                    set();
                  } catch (const CORBA::SystemException&) {  // the program has taken it from the mapping
                  }
                  return true;
                }};
  }
  // Threads inherit the scheduling of their creator, such as the supervisor's, so they take that of the
  // thread which makes the channel: the class of ordinary work. A thread that has had an RT-CORBA priority
  // cannot lose it.
  static Level::Priority without_priority() {
    const int here = scheduling_here().first;
    const int policy = here == SCHED_BATCH || here == SCHED_IDLE ? here : SCHED_OTHER;
    return {.set =
                [policy] {
                  const sched_param ordinary{};
                  pthread_setschedparam(pthread_self(), policy, &ordinary);
                },
            .set_again =
                [] {
                  const int present = scheduling_here().first;
                  return present != SCHED_FIFO && present != SCHED_RR;
                }};
  }
  // Class and priority of the system.
  static std::pair<int, int> scheduling_here() {
    sched_param parameters{};
    int policy = SCHED_OTHER;
    pthread_getschedparam(pthread_self(), &policy, &parameters);
    return {policy, parameters.sched_priority};
  }
  // Levels of different priorities that the system would not tell apart.
  std::string fault_in_natives() const {
    for (std::size_t i = 0; i < levels_given.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const EventLevel &one = levels_given[j], &other = levels_given[i];
        if (one.priority < 0 || other.priority < 0 || one.priority == other.priority ||
            natives_[i] != natives_[j])
          continue;
        return "levels '" + one.name + "' (" + std::to_string(one.priority) + ") and '" + other.name + "' (" +
               std::to_string(other.priority) + ") both have the system's priority " +
               std::to_string(natives_[i]) +
               "; give them priorities farther apart, such as 20000 and 5000, or use -ORBPriorityMapping "
               "direct";
      }
    return {};
  }
  bool supervise(os::TimePoint now) {
    const auto step = [&] {
      bool busy = false;
      for (const auto& level : levels) busy |= level->supervise(now, options.slow_after);
      return busy;
    };
    if (step()) return true;
    for (const auto& level : levels) level->supervisor_sleeps();
    return step();  // sees work that began before it could wake the supervisor
  }
  std::expected<std::size_t, std::string> level_of(const EventSubscription& subscription) const;
  EventRef copied(const RtecEventComm::Event& event, std::optional<std::int32_t> ttl);

  std::vector<std::atomic<int>> natives_;  // by level, once its thread has started
  const CORBA::object_reference<CORBA::ORB> orb_;
  EventPool pool;
  std::vector<std::unique_ptr<Level>> levels;
  Subscriptions subscriptions;
  Timers timers;
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> pushed_{0}, without_consumer_{0}, refused_{0};
};

class EventChannel::Handle final : public EventConnection {
 public:
  explicit Handle(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
  ~Handle() override {
    if (connection_) disconnect();
  }
  // Before all else.
  void take(std::shared_ptr<Connection> connection) { connection_ = std::move(connection); }
  void suspend() override { connection_->suspend(); }
  void resume() override { connection_->resume(); }
  void hold() override { connection_->hold(); }
  void release() override { connection_->release(); }
  void disconnect() override { parts_->disconnect(*connection_); }
  ConnectionCounts counts() const override { return connection_->counts(); }

 private:
  const std::shared_ptr<Parts> parts_;
  std::shared_ptr<Connection> connection_;
};

std::expected<std::size_t, std::string> EventChannel::Parts::level_of(
    const EventSubscription& subscription) const {
  if (subscription.operation.empty()) {
    if (subscription.level < levels.size()) return subscription.level;
    return std::unexpected("level " + std::to_string(subscription.level) +
                           " does not exist; the channel has " + std::to_string(levels.size()));
  }
  const auto operation =
      std::ranges::find(options.schedule, subscription.operation, &rt::ScheduledOperation::name);
  if (operation == options.schedule.end())
    return std::unexpected("operation '" + subscription.operation + "' is not in the channel's schedule");
  const auto level = std::ranges::find(levels_given, operation->priority, &EventLevel::priority);
  if (level == levels_given.end())
    return std::unexpected("operation '" + subscription.operation + "' has priority " +
                           std::to_string(operation->priority) + ", for which the channel has no level");
  return static_cast<std::size_t>(level - levels_given.begin());
}

std::expected<std::unique_ptr<EventConnection>, std::string> EventChannel::Parts::connect(
    std::shared_ptr<EventConsumer> consumer, const EventSubscription& subscription) {
  if (!consumer) return std::unexpected("there is no consumer");
  auto filter = Filter::parse(subscription.filter, options.filters);
  if (!filter)
    return std::unexpected("entry " + std::to_string(filter.error().entry) +
                           " of the subscription: " + filter.error().text);
  const auto level = level_of(subscription);
  if (!level) return std::unexpected(level.error());
  const std::size_t queued = subscription.queued_events ? subscription.queued_events : options.queued_events;
  if (queued > options.max_queued_events)
    return std::unexpected("a queue of " + std::to_string(queued) + " events; " +
                           std::to_string(options.max_queued_events) + " are permitted");
  auto connection = std::make_shared<Connection>(
      ConnectionSettings{.name = subscription.name,
                         .filter = *std::move(filter),
                         .queued_events = queued,
                         .queued_bytes = options.queued_bytes,
                         .discard = subscription.discard,
                         .level = *level,
                         .held = subscription.held,
                         .gathers = options.gather > std::chrono::nanoseconds(0)},
      std::move(consumer),
      Connection::Delivery{
          .pool = pool, .level = *levels[*level], .timers = timers, .slow_after = options.slow_after},
      [this] { subscriptions.sweep_if_free(); });
  auto handle = std::make_unique<Handle>(shared_from_this());
  if (auto reserved = connection->reserve(); !reserved) return std::unexpected(std::move(reserved.error()));
  handle->take(connection);  // which it ends if what follows fails
  subscriptions.add(connection);
  subscriptions.sweep();  // drops those that the threads of levels have left
  if (stopped_.load()) return std::unexpected("the channel has stopped");  // meanwhile
  for (auto& timer : connection->make_timers(os::Clock::now())) timers.add(std::move(timer));
  return handle;
}

// Null: there is no memory for it.
EventRef EventChannel::Parts::copied(const RtecEventComm::Event& event, std::optional<std::int32_t> ttl) {
  EventRef copy = pool.take();
  if (!copy) return copy;
  copy->arrived_ns = os::Clock::now().time_since_epoch().count();
  RtecEventComm::EventHeader& header = copy->event.header();
  header = event.header();
  if (ttl) header.ttl(*ttl);
  header.ec_recv_time(universal_now());
  header.ec_send_time(header.ec_recv_time());
  copy->bytes = bytes_of(event, options.event_bytes);
  try {
    copy->event.data() = event.data();
  } catch (const std::bad_alloc&) {
    copy = {};
  }
  return copy;
}

void EventChannel::Parts::push(const RtecEventComm::Event& event, std::optional<std::int32_t> ttl) {
  const std::int32_t type = event.header().type(), source = event.header().source();
  pushed_.fetch_add(1, std::memory_order_relaxed);
  if (bytes_of(event, options.event_bytes) > options.event_bytes) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const Subscriptions::Reading reading(subscriptions);
  EventRef copy;
  bool accepted = false;
  reading.table().visit(type, [&](Connection& connection) {
    if (!connection.settings().filter.accepts(type, source)) return true;
    accepted = true;
    if (!copy) copy = copied(event, ttl);
    if (copy) connection.offer(copy);
    return bool(copy);
  });
  if (!accepted) without_consumer_.fetch_add(1, std::memory_order_relaxed);
  if (accepted && !copy) refused_.fetch_add(1, std::memory_order_relaxed);
}

void EventChannel::Parts::stop() {
  if (stopped_.exchange(true)) return;
  while (const auto connection = subscriptions.any()) {
    subscriptions.remove(*connection);
    connection->end();
  }
  timers.stop();
  for (const auto& level : levels) level->stop();
  for (const auto& connection : subscriptions.take_ending()) connection->end_stopped();
}

EventChannelCounts EventChannel::Parts::counts() const {
  EventChannelCounts counts;
  counts.pushed = pushed_.load();
  counts.without_consumer = without_consumer_.load();
  counts.refused = refused_.load();
  counts.events = pool.in_use();
  for (const auto& level : levels) counts.threads_replaced += level->replaced();
  for (const auto& connection : subscriptions.all()) counts.consumers.push_back(connection->counts());
  std::ranges::stable_sort(counts.consumers, std::greater(), &ConnectionCounts::pending);
  return counts;
}

std::expected<std::unique_ptr<EventChannel>, std::string> EventChannel::start(
    CORBA::object_reference<CORBA::ORB> orb, EventChannelOptions options) {
  if (std::string fault = fault_in(options); !fault.empty()) return std::unexpected(std::move(fault));
  std::unique_ptr<EventChannel> channel(
      new EventChannel(std::make_shared<Parts>(std::move(orb), std::move(options))));
  if (std::string fault = channel->parts_->start(); !fault.empty()) return std::unexpected(std::move(fault));
  return channel;
}

EventChannel::~EventChannel() { stop(); }

std::expected<std::unique_ptr<EventConnection>, std::string> EventChannel::connect(
    std::shared_ptr<EventConsumer> consumer, const EventSubscription& subscription) {
  return parts_->connect(std::move(consumer), subscription);
}

void EventChannel::push(std::span<const RtecEventComm::Event> events) {
  for (const RtecEventComm::Event& event : events) parts_->push(event);
}

std::size_t EventChannel::forward(std::span<const RtecEventComm::Event> events, std::int32_t most_hops) {
  const std::int32_t most = std::min(most_hops, parts_->options.most_hops);
  std::size_t expired = 0;
  for (const RtecEventComm::Event& event : events) {
    if (event.header().ttl() > 0)
      parts_->push(event, std::min(event.header().ttl() - 1, most));
    else
      ++expired;
  }
  return expired;
}

std::span<const EventLevel> EventChannel::levels() const { return parts_->levels_given; }

EventChannelCounts EventChannel::counts() const { return parts_->counts(); }

void EventChannel::stop() { parts_->stop(); }

}  // namespace takt
