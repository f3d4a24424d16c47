// A server as its owner defines it, before any process of it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::imr {

enum class Mode : std::uint8_t { normal, manual, per_client, automatic };

// As Takt::Activation::Definition in idl/Takt_Activation.idl.
struct Definition {
  std::string name;
  std::vector<std::string> command{};
  std::string directory{};
  std::vector<std::string> environment{};
  Mode mode = Mode::normal;
  std::uint32_t start_limit = 5;
  std::chrono::milliseconds longest_start{10'000};
  std::chrono::milliseconds longest_stop{10'000};
  std::chrono::milliseconds first_pause{100};
  std::chrono::milliseconds longest_pause{60'000};
  std::uint32_t most_processes = 16;
  std::string reference_file{};
  std::string output_file{};

  friend bool operator==(const Definition&, const Definition&) = default;
};

// Limits of the repository.
struct Limits {
  std::uint32_t servers = 10'000;
  std::uint32_t waiting = 100'000;  // requests that wait for one server
  std::uint32_t definition_bytes = 65'536;
  // A server that has run for this time begins with the first pause again.
  std::chrono::milliseconds settled{10'000};
  std::chrono::milliseconds ping_timeout{1'000};
  // Time after which a process elsewhere that cannot be connected to has lost its place.
  std::chrono::milliseconds unreachable{3'000};
};

// The key of the repository's object for servers of TAO and JacORB. No server can be added with that name,
// but the store of an earlier version may have one.
inline constexpr std::string_view foreign_key = "ImplRepoService";

// The reason why no server can have the definition.
std::expected<void, std::string> validate(const Definition& definition, const Limits& limits);

}  // namespace takt::imr
