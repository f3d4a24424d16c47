// takt trace: traces over processes, from the files of -ORBTraceFile.
#include <algorithm>
#include <iostream>
#include <memory>

#include "common/command.h"
#include "common/files.h"
#include "trace/export.h"
#include "trace/input.h"
#include "trace/page.h"
#include "trace/traces.h"
#include "trace/views.h"

namespace takt::command {
namespace {

struct Inputs {
  std::vector<std::string> files;
  bool as_json = false;
};

struct ShowSettings : Inputs {
  std::string trace, perfetto, html;
};

void print_missing(const Traces& traces) {
  if (traces.overwritten + traces.left_out == 0) return;
  std::cerr << traces.overwritten << " older spans have been overwritten, and " << traces.left_out
            << " were left out\n";
}

void list(const Inputs& settings) {
  const Traces traces = read_traces(settings.files);
  if (settings.as_json) {
    std::cout << text_of(list_as_json(traces));
    return;
  }
  std::cout << list_in_words(traces);
  print_missing(traces);
}

const Trace& chosen(const Traces& traces, const std::string& wanted) {
  if (traces.all.empty()) fail("the files have no spans", negative);
  if (wanted.empty()) return traces.all.back();
  const auto fits = [&](const Trace& trace) { return hex_id(trace.id).starts_with(wanted); };
  const auto found = std::ranges::find_if(traces.all, fits);
  if (found == traces.all.end())
    fail("no trace begins with '" + wanted + "'; takt trace list shows all", negative);
  if (std::ranges::count_if(traces.all, fits) > 1)
    fail("several traces begin with '" + wanted + "'; give more digits");
  return *found;
}

void write(const std::string& path, const std::string& text) {
  if (!write_file(path, text)) fail(cannot_be_written(path));
}

void show(const ShowSettings& settings) {
  const Traces traces = read_traces(settings.files);
  const Trace& trace = chosen(traces, settings.trace);
  if (!settings.perfetto.empty()) write(settings.perfetto, text_of(as_chrome_trace(trace, traces)));
  if (!settings.html.empty()) write(settings.html, html_of(trace, traces));
  if (!settings.perfetto.empty() || !settings.html.empty()) return;
  if (settings.as_json) {
    std::cout << text_of(tree_as_json(trace, traces));
    return;
  }
  std::cout << tree_in_words(trace, traces);
  print_missing(traces);
}

void add_inputs(const Command& command, Inputs& inputs) {
  command.add("file", inputs.files, "the files that the processes' -ORBTraceFile names").required();
  command.add_flag("--json", inputs.as_json, "print JSON");
}

}  // namespace

void add_trace(const Command& program) {
  const Command trace =
      program.add_command("trace", "Shows traces over processes, from the files of -ORBTraceFile.");
  trace.require_command();
  const auto of_list = std::make_shared<Inputs>();
  const Command listing = trace.add_command("list", "Lists the traces in files, the newest last.");
  add_inputs(listing, *of_list);
  listing.on_chosen([of_list] { list(*of_list); });
  const auto of_show = std::make_shared<ShowSettings>();
  const Command showing =
      trace.add_command("show", "Shows one trace as a tree of its calls in all processes.");
  add_inputs(showing, *of_show);
  showing.add("--trace", of_show->trace, "the trace's id or the beginning of it; the newest trace if absent");
  showing.add("--perfetto", of_show->perfetto,
              "write the trace to this file for Perfetto; - is standard output");
  showing.add("--html", of_show->html, "write the trace to this file as a page; - is standard output");
  showing.on_chosen([of_show] { show(*of_show); });
  add_trace_export(trace);
}

}  // namespace takt::command
