// takt record: what an ORB's flight recorder has kept, from the file of -ORBRecorder.
#include <filesystem>
#include <iostream>
#include <memory>

#include "common/command.h"
#include "common/files.h"
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

struct DumpedRecording {
  std::string file, output = "-";
};

void list_recording(const ListedRecording& settings) {
  const auto recording = read_recording_at(settings.file);
  if (settings.as_json) {
    std::cout << text_of(as_json(recording));
    return;
  }
  std::cout << in_words(recording);
  std::cerr << missing_in_words(recording);
}

// A recording is the memory of a process, which may be running, so it is never overwritten.
void dump_recording(const DumpedRecording& settings) {
  std::error_code none;
  if (std::filesystem::equivalent(settings.file, settings.output, none))
    fail(settings.output + ": it is the recording itself; name another file");
  const auto recording = read_recording_at(settings.file);
  if (!write_file(settings.output, pcapng_of(recording, packets_of(recording))))
    fail(settings.output + ": cannot be written");
  std::cerr << missing_in_words(recording);
}

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

}  // namespace

void add_record(const Command& program) {
  const Command record = program.add_command(
      "record", "Shows the messages that an ORB has recorded, from the file of -ORBRecorder.");
  record.require_command();
  const auto of_list = std::make_shared<ListedRecording>();
  const Command listing = record.add_command("list", "Lists the messages of a recording, the newest last.");
  listing.add("file", of_list->file, "the file that -ORBRecorderFile names").required();
  listing.add_flag("--json", of_list->as_json, "print JSON");
  listing.on_chosen([of_list] { list_recording(*of_list); });
  const auto of_dump = std::make_shared<DumpedRecording>();
  const Command dumping =
      record.add_command("dump", "Writes a recording as packets in pcapng, which Wireshark and tshark read.");
  dumping.add("file", of_dump->file, "the file that -ORBRecorderFile names").required();
  dumping.add("-o,--output", of_dump->output, "the file to write; - is standard output").show_default();
  dumping.on_chosen([of_dump] { dump_recording(*of_dump); });
  add_record_find(record);
}

}  // namespace takt::command
