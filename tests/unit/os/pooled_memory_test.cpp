#include <takt/os/pooled_memory.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <thread>
#include <vector>

namespace takt::os {
namespace {

constexpr std::size_t piece_bytes = 96, pieces = 1 << 17;
// Twice the pages that they fill, because chunks double in size, and some for the first chunks and small
// ones.
constexpr std::size_t most_pages = 2 * pieces * piece_bytes / (2 << 20) + 10;

std::vector<void*> take_many() {
  std::vector<void*> taken;
  for (std::size_t i = 0; i < pieces; ++i)
    taken.push_back(allocate_pooled(piece_bytes, alignof(std::max_align_t)));
  return taken;
}
void give_back(const std::vector<void*>& taken) {
  for (void* piece : taken) deallocate_pooled(piece, piece_bytes, alignof(std::max_align_t));
}

std::size_t huge_pages_of(const std::vector<void*>& taken) {
  std::set<std::uintptr_t> pages;
  for (void* piece : taken) pages.insert(reinterpret_cast<std::uintptr_t>(piece) >> 21);
  return pages.size();
}

// The number of the fullest huge pages that together hold the wanted number of pieces.
std::size_t huge_pages_that_hold(std::size_t wanted, const std::vector<void*>& taken) {
  std::map<std::uintptr_t, std::size_t> pages;
  for (void* piece : taken) ++pages[reinterpret_cast<std::uintptr_t>(piece) >> 21];
  std::vector<std::size_t> counts;
  for (const auto& [page, count] : pages) counts.push_back(count);
  std::ranges::sort(counts, std::greater());
  std::size_t fullest = 0;
  for (std::size_t held = 0; held < wanted && fullest < counts.size(); ++fullest) held += counts[fullest];
  return fullest;
}

// The first pieces are in small chunks that the heap may place anywhere: less than a page's worth.
TEST(PooledMemory, ManyPiecesLieSideBySideInHugePages) {
  const auto taken = take_many();
  constexpr std::size_t page_pieces = (2 << 20) / piece_bytes;
  EXPECT_LE(huge_pages_that_hold(pieces - page_pieces, taken), pieces / page_pieces + 2);
  give_back(taken);
}

TEST(PooledMemory, WhatIsFreedServesTheNext) {
  std::vector<void*> all;
  for (int round = 0; round < 8; ++round) {
    const auto taken = take_many();
    all.insert(all.end(), taken.begin(), taken.end());
    give_back(taken);
  }
  EXPECT_LE(huge_pages_of(all), most_pages);
}

TEST(PooledMemory, OutlivesTheThreadThatTookIt) {
  std::vector<void*> taken;
  std::thread([&] {
    taken = take_many();
    for (std::size_t i = 0; i < taken.size(); ++i)
      std::memset(taken[i], static_cast<int>(i % 251), piece_bytes);
  }).join();
  const auto others = take_many();
  for (void* piece : others) std::memset(piece, 255, piece_bytes);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto* const octets = static_cast<const std::uint8_t*>(taken[i]);
    changed +=
        !std::all_of(octets, octets + piece_bytes, [&](std::uint8_t octet) { return octet == i % 251; });
  }
  EXPECT_EQ(changed, 0u);
  give_back(others);
  give_back(taken);
}

TEST(PooledMemory, HoldsWhatIsMadeInIt) {
  const auto made = make_pooled<std::pair<int, long>>(1, 2);
  EXPECT_EQ(*made, (std::pair<int, long>(1, 2)));
}

}  // namespace
}  // namespace takt::os
