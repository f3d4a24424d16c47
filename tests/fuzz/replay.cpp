// Runs a fuzz target over files and folders of inputs, without libFuzzer: each input, and some of its
// prefixes, as from a peer that stops in the middle.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t max_prefixes = 64;  // per input

std::size_t replay(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t step = text.size() / max_prefixes + 1;
  std::size_t runs = 0;
  for (std::size_t size = text.size();; size -= step, ++runs) {
    // A copy of exactly these octets, so that a sanitizer detects reads beyond the end.
    const std::vector<std::uint8_t> input(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    LLVMFuzzerTestOneInput(input.data(), input.size());
    if (size < step) return runs + 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0, runs = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::filesystem::is_regular_file(argv[i])) {
      runs += replay(argv[i]);
      ++inputs;
    } else if (std::filesystem::is_directory(argv[i])) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
        if (entry.is_regular_file()) {
          runs += replay(entry.path());
          ++inputs;
        }
    }
  }
  std::printf("%zu inputs, %zu runs\n", inputs, runs);
  if (inputs == 0) std::fprintf(stderr, "there was no input: the corpus is missing\n");
  return inputs == 0;
}
