// An etcd in this process, which can lose answers, delay requests and receive them twice.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "naming_cluster/etcd/http.h"
#include "octets/base64.h"

namespace takt::etcd {

using octets::from_base64;
using octets::to_base64;

// Thread-safe. Outlives what begin() has given.
class EtcdInMemory {
 public:
  enum class Fate { answered, answered_and_compacted, lost_before, lost_after, late, sent_twice };
  // Decides for each transaction, given the keys that it writes. `late`: it is carried out by release();
  // `answered_and_compacted`: all watches end, and cannot go on after the revision that they have;
  // `sent_twice`: it is carried out and then sent again, and only the second answer comes.
  std::function<Fate(const std::vector<std::string>& keys)> fate = [](const auto&) { return Fate::answered; };

  std::unique_ptr<Http> http() { return std::make_unique<Door>(*this); }

  // Carries out the transactions that were late.
  void release() {
    const std::lock_guard lock(mutex_);
    for (const Json& request : std::exchange(late_, {})) transact(request);
  }
  // All is gone, and revisions begin anew. Watches go on, and bring nothing of it.
  void replace() {
    const std::lock_guard lock(mutex_);
    values_.clear();
    events_.clear();
    revision_ = 1;
  }
  // Watches bring nothing while it is on.
  void hold_watches(bool on) {
    const std::lock_guard lock(mutex_);
    holds_ = on;
    changed_.notify_all();
  }
  bool has(const std::string& part) {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, value] : values_)
      if (key.find(part) != std::string::npos) return true;
    return false;
  }
  // Watches that begin while it is on are answered by a proxy with a page of its own.
  void hide_watches(bool on) {
    const std::lock_guard lock(mutex_);
    hides_ = on;
    ++epoch_;
    changed_.notify_all();
  }
  // How many have begun.
  int watches() {
    const std::lock_guard lock(mutex_);
    return watches_;
  }
  // Each reading takes this long, or fails if that is too long.
  void delay_readings(std::chrono::milliseconds time) {
    const std::lock_guard lock(mutex_);
    delay_ = time;
  }
  // The next reading of an earlier revision finds it compacted.
  void compact_for_readings() {
    const std::lock_guard lock(mutex_);
    compacts_ = true;
  }
  // Readings of more keys come too late.
  void limit_pages(std::int64_t keys) {
    const std::lock_guard lock(mutex_);
    most_keys_ = keys;
  }
  // Readings throw while it is on.
  void run_out_of_memory(bool on) {
    const std::lock_guard lock(mutex_);
    out_of_memory_ = on;
  }
  // How many have been sent by clients.
  int transactions() {
    const std::lock_guard lock(mutex_);
    return transactions_;
  }

 private:
  using Json = nlohmann::json;
  struct Value {
    std::string value;
    std::int64_t revision = 0;
  };

  class Stream final : public HttpStream {
   public:
    Stream(EtcdInMemory& of, std::int64_t from)
        : of_(of), next_(from), epoch_(of.epoch_), hidden_(of.hides_) {}
    std::expected<std::string, std::string> read(std::chrono::milliseconds most) override {
      std::unique_lock lock(of_.mutex_);
      if (hidden_) return "404 page not found\n";
      if (next_ <= of_.compacted_)
        return R"({"result":{"canceled":true,"compact_revision":"1"}})"
               "\n";
      of_.changed_.wait_for(lock, most,
                            [&] { return epoch_ != of_.epoch_ || (!of_.holds_ && next_ <= of_.revision_); });
      if (epoch_ != of_.epoch_) return std::unexpected("ended");
      std::string lines;
      for (; !of_.holds_ && next_ <= of_.revision_; ++next_)
        lines += Json{{"result", {{"header", Json::object()}, {"events", of_.events_[next_]}}}}.dump() + "\n";
      return lines;
    }

   private:
    EtcdInMemory& of_;
    std::int64_t next_;
    const int epoch_;
    const bool hidden_;
  };

  class Door final : public Http {
   public:
    explicit Door(EtcdInMemory& of) : of_(of) {}
    std::expected<HttpAnswer, HttpFault> post(const std::string& url, const std::string& json,
                                              std::chrono::milliseconds most, std::size_t) override {
      const Json request = Json::parse(json);
      if (url.ends_with("/range")) return of_.read(request, most);
      const std::lock_guard lock(of_.mutex_);
      return of_.decide(request);
    }
    std::unique_ptr<HttpStream> open(const std::string&, const std::string& json) override {
      const Json request = Json::parse(json);
      const std::lock_guard lock(of_.mutex_);
      ++of_.watches_;
      return std::make_unique<Stream>(of_, number(request["create_request"]["start_revision"]));
    }
    void authorize(const std::string&) override {}

   private:
    EtcdInMemory& of_;
  };

  static std::int64_t number(const Json& text) { return std::stoll(text.get<std::string>()); }
  static std::string octets(const Json& of, const char* name) {
    return of.contains(name) ? from_base64(of[name].get<std::string>()).value() : std::string();
  }

  std::expected<HttpAnswer, HttpFault> read(const Json& request, std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (out_of_memory_) throw std::bad_alloc();
    if (const auto delay = delay_; delay.count() != 0) {
      lock.unlock();
      std::this_thread::sleep_for(std::min(delay, most));
      lock.lock();
      if (delay > most) return std::unexpected(HttpFault{.text = "late", .timed_out = true});
    }
    if (request.contains("limit") && number(request["limit"]) > most_keys_)
      return std::unexpected(HttpFault{.text = "late", .timed_out = true});
    if (request.contains("revision") && std::exchange(compacts_, false))
      return HttpAnswer{400, R"({"code":11,"message":"required revision has been compacted"})"};
    return HttpAnswer{200, range(request).dump()};
  }
  std::expected<HttpAnswer, HttpFault> decide(const Json& request) {
    ++transactions_;
    std::vector<std::string> keys;
    for (const Json& operation : request["success"])
      for (const auto& [kind, put] : operation.items()) keys.push_back(octets(put, "key"));
    const Fate fate = this->fate(keys);
    if (fate == Fate::late) late_.push_back(request);
    if (fate == Fate::sent_twice) transact(request);
    if (fate == Fate::sent_twice || fate == Fate::answered || fate == Fate::answered_and_compacted) {
      const Json answer = transact(request);
      if (fate == Fate::answered_and_compacted) {
        compacted_ = revision_;
        ++epoch_;
      }
      return HttpAnswer{200, answer.dump()};
    }
    if (fate == Fate::lost_after) transact(request);
    return std::unexpected(HttpFault{.text = "lost", .maybe_sent = true});
  }
  // The keys of a request's range.
  std::pair<std::map<std::string, Value>::iterator, std::map<std::string, Value>::iterator> found(
      const Json& of) {
    const std::string key = octets(of, "key"), end = octets(of, "range_end");
    return {values_.lower_bound(key), end.empty() ? values_.upper_bound(key) : values_.lower_bound(end)};
  }
  Json range(const Json& request) {
    Json list = Json::array();
    const auto limit = request.contains("limit") ? number(request["limit"]) : 0;
    bool more = false;
    for (auto [at, end] = found(request); at != end && !more; ++at) {
      more = limit && static_cast<std::int64_t>(list.size()) == limit;
      if (!more)
        list.push_back({{"key", to_base64(at->first)},
                        {"value", to_base64(at->second.value)},
                        {"mod_revision", std::to_string(at->second.revision)}});
    }
    return {{"header", {{"revision", std::to_string(revision_)}}}, {"kvs", list}, {"more", more}};
  }
  bool holds(const Json& compare) {
    const auto [at, end] = found(compare);
    if (compare["target"] == "MOD")
      return (at == end ? 0 : at->second.revision) == number(compare["mod_revision"]);
    return compare.contains("result") ? at != end : at == end;
  }
  Json transact(const Json& request) {
    bool all = true;
    for (const Json& compare : request["compare"]) all = all && holds(compare);
    Json answer{{"header", Json::object()}, {"succeeded", all}, {"responses", Json::array()}};
    if (all) {
      Json events = Json::array();
      const auto revision = std::to_string(++revision_);
      for (const Json& operation : request["success"])
        for (const auto& [kind, put] : operation.items()) {
          const std::string key = octets(put, "key"), value = octets(put, "value");
          const bool removes = kind == "request_delete_range";
          if (removes)
            values_.erase(key);
          else
            values_[key] = {value, revision_};
          events.push_back(
              {{"type", removes ? "DELETE" : "PUT"},
               {"kv", {{"key", to_base64(key)}, {"value", to_base64(value)}, {"mod_revision", revision}}}});
        }
      events_[revision_] = events;
      changed_.notify_all();
    } else {
      for (const Json& read : request["failure"])
        answer["responses"].push_back({{"response_range", range(read["request_range"])}});
    }
    answer["header"]["revision"] = std::to_string(revision_);
    return answer;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Value> values_;
  std::map<std::int64_t, Json> events_;
  std::vector<Json> late_;
  std::int64_t revision_ = 1, compacted_ = 0;
  int epoch_ = 0, transactions_ = 0, watches_ = 0;
  std::chrono::milliseconds delay_{0};
  std::int64_t most_keys_ = 1 << 30;
  bool holds_ = false, hides_ = false, out_of_memory_ = false, compacts_ = false;
};

}  // namespace takt::etcd
