// Audsley's optimal priority assignment.
#pragma once

#include "schedulability/assignment/assignment.h"
#include "schedulability/model/threads.h"

namespace takt::scheduling {

std::expected<std::vector<std::int32_t>, AssignmentFault> assign_by_audsley(
    const Repository& repository, std::span<const Thread> threads, std::span<const std::int32_t> above);

}  // namespace takt::scheduling
