// References as users give them: as text, in a file, or on standard input.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "common/output.h"
#include "reference/text/object_url.h"

namespace takt::command {

struct Reference {
  std::string text;  // without surrounding blanks
  reference::ObjectUrl url;
  // The reference, without network access: decoded from an IOR, or made from the addresses of other forms.
  cdr::Ior ior;
};

// `given`: a reference, the name of a file that contains one, or "-" for standard input. Follows `file:`
// references. The error is readable text with the character or octet at fault. Blocks for files.
std::expected<Reference, std::string> reference_from(const std::string& given);

// Possible problems of the reference, for people.
std::vector<std::string> warnings_about(const Reference& reference);
// A description of the reference, without the network. "warnings" lists possible problems.
Json description_of(const Reference& reference);

}  // namespace takt::command
