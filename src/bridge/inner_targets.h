// The targets that a bridge may relay requests to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/ior.h>
#include <takt/reference/object.h>

#include "bridge/sealed_keys.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reference {
struct Agreement;
class References;
}  // namespace takt::reference

namespace takt::bridge {

class ReferenceRewriter;

// Requests reach only the targets given here and those whose keys the bridge itself has sealed. A client's
// octets select one of these targets and cannot name another. A key that was not given here and is longer
// than ReferenceRewriter::longest_key_bytes has no target, because each thread that calls keeps references to
// its last targets, with their keys. Any thread.
class InnerTargets {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  explicit InnerTargets(reference::References& references) : references_(references) {}
  // Accepts sealed keys from now on. `rewriter` must outlive this object. Call before the first request.
  void open_with(const ReferenceRewriter* rewriter) { rewriter_ = rewriter; }

  // Sends requests for that key to `object`. Returns false if the key has a target already.
  bool add(ByteView object_key, cdr::Ior object);
  // Sends requests for any other key to that object's server, with the same key. Returns false if a server is
  // set already.
  bool add_server(cdr::Ior object);

  bool has(ByteView object_key) const;
  struct Found {
    Reference object;  // nil: no target
    Side side = Side::inside;
    std::string_view interface_id;  // points into the object; empty: unknown
  };
  // The target of a request of that version and those code sets. Caches the most recent ones, at most
  // `kept_references`, however many keys clients invent.
  Found find(ByteView object_key, std::uint8_t giop_minor, const cdr::CodeSets& code_sets);
  // The reference behind a sealed one. Empty if it does not lead through this bridge. Allocates.
  std::optional<SealedKeys::Opened> behind(const cdr::Ior& reference) const;

  // The key under which clients reach the object already, so that they see one object however they got the
  // reference. Empty if it is not published. Allocates.
  std::optional<std::vector<std::uint8_t>> published_key(const cdr::Ior& object) const;

  // Removes all targets and drops their references.
  void clear();

  static constexpr std::size_t kept_references = 1024;
  static constexpr std::size_t longest_kept_key_bytes = 1024;

 private:
  struct Target {
    cdr::Ior ior;
    Side side = Side::inside;
    bool typed = true;  // the reference has the object's type
    bool sealed = false;
  };
  std::optional<Target> target_of(ByteView object_key) const;
  // A new reference to the key's target; nil if there is none. Takes the mutex only to read the targets.
  Found make(ByteView object_key, reference::Agreement agreed) const;

  reference::References& references_;
  const ReferenceRewriter* rewriter_ = nullptr;
  mutable os::PriorityMutex mutex_;  // guards the following members
  std::map<std::string, cdr::Ior, std::less<>> objects_;
  std::optional<cdr::Ior> server_;
  // Published keys, by the object's addresses and its own key; then the server's addresses.
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> published_;
  std::string server_places_;
  std::uint32_t changes_ = 0;  // counts clear(): references made before it are not kept after it
  // By version, code sets and key. When newer_ is full, it replaces older_.
  using References = std::map<std::string, Found, std::less<>>;
  References newer_, older_;
};

}  // namespace takt::bridge
