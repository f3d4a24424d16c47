// Three members of a real etcd.
#pragma once

#include <stdlib.h>

#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../kept_port.h"
#include "naming/etcd_http.h"
#include "process.h"

namespace feature {

// A folder in memory, because members write each change to disk: a process that is killed loses nothing in
// it.
struct MemoryFolder {
  MemoryFolder() {
    char name[] = "/dev/shm/takt-etcd-XXXXXX";
    if (!::mkdtemp(name)) throw std::runtime_error("no folder in memory");
    path = name;
  }
  ~MemoryFolder() { std::filesystem::remove_all(path); }
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  std::string operator/(const std::string& name) const { return path + "/" + name; }

  std::string path;
};

class EtcdMembers {
 public:
  static constexpr std::size_t count = 3;

  EtcdMembers() {
    for (std::size_t i = 0; i < count; ++i) start(i);
  }

  void start(std::size_t i) {
    members_[i] = std::make_unique<Process>(
        TAKT_ETCD, std::vector<std::string>{"--name",
                                            name(i),
                                            "--data-dir",
                                            folder_ / name(i),
                                            "--listen-client-urls",
                                            url(i),
                                            "--advertise-client-urls",
                                            url(i),
                                            "--listen-peer-urls",
                                            peer_url(i),
                                            "--initial-advertise-peer-urls",
                                            peer_url(i),
                                            "--initial-cluster",
                                            name(0) + "=" + peer_url(0) + "," + name(1) + "=" + peer_url(1) +
                                                "," + name(2) + "=" + peer_url(2),
                                            "--logger",
                                            "zap",
                                            "--log-outputs",
                                            folder_ / (name(i) + ".log"),
                                            "--heartbeat-interval",
                                            "50",
                                            "--election-timeout",
                                            "500"});
  }
  Process& operator[](std::size_t i) { return *members_[i]; }
  // For `takt naming`: of all members, or of one.
  std::string store() const {
    return "etcd://" + address(0) + "," + address(1) + "," + address(2) + "/test/names";
  }
  std::string store(std::size_t i) const { return "etcd://" + address(i) + "/test/names"; }
  // The answer of the member; empty: none.
  std::string post(std::size_t i, const std::string& path, const std::string& json) const {
    const auto answer = http_->post(url(i) + path, json, std::chrono::seconds(3), 1 << 20);
    return answer && answer->status == 200 ? answer->body : std::string();
  }
  // Removes all earlier revisions. False if the member does not do it.
  bool compact(std::size_t i) const {
    const std::string revision = text_in(post(i, "/v3/kv/range", R"({"key":"YQ=="})"), "revision");
    return !revision.empty() &&
           !post(i, "/v3/kv/compaction", R"({"physical":true,"revision":")" + revision + "\"}").empty();
  }
  // Waits until the members have a leader.
  std::size_t leader() const {
    for (int tries = 0; tries < 600; ++tries) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::string status = post(i, "/v3/maintenance/status", "{}");
        const std::string leader = text_in(status, "leader");
        if (!leader.empty() && leader == text_in(status, "member_id")) return i;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    throw std::runtime_error("etcd has no leader");
  }
  static std::string text_in(const std::string& json, const std::string& member) {
    const std::string start = '"' + member + "\":\"";
    const auto at = json.find(start);
    if (at == std::string::npos) return {};
    const auto begin = at + start.size();
    return json.substr(begin, json.find('"', begin) - begin);
  }

  std::string url_of(std::size_t i) const { return url(i); }

 private:
  static std::string name(std::size_t i) { return "member" + std::to_string(i); }
  std::string address(std::size_t i) const { return "127.0.0.1:" + std::to_string(clients_[i].port()); }
  std::string url(std::size_t i) const { return "http://" + address(i); }
  std::string peer_url(std::size_t i) const { return "http://127.0.0.1:" + std::to_string(peers_[i].port()); }

  const MemoryFolder folder_;
  const std::array<KeptPort, count> clients_, peers_;
  const std::unique_ptr<takt::etcd::Http> http_ = takt::command::etcd_http({});
  std::array<std::unique_ptr<Process>, count> members_;
};

}  // namespace feature
