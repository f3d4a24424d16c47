// The ids of queries that have come by.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace takt::trading {

// The id of a query that a proxy makes of the query with the id `of`. It differs for each `content` (type,
// constraint, policies), so that a trader answers two proxies that ask it for different offers, and it is the
// same in all traders, so that it answers the same question once. `of` if the result would be too long for a
// policy.
std::string derived_id(const std::string& of, std::string_view content);
// The id that the query had before any proxy.
std::string_view original_id(std::string_view id);

// Notices queries that come back. Thread-safe.
class RequestIds {
 public:
  // `most`: how many of the last ids are remembered.
  explicit RequestIds(std::size_t most) : most_(most) {}

  // A query that runs, until this object ends.
  class Running {
   public:
    // Null if the id is known, or a query with the same original id runs: traders ask one another in turn, so
    // such a query has come back by a circle of proxies.
    static std::unique_ptr<Running> begin(RequestIds& ids, const std::string& id);
    Running(RequestIds& ids, std::string_view original) : ids_(ids), original_(original) {}
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    RequestIds& ids_;
    const std::string original_;
    bool has_begun_ = false;
  };

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::unordered_set<std::string> known_;
  std::deque<std::string> order_;  // oldest first
  std::set<std::string> running_;  // original ids
};

}  // namespace takt::trading
