// Events of channels as lines of text.
#pragma once

#include <string>

#include <takt/corba.h>

namespace takt::command {

// Whether the text is a reference in a form that `takt ior` takes, rather than a channel's name.
bool is_reference(const std::string& text);
// Prints the time and the event as JSON of its type and value.
void print_event(const CORBA::Any& data);

}  // namespace takt::command
