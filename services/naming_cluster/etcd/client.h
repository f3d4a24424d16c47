// Requests to etcd: which of its members they go to, and for how long.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "naming_cluster/etcd/http.h"
#include "naming_cluster/etcd/messages.h"

namespace takt::etcd {

using Clock = std::chrono::steady_clock;

struct Fault {
  std::string text;
  bool maybe_done = false;  // the transaction may have been carried out, or will be
  bool refused = false;     // etcd has answered that it does not do this; another try is useless
  bool too_long = false;    // the answer was
  bool timed_out = false;
  bool compacted = false;    // the revision asked for is no longer there
  bool needs_token = false;  // the request had none that etcd takes
};

// A user of etcd. Without a name, requests have no token.
struct Credentials {
  std::string user, password;
};

// Goes to the member that answered last; to the next one if that fails. Thread-safe.
class Client {
 public:
  // An answer is at most this long. etcd's own limit of a request is 1.5 MiB.
  static constexpr std::size_t most_answer_bytes = 64 << 20;

  // `urls`: of the members, without a path, such as http://host:2379; one at least.
  Client(std::unique_ptr<Http> http, std::vector<std::string> urls, Credentials credentials = {});

  // Linearizable, if `at` is 0. Tries members until the deadline.
  std::expected<RangeAnswer, Fault> range(const Range& range, std::uint32_t limit, Clock::time_point deadline,
                                          Revision at = 0);
  // Tries members until one may have got the request.
  std::expected<TransactionAnswer, Fault> transact(const Transaction& transaction,
                                                   Clock::time_point deadline);
  // The events of the range from that revision on, one message to a line. The next call asks the next member.
  std::unique_ptr<HttpStream> watch(const Range& range, Revision from);
  // Requests that are on their way end after one try more.
  void stop() { stopping_ = true; }

 private:
  std::expected<std::string, Fault> post(const char* path, const std::string& json, bool idempotent,
                                         Clock::time_point deadline);
  std::expected<std::string, Fault> posted(std::size_t member, const char* path, const std::string& json,
                                           Clock::time_point deadline);
  std::expected<std::string, Fault> posted_once(const std::string& url, const char* path,
                                                const std::string& json, Clock::time_point deadline);
  // Gets another token, unless another thread has replaced the refused one meanwhile.
  std::expected<void, Fault> replace_token(std::uint64_t refused, const std::string& url,
                                           Clock::time_point deadline);
  // Gets a token for later requests. With the lock.
  std::expected<void, Fault> authenticate(const std::string& url, Clock::time_point deadline);

  const std::unique_ptr<Http> http_;
  const std::vector<std::string> urls_;
  const Credentials credentials_;
  std::atomic<std::size_t> member_{0}, watched_{0};
  std::atomic<bool> stopping_{false};
  std::timed_mutex token_mutex_;         // held while a token is asked for
  std::atomic<std::uint64_t> token_{0};  // the number of the token that requests have
};

}  // namespace takt::etcd
