// Keeps the servers: carries out what the model says, and tells it what happens to processes.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "imr/model/server.h"
#include "imr/process/wake_up.h"
#include "imr/process/watched_process.h"
#include "imr/service/workers.h"
#include "imr/store/store.h"

namespace takt::imr {

struct ServerState {
  std::string name{};
  Mode mode{};
  std::uint32_t start_limit = 0;
  Phase phase{};
  std::vector<Process> processes{};
  Counts counts{};
  std::size_t waiting = 0;
  std::uint32_t in_a_row = 0;
  std::string last_failure{}, last_refusal{};
};

// Thread-safe. Without memory, operations throw std::bad_alloc, and what is to happen by itself is tried
// again. One thread starts and watches all processes, and writes their numbers to the store; workers ping.
// add(), change() and remove() wait for the disk. is_running() may wait for a ping, and waits until a later
// repository would find the process. If the store cannot be written, is_running() does not wait: the
// processes are written when that is possible again. It is large because all that changes a server's state is
// decided under one lock.
class Keeper {
 public:
  using Done = std::expected<void, std::string>;
  using Pinged = Server::Pinged;
  // Calls of the ORB; any thread, none throws.
  struct Calls {
    std::function<Pinged(const Place& place)> ping;
    std::function<bool(const std::string& reference)> exists;  // whether the object answers that it does
    std::function<void(const Place& place, const std::string& token)> shut_down;
    std::function<bool(const std::string& text)> is_reference;
    std::function<std::string(const std::string& server, const std::string& token, std::uint64_t start)>
        ticket;
  };
  // Called in the keeper's thread, or in that of is_running().
  using Report = std::function<void(const std::string& text)>;

  // Without a store, servers last as long as this object.
  Keeper(std::optional<Store> store, std::vector<StoredServer> servers, const Limits& limits, Calls calls,
         Report report);
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  ~Keeper();

  // Starts the thread, and the servers of mode automatic.
  void begin();
  // Refuses the requests that wait, and ends the threads. The servers keep running.
  void end();

  Done add(const Definition& definition);
  Done change(const Definition& definition);
  Done remove(const std::string& name);
  Done start(const std::string& name);
  Done stop(const std::string& name);

  std::vector<std::string> names() const;
  std::vector<ServerState> look() const;
  // At most `most` of the servers whose names come after this one, in the order of names.
  std::vector<ServerState> look_after(const std::string& name, std::size_t most) const;
  std::optional<ServerState> look(const std::string& name) const;
  std::optional<Definition> definition(const std::string& name) const;
  // Empty if there is no such server.
  std::string token(const std::string& name) const;
  bool has(const std::string& name, const std::string& token) const;

  // Refuses the caller at once if there is no such server.
  void request(const std::string& name, std::unique_ptr<Caller> caller);
  // `is_proven`: the system tells the number in `place`, so that the process may be watched and signalled.
  // A caller could name any other process.
  Done is_running(const std::string& name, std::uint64_t start, Place place, bool is_proven);
  // The same for a process that does not tell its start and its number: it is the one that was started and
  // has no place yet, or one that was not started here. Not for mode per_client. Anyone may call it, so only
  // one such call at a time waits for a ping; others are refused.
  Done is_running_somewhere(const std::string& name, Place place);
  void is_ending(const std::string& name, std::uint64_t start, std::int32_t pid);

 private:
  struct Kept {
    Kept(Definition definition, const Limits& limits, std::uint64_t first_start, std::string its_token)
        : server(std::move(definition), limits, first_start), token(std::move(its_token)) {}

    Server server;
    const std::string token;
    std::map<std::uint64_t, WatchedProcess> watched{};  // by start
    // By start, of processes that have written their reference: the time at which their object was asked for
    // the first time, and whether it is being asked.
    struct Asked {
      Time since;
      bool now;
    };
    std::map<std::uint64_t, Asked> asked{};
    bool changed = false;  // the store has other processes
  };
  using Servers = std::map<std::string, Kept, std::less<>>;
  struct Spawn {
    std::string name;
    std::uint64_t start;
    Definition definition;
    std::string token;
  };

  static void adopt(Kept& kept, const StoredProcess& stored, Time now);
  // Does what needs the lock.
  static void settle(Kept& kept, Actions& actions);
  // Does the rest, without the lock.
  void carry_out(const std::string& name, const Actions& actions);
  // The starts of processes whose only client has gone.
  std::vector<std::uint64_t> begin_all(const std::string& name, const Actions& actions);
  template <class Event>
  Done with(const std::string& name, const Event& event);
  void ping(const std::string& name, const Actions::Ping& ping);
  void ping_later(const std::string& name, std::uint64_t start);
  std::string reference_in_file(const std::string& name) const;
  void find_reference(const std::string& name);
  Done require_removable(const std::string& name) const;
  Done take_place(const std::string& name, std::uint64_t start, Place place, bool is_proven,
                  const std::function<std::optional<Pinged>(const Place&)>& ask);

  void run();
  void do_what_is_due();
  void spawn_all();
  void spawn(const Spawn& wanted);
  void tick_all();
  void look_for_references();
  bool begin_to_ask(const std::string& name, std::uint64_t start);
  void end_to_ask(const std::string& name, std::uint64_t start);
  void ask(const std::string& name, std::uint64_t start, const Place& place);
  // That are to be written now.
  bool has_changes() const;
  // Returns when all changes until now are in the store. Those that cannot be written stay changes.
  void write_all();
  void wait();
  Time next() const;
  void note_ends(const std::vector<int>& ended);
  void note_end(int descriptor);

  const Limits limits_;
  const Calls calls_;
  const Report report_;
  const std::uint64_t next_starts_;
  std::mutex store_mutex_;  // locked before the other
  std::optional<Store> store_;
  bool store_failed_ = false;      // guarded by store_mutex_
  std::mutex asks_for_strangers_;  // held for a ping
  mutable std::mutex mutex_;
  Servers servers_;
  Time next_write_{};                      // not before, because the store could not be written
  std::vector<WatchedProcess> departing_;  // processes that had just started when their server was removed
  bool ending_ = false;
  const WakeUp wake_up_;
  Workers workers_;
  std::thread thread_;
};

}  // namespace takt::imr
