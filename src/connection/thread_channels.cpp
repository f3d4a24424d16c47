#include "connection/thread_channels.h"

#include <cerrno>

#include "connection/failure.h"
#include "connection/orb_core.h"

namespace takt::connection {

ThreadChannels& ThreadChannels::mine() {
  thread_local ThreadChannels channels;
  return channels;
}

ClientChannel* ThreadChannels::idle_channel(std::uint64_t connection_id) {
  for (const Owned& owned : channels_)
    if (owned.connection_id == connection_id && !owned.channel->busy() && !owned.channel->broken())
      return owned.channel.get();
  return nullptr;
}

Binding& ThreadChannels::rebind(ObjectRef& ref, Binding& binding) {
  OrbCore& core = *ref.core();
  if (core.down()) throw_orb_down();
  const auto deadline = std::chrono::steady_clock::now() + core.options.connect_timeout;
  std::string tried;
  bool timed_out = false;
  do {
    const std::uint32_t generation = ref.generation();
    std::shared_ptr<const Target> target = ref.target();
    if (target->routes.empty()) throw_no_usable_profile(target->ior.type_id, target->ior.profiles.size());
    for (const Route& route : target->routes)
      for (const Route::Address& address : route.addresses) {
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
  } while (ref.restore());  // a forwarded place that can't be reached: ask the original again
  throw_unreachable(tried, timed_out);
}

void ThreadChannels::discard(ClientChannel& channel) {
  for (Binding& binding : bindings_)
    if (binding.channel == &channel) binding = {};
  std::erase_if(channels_, [&](const Owned& owned) { return owned.channel.get() == &channel; });
}

}  // namespace takt::connection
