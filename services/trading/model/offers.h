// All offers in memory, by number, type and host, with indexes on properties that queries have asked for.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trading/model/index.h"
#include "trading/model/limits.h"
#include "trading/model/offer.h"

namespace takt::trading {

// The size of an index on a type's property, and how many queries it has served.
struct IndexState {
  std::string type, property;
  std::size_t entries = 0;
  std::uint64_t used = 0;
};

// Not thread-safe, but const functions may run at the same time.
class OfferBook {
 public:
  explicit OfferBook(const Limits& limits) : limits_(limits) {}

  // Null if there is none.
  OfferPtr find(OfferNumber number) const;
  std::size_t size() const { return by_number_.size(); }
  std::size_t count(const std::string& type, bool proxies) const;
  // The types that offers and proxies have.
  std::vector<std::string> types() const;
  // Up to `most` offers, or proxies, of the type, with numbers above `after`, ordered by number.
  std::vector<OfferPtr> after(const std::string& type, bool proxies, OfferNumber after,
                              std::size_t most) const;
  // The same of all types.
  std::vector<OfferNumber> numbers_after(bool proxies, OfferNumber after, std::size_t most) const;

  // The offers, without proxies, that may fulfil all conditions, ordered by number: those that fulfil the
  // condition with the fewest offers. Nothing if no index helps, so that all offers are to be looked at.
  std::optional<std::vector<OfferPtr>> candidates(const std::string& type,
                                                  const std::vector<Condition>& conditions) const;
  // The conditions' properties for which an index would help and is not there. None if there is no room for
  // it, because the indexes that are there are in use: queries that ask for ever other properties must not
  // make one each.
  std::vector<std::string> wanted_indexes(const std::string& type,
                                          const std::vector<Condition>& conditions) const;
  // Takes time for each offer of the type.
  void make_index(const std::string& type, const std::string& property);
  std::vector<IndexState> indexes() const;

  // A number that no offer had, for an offer of the host and its octets; nothing if there are too many. It
  // counts as an offer until it is put, or given back.
  std::optional<OfferNumber> reserve(const std::string& host, std::size_t octets);
  void give_back(const std::string& host, std::size_t octets);
  // Room for octets by which an offer grows, until it is put or they are given back. False: there are too
  // many.
  bool reserve_growth(const std::string& host, std::size_t octets);
  void give_back_growth(const std::string& host, std::size_t octets);
  // Adds an offer whose number was reserved, or replaces the one with its number.
  void put(OfferPtr offer);
  // One that was stored, at the start.
  void restore(OfferPtr offer);
  // Offers had numbers up to this before.
  void set_last(OfferNumber number) { last_ = std::max(last_, number); }
  void remove(OfferNumber number);

 private:
  struct Index {
    explicit Index(const std::string& property) : entries(property) {}
    PropertyIndex entries;
    mutable std::atomic<std::uint64_t> used{0}, last_used{0};
  };
  struct OfType {
    std::map<OfferNumber, OfferPtr> offers, proxies;
    std::map<std::string, Index> indexes;
  };

  struct Place {
    OfType* of;
    std::string property;
    Index* index;
  };

  static std::map<OfferNumber, OfferPtr>& kept_in(OfType& of, const Offer& offer) {
    return offer.proxy ? of.proxies : of.offers;
  }
  const OfType* of_type(const std::string& type) const;
  std::size_t worthwhile(const OfType& of) const { return of.offers.size() / 4; }
  void release(const std::string& host, std::size_t octets);
  // Adds the offer to the indexes of its type, or removes it.
  void index(OfType& of, const Offer& offer);
  void remove_from_indexes(OfType& of, const Offer& offer);
  bool has_room_for_index(const OfType& of) const;
  std::size_t index_entries() const;  // in all together
  void drop_oldest_index();

  const Limits limits_;
  std::map<OfferNumber, OfferPtr> by_number_;
  std::unordered_map<std::string, OfType> of_types_;
  struct OfHost {
    std::size_t offers = 0, octets = 0;
  };
  std::unordered_map<std::string, OfHost> per_host_;  // with those reserved
  std::size_t octets_ = 0;                            // all hosts together
  std::size_t reserved_ = 0;
  OfferNumber last_ = 0;
  std::vector<Place> indexes_;
  mutable std::atomic<std::uint64_t> uses_{0};  // how often an index was used, or was absent; orders uses
};

}  // namespace takt::trading
