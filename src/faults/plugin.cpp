// The plug-in libtakt_faults: faults on purpose in the messages of an ORB (docs/user/faults.md).
#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <takt/orb/plugin.h>

#include "faults/faulty_stream.h"
#include "os/error_text.h"

namespace {

using namespace takt;

class FaultyStreams final : public transport::StreamWrapper {
 public:
  explicit FaultyStreams(faults::FaultPlan plan)
      : source_(std::make_shared<faults::FaultSource>(std::move(plan))) {}
  std::unique_ptr<transport::Stream> wrap(std::unique_ptr<transport::Stream> stream,
                                          transport::OpenedBy) const override {
    return faults::faulty_stream(std::move(stream), source_);
  }

 private:
  const std::shared_ptr<faults::FaultSource> source_;
};

std::string content_of(const std::string& path) {
  constexpr std::size_t most = std::size_t{1} << 20;
  if (path.empty())
    throw std::invalid_argument("it takes a file of faults, as in -ORBPlugin libtakt_faults.so:faults.toml");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path + ": " + os::error_text(errno));
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad() || text.size() > most)
    throw std::runtime_error("cannot read " + path + ": it is no file of at most 1 MiB");
  return text;
}

}  // namespace

std::uint32_t takt_plugin(std::uint32_t interface, takt::PluginRegistry& registry) {
  if (interface != takt::plugin_interface) return takt::plugin_interface;
  const std::string path(registry.arguments());
  auto plan = faults::read_fault_plan(content_of(path), path);
  if (!plan) throw std::invalid_argument(plan.error());
  registry.add_stream_wrapper(std::make_unique<FaultyStreams>(std::move(*plan)));
  return takt::plugin_interface;
}
