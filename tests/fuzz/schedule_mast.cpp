// Models of MAST: a valid one becomes operations that the other commands read and analyse, and what is
// exported from these is a valid model.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "mast/export.h"
#include "schedulability/analysis/analysis.h"
#include "schedule/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  const auto model = scheduling::import_mast({reinterpret_cast<const char*>(data), size}, "input");
  if (!model) {
    if (!model.error().starts_with("input:")) std::abort();
    return 0;
  }
  const auto again = command::declarations_in(scheduling::toml_of(*model, "input"), "output");
  if (!again || again->size() != model->declarations.size()) std::abort();
  for (std::size_t i = 0; i < again->size(); ++i)
    if (scheduling::fingerprint((*again)[i]) != scheduling::fingerprint(model->declarations[i])) std::abort();
  const auto all = scheduling::complete({&*again, 1});
  if (!all) std::abort();
  const auto analysis =
      scheduling::analyse(all->repository, {.strategy = scheduling::Strategy::declared_priorities});
  if (!analysis) return 0;
  if (const auto exported = scheduling::export_mast(all->repository, *analysis))
    if (!scheduling::import_mast(*exported, "exported")) std::abort();
  return 0;
}
