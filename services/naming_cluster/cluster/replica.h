// A copy of the tree in etcd, which a watch keeps up to date.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "naming/model/tree.h"
#include "naming/model/tree_mutex.h"
#include "naming_cluster/cluster/layout.h"
#include "naming_cluster/etcd/client.h"

namespace takt::naming {

// Has a thread that follows the watch of one member of etcd. If that ends or stalls, it asks another member
// from the same revision on; if etcd has compacted that revision, it reads the whole tree again. Thread-safe.
// It is large because the state of the watch and of those who wait for it is under one lock.
class Replica {
 public:
  using Clock = etcd::Clock;

  // The tree and the mutex outlive this object, which alone changes the tree. `large_page_time`: after that a
  // page of the tree that has not come is asked for with fewer keys.
  Replica(Tree& tree, TreeMutex& mutex, etcd::Client& client, const Layout& layout,
          std::chrono::milliseconds large_page_time)
      : tree_(tree),
        tree_mutex_(mutex),
        client_(client),
        layout_(layout),
        large_page_time_(large_page_time) {}
  ~Replica();
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  // Reads the tree, and starts to follow. Blocks for as long as etcd goes on giving pages of the tree. Fails
  // with the reason if it gives none for 30 s, or has compacted the tree's revision in each of ten readings.
  std::expected<void, std::string> start();
  // Ends the thread, and all calls of wait_for().
  void stop();
  // Blocks until the tree has all changes up to that revision. False if it has not at the deadline.
  bool wait_for(etcd::Revision revision, Clock::time_point deadline);
  etcd::Revision revision() const;
  // Has the whole tree read again, also if its revision is an earlier one: etcd has been replaced.
  void forget();
  // Revision of the fence. Only with the tree's mutex held does it belong to that tree.
  etcd::Revision fence() const { return fence_; }
  // How often the whole tree was read.
  std::uint64_t readings() const { return readings_; }

  // Notices whether a change with this mark comes.
  class Awaited {
   public:
    Awaited(Replica& replica, std::string mark);
    ~Awaited();
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;
    // Asked after wait_for(). Nothing is certain if the whole tree was read meanwhile.
    bool has_come() const;
    bool is_certain() const { return replica_.readings() == readings_; }
    const std::string& mark() const { return mark_; }

   private:
    Replica& replica_;
    const std::string mark_;
    const std::uint64_t readings_;
  };

 private:
  std::expected<void, std::string> read();
  std::expected<void, etcd::Fault> read_once();
  std::expected<etcd::RangeAnswer, etcd::Fault> page_of(const etcd::Range& range, std::uint32_t& keys,
                                                        etcd::Revision at);
  void run();
  // Applies changes until the stream ends. False if the whole tree must be read.
  bool follow();
  // Takes the lines that are whole; `searched` octets of `received` were there before.
  bool take_lines(std::string& received, std::size_t searched);
  bool take(const etcd::WatchAnswer& answer);
  void apply(const etcd::Event& event);
  void pause();

  Tree& tree_;
  TreeMutex& tree_mutex_;
  etcd::Client& client_;
  const Layout& layout_;
  const std::chrono::milliseconds large_page_time_;
  std::atomic<etcd::Revision> fence_{0};
  std::atomic<std::uint64_t> readings_{0};
  std::atomic<bool> stalls_{false}, stopping_{false}, forgotten_{false};

  mutable std::mutex mutex_;
  std::condition_variable advanced_;
  etcd::Revision revision_ = 0;
  std::optional<Clock::time_point> behind_since_;  // since when a change that etcd has is awaited
  std::map<std::string, bool> awaited_;            // by mark, whether it has come
  std::thread thread_;
};

}  // namespace takt::naming
