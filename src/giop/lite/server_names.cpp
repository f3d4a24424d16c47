#include "giop/lite/server_names.h"

#include <algorithm>

namespace takt::giop::lite {

ServerNames::Page& ServerNames::own_page_of(std::uint16_t number) {
  const std::size_t index = number / page_names;
  std::unique_ptr<Page>& own = own_pages_[index];
  if (!own) {
    own = std::make_unique<Page>();
    pages_[index] = own.get();
  }
  return *own;
}

bool ServerNames::learn(std::uint16_t number, ByteView object_key, std::string_view operation) {
  if (number >= max_names || object_key.size() > max_name_octets ||
      operation.size() > max_name_octets - object_key.size())
    return false;
  if (const Names* known = find(number))
    return known->operation == operation && std::ranges::equal(known->object_key, object_key);
  auto octets = std::make_unique_for_overwrite<std::uint8_t[]>(object_key.size() + operation.size() + 1);
  std::uint8_t* const text = std::ranges::copy(object_key, octets.get()).out;
  std::ranges::copy(operation, text);
  own_page_of(number)[number % page_names] = {
      {octets.get(), object_key.size()}, {reinterpret_cast<const char*>(text), operation.size()}, {}};
  octets_.push_back(std::move(octets));
  return true;
}

}  // namespace takt::giop::lite
