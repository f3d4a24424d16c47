// Limits of the contents of one trader, and of the work of one call to it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace takt::trading {

// It is large because each limit is a member.
struct Limits {
  // Texts. A constraint or preference beyond these is illegal.
  std::size_t constraint_bytes = 16'384;
  std::size_t constraint_nodes = 1'000;  // operators, literals and names together
  std::size_t constraint_depth = 50;
  std::size_t name_bytes = 256;  // types, properties and links; longer names are illegal
  std::size_t policies = 64;     // in one query; more raise IMP_LIMIT

  // Beyond these: IMP_LIMIT.
  std::size_t types = 10'000;
  std::size_t type_properties = 64;  // with those that are inherited
  std::size_t super_types = 64;      // with theirs
  std::size_t offers = 1'000'000;    // with proxies
  std::size_t offers_per_host = 100'000;
  std::size_t offer_properties = 64;
  std::size_t offer_bytes = 65'536;           // properties and reference
  std::size_t all_offers_bytes = 1ULL << 30;  // the same of all offers together
  std::size_t host_bytes = 256ULL << 20;      // and of those of one host
  std::size_t links = 1'000;

  std::size_t withdrawn_at_once = 1'000;  // in one transaction, for which changes of these offers wait
  std::uint32_t listed = 1'000;           // elements of one list; the rest is in an iterator
  std::size_t list_bytes = 2'097'152;     // octets of one list, which has at least one element
  std::uint32_t returned = 100'000;       // offers that one query finds, with those in its iterator
  std::size_t iterators = 1'000;          // a new one replaces the one that was unused for the longest time
  std::size_t held_offers = 1'000'000;    // in all iterators together; then the oldest iterators end
  std::chrono::milliseconds iterator_idle = std::chrono::minutes(5);

  // One query ends as if its search_card were used up.
  std::size_t query_steps = 20'000'000;  // to evaluate its constraint and preference: about a second

  std::size_t indexes = 64;  // a new one replaces one that was unused for 16 times as many queries
  std::size_t index_entries = 8'000'000;  // in all indexes together, about 80 octets each and their texts
  std::size_t index_from_offers = 500;    // for types with fewer, no index is made

  // Values of dynamic properties and offers of other traders, of all queries that run at a time. A query
  // takes no more of either than is left free. What does not fit is absent.
  std::size_t query_bytes = 256ULL << 20;

  // Calls to others. Each has a timeout, and those of one query have an end.
  std::chrono::milliseconds property_timeout = std::chrono::seconds(1);
  std::size_t property_calls = 1'000;  // in one query
  std::chrono::milliseconds query_time = std::chrono::seconds(10);
  std::chrono::milliseconds link_timeout = std::chrono::seconds(5);
  std::chrono::milliseconds link_pause = std::chrono::seconds(10);  // for a link whose trader did not answer
  std::chrono::milliseconds interface_timeout = std::chrono::seconds(2);
  std::size_t request_ids = 10'000;  // recent queries, to notice those that return
};

}  // namespace takt::trading
