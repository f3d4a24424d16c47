#include "orb/wiring/open_log.h"

#include <utility>

#include <takt/cdr/exception.h>

#include "os/error_text.h"

namespace takt::orb {

const Settings& with_open_log(const Settings& settings) {
  const std::string& file = settings.runtime.log_file;
  auto output = os::LogOutput::open(file);
  if (!output)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "option -ORBLogFile: '" + file.substr(0, 200) +
                                "' cannot be opened: " + os::error_text(output.error()) +
                                "; it takes stderr, journal, or the path of a file in a folder that exists");
  settings.log->begin(std::move(*output), settings.runtime.log_format);
  return settings;
}

}  // namespace takt::orb
