// The ORB's own orders as the suite tests them.
#include <list>

#include "answers.h"
#include "order_suite.h"

namespace takt::server {

namespace {

// As a queue shows them to an order. They are never destroyed, because tests refer to them until the end.
std::vector<WaitingRequest> waiting_for(const Answer& answer) {
  static auto& made = *new std::list<std::unique_ptr<QueuedRequest>>;
  std::vector<WaitingRequest> all;
  for (const Arriving& arriving : answer.first_to_last)
    all.push_back(made.emplace_back(make_waiting(arriving))->as_waiting());
  return all;
}

TestedOrder tested(const Answer& answer) {
  return {.name = answer.name,
          .make =
              [&answer] {
                return std::shared_ptr<const RequestOrder>(std::shared_ptr<void>(),
                                                           &request_order(answer.order));
              },
          .first_to_last = [&answer] { return waiting_for(answer); }};
}

}  // namespace

std::vector<const TestedOrder*> tested_orders() {
  static std::list<TestedOrder> made;
  std::vector<const TestedOrder*> all;
  for (const Answer& answer : answers()) all.push_back(&made.emplace_back(tested(answer)));
  return all;
}

}  // namespace takt::server
