#include <takt/dynamic/named_values.h>

#include <algorithm>

namespace CORBA {

namespace {
constexpr std::size_t most_kept = 16, longest_kept_name = 64;
}

void NVList::_clear() noexcept {
  count_ = 0;
  std::erase_if(items_, [](const Item& item) {
    return item.shared().use_count() != 1 || item->name().size() > longest_kept_name;
  });
  if (items_.size() > most_kept) items_.erase(items_.begin() + most_kept, items_.end());
  for (const Item& item : items_) item->_forget();
}

}  // namespace CORBA
