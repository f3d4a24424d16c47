#include "giop/fragments/fragment_parts.h"

#include <algorithm>

#include "giop/header/message_header.h"

namespace takt::giop {

FragmentParts::Part FragmentParts::part(std::size_t missing) const {
  const std::size_t at = octets_.size() - missing;
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), at);
  const std::size_t end = next == starts_.end() ? octets_.size() : *next;
  const std::size_t index = next == starts_.begin() ? at : at - *(next - 1) + header_size;
  return {octets_.subspan(at, end - at), index};
}

}  // namespace takt::giop
