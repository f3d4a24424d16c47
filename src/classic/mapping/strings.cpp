#include <takt/classic/string.h>

#include <cstring>
#include <cwchar>

#include <takt/classic/sequence.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/memory.h"

namespace takt {
namespace classic {

namespace {
char no_characters[1] = {0};
wchar_t no_wide_characters[1] = {0};
}  // namespace

char* empty_text() { return no_characters; }
wchar_t* empty_wide_text() { return no_wide_characters; }
char* new_text(std::string_view text) {
  char* const copy = new char[text.size() + 1];
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}
wchar_t* new_wide_text(std::wstring_view text) {
  wchar_t* const copy = new wchar_t[text.size() + 1];
  std::wmemcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}
void free_text(char* text) {
  if (text != no_characters) delete[] text;
}
void free_wide_text(wchar_t* text) {
  if (text != no_wide_characters) delete[] text;
}

char* Text<char>::empty() { return empty_text(); }
wchar_t* Text<wchar_t>::empty() { return empty_wide_text(); }

void raise_index() { raise_bad_param("an index or a length is beyond what the value has"); }
void raise_null_value() {
  raise_bad_param("the servant returned or left a null pointer for a value", completed_maybe);
}
void raise_discriminator() { raise_bad_param("a union's _d() may not choose another member"); }

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

char* string_alloc(ULong length) {
  char* const text = new char[static_cast<std::size_t>(length) + 1];
  text[0] = 0;
  return text;
}
char* string_dup(const char* text) { return text ? takt::classic::new_text(text) : nullptr; }
void string_free(char* text) { takt::classic::free_text(text); }
WChar* wstring_alloc(ULong length) {
  WChar* const text = new WChar[static_cast<std::size_t>(length) + 1];
  text[0] = 0;
  return text;
}
WChar* wstring_dup(const WChar* text) { return text ? takt::classic::new_wide_text(text) : nullptr; }
void wstring_free(WChar* text) { takt::classic::free_wide_text(text); }

}  // namespace takt_classic_
}  // namespace CORBA
