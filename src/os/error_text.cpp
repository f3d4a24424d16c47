#include "os/error_text.h"

#include <cstring>

#include "base/ascii.h"

namespace takt::os {

[[gnu::cold]] std::string error_text(int error) {
  const char* words = ::strerrordesc_np(error);
  const char* name = ::strerrorname_np(error);
  if (words == nullptr || name == nullptr) return "error " + std::to_string(error);
  std::string text(words);
  text[0] = to_lower(text[0]);
  return text + " (" + name + ")";
}

}  // namespace takt::os
