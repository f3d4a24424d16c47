// How the tree of contexts is kept as keys and values of etcd.
//
//   PREFIX/context/ID    a context other than the root; the value is its key where it was imported from
//   PREFIX/in/ID/KEY     a binding of a context, by key_of() of its component
//   PREFIX/last          written by every change, with what identifies the change
//   PREFIX/fence         written to make sure that earlier changes are not carried out any more
//   PREFIX/format        the version of all this
//
// ID is 16 hexadecimal digits. A binding's value is "o" and a reference's octets, "f" and those of a context
// of another service, or "c" and the ID of a context of this tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "naming/model/tree.h"
#include "naming_cluster/etcd/messages.h"

namespace takt::naming {

inline constexpr const char* cluster_format = "takt-naming-1";

class Layout {
 public:
  // `prefix` begins with a slash and does not end with one.
  explicit Layout(std::string prefix) : prefix_(std::move(prefix)) {}

  etcd::Range all() const { return etcd::with_prefix(prefix_ + '/'); }
  std::string last() const { return prefix_ + "/last"; }
  std::string fence() const { return prefix_ + "/fence"; }
  std::string format() const { return prefix_ + "/format"; }
  std::string context(ContextId id) const;
  // All bindings of the context.
  etcd::Range bindings(ContextId id) const;
  std::string binding(ContextId id, std::string_view key) const;

  struct Key {
    enum class What : std::uint8_t { context, binding, last, fence, format };
    What what = What::format;
    ContextId context = 0;
    std::string binding{};  // key_of() its component
  };
  // Nothing if the key is none of these.
  std::optional<Key> parsed(std::string_view key) const;

 private:
  const std::string prefix_;
};

std::string value_of(const Binding& binding);
// Nothing if the value is none of a binding.
std::optional<Binding> binding_of(std::string_view value, etcd::Revision revision);

}  // namespace takt::naming
