// Decodes datagrams with Wireshark without sending them.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace takt::test {

inline bool has_tshark() { return std::system("tshark --version > /dev/null 2>&1") == 0; }

// Writes UDP datagrams from 10.0.0.1:40000 to 239.1.2.3:5000 as a capture file of IPv4 packets without a link
// layer.
inline void write_capture(const std::string& path, const std::vector<std::vector<std::uint8_t>>& datagrams) {
  std::ofstream file(path, std::ios::binary);
  const auto little = [&](std::uint32_t value, int octets) {
    for (; octets > 0; --octets, value >>= 8) file.put(static_cast<char>(value));
  };
  const auto big = [&](std::size_t value) {
    file.put(static_cast<char>(value >> 8));
    file.put(static_cast<char>(value));
  };
  for (const std::uint32_t word : {0xa1b2c3d4U, 0x00040002U, 0U, 0U, 65535U, 101U}) little(word, 4);
  for (const auto& datagram : datagrams) {
    const auto size = static_cast<std::uint32_t>(28 + datagram.size());
    for (const std::uint32_t word : {0U, 0U, size, size}) little(word, 4);
    file.write("\x45\x00", 2);
    big(size);
    file.write("\x00\x00\x00\x00\x01\x11\x00\x00\x0a\x00\x00\x01\xef\x01\x02\x03", 16);
    big(40000);
    big(5000);
    big(8 + datagram.size());
    big(0);
    file.write(reinterpret_cast<const char*>(datagram.data()), static_cast<std::streamsize>(datagram.size()));
  }
}

// A line for each datagram with the fields, separated by spaces; empty if there are none. `options`: for
// tshark.
inline std::vector<std::string> seen_by_tshark(const std::vector<std::vector<std::uint8_t>>& datagrams,
                                               const std::vector<std::string>& fields,
                                               const std::string& options = "") {
  const auto path =
      std::filesystem::temp_directory_path() / ("takt-wire-" + std::to_string(::getpid()) + ".pcap");
  write_capture(path, datagrams);
  std::string command = "tshark -r " + path.string() + " " + options + " -T fields -E separator=/s";
  for (const std::string& field : fields) command += " -e " + field;
  std::vector<std::string> lines;
  {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shown(
        ::popen((command + " 2>/dev/null").c_str(), "r"), ::pclose);
    char line[1000];
    while (shown && std::fgets(line, sizeof line, shown.get())) {
      lines.emplace_back(line);
      lines.back().pop_back();
    }
  }
  std::filesystem::remove(path);
  return lines;
}

}  // namespace takt::test
