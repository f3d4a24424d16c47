#include "probes/probe_log.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

#include "threads/thread.h"

namespace takt::probes {

// Written by one thread. The thread that stops the log may read at the same time and find a record partly
// overwritten, so the fields are atomics, which cost nothing here.
class ProbeLog::Ring {
 public:
  explicit Ring(std::size_t records) : mask_(records - 1), records_(records) {}

  void set_thread(std::uint32_t thread) { thread_ = thread; }
  void add(std::int64_t time_ns, Step step, std::uint32_t request_id, std::string_view operation) {
    const std::uint64_t count = count_.load(std::memory_order_relaxed);
    Slot& slot = records_[count & mask_];
    const std::size_t length = std::min(operation.size(), ProbeRecord::operation_bytes);
    slot[0].store(static_cast<std::uint64_t>(time_ns), std::memory_order_relaxed);
    slot[1].store(static_cast<std::uint64_t>(step) | length << 8 | std::uint64_t{request_id} << 32,
                  std::memory_order_relaxed);
    slot[2].store(thread_, std::memory_order_relaxed);
    if (length != 0) {
      std::array<std::uint64_t, text_words> words{};
      std::memcpy(words.data(), operation.data(), length);
      for (std::size_t i = 0; i < text_words; ++i) slot[3 + i].store(words[i], std::memory_order_relaxed);
    }
    count_.store(count + 1, std::memory_order_release);
  }

  std::uint64_t replaced() const {
    const std::uint64_t count = count_.load(std::memory_order_acquire);
    return count - std::min<std::uint64_t>(count, records_.size());
  }
  std::vector<ProbeRecord> read() const {
    std::vector<ProbeRecord> all;
    const std::uint64_t end = count_.load(std::memory_order_acquire);
    for (std::uint64_t at = replaced(); at < end; ++at) all.push_back(read(records_[at & mask_]));
    return all;
  }

 private:
  static constexpr std::size_t text_words = ProbeRecord::operation_bytes / sizeof(std::uint64_t);
  using Slot = std::array<std::atomic<std::uint64_t>, 3 + text_words>;

  static ProbeRecord read(const Slot& slot) {
    const auto word = [&](std::size_t i) { return slot[i].load(std::memory_order_relaxed); };
    ProbeRecord record;
    record.time_ns = static_cast<std::int64_t>(word(0));
    record.step = static_cast<Step>(word(1) & 0xff);
    record.operation_length = static_cast<std::uint8_t>(word(1) >> 8 & 0xff);
    record.request_id = static_cast<std::uint32_t>(word(1) >> 32);
    record.thread = static_cast<std::uint32_t>(word(2));
    std::array<std::uint64_t, text_words> words;
    for (std::size_t i = 0; i < text_words; ++i) words[i] = word(3 + i);
    std::memcpy(record.operation.data(), words.data(), sizeof words);
    return record;
  }

  const std::size_t mask_;
  std::vector<Slot> records_;
  std::uint32_t thread_ = 0;
  std::atomic<std::uint64_t> count_{0};
};

// The log that a thread used last, and the thread's ring there.
struct ProbeLog::Mine {
  std::shared_ptr<ProbeLog> log;
  Ring* ring = nullptr;

  ~Mine() { release(); }
  void release() {
    if (log && ring) log->give_back(ring);
    ring = nullptr;
    log = nullptr;
  }
};
thread_local ProbeLog::Mine ProbeLog::mine_;

ProbeLog::ProbeLog(std::size_t records) : records_(std::bit_ceil(records)) {}
ProbeLog::~ProbeLog() = default;

void ProbeLog::begin(Step step, std::uint32_t request_id, std::string_view operation) {
  if (stopped_.load(std::memory_order_relaxed)) return;
  if (mine_.log.get() != this) [[unlikely]] {
    mine_.release();
    mine_.log = shared_from_this();
    mine_.ring = take_ring();
  }
  if (mine_.ring)
    mine_.ring->add(std::chrono::steady_clock::now().time_since_epoch().count(), step, request_id, operation);
}

ProbeLog::Ring* ProbeLog::take_ring() {
  std::lock_guard lock(mutex_);
  Ring* ring = nullptr;
  if (!idle_.empty()) {
    ring = idle_.back();
    idle_.pop_back();
  } else if (rings_.size() < max_rings) {
    ring = rings_.emplace_back(std::make_unique<Ring>(records_)).get();
    idle_.reserve(rings_.size());
  }
  if (ring)
    ring->set_thread(os::current_thread_number());
  else
    missed_.fetch_add(1, std::memory_order_relaxed);
  return ring;
}

void ProbeLog::give_back(Ring* ring) {
  std::lock_guard lock(mutex_);
  idle_.push_back(ring);
}

std::vector<std::vector<ProbeRecord>> ProbeLog::stop() {
  stopped_.store(true, std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  std::vector<std::vector<ProbeRecord>> all;
  all.reserve(rings_.size());
  for (const auto& ring : rings_) all.push_back(ring->read());
  return all;
}

std::uint64_t ProbeLog::records_replaced() const {
  std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& ring : rings_) sum += ring->replaced();
  return sum;
}

}  // namespace takt::probes
