// The body of a message that came in fragments of GIOP 1.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/decoder.h>

namespace takt::giop {

// In GIOP 1.1 numbers are aligned by their place in the fragment, whose data begins at 12, and not in the
// whole (CORBA 3.0.3, 15.4.9). An array that is divided runs on without padding; omniORB sends it so. The
// octets belong to somebody else.
class FragmentParts final : public cdr::Decoder::Source {
 public:
  FragmentParts() = default;
  // `octets`: the message, put together; `starts`: where the data of each part but the first stands in it.
  FragmentParts(ByteView octets, std::vector<std::uint32_t> starts)
      : octets_(octets), starts_(std::move(starts)) {}

  std::size_t octets_in_parts() const override { return octets_.size(); }
  Part part(std::size_t missing) const override;
  bool read_exact(MutableBytes) override { return false; }

  ByteView octets() const { return octets_; }
  // How many octets there are before the first of the other parts.
  std::size_t first_bytes() const { return starts_.front(); }
  // The same, of a copy of the octets.
  FragmentParts moved_to(ByteView copy) const { return {copy, starts_}; }

 private:
  ByteView octets_;
  std::vector<std::uint32_t> starts_;  // ascending, none empty
};

}  // namespace takt::giop
