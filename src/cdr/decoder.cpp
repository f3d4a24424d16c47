#include <takt/cdr/decoder.h>

#include <algorithm>

#include "cdr/values/value_state.h"

namespace takt::cdr {

// Moves on to the octets that are arriving, joined with what is left of those that are here. A little
// beyond what is asked for is fetched with it, so that small values do not each cost a read.
bool Decoder::fetch(std::size_t count) {
  if (next_chunk() && count <= present()) return true;
  constexpr std::size_t ahead = 4096;
  const std::size_t here = present();
  if (!source_ || !ok() || count > here + missing_) {
    fail(Error::underflow);
    return false;
  }
  if (in_parts()) return join_parts(count);
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

bool Decoder::in_parts() const { return missing_ != 0 && source_ && !source_->part(missing_).octets.empty(); }

// Leaves what remains of this part, which is padding.
bool Decoder::enter_part() {
  const Source::Part part = source_->part(missing_);
  origin_ = part.first_index;
  begin_ = cursor_ = part.octets.data();
  end_ = begin_ + part.octets.size();
  missing_ -= part.octets.size();
  return true;
}

// Octets on both sides of where parts meet. Those after them have the right indices; if there are none after
// them, those from here on.
bool Decoder::join_parts(std::size_t count) {
  const std::size_t index = position();
  auto joined = std::make_unique_for_overwrite<std::uint8_t[]>(count);
  std::size_t done = present();
  if (done) std::memcpy(joined.get(), cursor_, done);
  std::size_t last_index = index;
  while (done < count) {
    const Source::Part part = source_->part(missing_);
    const std::size_t taken = std::min(part.octets.size(), count - done);
    std::memcpy(joined.get() + done, part.octets.data(), taken);
    done += taken;
    missing_ -= taken;
    last_index = part.first_index + taken;
  }
  origin_ = missing_ == 0 ? index : last_index - count;
  joined_ = std::move(joined);
  begin_ = cursor_ = joined_.get();
  end_ = begin_ + count;
  return true;
}

bool Decoder::align_beyond(std::size_t to) {
  next_chunk();
  std::size_t padding = (0 - position()) & (to - 1);
  if (padding > present() && in_parts()) {
    enter_part();
    padding = (0 - position()) & (to - 1);
  }
  return padding == 0 || skip(padding);
}

// A number is never divided between parts, and its padding is where the number is.
bool Decoder::fetch_number(std::size_t size) {
  if (!align_beyond(size)) return false;
  if (present() == 0 && in_parts()) return enter_part() && align_beyond(size) && need(size);
  return need(size);
}

bool Decoder::get_beyond(MutableBytes into) {
  while (next_chunk() && into.size() > present()) {
    // An array should not be split between chunks, and is all the same.
    const std::size_t part = present();
    std::memcpy(into.data(), cursor_, part);
    cursor_ += part;
    into = into.subspan(part);
  }
  const std::size_t here = present();
  if (into.size() <= here) return get_octets(into);
  if (!source_ || !ok() || into.size() > remaining()) {
    fail(Error::underflow);
    std::fill(into.begin(), into.end(), std::uint8_t{0});
    return false;
  }
  if (in_parts()) {
    while (into.size() > present()) {
      const std::size_t part = present();
      if (part) std::memcpy(into.data(), cursor_, part);
      into = into.subspan(part);
      enter_part();
    }
    return get_octets(into);
  }
  if (here) std::memcpy(into.data(), cursor_, here);
  const MutableBytes rest = into.subspan(here);
  origin_ = position() + into.size();
  begin_ = cursor_ = end_;
  missing_ -= rest.size();
  if (!source_->read_exact(rest)) fail(Error::source_failed);
  return ok();
}

HeldOctets Decoder::get_in_place(std::size_t count) {
  const bool chunked = values_ && values_->level != 0;
  if (!source_ || present() != 0 || count > missing_ || chunked || in_parts() || !ok()) return {};
  HeldOctets held = source_->read_in_place(count);
  if (held.empty()) return {};
  origin_ = position() + count;
  begin_ = cursor_ = end_;
  missing_ -= count;
  return held;
}

// Enters the next chunk where one chunk of a value is at its end; false if there is none.
bool Decoder::next_chunk() {
  if (!values_ || values_->level == 0 || present() != 0 || values_->ended != 0 || !ok()) return false;
  const std::uint8_t* const boundary = cursor_;
  end_ += missing_;
  missing_ = 0;
  const std::size_t padding = (0 - position()) & 3;
  if (present() >= padding + 4) {
    cursor_ += padding;
    std::uint32_t size;
    std::memcpy(&size, cursor_, 4);
    if (swaps()) size = detail::swapped(size);
    cursor_ += 4;
    if (size > 0 && size < value_tag::header && size <= present()) {
      missing_ = present() - size;
      end_ = cursor_ + size;
      return true;
    }
  }
  missing_ = static_cast<std::size_t>(end_ - boundary);
  cursor_ = end_ = boundary;
  return false;
}

bool Decoder::get_fixed(MutableBytes packed) {
  std::size_t count = 0;
  std::uint8_t last = 0;
  do {
    last = get_u8();
    if (last >> 4 > 9) fail(Error::bad_value);
    if (!ok()) return false;
    packed[count++] = last;
  } while ((last & 15) < 10 && count < packed.size());
  if (const auto sign = last & 15; sign != 0xc && sign != 0xd) {
    fail(Error::bad_value);
    return false;
  }
  const auto digits = packed.begin() + static_cast<std::ptrdiff_t>(count);
  std::fill(packed.begin(), std::copy_backward(packed.begin(), digits, packed.end()), 0);
  return true;
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
