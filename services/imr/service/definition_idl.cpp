#include "imr/service/definition_idl.h"

namespace takt::imr {
namespace {

std::uint32_t number_of(std::chrono::milliseconds time) { return static_cast<std::uint32_t>(time.count()); }

}  // namespace

Definition definition_from(const Takt::Activation::Definition& one) {
  using std::chrono::milliseconds;
  return {.name = one.name(),
          .command = one.command(),
          .directory = one.directory(),
          .environment = one.environment(),
          .mode = static_cast<Mode>(one.mode()),
          .start_limit = one.start_limit(),
          .longest_start = milliseconds(one.longest_start_ms()),
          .longest_stop = milliseconds(one.longest_stop_ms()),
          .first_pause = milliseconds(one.first_pause_ms()),
          .longest_pause = milliseconds(one.longest_pause_ms()),
          .most_processes = one.most_processes(),
          .reference_file = one.reference_file(),
          .output_file = one.output_file()};
}

Takt::Activation::Definition definition_to(const Definition& one) {
  Takt::Activation::Definition result;
  result.name(one.name);
  result.command(one.command);
  result.directory(one.directory);
  result.environment(one.environment);
  result.mode(static_cast<Takt::Activation::StartMode>(one.mode));
  result.start_limit(one.start_limit);
  result.longest_start_ms(number_of(one.longest_start));
  result.longest_stop_ms(number_of(one.longest_stop));
  result.first_pause_ms(number_of(one.first_pause));
  result.longest_pause_ms(number_of(one.longest_pause));
  result.most_processes(one.most_processes);
  result.reference_file(one.reference_file);
  result.output_file(one.output_file);
  return result;
}

}  // namespace takt::imr
