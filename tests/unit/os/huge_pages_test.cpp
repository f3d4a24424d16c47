#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "os/memory/huge_pages.h"

namespace takt::os {
namespace {

// The flags in /proc/self/smaps of the mapping that begins there.
std::string flags_of(const void* begin) {
  std::ostringstream name;
  name << std::hex << reinterpret_cast<std::uintptr_t>(begin) << '-';
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.starts_with(name.str())) here = true;
    if (here && line.starts_with("VmFlags:")) return line;
  }
  return "no such mapping";
}

}  // namespace

TEST(HugePages, LargePiecesAreWholePagesThatAskToBeHuge) {
  HugePages pages;
  constexpr std::size_t bytes = (std::size_t{3} << 20) + 5;
  void* const memory = pages.allocate(bytes, 64);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (std::size_t{2} << 20), 0u);
  std::memset(memory, 1, bytes);
  EXPECT_NE(flags_of(memory).find(" hg"), std::string::npos) << flags_of(memory);
  pages.deallocate(memory, bytes, 64);
  EXPECT_EQ(flags_of(memory), "no such mapping");
}

TEST(HugePages, SmallPiecesComeFromTheHeap) {
  HugePages pages;
  void* const memory = pages.allocate(1000, 64);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
  std::memset(memory, 1, 1000);
  pages.deallocate(memory, 1000, 64);
  EXPECT_TRUE(pages.is_equal(HugePages()));
}

}  // namespace takt::os
