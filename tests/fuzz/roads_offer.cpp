// Offers of local roads in foreign references: one that is read is written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "roads/road_offer.h"

// The first octet says which roads are wanted; the place is that of the corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  constexpr std::uint64_t place = 0x1122334455667788;
  if (size == 0) return 0;
  const giop::TaggedComponent component{reference::local_roads_component, {data + 1, data + size}};
  const auto offer = roads::read_offer(component, place, data[0]);
  if (!offer) return 0;
  if ((offer->roads & ~data[0]) != 0 || offer->roads == 0) std::abort();
  if (roads::read_offer(roads::make_offer(*offer, place), place, data[0]) != offer) std::abort();
  return 0;
}
