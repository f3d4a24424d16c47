#include "imr/process/local_listener.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

namespace takt::imr {
namespace {

// An address of IPv4 is one of IPv6, ::ffff:a.b.c.d.
using Address = std::array<std::uint8_t, 16>;

struct Wanted {
  std::optional<Address> address;  // nullopt: any of this machine's
  std::uint16_t port = 0;
};

Address mapped(const void* ipv4) {
  Address result{};
  result[10] = result[11] = 0xff;
  std::memcpy(&result[12], ipv4, 4);
  return result;
}

bool is_any(const Address& address) {
  static constexpr std::array<std::uint8_t, 4> zero{};
  return address == Address{} || address == mapped(zero.data());
}

std::optional<Address> address_in(const std::string& host) {
  Address result{};
  std::array<std::uint8_t, 4> ipv4{};
  if (inet_pton(AF_INET, host.c_str(), ipv4.data()) == 1) return mapped(ipv4.data());
  if (inet_pton(AF_INET6, host.c_str(), result.data()) == 1) return result;
  return std::nullopt;
}

bool is_own_name(const std::string& host) {
  std::array<char, 256> name{};
  if (strcasecmp(host.c_str(), "localhost") == 0) return true;
  return gethostname(name.data(), name.size() - 1) == 0 && strcasecmp(host.c_str(), name.data()) == 0;
}

bool is_of_this_machine(const Address& address) {
  if (address[12] == 127 && address[10] == 0xff) return true;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, &freeifaddrs);
  for (const ifaddrs* one = first; one; one = one->ifa_next) {
    if (!one->ifa_addr) continue;
    Address own{};
    if (one->ifa_addr->sa_family == AF_INET)
      own = mapped(&reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr);
    else if (one->ifa_addr->sa_family == AF_INET6)
      std::memcpy(own.data(), &reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr, own.size());
    else
      continue;
    if (own == address) return true;
  }
  return false;
}

std::optional<Wanted> wanted_in(const std::string& address) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  Wanted wanted;
  const char* const end = address.data() + address.size();
  const auto [stop, failed] = std::from_chars(address.data() + colon + 1, end, wanted.port);
  if (failed != std::errc() || stop != end || wanted.port == 0) return std::nullopt;
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (is_own_name(host)) return wanted;
  wanted.address = address_in(host);
  if (!wanted.address || !is_of_this_machine(*wanted.address)) return std::nullopt;
  return wanted;
}

// The kernel writes each four octets of an address as a number in the machine's byte order.
std::optional<Address> address_in_table(std::string_view text) {
  Address octets{};
  if (text.size() != 8 && text.size() != 32) return std::nullopt;
  for (std::size_t i = 0; i < text.size() / 8; ++i) {
    std::uint32_t word = 0;
    const char* const begin = text.data() + 8 * i;
    if (std::from_chars(begin, begin + 8, word, 16).ptr != begin + 8) return std::nullopt;
    std::memcpy(&octets[4 * i], &word, sizeof word);
  }
  return text.size() == 8 ? mapped(octets.data()) : octets;
}

struct Listeners {
  bool some = false, others = false;
};

void look_in(const char* path, const Wanted& wanted, uid_t user, Listeners& found) {
  constexpr std::string_view listening = "0A";
  std::ifstream table(path);
  std::string line;
  std::getline(table, line);  // the heads of columns
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::string number, local, remote, state, queues, timer, retries;
    uid_t owner = 0;
    words >> number >> local >> remote >> state >> queues >> timer >> retries >> owner;
    const auto colon = local.find(':');
    if (!words || state != listening || colon == std::string::npos) continue;
    std::uint16_t port = 0;
    std::from_chars(local.data() + colon + 1, local.data() + local.size(), port, 16);
    const auto address = address_in_table(std::string_view(local).substr(0, colon));
    if (port != wanted.port || !address) continue;
    if (wanted.address && *address != *wanted.address && !is_any(*address)) continue;
    found.some = true;
    found.others |= owner != user && owner != 0;
  }
}

}  // namespace

bool is_listener_of(const std::string& address, uid_t user) {
  const auto wanted = wanted_in(address);
  if (!wanted) return false;
  Listeners found;
  for (const char* const path : {"/proc/net/tcp", "/proc/net/tcp6"}) look_in(path, *wanted, user, found);
  return found.some && !found.others;
}

bool is_same_listener(const std::string& address, const std::string& own) {
  const auto port_of = [](const std::string& text) {
    return text.substr(std::min(text.rfind(':'), text.size()));
  };
  if (own.empty() || port_of(address) != port_of(own)) return false;
  return address == own || wanted_in(address).has_value();
}

}  // namespace takt::imr
