// The messages of a recording, for people and programs.
#pragma once

#include <string>

#include "common/output.h"
#include "recorder/recording_file.h"

namespace takt::command {

// The text of the message's head; it may have any octets.
std::string head_in_words(const recorder::ReadMessage& message);
// "received" or "sent".
const char* direction_in_words(recorder::Direction direction);

// A line for each message.
std::string in_words(const recorder::Recording& recording);
Json as_json(const recorder::Recording& recording);
// Says which messages are missing; empty if none are.
std::string missing_in_words(const recorder::Recording& recording);

}  // namespace takt::command
