#include "giop/lite/client_names.h"

#include <algorithm>

namespace takt::giop::lite {

ClientNames::Name::Name(const PreparedTarget& target, std::string_view operation, std::uint16_t number)
    : target_(target.serial()),
      words_(operation),
      operation_(operation),
      address_(target.address().begin(), target.address().end()),
      number_(number) {}

ClientNames::~ClientNames() {
  for (auto& slot : slots_) delete slot.load(std::memory_order_relaxed);
}

ClientNames::Name* ClientNames::find_or_add(const PreparedTarget& target, std::string_view operation) {
  if (server_.load(std::memory_order_relaxed) == Server::does_not) return nullptr;
  const ByteView address = target.address();
  if (!target.names_key() || address.size() + operation.size() > max_name_octets) return nullptr;
  const std::size_t first = first_slot(target, NameWords(operation));
  for (std::size_t i = 0; i < probes; ++i) {
    const std::size_t number = (first + i) % max_names;
    Name* name = slots_[number].load(std::memory_order_acquire);
    if (!name) {  // not in this slot, so in none of the following
      std::unique_ptr<Name> added(new Name(target, operation, static_cast<std::uint16_t>(number)));
      if (slots_[number].compare_exchange_strong(name, added.get(), std::memory_order_acq_rel))
        return added.release();
    }
    if (name->operation_ != operation || !std::ranges::equal(name->address_, address)) continue;
    name->target_.store(target.serial(), std::memory_order_relaxed);
    return name;
  }
  return nullptr;
}

void ClientNames::answered(Name& name, bool with_short_head) {
  if (with_short_head) {
    server_.store(Server::speaks, std::memory_order_relaxed);
    name.known_.store(true, std::memory_order_release);
    return;
  }
  auto expected = Server::not_known;
  server_.compare_exchange_strong(expected, Server::does_not, std::memory_order_relaxed);
}

void ClientNames::sent(Name& name) {
  if (server_.load(std::memory_order_relaxed) == Server::speaks)
    name.known_.store(true, std::memory_order_release);
}

}  // namespace takt::giop::lite
