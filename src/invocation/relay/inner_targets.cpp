#include "invocation/relay/inner_targets.h"

#include <string_view>
#include <utility>

#include "connection/references/object_ref.h"
#include "connection/references/rewritten.h"

namespace takt::invocation {

namespace {

std::string_view text_of(ByteView octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

}  // namespace

bool InnerTargets::add(ByteView object_key, cdr::Ior object) {
  std::lock_guard lock(mutex_);
  return objects_.try_emplace(std::string(text_of(object_key)), std::move(object)).second;
}

bool InnerTargets::add_server(cdr::Ior object) {
  std::lock_guard lock(mutex_);
  if (server_) return false;
  server_ = std::move(object);
  return true;
}

void InnerTargets::clear() {
  std::lock_guard lock(mutex_);
  objects_.clear();
  server_.reset();
  newer_.clear();
  older_.clear();
}

bool InnerTargets::has(ByteView object_key) const {
  std::lock_guard lock(mutex_);
  return server_ || objects_.contains(text_of(object_key));
}

// With the mutex.
std::optional<cdr::Ior> InnerTargets::target_of(ByteView object_key) const {
  if (const auto found = objects_.find(text_of(object_key)); found != objects_.end()) return found->second;
  if (!server_) return std::nullopt;
  return connection::with_object_key(core_, *server_, object_key);
}

InnerTargets::Reference InnerTargets::find(ByteView object_key, std::uint8_t giop_minor,
                                           const cdr::CodeSets& code_sets) {
  std::string name;
  for (const std::uint32_t part : {std::uint32_t{giop_minor}, static_cast<std::uint32_t>(code_sets.narrow),
                                   static_cast<std::uint32_t>(code_sets.wide)})
    name.append(reinterpret_cast<const char*>(&part), sizeof part);
  name += text_of(object_key);

  std::lock_guard lock(mutex_);
  if (const auto found = newer_.find(name); found != newer_.end()) return found->second;
  Reference reference;
  if (const auto found = older_.find(name); found != older_.end()) {
    reference = found->second;
  } else {
    auto target = target_of(object_key);
    if (!target) return {};
    const connection::Agreement agreed{giop_minor, code_sets};
    reference = connection::make_stub<CORBA::Object>(std::make_shared<connection::ObjectRef>(
        core_.shared_from_this(), connection::make_target(core_, std::move(*target), {}, &agreed)));
  }
  if (object_key.size() > longest_kept_key_bytes) return reference;
  if (newer_.size() == kept_references / 2) older_ = std::exchange(newer_, {});
  newer_.emplace(std::move(name), reference);
  return reference;
}

}  // namespace takt::invocation
