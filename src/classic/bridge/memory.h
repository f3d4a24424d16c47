// The memory of strings of the classic mapping.
#pragma once

#include <string_view>

namespace takt {
namespace classic {

class Reference;
Reference* duplicate(Reference* reference);
void release(Reference* reference);
void write_reference(class Writer& out, Reference* reference);
Reference* read_reference(Reference*& into, class Reader& in);

// A shared empty string, which the functions below do not free.
char* empty_text();
wchar_t* empty_wide_text();
char* new_text(std::string_view text);
wchar_t* new_wide_text(std::wstring_view text);
void free_text(char* text);
void free_wide_text(wchar_t* text);

}  // namespace classic
}  // namespace takt
