// takt stream: devices for streams of audio and video, and what their flows carry.
#include "stream/commands.h"

namespace takt::command {

void add_stream(const Command& program) {
  const Command stream =
      program.add_command("stream", "Sends and receives streams of generated video, and shows flows.");
  stream.require_command();
  add_stream_list(stream);
  add_stream_receive(stream);
  add_stream_send(stream);
  add_stream_watch(stream);
}

}  // namespace takt::command
