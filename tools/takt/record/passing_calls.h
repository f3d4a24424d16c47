// Requests and replies among the messages that pass.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "record/parsed_message.h"
#include "recorder/recording_file.h"

namespace takt::command {

struct PassingCall {
  enum class Kind : std::uint8_t { request, reply, other };
  Kind kind = Kind::other;
  std::string operation;         // empty: not known
  std::uint32_t request_id = 0;  // only for requests and replies
  std::int64_t after_ns = -1;    // from the request to this reply; negative: not known
  bool expects_reply = false;    // only for requests
  bool is_whole = false;         // `parsed` has the body, too
  ParsedMessage parsed;          // the head, of requests and replies
};

// Finds the request of each reply. Remembers some thousands of requests that wait.
class PassingCalls {
 public:
  // `start_ns`: the start of the process whose messages follow. Those of another process are no replies to
  // requests before, although their connections have the same numbers.
  void follow_process(std::int64_t start_ns);
  // `message`: the next of them.
  PassingCall take(const recorder::ReadMessage& message);

 private:
  struct Waiting {
    std::string operation;
    std::int64_t time_ns;
  };
  // By connection, direction of the request, and id.
  using Key = std::pair<std::pair<std::uint32_t, recorder::Direction>, std::uint32_t>;

  void remember(const Key& key, const PassingCall& call, std::int64_t time_ns);

  std::map<Key, Waiting> waiting_;
  std::int64_t process_ = 0;
};

}  // namespace takt::command
