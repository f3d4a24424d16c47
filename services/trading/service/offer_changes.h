// Exports, modifies and withdraws offers: on disk first, then in memory.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trading/service/parts.h"

namespace takt::trading {

// Thread-safe; blocks for the disk. PERSIST_STORE if it cannot be written.
class OfferChanges {
 public:
  explicit OfferChanges(Parts& parts) : parts_(parts) {}

  // Adds an offer of the type as it was looked up. `offer`: all but its number. UnknownServiceType if the
  // type was changed meanwhile, or is masked; IMP_LIMIT.
  OfferNumber add(const ServiceType& type, Offer offer);
  // Lets `change` alter the offer, which may throw. UnknownOfferId if it is gone.
  template <class Change>
  void change(OfferNumber number, const Change& change) {
    const std::shared_lock gate(parts_.gate);
    const std::lock_guard one_at_a_time(parts_.lock_of(number));
    const OfferPtr old = existing(number);
    Offer changed(*old);
    change(changed);
    put(std::move(changed), old->octets);
  }
  // UnknownOfferId if it is gone.
  void remove(OfferNumber number);
  // Removes those that are still there, in several transactions if there are many. Returns how many.
  // PERSIST_STORE with COMPLETED_MAYBE if some of them were removed before the disk failed.
  std::size_t remove(std::span<const OfferNumber> numbers);

  // The offer or proxy with the id. IllegalOfferId, UnknownOfferId.
  OfferPtr existing(const std::string& id) const;

 private:
  OfferPtr existing(OfferNumber number) const;
  void put(Offer offer, std::size_t old_octets);
  // In one transaction.
  std::size_t remove_at_once(std::vector<OfferNumber> numbers);

  Parts& parts_;
};

}  // namespace takt::trading
