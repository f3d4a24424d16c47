// takt record: what an ORB's flight recorder keeps, from the file of -ORBRecorder.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "common/command.h"
#include "common/files.h"
#include "common/interrupt.h"
#include "record/following.h"
#include "record/input.h"
#include "record/listing.h"
#include "record/packets.h"
#include "record/pcapng.h"

namespace takt::command {
namespace {

struct ListedRecording {
  std::string file;
  bool as_json = false;
};

struct AttachedRecording {
  std::string file, output = "-";
  std::uint64_t count = 0;
  std::chrono::nanoseconds duration{0};  // 0: no end
  bool all = false;
};

struct DumpedRecording {
  std::string file, output = "-";
};

void list_recording(const ListedRecording& settings) {
  const auto recording = read_recording_at(recording_named(settings.file));
  if (settings.as_json) {
    std::cout << text_of(as_json(recording));
    return;
  }
  std::cout << in_words(recording);
  std::cerr << missing_in_words(recording);
}

// A recording is the memory of a process, which may be running, so it is never overwritten.
void refuse_recording(const std::string& output, const std::string& recording) {
  std::error_code none;
  if (std::filesystem::equivalent(recording, output, none))
    fail(output + ": it is the recording itself; name another file");
}

void dump_recording(const DumpedRecording& settings) {
  const std::string file = recording_named(settings.file);
  refuse_recording(settings.output, file);
  const auto recording = read_recording_at(file);
  if (!write_file(settings.output, pcapng_of(recording, packets_of(recording))))
    fail(cannot_be_written(settings.output));
  std::cerr << missing_in_words(recording);
}

// Writes what passes to a file or to standard output.
class Attached {
 public:
  explicit Attached(const AttachedRecording& settings)
      : settings_(settings), recording_(recording_named(settings.file)) {
    refuse_recording(settings.output, recording_);
  }

  void run() {
    Following following(recording_, settings_.all ? Following::Begin::oldest : Following::Begin::next);
    to_.emplace(settings_.output);
    put(pcapng_head(read_recording_at(recording_, following.next_block()), "takt record attach"));
    std::cerr << "following " << recording_ << "; Ctrl-C ends it" << std::endl;
    end_at_interrupt();
    look_until(settings_.duration, [this] { return is_done(); }, [&] { pass_on(following); });
    warn_of_lost(following);
  }

 private:
  bool is_done() const { return settings_.count != 0 && messages_ >= settings_.count; }

  void pass_on(Following& following) {
    std::vector<TcpPacket> packets;
    const auto messages = following.next();
    if (following.start_ns() != start_ns_) {
      maker_.emplace();
      start_ns_ = following.start_ns();
    }
    for (const recorder::ReadMessage& message : messages) {
      if (is_done()) break;
      maker_->add(message, following.connections(), packets);
      ++messages_;
    }
    if (!packets.empty()) put(pcapng_of(packets));
  }

  void put(const std::string& octets) {
    if (!to_->write(octets)) fail(cannot_be_written(settings_.output));
  }

  const AttachedRecording& settings_;
  const std::string recording_;
  std::optional<OutputFile> to_;
  std::optional<PacketMaker> maker_;
  std::int64_t start_ns_ = -1;  // the start of the process whose connections maker_ knows
  std::uint64_t messages_ = 0;
};

void find_recordings(const std::string& process) {
  const auto found = process.empty() ? recordings_of_user() : recordings_of_process(process);
  for (const std::string& path : found) std::cout << path << "\n";
  if (found.empty())
    fail(process.empty() ? "there is no recording in the folder of this user"
                         : "process " + process + " records nothing, or belongs to another user",
         negative);
}

void add_record_find(const Command& record) {
  const auto process = std::make_shared<std::string>();
  const Command finding = record.add_command(
      "find", "Prints the files of recordings: those in the user's folder, or those of a process.");
  finding.add("process", *process, "the number of a running process");
  finding.on_chosen([process] { find_recordings(*process); });
}

void add_record_attach(const Command& record) {
  const auto settings = std::make_shared<AttachedRecording>();
  const Command attaching = record.add_command(
      "attach", "Writes what passes in a running program as packets in pcapng, for Wireshark, until Ctrl-C.");
  attaching.add("recording", settings->file, recording_meaning).required();
  attaching.add("-o,--output", settings->output, "the file to write; - is standard output").show_default();
  attaching.add_flag("--all", settings->all, "begins with what the recording already has");
  attaching.add("--count", settings->count, "ends after so many messages");
  attaching.add("--for", settings->duration, "ends after that time",
                command_line::Times{std::chrono::milliseconds(10), longest_interval});
  attaching.on_chosen([settings] { Attached(*settings).run(); });
}

}  // namespace

void add_record(const Command& program) {
  const Command record = program.add_command(
      "record", "Shows the messages that an ORB has recorded, from the file of -ORBRecorder.");
  record.require_command();
  const auto of_list = std::make_shared<ListedRecording>();
  const Command listing = record.add_command("list", "Lists the messages of a recording, the newest last.");
  listing.add("recording", of_list->file, recording_meaning).required();
  listing.add_flag("--json", of_list->as_json, "print JSON");
  listing.on_chosen([of_list] { list_recording(*of_list); });
  const auto of_dump = std::make_shared<DumpedRecording>();
  const Command dumping =
      record.add_command("dump", "Writes a recording as packets in pcapng, which Wireshark and tshark read.");
  dumping.add("recording", of_dump->file, recording_meaning).required();
  dumping.add("-o,--output", of_dump->output, "the file to write; - is standard output").show_default();
  dumping.on_chosen([of_dump] { dump_recording(*of_dump); });
  add_record_attach(record);
  add_record_find(record);
}

}  // namespace takt::command
