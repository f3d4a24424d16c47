#include "reference/server_routes.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <takt/transport/transport.h>

namespace takt::reference {

namespace {

void put(std::string& text, std::uint32_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& text, const void* octets, std::size_t count) {
  put(text, static_cast<std::uint32_t>(count));
  text.append(static_cast<const char*>(octets), count);
}

// Equal for profiles that differ only in their object.
std::string description_of(const KnownProfile& known, bool paths, const Agreement* agreed) {
  const giop::IiopProfile& profile = known.profile;
  const std::string_view transport = known.transport->name();
  std::string text;
  put(text, transport.data(), transport.size());
  put(text, profile.version.minor);
  put(text, profile.host.data(), profile.host.size());
  put(text, profile.port);
  put(text, paths);
  put(text, agreed != nullptr);
  if (agreed) {
    put(text, agreed->giop_minor);
    put(text, static_cast<std::uint32_t>(agreed->code_sets.narrow));
    put(text, static_cast<std::uint32_t>(agreed->code_sets.wide));
  }
  for (const giop::TaggedComponent& component : profile.components) {
    put(text, component.tag);
    put(text, component.data.data(), component.data.size());
  }
  return text;
}

}  // namespace

std::shared_ptr<const ServerRoute> ServerRoutes::to(References& references, const KnownProfile& known,
                                                    bool paths, const Agreement* agreed) {
  // A list of allowed endpoints may grow and belongs to one bridge, so such routes are not shared.
  if (agreed && agreed->places) return make_server_route(references, known, paths, agreed);
  std::string description = description_of(known, paths, agreed);
  if (description.size() > longest_bytes) return make_server_route(references, known, paths, agreed);
  {
    std::lock_guard lock(mutex_);
    const auto found = known_.find(description);
    if (found != known_.end())
      if (auto route = found->second.lock()) return route;
  }
  auto route = make_server_route(references, known, paths, agreed);
  if (!route) return nullptr;
  std::lock_guard lock(mutex_);
  if (known_.size() >= forget_at_) forget_unused();
  known_.insert_or_assign(std::move(description), route);
  return route;
}

// Runs more rarely the more entries there are, so that its cost per reference stays constant.
void ServerRoutes::forget_unused() {
  std::erase_if(known_, [](const auto& known) { return known.second.expired(); });
  forget_at_ = std::max<std::size_t>(64, 2 * known_.size());
}

std::size_t ServerRoutes::size() const {
  std::lock_guard lock(mutex_);
  return known_.size();
}

}  // namespace takt::reference
