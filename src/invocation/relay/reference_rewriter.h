// References in bodies that a bridge passes on.
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

#include "connection/references/places.h"
#include "invocation/relay/operation_table.h"
#include "invocation/relay/sealed_keys.h"
#include "os/threads/priority_mutex.h"

namespace takt::connection {
class OrbCore;
}

namespace takt::invocation {

class InnerTargets;

// What a bridge is told of references in bodies.
struct Rewriting {
  std::vector<OperationTypes> operations;
  // Those that lead here are led through the bridge for who is on the other side; others stay as they are.
  std::shared_ptr<connection::Places> inside = std::make_shared<connection::Places>();
  std::shared_ptr<connection::Places> outside = std::make_shared<connection::Places>();
  SealedKeys::Secret secret;
  std::function<void(const std::string&)> report;  // what whoever runs it should know, each once; any thread
};

// A reference that goes from one side to the other gets the bridge's addresses, and a key that holds what it
// was; one that had been given such a key by the other side is itself again there. Nothing is remembered of
// them. Any thread.
class ReferenceRewriter {
 public:
  // The core and the targets outlive it.
  ReferenceRewriter(connection::OrbCore& core, const InnerTargets& targets, Rewriting rewriting);

  const OperationTable& operations() const { return operations_; }
  const SealedKeys& keys() const { return keys_; }
  const std::shared_ptr<connection::Places>& places(Side side) const {
    return side == Side::inside ? inside_ : outside_;
  }

  // As it is to be for that side. Allocates.
  void pass(cdr::Ior& reference, Side to);

  // A body passes as it came, though it may hold references.
  void passes_unread(std::string_view operation, std::string_view why);

  struct Counts {
    std::atomic<std::uint64_t> rewritten{0}, kept{0};  // references, but for nil
    std::atomic<std::uint64_t> unread{0};              // bodies
  };
  const Counts& counts() const { return counts_; }

  static constexpr std::size_t longest_key_bytes = 8192;  // references that would need longer ones stay
  static constexpr std::size_t most_reports = 256, longest_report_bytes = 1024;

 private:
  void keep(const cdr::Ior& reference, Side to);
  void report_once(std::string text);

  connection::OrbCore& core_;
  const InnerTargets& targets_;
  const OperationTable operations_;
  const SealedKeys keys_;
  const std::shared_ptr<connection::Places> inside_, outside_;
  const std::function<void(const std::string&)> report_;
  Counts counts_;
  os::PriorityMutex mutex_;
  std::set<std::string, std::less<>> reported_;
};

}  // namespace takt::invocation
