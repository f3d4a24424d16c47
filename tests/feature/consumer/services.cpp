// A call to each service that comes with Takt.
#include <iostream>

#include <frames/receiver.h>
#include <scheduling/live/live_schedule.h>
#include <scheduling/service/scheduler_servant.h>

int main() {
  using namespace takt;
  const auto scheduler = CORBA::make_reference<scheduling::SchedulerServant>(scheduling::Scheduler());
  const auto handle = scheduler->create("filter");
  std::cout << "filter is " << handle << " of " << scheduler->operations() << '\n';

  scheduling::LiveSchedule schedule({}, {});
  std::cout << "clients: " << schedule.statistics().clients << '\n';

  const auto frames = std::make_shared<FrameReceiver>("127.0.0.1", FrameOptions());
  const auto receiver = CORBA::make_reference<takt::frames::ReceiverServant>(frames);
  std::cout << "frames go to " << receiver->where().host() << '\n';
}
