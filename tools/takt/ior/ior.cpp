// takt ior: shows the contents of a reference, and whether its object answers.
#include <iostream>
#include <memory>
#include <sstream>

#include "colours.h"
#include "common/command.h"
#include "common/orb.h"
#include "ior/doctor.h"
#include "ior/reference.h"

namespace takt::command {
namespace {

struct IorSettings {
  std::string reference;
  bool as_json = false, doctor = false;
  std::chrono::nanoseconds timeout = std::chrono::seconds(5);
  std::vector<std::string> orb_options;
};

// In a terminal, what works is green, and what does not is red.
std::string painted_page(const std::string& page) {
  using namespace command_line;
  if (!shows_colours(1)) return page;
  std::string result;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = std::min(line.find_first_not_of(" -"), line.size());
    const std::string_view text = std::string_view(line).substr(begin);
    const bool is_bad = text == "ok: no" || text == "answers: no" || text.starts_with("failure: ");
    const bool is_good = text == "ok: yes" || text == "answers: yes";
    result +=
        line.substr(0, begin) + painted(text, is_bad ? Colour::red : Colour::green, is_bad || is_good) + "\n";
  }
  return result;
}

void run(const IorSettings& settings) {
  if (!settings.doctor && !settings.orb_options.empty())
    fail("options of the ORB, such as " + settings.orb_options.front() +
         ", need --doctor: without it, no ORB is made");
  const auto reference = reference_from(settings.reference);
  if (!reference) fail(reference.error());
  Json json;
  bool answers = true;
  if (settings.doctor) {
    const Examination examination = examined(*reference, settings.timeout, settings.orb_options);
    json = json_of(examination);
    answers = examination.answers;
  } else {
    json = description_of(*reference);
  }
  std::cout << (settings.as_json ? text_of(json) : painted_page(page_of(json))) << std::flush;
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
  ior.add("--timeout", settings->timeout, "time for each step of --doctor", call_times).show_default();
  take_orb_options(ior, settings->orb_options, "-ORBTLSAuthorities authority.pem", "They need --doctor.");
  ior.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
