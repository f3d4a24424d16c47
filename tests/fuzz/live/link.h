// An attacker's end of a connection, over any transport.
#pragma once

#include <memory>

#include <takt/transport/stream.h>

#include "conversation.h"

namespace takt::fuzz::live {

class Link {
 public:
  explicit Link(std::unique_ptr<transport::Stream> stream, bool deaf = false);

  // Waits for a slow peer for a fraction of a second, then gives up.
  void say(const Step& step);
  // Discards data from the peer.
  void hear();
  bool over() const { return over_; }

 private:
  void write(ByteView octets);

  const std::unique_ptr<transport::Stream> stream_;
  const bool deaf_;
  bool over_ = false;
};

}  // namespace takt::fuzz::live
