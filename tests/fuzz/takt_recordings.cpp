// The output of takt record for recordings with any contents.
#include "input.h"
#include "record/listing.h"
#include "record/passing_calls.h"
#include "record/pcapng.h"
#include "record/recorded_calls.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  const auto recording = recorder::read_recording({data, size});
  if (!recording) return 0;
  const auto packets = command::packets_of(*recording);
  fuzz::require(packets.size() <= 4 * recording->messages.size() + size / 1000);
  fuzz::require(command::pcapng_of(*recording, packets).size() % 4 == 0);
  command::PassingCalls passing;
  for (const recorder::ReadMessage& message : recording->messages) (void)passing.take(message);
  (void)command::in_words(*recording);
  (void)command::text_of(command::as_json(*recording));
  (void)command::missing_in_words(*recording);
  for (const auto direction : {recorder::Direction::sent, recorder::Direction::received})
    for (const command::RecordedCall& call : command::calls_of(*recording, direction).all)
      fuzz::require(command::request_of(call, 1, call.key, {}).size() > call.body.size());
  return 0;
}
