#include "bridge/inner_targets.h"

#include <string_view>
#include <utility>

#include "bridge/reference_rewriter.h"
#include "giop/references/secure_transport.h"
#include "reference/object_ref.h"
#include "reference/profiles.h"
#include "reference/rewritten.h"

namespace takt::bridge {

namespace {

std::string_view text_of(ByteView octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

bool is_ours(const reference::References& references, const reference::KnownProfile& known) {
  const giop::IiopProfile& profile = known.profile;
  if (references.own_endpoints.has({std::string(known.transport->name()), profile.host, profile.port}))
    return true;
  const auto* const component = profile.find(giop::ssl_component);
  const auto secure = component ? giop::read_secure_transport(*component) : std::nullopt;
  return secure && references.own_endpoints.has({"ssliop", profile.host, secure->port});
}

// A text that is equal for references to objects of one server, which differ only in their keys.
std::string places_of(const reference::References& references, const cdr::Ior& ior) {
  std::string text;
  for (const cdr::TaggedProfile& profile : reference::with_object_key(references, ior, {}).profiles)
    text.append(std::to_string(profile.tag)).append(1, ':').append(text_of(profile.data));
  return text;
}

// The object key in the first profile that this ORB understands.
std::vector<std::uint8_t> key_of(const reference::References& references, const cdr::Ior& ior) {
  for (const cdr::TaggedProfile& tagged : ior.profiles)
    if (auto known = reference::read_profile(references, tagged)) return std::move(known->profile.object_key);
  return {};
}

}  // namespace

bool InnerTargets::add(ByteView object_key, cdr::Ior object) {
  std::lock_guard lock(mutex_);
  const auto [added, is_new] = objects_.try_emplace(std::string(text_of(object_key)), std::move(object));
  if (!is_new) return false;
  const cdr::Ior& inner = added->second;
  published_.try_emplace(places_of(references_, inner).append(text_of(key_of(references_, inner))),
                         object_key.begin(), object_key.end());
  return true;
}

bool InnerTargets::add_server(cdr::Ior object) {
  std::lock_guard lock(mutex_);
  if (server_) return false;
  server_ = std::move(object);
  server_places_ = places_of(references_, *server_);
  return true;
}

void InnerTargets::clear() {
  std::lock_guard lock(mutex_);
  ++changes_;
  objects_.clear();
  published_.clear();
  server_.reset();
  newer_.clear();
  older_.clear();
}

bool InnerTargets::has(ByteView object_key) const {
  const bool may_be_made = object_key.size() <= ReferenceRewriter::longest_key_bytes;
  if (may_be_made && rewriter_ && rewriter_->keys().open(object_key)) return true;
  std::lock_guard lock(mutex_);
  return (may_be_made && server_) || objects_.contains(text_of(object_key));
}

std::optional<InnerTargets::Target> InnerTargets::target_of(ByteView object_key) const {
  cdr::Ior server;
  {
    std::lock_guard lock(mutex_);
    if (const auto found = objects_.find(text_of(object_key)); found != objects_.end())
      return Target{.ior = found->second};
    if (object_key.size() > ReferenceRewriter::longest_key_bytes) return std::nullopt;
    if (server_) server = *server_;
  }
  if (auto opened = rewriter_ ? rewriter_->keys().open(object_key) : std::nullopt)
    return Target{.ior = std::move(opened->reference), .side = opened->side, .sealed = true};
  if (server.is_nil()) return std::nullopt;
  return Target{.ior = reference::with_object_key(references_, server, object_key), .typed = false};
}

InnerTargets::Found InnerTargets::find(ByteView object_key, std::uint8_t giop_minor,
                                       const cdr::CodeSets& code_sets) {
  std::string name;
  for (const std::uint32_t part : {std::uint32_t{giop_minor}, static_cast<std::uint32_t>(code_sets.narrow),
                                   static_cast<std::uint32_t>(code_sets.wide)})
    name.append(reinterpret_cast<const char*>(&part), sizeof part);
  name += text_of(object_key);

  std::uint32_t changes;
  Found target;
  {
    std::lock_guard lock(mutex_);
    if (const auto found = newer_.find(name); found != newer_.end()) return found->second;
    if (const auto found = older_.find(name); found != older_.end()) target = found->second;
    changes = changes_;
  }
  // Without the lock: the time that it takes grows with the key, and other requests need the lock.
  if (!target.object) target = make(object_key, {giop_minor, code_sets, nullptr});
  if (!target.object || object_key.size() > longest_kept_key_bytes) return target;
  std::lock_guard lock(mutex_);
  if (changes != changes_) return target;
  if (newer_.size() >= kept_references / 2) older_ = std::exchange(newer_, {});
  return newer_.emplace(std::move(name), std::move(target)).first->second;
}

InnerTargets::Found InnerTargets::make(ByteView object_key, reference::Agreement agreed) const {
  auto meant = target_of(object_key);
  if (!meant) return {};
  // Calls go only to that side, whatever a client made the bridge seal.
  if (meant->sealed) agreed.places = rewriter_->places(meant->side);
  const auto reference = std::make_shared<reference::ObjectRef>(
      references_.shared(), reference::make_target(references_, std::move(meant->ior), {}, &agreed));
  Found target{reference::make_stub<CORBA::Object>(reference), meant->side, {}};
  if (meant->typed) target.interface_id = reference->ior().type_id;
  return target;
}

std::optional<std::vector<std::uint8_t>> InnerTargets::published_key(const cdr::Ior& object) const {
  std::string places = places_of(references_, object);
  auto key = key_of(references_, object);
  std::lock_guard lock(mutex_);
  const bool of_server = server_ && places == server_places_ && !objects_.contains(text_of(key));
  if (const auto found = published_.find(places.append(text_of(key))); found != published_.end())
    return found->second;
  return of_server ? std::optional(std::move(key)) : std::nullopt;
}

std::optional<SealedKeys::Opened> InnerTargets::behind(const cdr::Ior& reference) const {
  for (const cdr::TaggedProfile& tagged : reference.profiles) {
    const auto known = reference::read_profile(references_, tagged);
    if (!known) continue;
    const auto& key = known->profile.object_key;
    if (auto opened = rewriter_->keys().open(key)) return opened;
    if (!is_ours(references_, *known)) continue;
    if (auto target = target_of(key)) {
      target->ior.type_id = reference.type_id;
      return SealedKeys::Opened{target->side, std::move(target->ior)};
    }
  }
  return std::nullopt;
}

}  // namespace takt::bridge
