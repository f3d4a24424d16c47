// The ages and reactions of a chain in a simulation.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "schedulability/simulation/simulator.h"

namespace takt::scheduling {

struct PlayedChain {
  Time age{0}, reaction{0};
  int ages = 0, reactions = 0;
};

class ChainPlayer {
 public:
  ChainPlayer(const Simulation& played, const Chain& chain, const std::vector<std::size_t>& threads) {
    for (std::size_t k = 0; k < threads.size(); ++k) {
      delays_.push_back(chain.steps[k].delay);
      auto& jobs = jobs_.emplace_back();
      for (const PlayedJob& each : played.jobs)
        if (each.thread == threads[k]) jobs.push_back(each);
    }
  }

  PlayedChain look() const {
    PlayedChain seen;
    // An event right after the begin of a job is seen by the next one.
    for (std::size_t i = 1; i < jobs_.front().size(); ++i)
      if (const auto end = first_effect(jobs_.front()[i])) {
        seen.reaction = std::max(seen.reaction, *end - jobs_.front()[i - 1].begin);
        ++seen.reactions;
      }
    // A value is oldest when it is replaced.
    for (std::size_t i = 0; i + 1 < jobs_.back().size(); ++i)
      if (const auto begin = origin(jobs_.back()[i])) {
        seen.age = std::max(seen.age, jobs_.back()[i + 1].end - *begin);
        ++seen.ages;
      }
    return seen;
  }

 private:
  std::optional<Time> first_effect(PlayedJob job) const {
    for (std::size_t k = 1; k < jobs_.size(); ++k) {
      const auto reads = [&](const PlayedJob& each) { return each.begin >= job.end + delays_[k]; };
      const auto next = std::ranges::find_if(jobs_[k], reads);
      if (next == jobs_[k].end()) return std::nullopt;
      job = *next;
    }
    return job.end;
  }
  std::optional<Time> origin(PlayedJob job) const {
    for (std::size_t k = jobs_.size() - 1; k > 0; --k) {
      const auto is_too_late = [&](const PlayedJob& each) { return each.end + delays_[k] > job.begin; };
      const auto next = std::ranges::find_if(jobs_[k - 1], is_too_late);
      if (next == jobs_[k - 1].begin()) return std::nullopt;
      job = *(next - 1);
    }
    return job.begin;
  }

  std::vector<Time> delays_;
  std::vector<std::vector<PlayedJob>> jobs_;  // by place in the chain, in the order of their ends
};

}  // namespace takt::scheduling
