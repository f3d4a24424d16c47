#include "cdr/values/chunks.h"

#include <takt/cdr/decoder.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

void Chunks::begin_value(Decoder& in) {
  if (level_++ == 0) {
    if (beyond_ == 0) form_ = Form::unknown;
    open_ = 0;
    has_members_ = false;
  }
  begin(in);
}

void Chunks::end_value(Decoder& in) {
  if (--level_ == 0) end(in);
}

void Chunks::close(Decoder& in) {
  in.window_.set_limit(0);
  place_ = Place::closed;
}

void Chunks::end(Decoder& in) {
  in.window_.set_limit(in.ok() ? in.remaining() - beyond_ : 0);
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
  if (in.ok() && size > in.remaining() - beyond_) in.fail(Error::underflow);
  in.window_.set_limit(in.ok() ? size : 0);
  place_ = Place::inside;
  has_members_ |= size > 0;
}

std::uint32_t Chunks::leave(Decoder& in) {
  const bool was_read = place_ == Place::at_tag;
  if (place_ == Place::inside) in.skip(in.window_.readable());
  end(in);
  return was_read ? tag_ : next_tag(in);
}

// Passes the end tags of TAO's form that do not end the value.
std::uint32_t Chunks::next_tag(Decoder& in) {
  std::uint32_t tag;
  do {
    tag = in.get_u32();
  } while (in.ok() && level_ > 0 && tag > value_tag::last_header && ends_part(in, tag));
  return in.ok() ? tag : 0;
}

// Whether an end tag ends the state of a base, or the members that a class adds, but not the value. Those of
// TAO's form are, for three classes, the base's state first: chunk, -3, chunk, -3, -2, chunk, -2, -1. Tags
// after classes without members are missing.
bool Chunks::ends_part(Decoder& in, std::uint32_t tag) {
  const std::uint32_t level = 0 - tag;
  if (form_ != Form::tao) {
    if (level <= level_) return false;
    if (form_ == Form::standard || level_ != 1) {
      in.fail(Error::bad_chunks);
      return false;
    }
    take_tao_form(in);
  }
  const bool had_members = has_members_;
  has_members_ = false;
  if (open_ == 0) {
    if (level > in.format().limits->nesting) in.fail(Error::nesting);
    open_ = level - 1;
  } else if (level != (had_members ? open_ + 1 : open_)) {
    in.fail(Error::bad_chunks);
  } else if (!had_members) {
    --open_;
  }
  return in.ok() && open_ != 0;
}

void Chunks::take_tao_form(Decoder& in) {
  form_ = Form::tao;
  const ValueForm known = in.format_.values;
  if (known != ValueForm::standard) in.format_.values = ValueForm::tao;
  if (known == ValueForm::learned) static_cast<const PeerCodeSets*>(in.format_.code_sets)->values->note_tao();
}

void Chunks::note_header_between(Decoder& in) {
  if (form_ == Form::tao) in.fail(Error::bad_chunks);
  form_ = Form::standard;
}

Chunks Chunks::for_value_inside(Decoder& in) {
  if (form_ == Form::standard)
    in.fail(Error::bad_chunks);
  else if (form_ == Form::unknown)
    take_tao_form(in);
  beyond_mine_ = in.remaining() - in.window_.readable();
  Chunks inside;
  inside.form_ = Form::tao;
  inside.beyond_ = beyond_mine_;
  return inside;
}

void Chunks::resume(Decoder& in) const { in.window_.set_limit(in.ok() ? in.remaining() - beyond_mine_ : 0); }

}  // namespace takt::cdr
