#include "os/net/resolver.h"

#include <netdb.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

#include "os/error_text.h"
#include "threads/thread.h"

namespace takt::os {
namespace {

using Answer = std::expected<AddressList, ResolveError>;

int nearest_errno(int code, int system_error) {
  switch (code) {
    case EAI_SYSTEM:
      return system_error;
    case EAI_AGAIN:
      return EAGAIN;
    case EAI_MEMORY:
      return ENOMEM;
    default:
      return ENOENT;
  }
}

ResolveError failed_lookup(const std::string& host, int error, const std::string& reason) {
  return {error, "looking up host '" + host + "' failed: " + reason};
}

}  // namespace

Answer Resolver::system_look_up(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &first);
  if (code != 0) {
    const int error = nearest_errno(code, errno);
    return std::unexpected(
        failed_lookup(host, error, code == EAI_SYSTEM ? error_text(error) : gai_strerror(code)));
  }
  AddressList addresses;
  for (const addrinfo* each = first; each != nullptr; each = each->ai_next) {
    const auto address = Address::from_system(each->ai_addr);
    if (address && std::ranges::find(addresses, *address) == addresses.end()) addresses.push_back(*address);
  }
  ::freeaddrinfo(first);
  if (addresses.empty()) return std::unexpected(failed_lookup(host, ENOENT, "it has no internet address"));
  return addresses;
}

struct Resolver::Shared {
  struct Lookup {
    std::optional<Answer> answer;  // guarded by mutex
  };
  const unsigned max_lookups;
  const LookUp look_up;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::shared_ptr<Lookup>, std::less<>> running;  // by host; guarded by mutex
};

Resolver::Resolver(unsigned max_lookups, LookUp look_up)
    : shared_(new Shared{std::max(1u, max_lookups), std::move(look_up), {}, {}, {}}) {}
Resolver::~Resolver() = default;

[[gnu::cold]] std::expected<AddressList, ResolveError> Resolver::resolve(std::string_view host,
                                                                         std::uint16_t port,
                                                                         TimePoint deadline) {
  if (const auto numeric = Address::parse(host, port)) return AddressList{*numeric};
  const std::string name(host);
  if (name.empty() || name.find('\0') != name.npos)
    return std::unexpected(failed_lookup(name, EINVAL, "that is not a host name"));

  const auto wait = [&](std::unique_lock<std::mutex>& lock, auto&& done) {
    if (deadline != no_deadline) return shared_->changed.wait_until(lock, deadline, done);
    shared_->changed.wait(lock, done);
    return true;
  };
  const auto too_late = [&] { return std::unexpected(failed_lookup(name, ETIMEDOUT, "no answer in time")); };

  std::unique_lock lock(shared_->mutex);
  const auto has_turn = [&] {
    return shared_->running.contains(name) || shared_->running.size() < shared_->max_lookups;
  };
  if (!wait(lock, has_turn)) return too_late();
  auto& entry = shared_->running[name];
  if (!entry) {
    entry = std::make_shared<Shared::Lookup>();
    auto body = [shared = shared_, lookup = entry, name] {
      Answer answer = shared->look_up(name);
      const std::lock_guard guard(shared->mutex);
      lookup->answer = std::move(answer);
      shared->running.erase(name);
      shared->changed.notify_all();
    };
    auto thread = Thread::start({.name = "takt-resolve"}, std::move(body));
    if (!thread) {
      shared_->running.erase(name);
      return std::unexpected(failed_lookup(name, thread.error(), "no thread: " + error_text(thread.error())));
    }
    thread->detach();
  }
  const auto lookup = entry;
  if (!wait(lock, [&] { return lookup->answer.has_value(); })) return too_late();
  Answer answer = *lookup->answer;
  if (answer)
    for (Address& address : *answer) address.set_port(port);
  return answer;
}

}  // namespace takt::os
