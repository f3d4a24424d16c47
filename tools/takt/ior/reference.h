// References as users give them: text, a file with text, or standard input.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "giop/references/object_url.h"
#include "ior/json.h"

namespace takt::command {

struct Reference {
  std::string text;  // without what stands before and after it
  giop::ObjectUrl url;
  // What the text says without asking anybody: of ior its own, of the others made of their addresses.
  cdr::Ior ior;
};

// `given`: a reference, the name of a file that holds one, or "-" for standard input; file: references are
// followed. The error says, for people, what is wrong and at which character or octet. Blocks for files.
std::expected<Reference, std::string> reference_from(const std::string& given);

// All that can be said of it without the network, with what may be wrong under "warnings".
Json description_of(const Reference& reference);

}  // namespace takt::command
