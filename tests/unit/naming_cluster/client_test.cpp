// Tokens of etcd, which end when its users change.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "naming_cluster/etcd/client.h"

namespace takt::etcd {
namespace {

using namespace std::chrono_literals;

// An etcd with users and no keys.
class Users final : public Http {
 public:
  // `endings`: whether the users change right after each next authentication.
  explicit Users(std::deque<bool> endings = {}) : endings_(std::move(endings)) {}

  std::expected<HttpAnswer, HttpFault> post(const std::string& url, const std::string&,
                                            std::chrono::milliseconds, std::size_t) override {
    if (url.ends_with("/authenticate")) {
      std::this_thread::sleep_for(20ms);  // a password costs time
      const std::lock_guard lock(mutex_);
      const std::string token = "t" + std::to_string(++authentications_);
      valid_ = token;
      if (!endings_.empty()) {
        if (endings_.front()) valid_ = "none";
        endings_.pop_front();
      }
      return HttpAnswer{.status = 200, .body = R"({"token":")" + token + "\"}"};
    }
    const std::lock_guard lock(mutex_);
    if (shown_ == valid_) return HttpAnswer{.status = 200, .body = R"({"header":{"revision":"1"}})"};
    return HttpAnswer{.status = 401, .body = R"({"code":16,"message":"etcdserver: invalid auth token"})"};
  }
  std::unique_ptr<HttpStream> open(const std::string&, const std::string&) override { return nullptr; }
  void authorize(const std::string& token) override {
    const std::lock_guard lock(mutex_);
    shown_ = token;
  }
  int authentications() {
    const std::lock_guard lock(mutex_);
    return authentications_;
  }

 private:
  std::mutex mutex_;
  std::deque<bool> endings_;
  std::string valid_ = "t0", shown_;
  int authentications_ = 0;
};

struct Called {
  explicit Called(std::deque<bool> endings = {}) {
    auto owned = std::make_unique<Users>(std::move(endings));
    users = owned.get();
    client = std::make_unique<Client>(std::move(owned), std::vector<std::string>{"http://localhost"},
                                      Credentials{"naming", "secret"});
  }
  std::string fault() const {
    const auto answer = client->range({"k"}, 1, Clock::now() + 10s);
    return answer ? "" : answer.error().text;
  }

  Users* users;
  std::unique_ptr<Client> client;
};

TEST(EtcdTokens, OneThreadAuthenticatesForAll) {
  const Called called;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&called] { EXPECT_EQ(called.fault(), ""); });
  threads.clear();
  EXPECT_EQ(called.users->authentications(), 1);
}

TEST(EtcdTokens, ASecondChangeOfUsersIsLivedThrough) {
  const Called called({true, false});
  EXPECT_EQ(called.fault(), "");
  EXPECT_EQ(called.users->authentications(), 2);
}

TEST(EtcdTokens, AnEtcdThatTakesNoTokenIsAskedForTwo) {
  const Called called({true, true, true});
  EXPECT_EQ(called.fault(), "http://localhost: etcdserver: invalid auth token");
  EXPECT_EQ(called.users->authentications(), 2);
}

}  // namespace
}  // namespace takt::etcd
