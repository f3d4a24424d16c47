#include "record/input.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "common/command.h"
#include "recorder/recording_folder.h"

namespace takt::command {
namespace {

namespace fs = std::filesystem;

bool is_recording(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string begin(recorder::recording_magic.size(), '\0');
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
         begin == recorder::recording_magic;
}

}  // namespace

// Without a buffer, because the process may write meanwhile.
recorder::Recording read_recording_at(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) fail(path + ": it is no file that can be read");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) fail(path + ": it cannot be read");
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  auto recording = recorder::read_recording([&](std::uint64_t offset, std::span<std::uint8_t> to) {
    return std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) == 0 &&
           std::fread(to.data(), 1, to.size(), file.get()) == to.size();
  });
  if (!recording) fail(path + ": " + recording.error());
  return std::move(*recording);
}

// Each line of the file ends with the path of what is mapped, if that is a file.
std::vector<std::string> recordings_of_process(const std::string& process) {
  std::vector<std::string> found;
  std::ifstream maps("/proc/" + process + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.find('/');
    if (slash == std::string::npos || line.find(" rw-s ") == std::string::npos) continue;
    const std::string path = line.substr(slash);
    if (std::ranges::find(found, path) == found.end() && is_recording(path)) found.push_back(path);
  }
  return found;
}

std::vector<std::string> recordings_of_user() {
  std::vector<std::string> found;
  const std::string folder = recorder::recording_folder();
  if (folder.empty()) return found;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(folder, none))
    if (is_recording(each.path())) found.push_back(each.path());
  std::ranges::sort(found);
  return found;
}

}  // namespace takt::command
