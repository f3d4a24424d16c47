#include "record/input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "common/changing_file.h"
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

// A file may have a number as its name.
std::string recording_named(const std::string& given) {
  std::error_code none;
  if (given.empty() || given.find_first_not_of("0123456789") != std::string::npos ||
      fs::is_regular_file(given, none))
    return given;
  const auto found = recordings_of_process(given);
  if (found.empty()) fail("process " + given + " records nothing, or belongs to another user", negative);
  if (found.size() > 1)
    fail("process " + given + " has several recordings; name one: takt record find " + given);
  return found.front();
}

std::expected<recorder::Recording, std::string> try_recording_at(const std::string& path,
                                                                 std::optional<std::uint64_t> from_block) {
  const auto file = ChangingFile::open(path);
  if (!file) return std::unexpected(file.error());
  return recorder::read_recording(
      [&](std::uint64_t offset, std::span<std::uint8_t> to) { return file->read(offset, to); }, from_block);
}

recorder::Recording read_recording_at(const std::string& path, std::optional<std::uint64_t> from_block) {
  auto recording = try_recording_at(path, from_block);
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
