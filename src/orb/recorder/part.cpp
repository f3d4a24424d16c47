// The flight recorder of an ORB, by option.
#include <memory>
#include <utility>

#include "config/option_values.h"
#include "orb/parts/parts.h"
#include "orb/wiring/orb_parts.h"
#include "os/environment.h"
#include "os/net/unix_socket.h"
#include "recorder/recorded_stream.h"
#include "recorder/recording_dumps.h"
#include "recorder/recording_folder.h"

namespace takt {

namespace {

class RecordedStreams final : public transport::StreamWrapper {
 public:
  explicit RecordedStreams(std::shared_ptr<recorder::RecordingRing> ring) : ring_(std::move(ring)) {}
  std::unique_ptr<transport::Stream> wrap(std::unique_ptr<transport::Stream> stream,
                                          transport::OpenedBy opened_by) const override {
    return recorder::recorded_stream(std::move(stream), ring_, opened_by);
  }

 private:
  const std::shared_ptr<recorder::RecordingRing> ring_;
};

recorder::RecordingDumps::Options dump_options(const orb::Settings& settings) {
  const orb::RuntimeOptions& from = settings.runtime;
  using enum orb::DumpCause;
  recorder::RecordingDumps::Options options{.on_exception = from.recorder_dump_on.has(exception),
                                            .on_deadline = from.recorder_dump_on.has(deadline),
                                            .on_signal = from.recorder_dump_on.has(signal),
                                            .folder = from.recorder_dump_folder,
                                            .program = os::program_name(),
                                            .most = from.recorder_dumps,
                                            .interval = from.recorder_dump_interval,
                                            .report = {}};
  options.report = [warnings = settings.warnings](const std::string& text) { warnings.say(text); };
  return options;
}

std::shared_ptr<recorder::RecordingDumps> begin_dumps(const std::shared_ptr<recorder::RecordingRing>& ring,
                                                      const orb::Settings& settings) {
  if (settings.runtime.recorder_dump_on.empty()) return nullptr;
  const auto dumps = recorder::RecordingDumps::begin(ring, dump_options(settings));
  if (!dumps) throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "option -ORBRecorderDumpOn: " + dumps.error());
  settings.log->watch(*dumps, (*dumps)->events());
  // The log keeps the dumps as long as it watches, so they end before they are destroyed.
  return {dumps->get(), [dumps = *dumps](recorder::RecordingDumps*) { dumps->end(); }};
}

}  // namespace

void add_recorder(Parts& parts) {
  parts.begin_recorder = [](orb::OrbParts& orb_parts, const orb::Settings& settings) {
    const orb::RuntimeOptions& options = settings.runtime;
    const auto ring = recorder::make_ring(
        options.recorder_file,
        {.bytes = options.recorder_bytes, .message_bytes = options.recorder_message_bytes},
        {os::program_name(), options.id, os::host_name()});
    if (!ring)
      throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                              orb::not_valid("option -ORBRecorderFile", options.recorder_file, ring.error()));
    orb_parts.stream_wrappers.recorder = std::make_unique<RecordedStreams>(*ring);
    return begin_dumps(*ring, settings);
  };
}

}  // namespace takt
