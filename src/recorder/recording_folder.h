// Where recordings are if -ORBRecorderFile names no file.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/recording_ring.h"

namespace takt::recorder {

// Recordings of a program in its user's folder; a new one takes the place of the oldest.
inline constexpr int most_recordings = 8;

// A ring in that file; in the user's folder if `path` is empty. The error is for people.
std::expected<std::shared_ptr<RecordingRing>, std::string> make_ring(const std::string& path,
                                                                     const RecordingRing::Options& options,
                                                                     const os::FileOwner& owner);

// FOLDER/PROGRAM.N.KIND for N from 1 on: files that do not exist come first, then the oldest ones.
std::vector<std::string> names_by_age(const std::string& folder, const std::string& program,
                                      std::string_view kind, std::size_t count);

// /dev/shm/takt-UID, or /tmp/takt-UID where there is no /dev/shm. Makes it if it does not exist. Empty: it
// cannot be used; errno says why.
std::string recording_folder();

}  // namespace takt::recorder
