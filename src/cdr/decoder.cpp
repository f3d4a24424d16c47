#include <takt/cdr/decoder.h>

#include <algorithm>

namespace takt::cdr {

// Moves on to the octets that are arriving, joined with what is left of those that are here. A little
// beyond what is asked for is fetched with it, so that small values do not each cost a read.
bool Decoder::fetch(std::size_t count) {
  constexpr std::size_t ahead = 4096;
  const std::size_t here = present();
  if (!source_ || !ok() || count > here + missing_) {
    fail(Error::underflow);
    return false;
  }
  const std::size_t wanted = std::min(missing_, std::max(count - here, ahead));
  auto joined = std::make_unique_for_overwrite<std::uint8_t[]>(here + wanted);
  if (here) std::memcpy(joined.get(), cursor_, here);
  origin_ = position();
  if (!source_->read_exact({joined.get() + here, wanted})) {
    fail(Error::source_failed);
    return false;
  }
  missing_ -= wanted;
  joined_ = std::move(joined);
  begin_ = cursor_ = joined_.get();
  end_ = begin_ + here + wanted;
  return true;
}

bool Decoder::get_from_source(MutableBytes into) {
  if (!source_ || !ok() || into.size() > remaining()) {
    fail(Error::underflow);
    std::fill(into.begin(), into.end(), std::uint8_t{0});
    return false;
  }
  const std::size_t here = present();
  if (here) std::memcpy(into.data(), cursor_, here);
  const MutableBytes rest = into.subspan(here);
  origin_ = position() + into.size();
  begin_ = cursor_ = end_;
  missing_ -= rest.size();
  if (!source_->read_exact(rest)) fail(Error::source_failed);
  return ok();
}

std::string_view Decoder::get_raw_string_view() {
  std::uint32_t length;
  if (!get_count(length, 1) || length == 0) return {};  // a length of 0 is illegal, and sent all the same
  const ByteView octets = get_octets_view(length);
  if (!ok()) return {};
  if (octets.back() != 0) {
    fail(Error::bad_string);
    return {};
  }
  return {reinterpret_cast<const char*>(octets.data()), length - 1};
}

}  // namespace takt::cdr
