// The recordings that a command names.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "recorder/recording_file.h"

namespace takt::command {

// Reads the recording in that file. The error is for people, without the file's name.
std::expected<recorder::Recording, std::string> try_recording_at(const std::string& path,
                                                                 std::optional<std::uint64_t> from_block);
// Fails with a line for people if the file is no recording. Only messages that begin in block `from_block` or
// later; without it all that there are.
recorder::Recording read_recording_at(const std::string& path, std::optional<std::uint64_t> from_block = {});

// The file that a user means by its name, or by the number of a process that records. Fails with a line for
// people if that process has no recording, or several.
std::string recording_named(const std::string& given);
inline constexpr const char* recording_meaning =
    "a running process with -ORBRecorder, or the file that -ORBRecorderFile names";

// The recordings that a running process keeps, by the files that it has mapped. Empty: there are none, or the
// process is another user's.
std::vector<std::string> recordings_of_process(const std::string& process);
// The recordings in the folder of the user.
std::vector<std::string> recordings_of_user();

}  // namespace takt::command
