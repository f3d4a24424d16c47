// takt idl lsp: the language server for IDL.
#include <iostream>
#include <memory>

#include "common/command.h"
#include "idl/idl.h"
#include "idl/lsp/server.h"

namespace takt::command {

void add_idl_lsp(const Command& idl) {
  const auto include_folders = std::make_shared<std::vector<std::string>>();
  const Command lsp = idl.add_command(
      "lsp", "Serves an editor, by the Language Server Protocol on standard input and output.");
  lsp.add("-I", *include_folders, "a folder for includes").one_at_a_time();
  lsp.on_chosen([include_folders] {
    if (const int status = lsp::Server(*include_folders, std::cout).run(std::cin); status != 0)
      throw Answer{status};
  });
}

}  // namespace takt::command
