#include <takt/cdr/decoder.h>

#include <algorithm>

#include "cdr/values/value_state.h"

namespace takt::cdr {

void Decoder::fail(Error error) {
  if (ok()) error_ = error;
  window_.drop_rest();
}

bool Decoder::done(BodyRead read) {
  if (read != BodyRead::ok)
    fail(read == BodyRead::ends        ? Error::underflow
         : read == BodyRead::no_memory ? Error::no_memory
                                       : Error::source_failed);
  return ok();
}

// Enters a value's next chunk if the current one has ended. Returns false if there is none, or the current
// one goes on.
bool Decoder::enter_chunk() {
  return window_.readable() == 0 && values_ && ok() && values_->chunks.enter_next(*this);
}

bool Decoder::fetch(std::size_t count) {
  enter_chunk();
  return done(window_.gather(count, {costs(), format_.memory}));
}

bool Decoder::align_beyond(std::size_t to) {
  enter_chunk();
  return done(window_.align(to));
}

// A number is aligned in the chunk that contains it.
bool Decoder::fetch_number(std::size_t size) {
  do {
    if (!align_beyond(size)) return false;
  } while (enter_chunk());
  return done(window_.gather_number(size));
}

bool Decoder::skip_beyond(std::size_t count) {
  enter_chunk();
  return done(window_.skip(count));
}

// Arrays should not span chunks, but some ORBs send them so.
bool Decoder::get_beyond(MutableBytes into) {
  if (into.size() > remaining()) fail(Error::underflow);
  while (ok()) {
    enter_chunk();
    const MutableBytes some = into.first(std::min(into.size(), window_.readable()));
    if (!done(some.empty() ? BodyRead::ends : window_.copy(some))) break;
    into = into.subspan(some.size());
    if (into.empty()) return true;
  }
  std::ranges::fill(into, std::uint8_t{0});
  return false;
}

bool Decoder::take_octets(std::vector<std::uint8_t>& into, std::size_t count) {
  const std::size_t had = into.capacity();
  return ok() && window_.take_vector(into, count) && (count <= had || charge(count - had));
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

std::string_view Decoder::get_raw_string_view() { return raw_string_of(get_u32()); }

std::string_view Decoder::raw_string_of(std::uint32_t length) {
  if (length > remaining()) fail(Error::underflow);
  if (!ok() || length == 0) return {};  // a length of 0 is illegal, but some ORBs send it
  const ByteView octets = get_octets_view(length);
  if (!ok()) return {};
  if (octets.back() != 0) {
    fail(Error::bad_string);
    return {};
  }
  return {reinterpret_cast<const char*>(octets.data()), length - 1};
}

}  // namespace takt::cdr
