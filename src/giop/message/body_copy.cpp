#include "giop/message/body_copy.h"

#include <algorithm>

namespace takt::giop {

// CDR alignment counts from body_index, so the copied body begins at an address of the same residue.
BodyCopy copy_body(const Event& event, std::size_t more, std::vector<std::uint8_t>& storage,
                   FragmentParts& parts) {
  const ByteView whole = event.parts ? event.parts->octets() : event.body;
  const std::size_t lead_in = event.parts ? 0 : event.body_index % 8;
  storage.resize(lead_in + whole.size() + more);
  const MutableBytes copy = MutableBytes(storage).subspan(lead_in, whole.size());
  std::ranges::copy(whole, copy.begin());
  ByteView body = copy;
  if (event.parts) {
    parts = event.parts->moved_to(copy);
    body = body.subspan(copy.size() - event.body_missing - event.body.size(), event.body.size());
  }
  return {body, MutableBytes(storage).last(more)};
}

}  // namespace takt::giop
