#include "streams/flow/producer_flow.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <takt/cdr/exception.h>

#include "streams/flow/first_frame.h"

namespace takt::streams {
namespace {

constexpr auto pause_without_frame = std::chrono::milliseconds(1);

std::chrono::nanoseconds period_of(double rate) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / rate));
}

void add_to(std::atomic<std::uint64_t>& count, std::uint64_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

ProducerFlow::ProducerFlow(std::unique_ptr<FrameSource> source, const ProducerOptions& options)
    : source_(std::move(source)),
      options_(options),
      frame_rate_(options.frame_rate),
      last_frame_(os::Clock::now()),
      thread_(options.priority, [this] { run(); }) {}

ProducerFlow::~ProducerFlow() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = interrupted_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool ProducerFlow::add(Consumer consumer, std::unique_ptr<FrameOutput> sender, std::uint32_t clock_rate,
                       std::string where) {
  {
    const std::lock_guard lock(mutex_);
    if (dead_) return false;
    changes_.push_back({consumer, std::move(sender), clock_rate});
    names_[consumer] = std::move(where);
    alive_.fetch_add(1);
    changed_ = true;
  }
  wake_.notify_all();
  return true;
}

bool ProducerFlow::remove(Consumer consumer) {
  {
    const std::lock_guard lock(mutex_);
    if (names_.erase(consumer) == 0) return false;
    changes_.push_back({.consumer = consumer, .sender = nullptr});
    alive_.fetch_sub(1);
    changed_ = true;
  }
  wake_.notify_all();
  return true;
}

bool ProducerFlow::has(Consumer consumer) const {
  const std::lock_guard lock(mutex_);
  return names_.contains(consumer);
}

std::string ProducerFlow::where() const {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const auto& [consumer, where] : names_) all += (all.empty() ? "" : ",") + where;
  return all;
}

void ProducerFlow::start() {
  {
    const std::lock_guard lock(mutex_);
    started_ = true;
    interrupted_ = ended_.load();
  }
  wake_.notify_all();
}

void ProducerFlow::stop() {
  const std::lock_guard lock(mutex_);
  started_ = false;
  interrupted_ = true;
}

FlowState ProducerFlow::state() const {
  if (dead_) return FlowState::dead;
  return started_ ? FlowState::started : FlowState::stopped;
}

void ProducerFlow::set_rate(double frame_rate) {
  const std::lock_guard lock(mutex_);
  frame_rate_ = frame_rate;
  rate_changed_ = interrupted_ = true;
}

FlowCounts ProducerFlow::counts() const {
  const auto in_ns = [](std::chrono::nanoseconds time) { return static_cast<std::uint64_t>(time.count()); };
  FlowCounts counts;
  counts.frames = frames_.load(std::memory_order_relaxed);
  counts.octets = octets_.load(std::memory_order_relaxed);
  counts.lost = lost_.load(std::memory_order_relaxed);
  counts.late = late_.load(std::memory_order_relaxed);
  counts.jitter_ns = in_ns(behind_.at(0.5));
  counts.jitter_p99_ns = in_ns(behind_.at(0.99));
  counts.jitter_worst_ns = in_ns(behind_.worst());
  return counts;
}

void ProducerFlow::run() {
  try {
    while (wait_for_start()) {
      due_ = os::Clock::now() + first_delay(options_.number, frame_rate_.load(std::memory_order_relaxed));
      period_ = {};
      if (next_number_ == 0) origin_ = due_;
      while (started_.load(std::memory_order_relaxed) && !ended_.load(std::memory_order_relaxed)) keep_pace();
    }
  } catch (const std::exception&) {
    die();
  }
}

// Ends the connections to all consumers.
void ProducerFlow::die() {
  senders_.clear();
  const std::lock_guard lock(mutex_);
  changes_.clear();
  names_.clear();
  alive_ = 0;
  dead_ = true;
}

bool ProducerFlow::wait_for_start() {
  std::unique_lock lock(mutex_);
  while (!ended_ && !started_) {
    if (!changed_) {
      wake_.wait(lock);
      continue;
    }
    lock.unlock();
    take_changes();
    lock.lock();
  }
  return !ended_;
}

void ProducerFlow::take_changes() {
  std::vector<Change> changes;
  {
    const std::lock_guard lock(mutex_);
    changes.swap(changes_);
    changed_ = false;
  }
  for (Change& each : changes) {
    if (each.sender)
      senders_.push_back({each.consumer, std::move(each.sender), static_cast<double>(each.clock_rate)});
    else
      std::erase_if(senders_, [&each](const Sending& own) { return own.consumer == each.consumer; });
  }
}

// The time of the next frame may become an earlier one, but not one that has passed.
void ProducerFlow::take_rate() {
  {
    const std::lock_guard lock(mutex_);
    rate_changed_ = false;
    interrupted_ = ended_ || !started_;
  }
  const double rate = frame_rate_.load(std::memory_order_relaxed);
  if (rate > 0 && period_.count() > 0) due_ = std::max(due_ - period_ + period_of(rate), os::Clock::now());
}

// Waits for the time of the next frame, and sends it.
void ProducerFlow::keep_pace() {
  if (rate_changed_.load(std::memory_order_relaxed)) take_rate();
  const double rate = frame_rate_.load(std::memory_order_relaxed);
  if (rate > 0) {
    sleep_until(due_, interrupted_);
    if (interrupted_.load(std::memory_order_relaxed)) return;
    const std::chrono::nanoseconds period = period_of(rate);
    const auto behind = os::Clock::now() - due_;
    behind_.add(behind);
    if (options_.late == LateFrames::drop && behind >= period) {
      const auto left_out = behind / period;
      add_to(late_, static_cast<std::uint64_t>(left_out));
      next_number_ += static_cast<std::uint64_t>(left_out);
      due_ += left_out * period;
    }
    send(next_number_++);
    due_ += period;
    period_ = period;
  } else {
    due_ = os::Clock::now();
    send(next_number_++);
  }
}

void ProducerFlow::send(std::uint64_t number) {
  if (changed_.load(std::memory_order_acquire)) take_changes();
  const auto frame = source_->frame(number);
  if (frame.empty()) {
    if (frame_rate_.load(std::memory_order_relaxed) <= 0)
      sleep_until(os::Clock::now() + pause_without_frame, interrupted_);
    return;
  }
  send_to_all(frame, due_ - origin_);
}

std::uint32_t ProducerFlow::Sending::timestamp_at(std::chrono::duration<double> time) {
  auto next = static_cast<std::uint32_t>(static_cast<std::uint64_t>(time.count() * clock_rate + 0.5));
  if (timestamp && static_cast<std::int32_t>(next - *timestamp) <= 0) next = *timestamp + 1;
  timestamp = next;
  return next;
}

void ProducerFlow::send_to_all(std::span<const std::uint8_t> frame, std::chrono::duration<double> time) {
  bool is_sent = false;
  for (auto each = senders_.begin(); each != senders_.end();) {
    try {
      if (each->sender->send(frame, each->timestamp_at(time)))
        is_sent = true;
      else
        add_to(lost_, 1);
      ++each;
    } catch (const CORBA::COMM_FAILURE&) {
      const std::lock_guard lock(mutex_);
      if (names_.erase(each->consumer) != 0) alive_.fetch_sub(1);
      each = senders_.erase(each);
    }
  }
  if (!is_sent) return;
  add_to(frames_, 1);
  add_to(octets_, frame.size());
  last_frame_.store(os::Clock::now(), std::memory_order_relaxed);
}

}  // namespace takt::streams
