#include "events/shown_event.h"

#include <chrono>
#include <iostream>

#include "common/output.h"
#include "json/values.h"
#include "name/watch.h"

namespace takt::command {

bool is_reference(const std::string& text) {
  for (const char* start : {"IOR:", "corbaloc:", "corbaname:", "file:", "@"})
    if (text.starts_with(start)) return true;
  return false;
}

void print_event(const CORBA::Any& data) {
  CORBA::Any whole;
  whole <<= data;  // an Any in an Any is shown with its type
  json::Values values({});
  std::string text;
  try {
    Json shown = values.json_of(whole, "event");
    json::remove_needless_ids(shown);
    text = shown.dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const json::Failure& failure) {
    text = std::string("an event that cannot be shown: ") + failure.what();
  }
  std::cout << time_text(std::chrono::system_clock::now()) << ' ' << text << std::endl;
}

}  // namespace takt::command
