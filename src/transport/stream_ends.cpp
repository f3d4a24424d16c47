#include "transport/stream_ends.h"

namespace takt::transport {

[[gnu::cold]] StreamEnds::StreamEnds(std::string_view protocol, std::string_view own, std::string_view peer) {
  constexpr std::string_view arrow = " -> ";
  text_.reserve(protocol.size() + 1 + own.size() + arrow.size() + peer.size());
  text_.append(protocol).append(1, ' ').append(own).append(arrow);
  peer_at_ = text_.size();
  text_.append(peer);
}

std::string StreamEnds::peer() const { return text_.substr(peer_at_); }

}  // namespace takt::transport
