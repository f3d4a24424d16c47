// Where a relay's requests go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/ior.h>
#include <takt/connection/object.h>

namespace takt::connection {
class OrbCore;
}

namespace takt::invocation {

// Nowhere but to what it was given: a client's octets choose among these targets, and name none. Any thread.
class InnerTargets {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  explicit InnerTargets(connection::OrbCore& core) : core_(core) {}

  // Requests for that key go to the object. False: the key leads elsewhere already.
  bool add(ByteView object_key, cdr::Ior object);
  // Requests for any other key go to the server of that object, with their key. False: there is one.
  bool add_server(cdr::Ior object);

  bool has(ByteView object_key) const;
  // To be called with requests of that version and those code sets; nil: nowhere. Remembers the last ones, as
  // many as `kept_references`, however many keys clients make up.
  Reference find(ByteView object_key, std::uint8_t giop_minor, const cdr::CodeSets& code_sets);

  // There are none any more, and none of their references is kept.
  void clear();

  static constexpr std::size_t kept_references = 1024;
  static constexpr std::size_t longest_kept_key_bytes = 1024;

 private:
  std::optional<cdr::Ior> target_of(ByteView object_key) const;

  connection::OrbCore& core_;
  mutable std::mutex mutex_;  // for what follows
  std::map<std::string, cdr::Ior, std::less<>> objects_;
  std::optional<cdr::Ior> server_;
  // By version, code sets and key. The older ones go when there are enough newer ones.
  using References = std::map<std::string, Reference, std::less<>>;
  References newer_, older_;
};

}  // namespace takt::invocation
