#include "os/net/resolver.h"

#include <netdb.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "os/error_text.h"
#include "os/poll/interruption.h"
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
    std::optional<Answer> answer;
    unsigned callers = 0;  // that wait; 0: it is abandoned
  };
  struct Kept {
    AddressList addresses;
    TimePoint found;
  };
  using Lock = std::unique_lock<std::mutex>;

  // These need the mutex.
  bool has_turn(const std::string& host) const;
  bool wait(Lock& lock, TimePoint deadline, const std::function<bool()>& done);
  const AddressList* kept_addresses(const std::string& host) const;  // null: they are old, or there are none
  void keep(const std::string& host, const Answer& answer) noexcept;
  // Or an errno value.
  static std::expected<std::shared_ptr<Lookup>, int> start(const std::shared_ptr<Shared>& shared,
                                                           const std::string& host);

  const unsigned max_lookups, max_abandoned;
  const LookUp look_up;
  std::mutex mutex;
  std::condition_variable changed;
  // By host; guarded by the mutex:
  std::map<std::string, std::shared_ptr<Lookup>, std::less<>> running;
  std::map<std::string, Kept, std::less<>> kept;
};

bool Resolver::Shared::has_turn(const std::string& host) const {
  if (running.contains(host)) return true;
  const auto awaited =
      std::ranges::count_if(running, [](const auto& each) { return each.second->callers > 0; });
  return awaited < max_lookups && running.size() < std::size_t{max_lookups} + max_abandoned;
}

bool Resolver::Shared::wait(Lock& lock, TimePoint deadline, const std::function<bool()>& done) {
  while (!done()) {
    const TimePoint until = Interruption::next_look(deadline);
    if (until == no_deadline)
      changed.wait(lock);
    else if (changed.wait_until(lock, until) == std::cv_status::timeout &&
             (until == deadline || Interruption::is_due()))
      return done();
  }
  return true;
}

const AddressList* Resolver::Shared::kept_addresses(const std::string& host) const {
  const auto found = kept.find(host);
  const bool is_new = found != kept.end() && Clock::now() - found->second.found < kept_for;
  return is_new ? &found->second.addresses : nullptr;
}

void Resolver::Shared::keep(const std::string& host, const Answer& answer) noexcept try {
  if (!answer) return;
  if (kept.size() >= max_kept && !kept.contains(host))
    kept.erase(std::ranges::min_element(kept, {}, [](const auto& each) { return each.second.found; }));
  kept.insert_or_assign(host, Kept{*answer, Clock::now()});
} catch (const std::bad_alloc&) {  // it is looked up again next time
}

std::expected<std::shared_ptr<Resolver::Shared::Lookup>, int> Resolver::Shared::start(
    const std::shared_ptr<Shared>& shared, const std::string& host) {
  const auto lookup = std::make_shared<Lookup>();
  auto body = [shared, lookup, host] {
    Answer answer = std::unexpected(ResolveError{ENOMEM, {}});
    try {
      answer = shared->look_up(host);
    } catch (const std::exception& failure) {
      answer.error().text = failure.what();
    }
    const std::lock_guard guard(shared->mutex);
    shared->running.erase(host);
    shared->changed.notify_all();
    lookup->answer = std::move(answer);
    shared->keep(host, *lookup->answer);
  };
  shared->running.emplace(host, lookup);
  auto thread = Thread::start({.name = "takt-resolve"}, std::move(body));
  if (!thread) {
    shared->running.erase(host);
    return std::unexpected(thread.error());
  }
  thread->detach();
  return lookup;
}

Resolver::Resolver(unsigned max_lookups, LookUp look_up, unsigned max_abandoned)
    : shared_(new Shared{std::max(1u, max_lookups), max_abandoned, std::move(look_up), {}, {}, {}, {}}) {}
Resolver::~Resolver() = default;

[[gnu::cold]] std::expected<AddressList, ResolveError> Resolver::resolve(std::string_view host,
                                                                         std::uint16_t port,
                                                                         TimePoint deadline) {
  if (const auto numeric = Address::parse(host, port)) return AddressList{*numeric};
  const std::string name(host);
  if (name.empty() || name.find('\0') != name.npos)
    return std::unexpected(failed_lookup(name, EINVAL, "that is not a host name"));
  if (const auto percent = name.find('%');
      percent != name.npos && Address::parse(host.substr(0, percent), port))
    return std::unexpected(failed_lookup(name, ENODEV, "this machine has no interface of that name"));
  Answer answer = looked_up(name, deadline);
  if (answer)
    for (Address& address : *answer) address.set_port(port);
  return answer;
}

Answer Resolver::looked_up(const std::string& host, TimePoint deadline) {
  Shared& shared = *shared_;
  Shared::Lock lock(shared.mutex);
  if (!shared.has_turn(host)) {
    if (const AddressList* kept = shared.kept_addresses(host)) return *kept;
    if (!shared.wait(lock, deadline, [&] { return shared.has_turn(host); }))
      return std::unexpected(failed_lookup(host, ETIMEDOUT,
                                           "no answer in time: it was not begun, since the look-ups of " +
                                               std::to_string(shared.running.size()) +
                                               " other hosts are not answered"));
  }
  const auto running = shared.running.find(host);
  const auto begun = running != shared.running.end() ? running->second : Shared::start(shared_, host);
  if (!begun) {
    if (const AddressList* kept = shared.kept_addresses(host)) return *kept;
    return std::unexpected(failed_lookup(host, begun.error(), "no thread: " + error_text(begun.error())));
  }
  const auto& lookup = *begun;
  ++lookup->callers;
  const bool is_answered = shared.wait(lock, deadline, [&] { return lookup->answer.has_value(); });
  --lookup->callers;
  if (is_answered) return *lookup->answer;
  shared.changed.notify_all();  // it may be abandoned now, which leaves a turn to another host
  return std::unexpected(failed_lookup(host, ETIMEDOUT, "no answer in time"));
}

}  // namespace takt::os
