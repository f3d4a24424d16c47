#include "cdr/values/chunks.h"

#include <takt/cdr/decoder.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

void Chunks::close(Decoder& in) {
  in.window_.set_limit(0);
  place_ = Place::closed;
}

void Chunks::end(Decoder& in) {
  in.window_.lift_limit();
  place_ = Place::outside;
}

bool Chunks::enter_next(Decoder& in) {
  if (place_ != Place::inside) return false;
  tag_ = leave(in);
  if (tag_ > 0 && tag_ < value_tag::header) {
    enter(in, tag_);
    return in.ok();
  }
  in.window_.set_limit(0);
  place_ = Place::at_tag;
  return false;
}

void Chunks::enter(Decoder& in, std::uint32_t size) {
  if (size > in.remaining()) in.fail(Error::underflow);
  in.window_.set_limit(in.ok() ? size : 0);
  place_ = Place::inside;
}

std::uint32_t Chunks::leave(Decoder& in) {
  const bool was_read = place_ == Place::at_tag;
  if (place_ == Place::inside) in.skip(in.window_.readable());
  end(in);
  return was_read ? tag_ : in.get_u32();
}

}  // namespace takt::cdr
