// HTTP to etcd, with libcurl.
#pragma once

#include <memory>
#include <string>

#include "naming_cluster/etcd/http.h"

namespace takt::command {

// PEM files; an empty name: none.
struct EtcdTls {
  std::string authorities, certificate, key;
};

// Keeps connections. Heeds no proxies. Sends a request once at most: if the connection ends without an
// answer, the fault is told. Throws a Failure if libcurl cannot be loaded, is too old, or lacks TLS.
std::unique_ptr<etcd::Http> etcd_http(EtcdTls tls);

}  // namespace takt::command
