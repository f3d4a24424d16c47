#include "giop/known_contexts.h"

#include "giop/compression/format.h"
#include "giop/contexts/code_set_negotiation.h"
#include "giop/header/lite_format.h"

namespace takt::giop {

std::int16_t KnownContexts::stated_queue_priority() const {
  const auto stated = policies();
  return stated && stated->request_priority ? stated->request_priority->max : priority();
}

bool KnownContexts::states_times() const {
  const auto stated = policies();
  return stated && stated->has_times();
}

KnownContexts known_contexts(const ServiceContexts& contexts) {
  KnownContexts known;
  contexts.for_each([&](const ServiceContext& context) {
    switch (context.id) {
      case code_sets_context:
        if (!known.code_sets) known.code_sets = read_code_set_context(context.data);
        break;
      case rt_priority_context:
        if (!known.rt_priority) known.rt_priority = read_priority_context(context.data);
        break;
      case quality_context:
        if (!known.quality) known.quality = read_quality_context(context.data);
        break;
      case invocation_policies_context:
        if (known.invocation_policies.empty()) known.invocation_policies = context.data;
        break;
      case bidirectional_context:
        if (known.listen_points.empty()) known.listen_points = context.data;
        break;
      case lite::offer_context:
        if (!known.offered_number) known.offered_number = read_number_data(context.data);
        break;
      case compression::offer_context:
        if (!known.compression) known.compression = compression::read_offer(context.data);
        break;
      default:
        break;
    }
  });
  return known;
}

std::optional<Priority> sole_priority(const ServiceContexts& contexts) {
  if (contexts.size() != 1) return std::nullopt;
  const auto data = contexts.find(rt_priority_context);
  return data ? read_priority_context(*data) : std::nullopt;
}

}  // namespace takt::giop
