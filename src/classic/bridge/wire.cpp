// The functions of wire.h over the runtime's encoder and decoder.
#include <takt/classic/wire.h>

#include <algorithm>
#include <cstring>
#include <cwchar>
#include <new>
#include <string>
#include <string_view>

#include <takt/cdr/codec.h>
#include <takt/cdr/text_bound.h>
#include <takt/reference/reference_codec.h>

#include "classic/bridge/memory.h"
#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace {

[[noreturn]] void refuse_text(const char* why) { raise_bad_param(why); }
template <class View>
void check(View text, std::uint32_t bound) {
  if (bound && cdr::is_beyond(text, bound)) refuse_text("a string is longer than its bound");
}

}  // namespace

#define TAKT_CLASSIC_DEFINE(TYPE)                                          \
  void write(Writer& out, TYPE value) { encoder(out).put(value); }         \
  void read(Reader& in, TYPE& value) { decoder(in).get(value); }           \
  void write_array(Writer& out, const TYPE* elements, std::size_t count) { \
    cdr::write_elements(encoder(out), elements, count);                    \
  }                                                                        \
  void read_array(Reader& in, TYPE* elements, std::size_t count) {         \
    cdr::read_elements(decoder(in), elements, count);                      \
  }
TAKT_CLASSIC_BASIC_TYPES(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE

void write_string(Writer& out, const char* text, std::uint32_t bound) {
  if (!text) refuse_text("a string is a null pointer");
  const std::string_view view(text);
  check(view, bound);
  encoder(out).put_string(view);
}

void read_string(Reader& in, char*& text, std::uint32_t bound) {
  cdr::Decoder& from = decoder(in);
  free_text(text);
  text = empty_text();
  std::string converted;
  std::string_view view;
  if (from.format().code_sets->narrow == cdr::CodeSetId::utf_8) {
    view = from.get_raw_string_view();
    if (view.find('\0') != std::string_view::npos) from.fail(cdr::Error::bad_string);
    if (!from.ok() || !from.charge(view.size())) return;
  } else {
    if (!from.get_string(converted)) return;
    view = converted;
  }
  if (bound && cdr::is_beyond(view, bound)) return from.fail(cdr::Error::too_long);
  if (!view.empty()) text = new_text(view);
}

void write_wstring(Writer& out, const wchar_t* text, std::uint32_t bound) {
  if (!text) refuse_text("a wstring is a null pointer");
  const std::wstring_view view(text);
  check(view, bound);
  encoder(out).put_wstring(view);
}

void read_wstring(Reader& in, wchar_t*& text, std::uint32_t bound) {
  cdr::Decoder& from = decoder(in);
  free_wide_text(text);
  text = empty_wide_text();
  std::wstring read;
  if (!from.get_wstring(read)) return;
  if (bound && cdr::is_beyond(read, bound)) return from.fail(cdr::Error::too_long);
  if (!read.empty()) text = new_wide_text(read);
}

void write_count(Writer& out, std::uint32_t count) { encoder(out).put(count); }

std::uint32_t read_count(Reader& in, std::uint32_t bound) {
  cdr::Decoder& from = decoder(in);
  std::uint32_t count = 0;
  if (!from.get_count(count, 1)) return 0;
  if (!bound || count <= bound) return count;
  from.fail(cdr::Error::too_long);
  return 0;
}
std::uint32_t room_ahead(Reader& in, std::uint32_t count, std::uint32_t done, std::size_t bytes) {
  return static_cast<std::uint32_t>(decoder(in).room_ahead(count, done, bytes));
}
void leave_room_ahead(Reader& in, std::size_t bytes) { decoder(in).leave_room_ahead(bytes); }

bool good(const Reader& in) { return decoder(in).ok(); }
void refuse_value(Reader& in) { decoder(in).fail(cdr::Error::bad_enum); }

static_assert(sizeof(cdr::Nesting) <= 8 && alignof(cdr::Nesting) <= 8);
Nested::Nested(Reader& in) { new (memory_) cdr::Nesting(decoder(in)); }
Nested::~Nested() { std::launder(reinterpret_cast<cdr::Nesting*>(memory_))->~Nesting(); }

void write_reference(Writer& out, Reference* reference) {
  reference::write_object(encoder(out), reference ? reference->object().get() : nullptr);
}

Reference* read_reference(Reference*& into, Reader& in) {
  CORBA::object_reference<CORBA::Object> object;
  reference::read_object(decoder(in), object);
  release(into);
  return into = refer(std::move(object));
}

}  // namespace takt::classic
