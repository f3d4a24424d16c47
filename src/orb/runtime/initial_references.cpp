#include "orb/runtime/initial_references.h"

#include <set>

namespace takt::orb {

bool InitialReferences::add(const std::string& name, Reference object) {
  std::lock_guard lock(mutex_);
  return !built_in_.contains(name) && registered_.try_emplace(name, std::move(object)).second;
}

InitialReferences::Reference InitialReferences::remove(const std::string& name) {
  std::lock_guard lock(mutex_);
  const auto node = registered_.extract(name);
  return node ? node.mapped() : Reference();
}

void InitialReferences::add_built_in(const std::string& name, Maker maker) {
  std::lock_guard lock(mutex_);
  built_in_[name] = std::move(maker);
}

void InitialReferences::add_url(const std::string& name, const std::string& url) {
  std::lock_guard lock(mutex_);
  urls_[name] = url;
}

InitialReferences::Reference InitialReferences::find(const std::string& name, std::string& url) const {
  Maker maker;
  {
    std::lock_guard lock(mutex_);
    if (const auto found = registered_.find(name); found != registered_.end()) return found->second;
    if (const auto found = built_in_.find(name); found != built_in_.end()) {
      maker = found->second;
    } else if (const auto known = urls_.find(name); known != urls_.end()) {
      url = known->second;
    } else if (!default_url_.empty() && !name.empty()) {
      url = default_url_ + (default_url_.ends_with('/') ? "" : "/") + name;
    }
  }
  return maker ? maker() : Reference();
}

std::vector<std::string> InitialReferences::names() const {
  std::lock_guard lock(mutex_);
  std::set<std::string> all;
  for (const auto& [name, object] : registered_) all.insert(name);
  for (const auto& [name, maker] : built_in_) all.insert(name);
  for (const auto& [name, url] : urls_) all.insert(name);
  return {all.begin(), all.end()};
}

}  // namespace takt::orb
