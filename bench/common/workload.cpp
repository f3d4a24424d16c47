#include "common/workload.h"

namespace bench {

std::vector<std::uint8_t> make_octets(std::size_t size) {
  std::vector<std::uint8_t> octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<std::uint8_t>(i * 7 + 1);
  return octets;
}

std::vector<std::int32_t> make_longs(std::size_t count) {
  std::vector<std::int32_t> longs(count);
  for (std::size_t i = 0; i < count; ++i) longs[i] = static_cast<std::int32_t>(i * 2654435761u);
  return longs;
}

std::vector<BinStruct> make_structs() {
  std::vector<BinStruct> structs(elements);
  for (std::size_t i = 0; i < elements; ++i) structs[i] = make_struct(static_cast<int>(i));
  return structs;
}

std::string make_string() { return "a string of thirty-two character"; }

}  // namespace bench
