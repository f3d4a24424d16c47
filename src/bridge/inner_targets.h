// Where a relay's requests go.
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
#include "os/threads/priority_mutex.h"

namespace takt::reference {
class References;
}  // namespace takt::reference

namespace takt::bridge {

class ReferenceRewriter;

// Nowhere but to what it was given, and to what a key that the bridge itself has sealed leads to: a client's
// octets choose among these targets, and name none. Any thread.
class InnerTargets {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;

  explicit InnerTargets(reference::References& references) : references_(references) {}
  // Sealed keys lead somewhere from now on. It outlives this; before the first request.
  void open_with(const ReferenceRewriter* rewriter) { rewriter_ = rewriter; }

  // Requests for that key go to the object. False: the key leads elsewhere already.
  bool add(ByteView object_key, cdr::Ior object);
  // Requests for any other key go to the server of that object, with their key. False: there is one.
  bool add_server(cdr::Ior object);

  bool has(ByteView object_key) const;
  struct Found {
    Reference object;  // nil: nowhere
    Side side = Side::inside;
    std::string_view interface_id;  // in the object; empty: not known
  };
  // To be called with requests of that version and those code sets. Remembers the last ones, as many as
  // `kept_references`, however many keys clients make up.
  Found find(ByteView object_key, std::uint8_t giop_minor, const cdr::CodeSets& code_sets);
  // What a reference that leads here stands for. Nothing: it leads elsewhere, or to nowhere here. Allocates.
  std::optional<SealedKeys::Opened> behind(const cdr::Ior& reference) const;

  // Under which key clients reach it already, so that it is one and the same to them however they come by it.
  // Nothing: it is not published. Allocates.
  std::optional<std::vector<std::uint8_t>> published_key(const cdr::Ior& object) const;

  // There are none any more, and none of their references is kept.
  void clear();

  static constexpr std::size_t kept_references = 1024;
  static constexpr std::size_t longest_kept_key_bytes = 1024;

 private:
  struct Target {
    cdr::Ior ior;
    Side side = Side::inside;
    bool typed = true;  // its type is the object's
    bool sealed = false;
  };
  std::optional<Target> target_of(ByteView object_key) const;

  reference::References& references_;
  const ReferenceRewriter* rewriter_ = nullptr;
  mutable os::PriorityMutex mutex_;  // for what follows
  std::map<std::string, cdr::Ior, std::less<>> objects_;
  std::optional<cdr::Ior> server_;
  // By places and own key of each object; and the places of the server.
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> published_;
  std::string server_places_;
  // By version, code sets and key. The older ones go when there are enough newer ones.
  using References = std::map<std::string, Found, std::less<>>;
  References newer_, older_;
};

}  // namespace takt::bridge
