#include "connection/thread_channels.h"

#include <algorithm>
#include <cerrno>

#include "connection/failure.h"
#include "connection/orb_core.h"
#include "connection/probes/probe_log.h"

namespace takt::connection {

ThreadChannels& ThreadChannels::begin() {
  thread_local ThreadChannels channels;
  mine_ = &channels;
  return channels;
}

ClientChannel* ThreadChannels::idle_channel(std::uint64_t connection_id) {
  for (const Owned& owned : channels_)
    if (owned.connection_id == connection_id && !owned.channel->busy() && !owned.channel->broken())
      return owned.channel.get();
  return nullptr;
}

Binding& ThreadChannels::rebind(ObjectRef& ref, Binding& binding) {
  return ref.core()->probes ? bind_probed(ref, binding) : connect(ref, binding);
}

Binding& ThreadChannels::bind_probed(ObjectRef& ref, Binding& binding) {
  ProbeLog& probes = *ref.core()->probes;
  probes.begin(Step::client_get_reference);
  const bool fits = binding.serial == ~ref.serial() && binding.generation == ref.generation() &&
                    !binding.channel->busy() && !binding.channel->broken();
  try {
    if (!fits) connect(ref, binding).serial = ~ref.serial();
  } catch (...) {
    probes.begin(Step::client_done);
    throw;
  }
  probes.begin(Step::client_initialize);
  return binding;
}

Binding& ThreadChannels::connect(ObjectRef& ref, Binding& binding) {
  OrbCore& core = *ref.core();
  if (core.down()) throw_orb_down();
  const auto deadline = std::chrono::steady_clock::now() + core.options.connect_timeout;
  std::string tried;
  bool timed_out = false;
  do {
    const std::uint32_t generation = ref.generation();
    std::shared_ptr<const Target> target = ref.target();
    if (target->routes.empty()) throw_no_usable_profile(target->ior.type_id, target->ior.profiles.size());
    for (const Route& route : target->routes) {
      const auto band = route.by_priority ? route.band_for(priority_) : std::nullopt;
      if (route.by_priority && !band) throw_no_band(priority_.value_or(0));
      for (const Route::Address& address : route.addresses) {
        if (band && address.serves != *band) continue;
        ClientChannel* channel = idle_channel(address.connection_id);
        if (!channel) {
          auto opened = core.mux->open(core, address, deadline);
          if (!opened) {
            tried += tried.empty() ? "" : "; ";
            tried += opened.error().text;
            timed_out |= opened.error().error == ETIMEDOUT;
            continue;
          }
          channel = opened->get();
          channels_.push_back({address.connection_id, std::move(*opened)});
        }
        if (binding.channel && binding.channel->busy()) binding.channel->pin(std::move(binding.target));
        binding = {ref.serial(), generation, channel, &route, std::move(target)};
        return binding;
      }
    }
  } while (ref.restore());  // a forwarded place that can't be reached: ask the original again
  throw_unreachable(tried, timed_out);
}

void ThreadChannels::use_priority(std::optional<giop::Priority> priority) {
  if (priority == priority_) return;
  if (!priority) {
    bindings_ = &usual_bindings_;
  } else {
    auto known = std::ranges::find(bindings_of_priorities_, *priority,
                                   &std::pair<giop::Priority, std::unique_ptr<Bindings>>::first);
    if (known == bindings_of_priorities_.end())
      known = bindings_of_priorities_.insert(known, {*priority, std::make_unique<Bindings>()});
    bindings_ = known->second.get();
  }
  priority_ = priority;
}

void ThreadChannels::discard(ClientChannel& channel) {
  const auto forget = [&](Bindings& bindings) {
    for (Binding& binding : bindings)
      if (binding.channel == &channel) binding = {};
  };
  forget(usual_bindings_);
  for (auto& [priority, bindings] : bindings_of_priorities_) forget(*bindings);
  std::erase_if(channels_, [&](const Owned& owned) { return owned.channel.get() == &channel; });
}

}  // namespace takt::connection
