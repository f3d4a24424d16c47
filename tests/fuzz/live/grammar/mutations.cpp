#include "grammar/mutations.h"

#include <algorithm>

namespace takt::fuzz::live {

namespace {

std::uint32_t read_u32(const Octets& octets, std::size_t at, cdr::ByteOrder order) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number |= std::uint32_t{octets[at + i]} << 8 * (order == cdr::ByteOrder::little ? i : 3 - i);
  return number;
}

void write_u32(Octets& octets, std::size_t at, std::uint32_t number, cdr::ByteOrder order) {
  for (std::size_t i = 0; i < 4; ++i)
    octets[at + i] = static_cast<std::uint8_t>(number >> 8 * (order == cdr::ByteOrder::little ? i : 3 - i));
}

void lie_at(Random& random, Octets& octets, std::size_t at, cdr::ByteOrder order) {
  if (at + 4 > octets.size()) return;
  std::uint32_t number = read_u32(octets, at, order);
  number = random.one_in(2) ? nasty_number(random, octets.size()) : number + random.between(0, 16) - 8;
  write_u32(octets, at, number, order);
}

void change_somewhere(Random& random, Octets& octets, cdr::ByteOrder order) {
  const std::size_t size = octets.size();
  const std::size_t at = random.below(size), count = std::min<std::size_t>(random.skewed(64), size - at);
  const auto begin = octets.begin() + static_cast<std::ptrdiff_t>(at),
             end = begin + static_cast<std::ptrdiff_t>(count);
  switch (random.below(6)) {
    case 0:
      octets[at] ^= static_cast<std::uint8_t>(1U << random.below(8));
      return;
    case 1:
      octets.resize(at);
      return;
    case 2:
      octets.erase(begin, end);
      return;
    case 3: {
      const Octets twice(begin, end);
      octets.insert(begin, twice.begin(), twice.end());
      return;
    }
    default:
      return lie_at(random, octets, at / 4 * 4, order);
  }
}

}  // namespace

std::uint32_t nasty_number(Random& random, std::size_t size) {
  const auto about = static_cast<std::uint32_t>(size);
  switch (random.below(6)) {
    case 0: {
      constexpr std::uint32_t edges[] = {0,          1,          2,          3,          7,
                                         8,          0xff,       0xffff,     0x10000,    0x7fffffff,
                                         0x80000000, 0xfffffffe, 0xffffffff, 0x7fffff00, 0x7fffff02,
                                         0x7fffff06, 0x7fffff0a, 0x7fffff0e, 0x40000000};
      return random.pick(edges);
    }
    case 1:
      return 1U << random.below(32);
    case 2:
      return about + random.between(0, 16) - 8;
    case 3:
      return 0U - 4 * random.between(1, 64);
    case 4:
      return random.below(about + std::uint64_t{1});
    default:
      return static_cast<std::uint32_t>(random.next());
  }
}

void mutate(Random& random, Body& body) {
  for (std::uint32_t changes = random.between(1, 4); changes > 0 && !body.octets.empty(); --changes) {
    if (body.telling_at.empty() || random.one_in(4))
      change_somewhere(random, body.octets, body.order);
    else
      lie_at(random, body.octets, random.any_of(body.telling_at), body.order);
  }
}

void damage(Random& random, Octets& octets) {
  for (std::uint32_t changes = random.between(1, 4); changes > 0 && !octets.empty(); --changes)
    change_somewhere(random, octets, cdr::ByteOrder::little);
}

}  // namespace takt::fuzz::live
