#include "imr/service/texts.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace takt::imr {

std::uint64_t starts_from_now() {
  constexpr int starts_per_millisecond_bits = 10;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count())
         << starts_per_millisecond_bits;
}

std::string text_of_file(const std::string& path) {
  constexpr std::uintmax_t longest = 1 << 20;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) > longest)
    return {};
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\r')) text.pop_back();
  return text;
}

}  // namespace takt::imr
