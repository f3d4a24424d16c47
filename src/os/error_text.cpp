#include "os/error_text.h"

#include <cctype>
#include <cstring>

namespace takt::os {

[[gnu::cold]] std::string error_text(int error) {
  const char* words = ::strerrordesc_np(error);
  const char* name = ::strerrorname_np(error);
  if (words == nullptr || name == nullptr) return "error " + std::to_string(error);
  std::string text(words);
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text + " (" + name + ")";
}

}  // namespace takt::os
