#include <takt/lookup/id_table.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <takt/cdr/exception.h>

namespace takt {

namespace {

constexpr std::size_t ids_per_bucket = 4;  // on average
constexpr std::uint32_t tries = 1u << 22;  // displacements to try for one bucket before changing the seed
constexpr std::size_t most_ids = 1u << 27;

constexpr std::uint32_t farthest = 64;  // maximum distance of a window from its end, in octets
constexpr std::size_t few_ids = 4096;   // sample size; most unsuitable windows already fail on it

struct Table {
  std::vector<std::uint64_t> displacements;
  std::vector<std::uint32_t> ends;
  std::string octets;
};

// Indices of the ids by bucket; those of bucket b start at starts[b].
struct Buckets {
  std::vector<std::uint32_t> starts, numbers;
};

Buckets sort_into_buckets(const std::vector<std::uint64_t>& hashes, std::size_t buckets) {
  Buckets sorted{std::vector<std::uint32_t>(buckets + 1), std::vector<std::uint32_t>(hashes.size())};
  for (const std::uint64_t hash : hashes) ++sorted.starts[IdTable::bucket_in(hash, buckets) + 1];
  std::partial_sum(sorted.starts.begin(), sorted.starts.end(), sorted.starts.begin());
  std::vector<std::uint32_t> next(sorted.starts.begin(), sorted.starts.end() - 1);
  for (std::uint32_t i = 0; i < hashes.size(); ++i)
    sorted.numbers[next[IdTable::bucket_in(hashes[i], buckets)]++] = i;
  return sorted;
}

// Finds free slots for all ids of a bucket at once, and the displacement that leads to them.
std::optional<std::uint64_t> displace(std::span<const std::uint32_t> bucket,
                                      const std::vector<std::uint64_t>& hashes,
                                      const std::vector<std::uint32_t>& taken,
                                      std::vector<std::uint32_t>& places) {
  for (std::uint64_t attempt = 1; attempt <= tries; ++attempt) {
    const std::uint64_t displacement = IdTable::mixed(attempt) | 1;
    places.clear();
    for (const std::uint32_t number : bucket) {
      const std::uint32_t place = IdTable::place_in(hashes[number], displacement, taken.size());
      if (taken[place] != IdTable::nowhere || std::ranges::find(places, place) != places.end()) break;
      places.push_back(place);
    }
    if (places.size() == bucket.size()) return displacement;
  }
  return std::nullopt;
}

void refuse_equal(std::span<const std::string_view> ids, const std::vector<std::uint64_t>& hashes,
                  std::span<const std::uint32_t> bucket) {
  for (std::size_t i = 0; i < bucket.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (hashes[bucket[i]] == hashes[bucket[k]] && ids[bucket[i]] == ids[bucket[k]])
        throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                               "the id '" + std::string(ids[bucket[i]]) + "' is in the list twice");
}

template <class SampleOf>
bool differ(std::span<const std::string_view> ids, std::size_t shortest, SampleOf sample_of) {
  std::vector<IdTable::Sample> samples;
  for (const std::string_view id : ids)
    if (id.size() >= shortest) samples.push_back(sample_of(id));
  std::ranges::sort(samples);
  return std::ranges::adjacent_find(samples) == samples.end();
}

// Whether sample_of() is unique for all ids that are long enough. Tries a few ids first, since that usually
// refutes it.
template <class SampleOf>
bool tells_apart(std::span<const std::string_view> ids, std::size_t shortest, SampleOf sample_of) {
  return differ(ids.first(std::min(ids.size(), few_ids)), shortest, sample_of) &&
         (ids.size() <= few_ids || differ(ids, shortest, sample_of));
}

// Chooses a window for which all ids are long enough, if there is one. Tries windows from the ends inwards.
IdTable::Window choose_window(std::span<const std::string_view> ids) {
  const std::size_t shortest = std::ranges::min(ids, {}, &std::string_view::size).size();
  const auto most = static_cast<std::uint32_t>(std::clamp<std::size_t>(shortest, 8, 8 + farthest) - 8);
  for (std::uint32_t last = 0; last <= most; last += 4) {
    const IdTable::Window window{.back = 8 + last, .one = 8 + last};
    if (tells_apart(ids, window.one, [&](auto id) { return IdTable::one_word_of(id, window); }))
      return window;
  }
  for (std::uint32_t both = 0; both <= 2 * most; both += 4)
    for (std::uint32_t first = 0; first <= both; first += 4) {
      const std::uint32_t last = both - first;
      const IdTable::Window window{8 + last, first, IdTable::whole, 8 + std::max(first, last)};
      if (window.two <= 8 + most &&
          tells_apart(ids, window.two, [&](auto id) { return IdTable::two_words_of(id, window); }))
        return window;
    }
  return {.one = IdTable::whole};
}

// Places the largest buckets first, while there is much room.
bool fill(Table& table, std::span<const std::string_view> ids, std::uint64_t seed,
          const IdTable::Window& window) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(ids.size());
  for (const std::string_view id : ids) hashes.push_back(IdTable::hash_of(id, seed, window));
  table.displacements.assign(ids.size() / ids_per_bucket + 1, 0);
  const Buckets sorted = sort_into_buckets(hashes, table.displacements.size());
  const auto bucket = [&](std::uint32_t b) {
    return std::span(sorted.numbers).subspan(sorted.starts[b], sorted.starts[b + 1] - sorted.starts[b]);
  };
  std::vector<std::uint32_t> order(table.displacements.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t b) { return bucket(b).size(); });
  std::vector<std::uint32_t> number_at(ids.size() + ids.size() / 32 + 1, IdTable::nowhere), places;
  for (const std::uint32_t b : order) {
    refuse_equal(ids, hashes, bucket(b));
    const auto displacement = displace(bucket(b), hashes, number_at, places);
    if (!displacement) return false;
    table.displacements[b] = *displacement;
    for (std::size_t i = 0; i < places.size(); ++i) number_at[places[i]] = bucket(b)[i];
  }
  for (const std::uint32_t number : number_at) {
    if (number != IdTable::nowhere) table.octets += ids[number];
    table.ends.push_back(static_cast<std::uint32_t>(table.octets.size()));
  }
  return true;
}

}  // namespace

std::uint64_t IdTable::hash_of_more(std::string_view id, std::uint64_t seed, const Window& window) {
  if (id.size() < window.two || window.one != whole) return hash_of_all(id, seed);
  const Sample sample = two_words_of(id, window);
  return mixed(mixed(sample.first ^ seed) ^ sample.last);
}

std::uint64_t IdTable::hash_of_all(std::string_view id, std::uint64_t seed) {
  std::uint64_t hash = mixed(seed ^ id.size());
  std::size_t at = 0;
  for (; at + 8 <= id.size(); at += 8) hash = mixed(hash ^ word(id.data() + at));
  std::uint64_t rest = 0;
  for (; at < id.size(); ++at) rest = rest << 8 | static_cast<unsigned char>(id[at]);
  return mixed(hash ^ rest);
}

bool IdTable::contains(std::string_view id) const {
  const std::uint32_t place = place_of(id);
  return place != nowhere && !id.empty() && at(place) == id;
}

[[gnu::cold]] IdTable make_id_table(std::span<const std::string_view> ids) {
  std::uint64_t octets = 0;
  for (const std::string_view id : ids) {
    if (id.empty()) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "an id of a table is empty");
    octets += id.size();
  }
  if (ids.size() > most_ids || octets > 0xffffffff)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "more ids than one table can have");
  if (ids.empty()) return {};
  const IdTable::Window window = choose_window(ids);
  for (std::uint64_t attempt = 1;; ++attempt) {
    auto table = std::make_shared<Table>();
    const std::uint64_t seed = IdTable::mixed(attempt) | 1;
    if (!fill(*table, ids, seed, window)) continue;
    const IdTable::Parts parts{seed, window, table->displacements, table->ends, table->octets};
    return IdTable(parts, std::move(table));
  }
}

}  // namespace takt
