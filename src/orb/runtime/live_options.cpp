#include "orb/runtime/live_options.h"

#include <takt/cdr/exception.h>

#include "config/option_values.h"
#include "orb/runtime/effects.h"

namespace takt::orb {

namespace {

[[noreturn]] void refuse(const std::string& text) { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, text); }

const Option& option_of(std::string_view name) {
  if (const Option* option = find_option(name)) return *option;
  refuse("there is no option '" + std::string(name.substr(0, 100)) + "', " + advice_on_option(name, ""));
}

// `adds`: whether the request is to add an item.
void require_changeable(const Option& option, bool adds) {
  const std::string name(option.name);
  const auto refuse_now = [](const std::string& why) {
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, why);
  };
  if (option.live.how == Live::How::fixed)
    refuse_now(name + " cannot be changed while the ORB runs: " + std::string(option.live.text) +
               "; give it to another ORB, or start this one again");
  const bool only_adds = option.live.how == Live::How::add;
  if (only_adds && !adds)
    refuse_now(name + " cannot be set while the ORB runs, since what it has is in use; add() takes more");
  if (!only_adds && adds) refuse(name + " is set as a whole: use set()");
}

void require_fitting(const Settings& settings) {
  for (const Option& option : options())
    for (const Conflict& conflict : option.conflicts)
      if (conflict.is_there(settings))
        refuse(std::string(option.name) + " conflicts with " + std::string(conflict.other) + ": " +
               std::string(conflict.why) + "; " + std::string(conflict.instead));
}

void require_taken(const Option& option, std::string_view text,
                   const std::expected<void, std::string>& done) {
  if (!done) refuse(not_valid(option.name, text, done.error()));
}

}  // namespace

std::vector<std::string> LiveOptions::get(std::string_view option) const {
  const Option& found = option_of(option);
  std::lock_guard lock(mutex_);
  return texts_of(found, effective_.settings);
}

std::string LiveOptions::origin(std::string_view option) const {
  const Option& found = option_of(option);
  std::lock_guard lock(mutex_);
  return effective_.origin_of(found);
}

void LiveOptions::set(Runtime& runtime, std::string_view option, std::string_view value) {
  change(runtime, option, value, false);
}

void LiveOptions::add(Runtime& runtime, std::string_view option, std::string_view item) {
  change(runtime, option, item, true);
}

void LiveOptions::change(Runtime& runtime, std::string_view option, std::string_view text, bool adds) {
  const Option& found = option_of(option);
  require_changeable(found, adds);
  std::lock_guard lock(mutex_);
  Settings changed = effective_.settings;
  if (!adds) clear_list(found, changed);
  require_taken(found, text, adds ? add_item(found, text, changed) : set_option(found, text, changed));
  take(runtime, found, std::move(changed));
}

void LiveOptions::take(Runtime& runtime, const Option& option, Settings changed) {
  require_fitting(changed);
  take_effect(runtime, option, changed);
  effective_.settings = std::move(changed);
  effective_.origin_of(option) = "Configuration";
}

}  // namespace takt::orb
