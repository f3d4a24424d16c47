#include "os/memory/file_origin.h"

#include <algorithm>
#include <chrono>

#include "threads/thread.h"

namespace takt::os {

namespace {

using Text = char[FileOrigin::most_text];

void put(Text& to, std::uint8_t& size, std::string_view text) {
  size = static_cast<std::uint8_t>(text.copy(to, FileOrigin::most_text));
}

std::string take(const Text& from, std::uint8_t size) {
  return {from, std::min<std::size_t>(size, FileOrigin::most_text)};
}

}  // namespace

void FileOrigin::set(const FileOwner& owner) {
  process = process_number();
  start_ns = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  put(program, program_size, owner.program);
  put(orb, orb_size, owner.orb);
  put(host, host_size, owner.host);
}

FileOwner FileOrigin::owner() const {
  return {take(program, program_size), take(orb, orb_size), take(host, host_size)};
}

std::string with_process(std::string path) {
  const std::string number = std::to_string(process_number());
  for (auto at = path.find("%p"); at != std::string::npos; at = path.find("%p", at + number.size()))
    path.replace(at, 2, number);
  return path;
}

}  // namespace takt::os
