#include "cpp/schedule.h"

#include <algorithm>
#include <filesystem>

#include "schedulability/model/words.h"
#include "scheduling/output/cpp_text.h"

namespace takt::idl::cpp {

namespace {

using scheduling::Requirements;

std::string space_of(const std::string& idl_file) {
  std::string space = std::filesystem::path(idl_file).stem().string();
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (char& c : space)
    if (!fits(c)) c = '_';
  if (space.empty() || (space.front() >= '0' && space.front() <= '9')) space.insert(0, "idl_");
  return space + "_schedule";
}

std::string level_of(std::string_view word) {
  std::string name(word);
  std::ranges::replace(name, ' ', '_');
  return "takt::rt::DeclaredLevel::" + name;
}

void print_calls(Writer& out, const scheduling::Declaration& operation, std::size_t place) {
  if (operation.calls.empty()) return;
  out.print("inline constexpr takt::rt::DeclaredCall calls_of_$place[] = {",
            {{"place", std::to_string(place)}});
  for (const auto& call : operation.calls)
    out.print("    {\"$name\", $times, $one_way},",
              {{"name", call.operation},
               {"times", std::to_string(call.times)},
               {"one_way", call.type == scheduling::DependencyType::one_way ? "true" : "false"}});
  out.print("};");
}

void print_operation(Writer& out, const scheduling::Declaration& operation, std::size_t place) {
  const Requirements& needs = operation.needs;
  out.print("    {.name = \"$name\",\n     .fingerprint = $fingerprint,",
            {{"name", operation.name},
             {"fingerprint", scheduling::hexadecimal(scheduling::fingerprint(operation))}});
  const auto field = [&](std::string_view key, const std::string& value) {
    if (operation.says(key)) out.print("     .$key = $value,", {{"key", key}, {"value", value}});
  };
  // The order is that of the members of takt::rt::DeclaredOperation.
  for (const auto& [key, member] : scheduling::declared_times)
    field(key, "std::chrono::nanoseconds(" + std::to_string((needs.*member).count()) + ")");
  field("criticality", level_of(scheduling::word_of(needs.criticality)));
  field("importance", level_of(scheduling::word_of(needs.importance)));
  field("threads", std::to_string(needs.threads));
  field("processor", std::to_string(needs.processor));
  if (!operation.calls.empty())
    out.print("     .calls = calls_of_$place,", {{"place", std::to_string(place)}});
  out.print("    },");
}

}  // namespace

std::string schedule_header(Context& context) {
  context.out = {};
  Writer& out = context.out;
  const auto& operations = context.options.schedule;
  print_origin(context);
  out.print("#pragma once");
  out.blank();
  out.print("#include <chrono>");
  out.blank();
  out.print("#include <takt/rt/declared_operation.h>");
  out.blank();
  out.print("namespace $space {", {{"space", space_of(context.idl_file)}});
  out.blank();
  for (std::size_t i = 0; i < operations.size(); ++i) print_calls(out, operations[i], i + 1);
  out.blank();
  out.print("inline constexpr takt::rt::DeclaredOperation operations[] = {");
  for (std::size_t i = 0; i < operations.size(); ++i) print_operation(out, operations[i], i + 1);
  out.print("};");
  out.blank();
  out.print("}  // namespace $space", {{"space", space_of(context.idl_file)}});
  return out.take();
}

}  // namespace takt::idl::cpp
