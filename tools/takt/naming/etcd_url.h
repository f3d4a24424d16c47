// Where etcd has the names: etcd://HOST:PORT,HOST:PORT/PREFIX.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::command {

struct EtcdUrl {
  std::vector<std::string> members;  // as http://HOST:PORT or https://HOST:PORT
  std::string prefix;  // the keys begin with it; it begins with a slash and does not end with one
};

// Whether `store` is such a URL at all, rather than a path.
bool is_etcd_url(std::string_view store);
// The port is 2379 and the prefix /takt/naming by default. The error is for people.
std::expected<EtcdUrl, std::string> parsed_etcd_url(std::string_view store);

}  // namespace takt::command
