#include "interposed/memory.h"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

// A header before each block. Only one thread runs at a time, so the list needs no lock.
struct alignas(16) Block {
  Block* before;
  Block* after;
  std::size_t size;
};

Block ends{&ends, &ends, 0};
std::size_t blocks = 0;

}  // namespace

void* operator new(std::size_t size) {
  auto* const block = static_cast<Block*>(std::malloc(sizeof(Block) + size));
  if (!block) throw std::bad_alloc();
  *block = {ends.before, &ends, size};
  ends.before->after = block;
  ends.before = block;
  ++blocks;
  return block + 1;
}

void operator delete(void* memory) noexcept {
  if (!memory) return;
  auto* const block = static_cast<Block*>(memory) - 1;
  block->before->after = block->after;
  block->after->before = block->before;
  --blocks;
  std::free(block);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace takt::sim {

std::size_t live_blocks() { return blocks; }

void list_live_blocks(std::size_t skip) {
  std::size_t place = 0;
  for (const Block* block = ends.after; block != &ends; block = block->after)
    if (place++ >= skip)
      std::fprintf(stderr, "  a block of %zu octets at %p\n", block->size,
                   static_cast<const void*>(block + 1));
}

}  // namespace takt::sim
