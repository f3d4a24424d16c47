#include "giop/lite/server_names.h"

#include <algorithm>

#include "giop/header/lite_format.h"

namespace takt::giop::lite {

bool ServerNames::learn(std::uint16_t number, ByteView object_key, std::string_view operation) {
  if (number >= max_names || object_key.size() > max_name_octets ||
      operation.size() > max_name_octets - object_key.size())
    return false;
  if (const Names* known = find(number))
    return known->operation == operation && std::ranges::equal(known->object_key, object_key);
  auto octets = std::make_unique_for_overwrite<std::uint8_t[]>(object_key.size() + operation.size() + 1);
  std::uint8_t* const text = std::ranges::copy(object_key, octets.get()).out;
  std::ranges::copy(operation, text);
  if (names_.size() <= number) names_.resize(number + std::size_t{1});
  names_[number] = {{octets.get(), object_key.size()},
                    {reinterpret_cast<const char*>(text), operation.size()}};
  octets_.push_back(std::move(octets));
  return true;
}

}  // namespace takt::giop::lite
