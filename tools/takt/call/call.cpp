// takt call: calls any operation of any object, with JSON.
#include <iostream>
#include <iterator>
#include <memory>

#include "call/arguments.h"
#include "call/choose.h"
#include "call/phases.h"
#include "call/repeat.h"
#include "call/value_types.h"
#include "call/words.h"
#include "common/command.h"
#include "common/files.h"
#include "common/orb.h"
#include "ifr/described_by.h"
#include "ior/calls.h"
#include "ior/target.h"
#include "reference/object_ref.h"
#include "transport/connect_watch.h"
#include "types/catalogue.h"
#include "types/described.h"

namespace takt::command {
namespace {

struct CallSettings {
  std::string reference, operation, interface, repository, data, format = "json";
  std::vector<std::string> json_words, idl, include_folders, orb_options;
  std::uint64_t repeat = 0;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool oneway = false, verbose = false, as_json = false;
};

using Object = CORBA::object_reference<CORBA::Object>;

const cdr::Ior& ior_of(const Object& object) {
  if (!object->_ref()) fail("the reference has no IOR", negative);  // a local object
  return object->_ref()->ior();
}

std::string data_from(const std::string& given) {
  if (given == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  if (!given.starts_with('@')) return given;
  auto text = read_file(given.substr(1));
  if (!text) fail(cannot_be_read(given.substr(1)));
  return std::move(*text);
}

void show(const json::Json& json, const std::string& format) {
  if (format == "text" && json.is_null()) return;
  if (format == "text")
    std::cout << page_of(json.is_object() ? json : json::Json{{"result", json}}) << std::flush;
  else
    std::cout << text_of(json) << std::flush;
}

// One run of the command. Its phases in order: types (with IDL), resolve, connect, TLS (for such an address),
// locate (if phases are shown), types, arguments, call, reply.
class Call {
 public:
  Call(const CallSettings& settings, Phases& phases) : settings_(settings), phases_(phases) {}

  // The exit status.
  int run() {
    if (!settings_.idl.empty()) phases_.run("types", [&] { read_types(); });
    if (!settings_.data.empty()) phases_.run("data", [&] { read_data(); });
    phases_.run("resolve", [&] { resolve(); });
    phases_.run("connect", [&] { connect(); });
    if (settings_.verbose && is_connected_) phases_.run("locate", [&] { locate(); });
    const Operation& operation = phases_.run("types", [&]() -> const Operation& { return chosen(); });
    json::Values values(context());
    const auto request = object_->_request(operation.name);
    phases_.run("arguments", [&] {
      fill(*request, operation, arguments_from(operation, wanted_.arguments, data_), values);
    });
    const bool oneway = settings_.oneway || operation.is_oneway;
    if (settings_.repeat != 0) return run_repeatedly(*request, oneway);
    return run_once(*request, operation, oneway);
  }

 private:
  // Before the ORB, because the preprocessor is a child process.
  void read_types() {
    auto catalogue = catalogue_of_idl(settings_.idl, settings_.include_folders);
    if (!catalogue) {
      std::cerr << catalogue.error();
      fail("the IDL cannot be used");
    }
    catalogue_ = std::move(*catalogue);
  }

  // Before a server waits.
  void read_data() {
    data_ = data_from(settings_.data);
    if (data_.empty()) fail("the data are empty");
  }

  void resolve() {
    const std::string reference = reference_text(settings_.reference);
    orb_ = std::make_unique<ClientOrb>(settings_.deadline, settings_.orb_options);
    object_ = object_at(*orb_, reference);
  }

  void connect() {
    const transport::ConnectWatch watch([&](transport::ConnectError::Phase phase) {
      phases_.change(phase == transport::ConnectError::Phase::tls ? "TLS" : "connect");
    });
    std::vector<CORBA::object_reference<CORBA::Policy>> inconsistent;
    try {
      is_connected_ = object_->_validate_connection(inconsistent);
    } catch (const CORBA::NO_IMPLEMENT&) {  // NOLINT(bugprone-empty-catch): a group has no connection
    }
  }

  // Asks the object whether it exists, and follows forwards: the later phases then begin where it is.
  void locate() {
    if (object_->_non_existent())
      throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the server has no such object");
  }

  const Operation& chosen() {
    if (!settings_.repository.empty())
      catalogue_ =
          catalogue_in_repository(*orb_, settings_.repository, ior_of(object_).type_id, settings_.interface);
    else if (settings_.idl.empty())
      catalogue_ = catalogue_of_object(object_);
    know_values(*orb_->reference(), catalogue_);
    wanted_ = {settings_.operation, settings_.interface, settings_.json_words};
    const Operation& operation = choose(catalogue_, wanted_, ior_of(object_).type_id,
                                        [&](const std::string& id) { return object_->_is_a(id); });
    if (!settings_.repository.empty()) require_agreement(object_, catalogue_.interfaces.front(), operation);
    return operation;
  }

  json::Context context() {
    json::Context context;
    context.type_named = [this](const std::string& name) { return catalogue_.type_named(name); };
    context.resolve = [this](const std::string& text) -> std::expected<cdr::Ior, std::string> {
      try {
        const auto object = (*orb_)->string_to_object(text);
        return object ? ior_of(object) : cdr::Ior();
      } catch (const CORBA::Exception& failure) {
        return std::unexpected(text + ": " + failure.what());
      }
    };
    return context;
  }

  int run_once(CORBA::Request& request, const Operation& operation, bool oneway) {
    try {
      phases_.run("call", [&] { oneway ? request.send_oneway() : request.invoke(); });
    } catch (const CORBA::SystemException& failure) {
      fail_if_types_differ(failure, operation);
      throw;
    } catch (const CORBA::UnknownUserException& raised) {
      phases_.run("reply", [&] {
        json::Values values(context());
        show(json_of_exception(raised.exception(), values), settings_.format);
      });
      return user_exception;
    }
    if (oneway) return 0;
    phases_.run("reply", [&] {
      json::Values values(context());
      show(results_of(request, operation, values), settings_.format);
    });
    return 0;
  }

  // The exceptions of servers that have another form of the operation than the repository.
  void fail_if_types_differ(const CORBA::SystemException& failure, const Operation& operation) {
    const bool may_differ = dynamic_cast<const CORBA::BAD_OPERATION*>(&failure) ||
                            dynamic_cast<const CORBA::MARSHAL*>(&failure) ||
                            dynamic_cast<const CORBA::BAD_PARAM*>(&failure);
    if (settings_.repository.empty() || !may_differ) return;
    const std::string why = disagreement(object_, catalogue_.interfaces.front(), operation);
    if (!why.empty()) fail(std::string(failure.what()) + "; " + why, negative);
  }

  int run_repeatedly(CORBA::Request& request, bool oneway) {
    Repeated repeated = phases_.run("call", [&] { return repeat(request, settings_.repeat, oneway); });
    const bool failed = repeated.failures != 0;
    show(json_of(std::move(repeated)), settings_.format);
    return failed ? negative : 0;
  }

  const CallSettings& settings_;
  Phases& phases_;
  Catalogue catalogue_;
  Wanted wanted_;
  std::string data_;
  std::unique_ptr<ClientOrb> orb_;
  Object object_;
  bool is_connected_ = false;
};

void run(const CallSettings& settings) {
  Phases phases;
  const auto show_phases = [&] {
    if (settings.verbose) phases.print(std::cerr);
  };
  int status = 0;
  try {
    status = Call(settings, phases).run();
  } catch (const Failure& failure) {
    show_phases();
    fail(phases.present() + ": " + failure.text, failure.status);
  } catch (const json::Failure& failure) {
    show_phases();
    const bool is_input = phases.present() != "reply";
    fail(phases.present() + ": " + failure.what(), is_input ? unusable : negative);
  } catch (const CORBA::SystemException& failure) {
    show_phases();
    fail(phases.present() + ": " + text_with_advice(failure), negative);
  } catch (const CORBA::Exception& failure) {  // for example, a name that is not bound
    show_phases();
    fail(phases.present() + ": " + failure.what(), negative);
  }
  show_phases();
  if (status != 0) throw Answer{status};
}

}  // namespace

void add_call(const Command& program, std::vector<std::string> json_words) {
  const auto settings = std::make_shared<CallSettings>();
  settings->json_words = std::move(json_words);
  const Command call =
      program.add_command("call", "Calls an operation of any object, with arguments and results as JSON.");
  call.add("reference", settings->reference, "as for takt ior; or @FILE").required();
  call.add("operation", settings->operation,
           "its name; an attribute's name to read it, NAME=JSON to write it; the arguments follow, each a "
           "JSON value")
      .required();
  call.add("--idl", settings->idl,
           "IDL that declares the operation; a file that comes with Takt is found by its name; without IDL "
           "the server describes the object (-ORBReflection on)")
      .one_at_a_time();
  call.add("--repository", settings->repository,
           "reference of an interface repository that has the interface, instead of IDL");
  call.add("-I", settings->include_folders, "a folder for the IDL's includes").one_at_a_time();
  call.add("--interface", settings->interface,
           "the interface, if the reference does not tell and several have the operation");
  call.add("-d,--data", settings->data,
           "the arguments, as an array or as an object by name: JSON, @FILE, or - for standard input");
  call.add("--deadline", settings->deadline, "time for connecting, and for the reply", call_deadlines)
      .show_default();
  call.add_flag("--oneway", settings->oneway, "waits for no reply");
  call.add("--repeat", settings->repeat, "makes the call so often, and shows how long the calls took")
      .within(1, static_cast<int>(most_repeats));
  call.add_flag("-v,--verbose", settings->verbose, "each phase and its time, on standard error");
  call.add_flag("--json", settings->as_json, "the same as --format json");
  call.add("--format", settings->format, "of the results").one_of({"json", "text"}).show_default();
  take_orb_options(
      call, settings->orb_options, "-ORBTLSAuthorities authority.pem",
      "Exit status: 3 if the operation raised an exception of its own, which is on standard output "
      "as JSON.");
  call.on_chosen([settings] {
    if (settings->as_json) settings->format = "json";
    if (!settings->repository.empty() && !settings->idl.empty()) fail("give either --idl or --repository");
    if (settings->reference == "-" && settings->data == "-")
      fail("standard input has either the reference or the data");
    run(*settings);
  });
}

}  // namespace takt::command
