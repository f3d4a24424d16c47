#include "giop/fragments/fragment.h"

#include <algorithm>

namespace takt::giop {

namespace {

bool has_request_id(std::uint8_t type) {
  return type == static_cast<std::uint8_t>(MessageType::request) ||
         type == static_cast<std::uint8_t>(MessageType::reply) ||
         type == static_cast<std::uint8_t>(MessageType::locate_request) ||
         type == static_cast<std::uint8_t>(MessageType::locate_reply);
}

// Removes octets from the front of a gather list.
class Cutter {
 public:
  explicit Cutter(std::vector<ByteView>& pieces) : at_(pieces.begin()) {}

  void skip(std::size_t count) {
    cut(count, [](ByteView) {});
  }
  void move(std::size_t count, std::vector<ByteView>& to) {
    cut(count, [&](ByteView piece) { to.push_back(piece); });
  }

 private:
  template <class Take>
  void cut(std::size_t count, Take take) {
    while (count != 0) {
      const std::size_t here = std::min(count, at_->size());
      take(at_->first(here));
      *at_ = at_->subspan(here);
      if (at_->empty()) ++at_;
      count -= here;
    }
  }
  std::vector<ByteView>::iterator at_;
};

}  // namespace

FragmentHeaders::Header& FragmentHeaders::add() {
  if (used_ == headers_.size()) headers_.emplace_back();
  return headers_[used_++];
}

void fragment(const GatherBuffer& message, std::size_t max_bytes, std::vector<ByteView>& pieces,
              FragmentHeaders& headers) {
  const std::uint8_t* head = message.owned();
  const std::size_t size = message.size();
  if (max_bytes == 0 || size <= std::max(max_bytes, min_fragment_bytes) ||
      !rules_of({head[4], head[5]}).fragment_ids || !has_request_id(head[7])) {
    message.gather(pieces);
    return;
  }
  // The size of every part but the last is a multiple of 8, header included; this is the size of its data.
  const std::size_t part_bytes = std::max(max_bytes, min_fragment_bytes) & ~std::size_t{7};
  headers.clear();
  headers.whole_.clear();
  message.gather(headers.whole_);
  Cutter cutter(headers.whole_);

  FragmentHeaders::Header& first = headers.add();
  std::memcpy(first.data(), head, first.size());
  first[6] |= more_fragments_flag;
  store_message_size(first.data(), static_cast<std::uint32_t>(part_bytes - header_size));
  pieces.emplace_back(first);
  cutter.skip(first.size());
  cutter.move(part_bytes - first.size(), pieces);

  for (std::size_t left = size - part_bytes; left != 0;) {
    FragmentHeaders::Header& header = headers.add();
    const std::size_t data_bytes = std::min(left, part_bytes - header.size());
    left -= data_bytes;
    std::memcpy(header.data(), head, header.size());  // magic, version, byte order and request id
    if (left != 0) header[6] |= more_fragments_flag;
    header[7] = static_cast<std::uint8_t>(MessageType::fragment);
    store_message_size(header.data(), static_cast<std::uint32_t>(header.size() - header_size + data_bytes));
    pieces.emplace_back(header);
    cutter.move(data_bytes, pieces);
  }
}

}  // namespace takt::giop
