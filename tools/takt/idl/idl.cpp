// takt idl: tools for IDL files that need no ORB.
#include "idl/idl.h"

namespace takt::command {

void add_idl(const Command& program) {
  const Command idl =
      program.add_command("idl", "Compares versions of IDL, formats IDL files, and serves editors.");
  idl.require_command();
  add_idl_diff(idl);
  add_idl_format(idl);
  add_idl_lsp(idl);
}

}  // namespace takt::command
