// The body of a message that arrived in GIOP 1.1 fragments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/decoder.h>

namespace takt::giop {

// In GIOP 1.1 alignment counts from the start of the fragment, whose data begins at 12, and not from the
// start of the whole message (CORBA 3.0.3, 15.4.9). A divided array continues without padding, as omniORB
// sends it. The octets are not owned.
class FragmentParts final : public cdr::Decoder::Source {
 public:
  FragmentParts() = default;
  // `octets`: the reassembled message; `starts`: offsets in it of the data of each part but the first.
  FragmentParts(ByteView octets, std::vector<std::uint32_t> starts)
      : octets_(octets), starts_(std::move(starts)) {}

  std::size_t octets_in_parts() const override { return octets_.size(); }
  Part part(std::size_t missing) const override;
  bool read_exact(MutableBytes) override { return false; }

  ByteView octets() const { return octets_; }
  // Octets before the second part.
  std::size_t first_bytes() const { return starts_.front(); }
  // The same parts in a copy of the octets.
  FragmentParts moved_to(ByteView copy) const { return {copy, starts_}; }

 private:
  ByteView octets_;
  std::vector<std::uint32_t> starts_;  // ascending; no part is empty
};

}  // namespace takt::giop
