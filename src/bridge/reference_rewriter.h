// Rewrites references in bodies that a bridge passes on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <takt/cdr/ior.h>
#include <takt/invocation/operation_types.h>

#include "bridge/known_operations.h"
#include "bridge/sealed_keys.h"
#include "reference/endpoint_filter.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reference {
class References;
}  // namespace takt::reference

namespace takt::bridge {

class InnerTargets;

// Options for rewriting references in bodies.
struct Rewriting {
  std::vector<OperationTypes> operations;
  // References to these addresses are led through the bridge for peers on the other side. Others stay
  // unchanged.
  std::shared_ptr<reference::EndpointFilter> inside = std::make_shared<reference::EndpointFilter>();
  std::shared_ptr<reference::EndpointFilter> outside = std::make_shared<reference::EndpointFilter>();
  SealedKeys::Secret secret;
  std::function<void(const std::string&)>
      report;  // receives warnings for the operator, each once; any thread
};

// A reference that crosses the bridge gets the bridge's addresses, and a sealed key that contains the
// original reference. On its way back it is restored from that key. The rewriter keeps no table of them. Any
// thread.
class ReferenceRewriter {
 public:
  // `references` and `targets` must outlive it.
  ReferenceRewriter(reference::References& references, const InnerTargets& targets, Rewriting rewriting);

  const KnownOperations& operations() const { return operations_; }
  const SealedKeys& keys() const { return keys_; }
  const std::shared_ptr<reference::EndpointFilter>& places(Side side) const {
    return side == Side::inside ? inside_ : outside_;
  }

  // Rewrites `reference` for that side. Allocates.
  void pass(cdr::Ior& reference, Side to);

  // Records that a body passes unchanged although it may hold references.
  void count_unread(std::string_view operation, std::string_view why);

  struct Counts {
    std::atomic<std::uint64_t> rewritten{0}, kept{0};  // references other than nil
    std::atomic<std::uint64_t> unread{0};              // bodies
  };
  const Counts& counts() const { return counts_; }

  static constexpr std::size_t longest_key_bytes = 8192;  // references that need longer keys stay unchanged
  static constexpr std::size_t most_reports = 256, longest_report_bytes = 1024;

 private:
  void keep(const cdr::Ior& reference, Side to);
  void report_once(std::string text);

  reference::References& references_;
  const InnerTargets& targets_;
  const KnownOperations operations_;
  const SealedKeys keys_;
  const std::shared_ptr<reference::EndpointFilter> inside_, outside_;
  const std::function<void(const std::string&)> report_;
  Counts counts_;
  os::PriorityMutex mutex_;
  std::set<std::string, std::less<>> reported_;
};

}  // namespace takt::bridge
