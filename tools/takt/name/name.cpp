// takt name: looks into a naming service and changes its bindings.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <thread>

#include <takt/corba.h>

#include "common/command.h"
#include "common/orb.h"
#include "ior/reference.h"
#include "name/client.h"
#include "name/directory.h"
#include "name/liveness.h"
#include "name/watch.h"
#include "naming/model/names.h"

namespace takt::command {
namespace {

using CosNaming::NamingContext;

struct Settings : NameSettings {
  std::string name, reference;
  bool live = false, parents = false, as_context = false;
  std::uint64_t parallel = 32, depth = 64, rounds = 0;
  std::chrono::nanoseconds interval = std::chrono::seconds(2);
};

NameClient::ContextRef context_at(const NameClient& client, const CosNaming::Name& name) {
  if (name.empty()) return client.root();
  return IDL::traits<NamingContext>::unchecked_narrow(client.root()->resolve(name));
}

std::vector<Liveness> liveness_of(const std::vector<Entry>& entries, const Settings& settings) {
  if (!settings.live) return {};
  std::vector<CORBA::object_reference<CORBA::Object>> objects;
  for (const Entry& entry : entries) objects.push_back(entry.object);
  return asked(objects, settings.parallel);
}

Json entry_json(const Entry& entry, const Liveness* liveness) {
  Json json = {{"name", naming::text_of(entry.name)}, {"type", entry.is_context ? "context" : "object"}};
  if (!entry.reference.empty()) json["reference"] = entry.reference;
  if (!entry.fault.empty()) json["fault"] = entry.fault;
  if (liveness) json["live"] = json_of(*liveness);
  return json;
}

// A tree shows only the last component, indented.
std::string line_of(const Entry& entry, const Liveness* liveness, bool as_tree) {
  std::string line = as_tree ? std::string(2 * (entry.name.size() - 1), ' ') + shown({entry.name.back()})
                             : shown(entry.name);
  if (entry.is_context) line += '/';
  if (liveness) line += "  [" + shown(*liveness) + "]";
  if (!entry.fault.empty()) line += "  (" + entry.fault + ")";
  return line;
}

// Whether every object that was asked answers.
bool show(const std::vector<Entry>& entries, const Settings& settings, bool as_tree) {
  const std::vector<Liveness> answers = liveness_of(entries, settings);
  const auto answer = [&](std::size_t i) { return answers.empty() ? nullptr : &answers[i]; };
  Json list = Json::array();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (settings.as_json)
      list.push_back(entry_json(entries[i], answer(i)));
    else
      std::cout << line_of(entries[i], answer(i), as_tree) << '\n';
  if (settings.as_json) std::cout << text_of({{"bindings", list}});
  std::cout << std::flush;
  return std::ranges::all_of(answers, &Liveness::answers);
}

void expect_all(const Directory& directory) {
  if (directory.cut())
    fail("the naming service has more bindings than this command lists; list its contexts one by one",
         negative);
}

void list(const NameClient& client, const Settings& settings) {
  Directory directory(client.orb(), {});
  const auto context = context_at(client, name_from(settings.name));
  const bool all_answer = show(directory.list(context, settings.live || settings.as_json), settings, false);
  expect_all(directory);
  if (!all_answer) throw Answer{negative};
}

void tree(const NameClient& client, const Settings& settings) {
  Directory directory(client.orb(), {.depth = settings.depth});
  const bool all_answer = show(directory.tree(context_at(client, name_from(settings.name))), settings, true);
  expect_all(directory);
  if (!all_answer) throw Answer{negative};
}

void resolve(const NameClient& client, const Settings& settings) {
  const CosNaming::Name name = name_from(settings.name);
  Entry entry{.name = name};
  entry.object =
      name.empty() ? CORBA::object_reference<CORBA::Object>(client.root()) : client.root()->resolve(name);
  entry.reference = client.orb().object_to_string(entry.object);
  const auto answers = liveness_of({entry}, settings);
  if (settings.as_json) {
    Json json = {{"name", naming::text_of(name)}, {"reference", entry.reference}};
    if (!answers.empty()) json["live"] = json_of(answers.front());
    std::cout << text_of(json) << std::flush;
  } else {
    std::cout << entry.reference << '\n';
    if (!answers.empty()) std::cout << shown(answers.front()) << '\n';
    std::cout << std::flush;
  }
  if (!answers.empty() && !answers.front().answers) throw Answer{negative};
}

CosNaming::Name binding_name(const Settings& settings) {
  CosNaming::Name name = name_from(settings.name);
  if (name.empty()) fail("the name is empty: it denotes the root context, which cannot be bound");
  return name;
}

// Makes a binding. Fails with the missing context if there is one before the last component of the name.
template <class Bind>
void bind_in_context(const CosNaming::Name& name, const Bind& make_binding) {
  try {
    make_binding();
  } catch (const NamingContext::NotFound& failure) {
    const std::size_t rest = failure.rest_of_name().size();
    if (failure.why() != NamingContext::NotFoundReason::missing_node || rest < 2 || rest > name.size()) throw;
    const auto context = [&](std::size_t length) {
      return shown({name.begin(), name.begin() + static_cast<std::ptrdiff_t>(length)});
    };
    fail("there is no context '" + context(name.size() - rest + 1) + "'; takt name mkdir --parents '" +
             context(name.size() - 1) + "' makes it",
         negative);
  }
}

void bind(const NameClient& client, const Settings& settings, bool replacing) {
  const CosNaming::Name name = binding_name(settings);
  const auto read = reference_from(settings.reference);
  if (!read) fail(read.error());
  const auto object = client.orb().string_to_object(read->text);
  if (!object) fail("a nil reference cannot be bound");
  if (!settings.as_context) {
    bind_in_context(
        name, [&] { replacing ? client.root()->rebind(name, object) : client.root()->bind(name, object); });
    return;
  }
  const auto context = IDL::traits<NamingContext>::unchecked_narrow(object);
  bind_in_context(name, [&] {
    replacing ? client.root()->rebind_context(name, context) : client.root()->bind_context(name, context);
  });
}

void unbind(const NameClient& client, const Settings& settings) {
  client.root()->unbind(binding_name(settings));
}

// With --parents, contexts that exist already are kept.
void make(const NameClient& client, const Settings& settings) {
  const CosNaming::Name name = binding_name(settings);
  for (std::size_t count = settings.parents ? 1 : name.size(); count <= name.size(); ++count) try {
      const CosNaming::Name made(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(count));
      bind_in_context(made, [&] { client.root()->bind_new_context(made); });
    } catch (const NamingContext::AlreadyBound&) {
      if (!settings.parents) throw;
    }
}

volatile std::sig_atomic_t watch_ended = 0;
void end_watch(int signal) {
  watch_ended = 1;
  std::signal(signal, SIG_DFL);
}

void show(const Watch::Event& event, bool as_json) {
  const bool has_since = event.since != Watch::Time{};
  if (as_json) {
    Json json = {{"when", time_text(event.when)}, {"what", event.what}};
    if (!event.name.empty()) json["name"] = event.name;
    if (has_since) json["since"] = time_text(event.since);
    if (!event.why.empty()) json["why"] = event.why;
    std::cout << json.dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
    return;
  }
  std::cout << time_text(event.when) << ' ' << event.what << ' '
            << (event.name.empty() ? "the naming service" : event.name);
  if (event.what == "answers") std::cout << " again, silent since " << time_text(event.since);
  if (!event.why.empty()) std::cout << ": " << event.why;
  std::cout << std::endl;
}

// Whether the naming service answers.
class ServiceWatch {
 public:
  explicit ServiceWatch(bool as_json) : as_json_(as_json) {}
  void answers() {
    if (silent_since_ == Watch::Time{}) return;
    show({.what = "answers", .when = Clock::now(), .since = silent_since_}, as_json_);
    silent_since_ = {};
  }
  void is_silent(const CORBA::SystemException& failure) {
    if (silent_since_ != Watch::Time{}) return;
    silent_since_ = Clock::now();
    show({.what = "silent", .when = silent_since_, .since = silent_since_, .why = failure.what()}, as_json_);
  }

 private:
  using Clock = std::chrono::system_clock;
  const bool as_json_;
  Watch::Time silent_since_{};
};

// A service that does not answer at first is a failure; one that stops answering later is waited for.
void watch(const NameClient& client, const Settings& settings) {
  std::signal(SIGINT, end_watch);
  Watch watch;
  ServiceWatch service(settings.as_json);
  for (std::uint64_t round = 0; !watch_ended && (settings.rounds == 0 || round < settings.rounds); ++round) {
    const auto next = std::chrono::steady_clock::now() + settings.interval;
    try {
      Directory directory(client.orb(), {.depth = settings.depth});
      const auto entries = directory.tree(context_at(client, name_from(settings.name)));
      expect_all(directory);
      service.answers();
      for (const Watch::Event& each :
           watch.compared(entries, liveness_of(entries, settings), std::chrono::system_clock::now()))
        show(each, settings.as_json);
    } catch (const CORBA::SystemException& failure) {
      if (round == 0) throw;
      service.is_silent(failure);
    }
    while (!watch_ended && round + 1 != settings.rounds && std::chrono::steady_clock::now() < next)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

using Action = void (*)(const NameClient&, const Settings&);

class Commands {
 public:
  explicit Commands(const Command& name) : name_(name) {}

  // Adds a subcommand with the common options. The caller adds further options for the settings.
  // `prints`: it shows something, so it takes --json.
  std::pair<Command, std::shared_ptr<Settings>> add(const std::string& name, const std::string& meaning,
                                                    bool needs_name, Action action, bool prints = true) {
    const auto settings = std::make_shared<Settings>();
    const Command command = name_.add_command(name, meaning);
    const auto option =
        command.add("name", settings->name,
                    needs_name ? "such as a/b.kind/c; write \\/, \\. and \\\\ for these characters in a name"
                               : "the context, such as a/b.kind; by default the root");
    if (needs_name) option.required();
    command.add("--service", settings->service,
                "the root context: IOR:, corbaloc:, corbaname: or a file; by default the initial reference "
                "NameService or, if there is none, port 2809 of this machine");
    command.add("--timeout", settings->timeout, "time to wait for a connection, and for a reply", call_times)
        .show_default();
    if (prints) command.add_flag("--json", settings->as_json, "print JSON");
    take_orb_options(command, settings->orb_options,
                     "-ORBInitRef NameService=corbaloc::host:2809/NameService");
    command.on_chosen([settings, action] {
      const NameClient client(*settings);
      try {
        action(client, *settings);
      } catch (const CORBA::Exception& failure) {
        fail_with(failure);
      }
    });
    return {command, settings};
  }

 private:
  const Command& name_;
};

void add_live(const Command& command, Settings& settings) {
  command.add_flag("--live", settings.live,
                   "ask each object whether it exists; exit with 1 if one does not answer");
  command.add("--parallel", settings.parallel, "number of objects asked at the same time").show_default();
}

}  // namespace

void add_name(const Command& program) {
  const Command name = program.add_command("name", "Lists and changes the bindings of a naming service.");
  name.require_command();
  Commands commands(name);
  {
    const auto [command, settings] = commands.add("list", "Lists a context.", false, list);
    add_live(command, *settings);
  }
  {
    const auto [command, settings] =
        commands.add("tree", "Lists a context and the contexts in it.", false, tree);
    add_live(command, *settings);
    command.add("--depth", settings->depth, "how deep").show_default();
  }
  {
    const auto [command, settings] =
        commands.add("resolve", "Prints the reference bound to a name.", true, resolve);
    add_live(command, *settings);
  }
  for (const bool replacing : {false, true}) {
    const auto [command, settings] =
        replacing
            ? commands.add(
                  "rebind", "Binds a name, and replaces an existing binding.", true,
                  [](const NameClient& client, const Settings& all) { bind(client, all, true); }, false)
            : commands.add(
                  "bind", "Binds a name that is not bound yet.", true,
                  [](const NameClient& client, const Settings& all) { bind(client, all, false); }, false);
    command.add("reference", settings->reference, "a reference or a file, as for takt ior").required();
    command.add_flag("--context", settings->as_context,
                     "bind it as a context, through which names are resolved");
  }
  commands.add("unbind", "Unbinds a name. A context that was bound to it is not destroyed.", true, unbind,
               false);
  {
    const auto [command, settings] =
        commands.add("mkdir", "Creates a context and binds it.", true, make, false);
    command.add_flag("-p,--parents", settings->parents, "also create missing contexts on the path");
  }
  {
    const auto [command, settings] = commands.add(
        "watch", "Reports changes in a context and the contexts in it, until Ctrl-C.", false, watch);
    add_live(command, *settings);
    command
        .add("--interval", settings->interval, "time between two rounds",
             {std::chrono::milliseconds(10), longest_interval})
        .show_default();
    command.add("--depth", settings->depth, "how deep").show_default();
    command.add("--rounds", settings->rounds, "number of rounds; 0: until Ctrl-C").show_default();
  }
}

}  // namespace takt::command
