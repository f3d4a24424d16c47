// Files of an earlier version, from git.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace takt::command {

// The IDL files of a commit, in a temporary folder that goes with the object. Needs the program git.
class GitVersion {
 public:
  // The repository is that in which `path` lies. Files are taken whose names end in .idl, .pidl, .inc, .h or
  // as `path` does. The error is for people. Waits for git.
  static std::expected<GitVersion, std::string> take(const std::string& reference,
                                                     const std::filesystem::path& path);
  GitVersion(GitVersion&& other) noexcept;
  GitVersion& operator=(GitVersion&&) = delete;
  ~GitVersion();

  // Where the file or folder is as it was; it may not exist.
  std::filesystem::path at(const std::filesystem::path& path) const;
  // "REF:path/in/the/repository" of a file in the temporary folder; other names stay as they are.
  std::string shown(const std::string& file) const;

 private:
  GitVersion() = default;

  std::string reference_;
  std::filesystem::path root_, folder_;  // of the repository; temporary
};

}  // namespace takt::command
