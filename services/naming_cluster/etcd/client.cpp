#include "naming_cluster/etcd/client.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace takt::etcd {
namespace {

using std::chrono::milliseconds;

// A member that is stopped or cut off costs a request this time.
constexpr milliseconds one_try{2000};
// Between two rounds of all members.
constexpr milliseconds pause{50};
constexpr int http_ok = 200;

}  // namespace

Client::Client(std::unique_ptr<Http> http, std::vector<std::string> urls, Credentials credentials)
    : http_(std::move(http)), urls_(std::move(urls)), credentials_(std::move(credentials)) {}

// Requests without a valid token are refused before they are carried out, so they can be sent again with one.
// A second change of users may end the token that the first one has called for.
std::expected<std::string, Fault> Client::posted(std::size_t member, const char* path,
                                                 const std::string& json, Clock::time_point deadline) {
  constexpr int most_tokens = 2;
  const std::string& url = urls_[member % urls_.size()];
  for (int tokens = 0;; ++tokens) {
    const std::uint64_t token = token_;
    auto answer = posted_once(url, path, json, deadline);
    if (answer || !answer.error().needs_token || credentials_.user.empty() || tokens == most_tokens)
      return answer;
    if (auto got = replace_token(token, url, deadline); !got) return std::unexpected(std::move(got.error()));
  }
}

// A password costs etcd much time, so that one thread sends it for all.
std::expected<void, Fault> Client::replace_token(std::uint64_t refused, const std::string& url,
                                                 Clock::time_point deadline) {
  const std::unique_lock lock(token_mutex_, deadline);
  if (!lock) return std::unexpected(Fault{.text = url + ": waited for a token", .timed_out = true});
  if (token_ != refused) return {};
  return authenticate(url, deadline);
}

std::expected<void, Fault> Client::authenticate(const std::string& url, Clock::time_point deadline) {
  const std::string json = authenticate_request(credentials_.user, credentials_.password);
  auto answer = posted_once(url, "/v3/auth/authenticate", json, deadline);
  if (!answer) {
    answer.error().maybe_done = false;  // the request that needs the token has not been sent
    return std::unexpected(std::move(answer.error()));
  }
  const auto token = token_answer(*answer);
  if (!token) return std::unexpected(Fault{.text = url + ": " + token.error()});
  http_->authorize(*token);
  ++token_;
  return {};
}

std::expected<std::string, Fault> Client::posted_once(const std::string& url, const char* path,
                                                      const std::string& json, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
  auto answer = http_->post(url + path, json, std::clamp(left, milliseconds(1), one_try), most_answer_bytes);
  if (!answer)
    return std::unexpected(Fault{.text = url + ": " + answer.error().text,
                                 .maybe_done = answer.error().maybe_sent,
                                 .refused = answer.error().too_long,
                                 .too_long = answer.error().too_long,
                                 .timed_out = answer.error().timed_out});
  if (answer->status == http_ok) return std::move(answer->body);
  const Complaint said = complaint(answer->body);
  return std::unexpected(Fault{.text = url + ": " + said.text,
                               .maybe_done = !certainly_refused(said),
                               .refused = certainly_refused(said),
                               .compacted = said.code == code_out_of_range,
                               .needs_token = needs_token(said)});
}

std::expected<std::string, Fault> Client::post(const char* path, const std::string& json, bool idempotent,
                                               Clock::time_point deadline) {
  std::string reason;  // the earlier try gave; the last one may have had too little time
  for (std::size_t tries = 1;; ++tries) {
    std::size_t member = member_;
    auto answer = posted(member, path, json, deadline);
    if (!answer && !answer.error().timed_out) reason = answer.error().text;
    if (!answer && answer.error().timed_out && !reason.empty()) answer.error().text = reason;
    if (answer || answer.error().refused) return answer;
    member_.compare_exchange_strong(member, (member + 1) % urls_.size());
    if (!idempotent && answer.error().maybe_done) return answer;
    if (Clock::now() >= deadline || stopping_) return answer;
    if (tries % urls_.size() == 0) std::this_thread::sleep_for(pause);
  }
}

std::expected<RangeAnswer, Fault> Client::range(const Range& range, std::uint32_t limit,
                                                Clock::time_point deadline, Revision at) {
  const auto body = post("/v3/kv/range", range_request(range, limit, at), true, deadline);
  if (!body) return std::unexpected(body.error());
  auto answer = range_answer(*body);
  if (!answer) return std::unexpected(Fault{.text = answer.error()});
  return std::move(*answer);
}

std::expected<TransactionAnswer, Fault> Client::transact(const Transaction& transaction,
                                                         Clock::time_point deadline) {
  const auto body = post("/v3/kv/txn", transaction_request(transaction), false, deadline);
  if (!body) return std::unexpected(body.error());
  auto answer = transaction_answer(*body);
  if (!answer) return std::unexpected(Fault{.text = answer.error(), .maybe_done = true});
  return std::move(*answer);
}

std::unique_ptr<HttpStream> Client::watch(const Range& range, Revision from) {
  return http_->open(urls_[watched_++ % urls_.size()] + "/v3/watch", watch_request(range, from));
}

}  // namespace takt::etcd
