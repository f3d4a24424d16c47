// A naming service that shares its tree, which is in etcd, with other instances.
//
//   NamingService::Options options;
//   options.keeper = [&](Tree& tree, TreeMutex& mutex) {
//     return Cluster::start(tree, mutex, std::move(http), {.urls = {"http://127.0.0.1:2379"}});
//   };
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "naming/store/changes.h"
#include "naming_cluster/cluster/layout.h"
#include "naming_cluster/cluster/replica.h"
#include "naming_cluster/cluster/rounds.h"
#include "naming_cluster/cluster/transactions.h"
#include "naming_cluster/etcd/client.h"

namespace takt::naming {

struct ClusterOptions {
  std::vector<std::string> urls;  // etcd's members, as http://host:2379
  etcd::Credentials credentials{};
  std::string prefix = "/takt/naming";          // the tree's keys begin with it
  std::chrono::milliseconds staleness{10'000};  // most; 0: reads are linearizable
  std::chrono::milliseconds timeout{10'000};    // for a change, or for a look at etcd
  // For a page of many of the tree's keys, until it is asked for with fewer.
  std::chrono::milliseconds large_page_time{5'000};
  Limits limits{};
  // Called by one thread at a time when etcd ceases to answer, and when it answers again (empty).
  std::function<void(const std::string& why_not)> report{};
};

// Changes are linearizable: each is one transaction, which etcd carries out only if all that it was decided
// by still holds, and never twice. The tree is a copy that a watch keeps up to date. It is current enough if
// it had, at some time within `staleness`, all changes that were made until then. Limits on bindings and
// contexts are checked against the copy, so simultaneous changes of several instances may exceed them by a
// few. It is large because its mutex guards the copy of the tree together with the state of the watch.
class Cluster final : public Changes {
 public:
  // Blocks until the whole tree is read. Fails with the reason if etcd does not answer for `timeout`, gives
  // no page of the tree for 30 s, or has another format there.
  static std::expected<std::unique_ptr<Cluster>, std::string> start(Tree& tree, TreeMutex& mutex,
                                                                    std::unique_ptr<etcd::Http> http,
                                                                    ClusterOptions options);
  ~Cluster() override;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  Outcome carry_out(Change change) override;
  std::vector<Outcome> carry_out(std::vector<Change> changes) override;
  bool current_enough() override;
  Renewal renew() override;
  std::optional<SharedFigures> figures() const override;

 private:
  struct Counts {
    std::atomic<std::uint64_t> questions{0}, failed_questions{0};
    std::atomic<std::uint64_t> changes{0}, repeated_changes{0}, failed_changes{0};
  };
  using Clock = etcd::Clock;
  struct Seen {
    Clock::time_point asked;
    etcd::Revision revision = 0;
  };
  // Nothing: try again.
  using Attempt = std::optional<Outcome>;

  Cluster(Tree& tree, TreeMutex& mutex, std::unique_ptr<etcd::Http> http, ClusterOptions options);
  std::expected<void, std::string> begin(Clock::time_point deadline);
  bool renew_for_caller();
  bool renew_until(Clock::time_point deadline);
  std::optional<Seen> look(Clock::time_point deadline);
  std::optional<Seen> ask(Clock::time_point deadline);
  void confirm(Clock::time_point asked);
  Outcome carry_out_in_time(Change& change);
  Attempt attempt(Change& change, Clock::time_point deadline);
  Attempt settle(const Replica::Awaited& awaited, ContextId made, const etcd::Fault& fault,
                 Clock::time_point deadline);
  Attempt settle_mismatch(const Replica::Awaited& awaited, ContextId made, bool is_refusal,
                          const etcd::TransactionAnswer& answer, Clock::time_point deadline);
  bool fence_off(Clock::time_point deadline);
  void keep_current();
  bool renew_and_report(std::string& reported);

  TreeMutex& tree_mutex_;
  const Tree& tree_;
  const ClusterOptions options_;
  const Layout layout_;
  etcd::Client client_;
  Replica replica_;
  Rounds<Seen> looks_;
  std::atomic<bool> lost_{false};  // etcd has not answered for `timeout`, so callers do not wait for it
  std::atomic<Clock::rep> confirmed_{0};  // when etcd was asked whose state the tree has at least
  // Revision of a change that was answered before the tree had it; 0: the tree has all of them.
  std::atomic<etcd::Revision> unseen_{0};

  Counts counts_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool stopping_ = false;
  std::string last_fault_;  // the reason of the last look() that failed
  std::thread keeper_;
};

}  // namespace takt::naming
