// Recordings with any contents.
#include "input.h"
#include "recorder/recording_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::recorder;
  const auto recording = read_recording({data, size});
  if (!recording) return 0;
  std::size_t kept = 0;
  for (const ReadMessage& message : recording->messages) {
    takt::fuzz::require(!message.octets.empty() && message.octets.size() <= message.message_bytes);
    takt::fuzz::require(message.time_ns >= 0 && message.connection != 0);
    kept += message.octets.size();
  }
  takt::fuzz::require(kept <= size && recording->connections.size() <= size / sizeof(ConnectionEntry));
  return 0;
}
