#include "recorder/recording_folder.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "os/error_text.h"
#include "os/private_folder.h"

namespace takt::recorder {

namespace {

namespace fs = std::filesystem;
using Made = std::expected<std::shared_ptr<RecordingRing>, std::string>;

Made make_in_own_folder(const RecordingRing::Options& options, const os::FileOwner& owner) {
  const std::string folder = recording_folder();
  if (folder.empty())
    return std::unexpected("the folder for recordings of this user cannot be used: " + os::error_text(errno));
  for (const std::string& path : names_by_age(folder, owner.program, "recording", most_recordings)) {
    auto ring = RecordingRing::create(path, options, owner);
    if (ring) return std::move(*ring);
    if (ring.error().problem != RecordingRing::Problem::in_use)
      return std::unexpected(path + ": " + ring.error().text);
  }
  return std::unexpected(std::to_string(most_recordings) + " ORBs of this program record in " + folder +
                         "; name a file");
}

}  // namespace

std::vector<std::string> names_by_age(const std::string& folder, const std::string& program,
                                      std::string_view kind, std::size_t count) {
  std::vector<std::pair<fs::file_time_type, std::string>> all;
  for (std::size_t i = 1; i <= count; ++i) {
    std::string path = folder + "/" + program + "." + std::to_string(i) + "." + std::string(kind);
    std::error_code none;
    const auto used = fs::last_write_time(path, none);
    all.emplace_back(none ? fs::file_time_type::min() : used, std::move(path));
  }
  std::ranges::stable_sort(all, {}, &std::pair<fs::file_time_type, std::string>::first);
  std::vector<std::string> names;
  for (auto& [used, path] : all) names.push_back(std::move(path));
  return names;
}

std::string recording_folder() {
  std::error_code none;
  return os::make_own_folder(fs::is_directory("/dev/shm", none) ? "/dev/shm" : "/tmp");
}

Made make_ring(const std::string& path, const RecordingRing::Options& options, const os::FileOwner& owner) {
  if (path.empty()) return make_in_own_folder(options, owner);
  auto ring = RecordingRing::create(path, options, owner);
  if (!ring) return std::unexpected(ring.error().text);
  return std::move(*ring);
}

}  // namespace takt::recorder
