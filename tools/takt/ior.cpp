// takt ior: shows the contents of a reference, and whether its object answers.
#include <iostream>
#include <memory>

#include "command.h"
#include "ior/doctor.h"
#include "ior/reference.h"

namespace takt::command {
namespace {

struct IorSettings {
  std::string reference;
  bool as_json = false, doctor = false;
  double timeout_s = 5;
};

void run(const IorSettings& settings) {
  const auto reference = reference_from(settings.reference);
  if (!reference) fail(reference.error());
  Json json;
  bool answers = true;
  if (settings.doctor) {
    const auto timeout = std::chrono::duration<double>(settings.timeout_s);
    const Examination examination =
        examined(*reference, std::chrono::duration_cast<std::chrono::milliseconds>(timeout));
    json = {{"warnings", warnings_about(*reference)}};
    json.update(json_of(examination));
    answers = examination.answers;
  } else {
    json = description_of(*reference);
  }
  std::cout << (settings.as_json ? text_of(json) : page_of(json)) << std::flush;
  if (!answers) throw Answer{negative};
}

}  // namespace

void add_ior(const Command& program) {
  const auto settings = std::make_shared<IorSettings>();
  const Command ior =
      program.add_command("ior", "Shows the contents of an object reference; with --doctor, finds faults.");
  ior.add("reference", settings->reference,
          "IOR:, corbaloc:, corbaname: or file: reference, a file that holds one, or - for standard input")
      .required();
  ior.add_flag("--json", settings->as_json, "print JSON");
  ior.add_flag("--doctor", settings->doctor,
               "resolve, connect to and call each endpoint; exit with 1 if the object answers at none");
  ior.add("--timeout", settings->timeout_s, "seconds for each step of --doctor")
      .within(0.01, 3600.0)
      .show_default();
  ior.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
