#include "naming_cluster/cluster/layout.h"

#include <algorithm>
#include <utility>

#include "octets/hex.h"

namespace takt::naming {
namespace {

constexpr std::size_t id_digits = 16;

std::string text_of(ContextId id) {
  std::string text;
  octets::append_hex(text, id);
  return text;
}

// The id that the text begins with, which is removed.
std::optional<ContextId> take_id(std::string_view& text) {
  if (text.size() < id_digits) return std::nullopt;
  ContextId id = 0;
  for (const char digit : text.substr(0, id_digits)) {
    if (digit >= '0' && digit <= '9')
      id = id << 4 | static_cast<ContextId>(digit - '0');
    else if (digit >= 'a' && digit <= 'f')
      id = id << 4 | static_cast<ContextId>(digit - 'a' + 10);
    else
      return std::nullopt;
  }
  text.remove_prefix(id_digits);
  return id == 0 ? std::nullopt : std::optional(id);
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

}  // namespace

std::string Layout::context(ContextId id) const { return prefix_ + "/context/" + text_of(id); }

etcd::Range Layout::bindings(ContextId id) const {
  return etcd::with_prefix(prefix_ + "/in/" + text_of(id) + '/');
}

std::string Layout::binding(ContextId id, std::string_view key) const {
  return (prefix_ + "/in/" + text_of(id) + '/').append(key);
}

std::optional<Layout::Key> Layout::parsed(std::string_view key) const {
  if (!take(key, prefix_) || !take(key, "/")) return std::nullopt;
  if (key == "last") return Key{.what = Key::What::last};
  if (key == "fence") return Key{.what = Key::What::fence};
  if (key == "format") return Key{.what = Key::What::format};
  if (take(key, "context/")) {
    const auto id = take_id(key);
    if (!id || *id == root_context || !key.empty()) return std::nullopt;
    return Key{.what = Key::What::context, .context = *id};
  }
  if (!take(key, "in/")) return std::nullopt;
  const auto id = take_id(key);
  // A key of a component has one zero octet, between id and kind.
  if (!id || !take(key, "/") || std::ranges::count(key, '\0') != 1) return std::nullopt;
  return Key{.what = Key::What::binding, .context = *id, .binding = std::string(key)};
}

std::string value_of(const Binding& binding) {
  switch (binding.kind) {
    case BindingKind::context:
      return 'c' + text_of(binding.context);
    case BindingKind::foreign_context:
      return 'f' + binding.reference;
    case BindingKind::object:
      break;
  }
  return 'o' + binding.reference;
}

std::optional<Binding> binding_of(std::string_view value, etcd::Revision revision) {
  if (value.empty()) return std::nullopt;
  const char kind = value.front();
  value.remove_prefix(1);
  Binding binding{.revision = revision};
  if (kind == 'c') {
    const auto id = take_id(value);
    if (!id || !value.empty()) return std::nullopt;
    binding.kind = BindingKind::context;
    binding.context = *id;
    return binding;
  }
  if (kind != 'o' && kind != 'f') return std::nullopt;
  binding.kind = kind == 'o' ? BindingKind::object : BindingKind::foreign_context;
  binding.reference = value;
  return binding;
}

}  // namespace takt::naming
