// Models of MAST become declarations, with the results that MAST's own examples publish.
#include "mast_models.h"

namespace takt::scheduling::mast_import_test {
namespace {

using Times = std::vector<double>;

Declaration named(const ImportedModel& model, const std::string& name) {
  for (const Declaration& each : model.declarations)
    if (each.name == name) return each;
  ADD_FAILURE() << "there is no " << name;
  return {};
}

// The figures of three examples that come with MAST, and the worst-case response times that its page of
// results gives for its holistic analysis.
TEST(MastExamples, LehoczkyExample3) {
  const auto model =
      mast_processor("Processor_1", ", Worst_Context_Switch => 0.0") +
      mast_chain("C1", mast_periodic("100"), {{"C1_Task", "52", "Processor_1", "415", "110"}}) +
      mast_chain("C2", mast_periodic("140"), {{"C2_Task", "52", "Processor_1", "412", "154"}});
  EXPECT_EQ(mast_responses(model), (Times{52, 156}));
  EXPECT_EQ(analysed_mast(model).verdict, Verdict::misses);
  const auto exchanged = replaced(model, "415", "400");
  EXPECT_EQ(mast_responses(exchanged), (Times{108, 52}));
  EXPECT_EQ(analysed_mast(exchanged).verdict, Verdict::meets);
}

std::string simple_linear(const std::string& priority_of_first) {
  const std::string more =
      ", Worst_Context_Switch => 0.1, System_Timer => (Type => Alarm_Clock, Worst_Overhead => 0.2)";
  return mast_processor("Processor1", more) + mast_processor("Processor2", more) +
         mast_network("Network", ", Transmission => Half_Duplex") +
         mast_chain("Trans1", mast_periodic("30"),
                    {{"Task1_1", "5", "Processor1", priority_of_first, "30"},
                     {"Message1_1", "2", "Network", priority_of_first, ""},
                     {"Task1_2", "20", "Processor2", priority_of_first, "60"}}) +
         mast_chain("Trans2", mast_periodic("40"),
                    {{"Task2_1", "5", "Processor2", "300", ""},
                     {"Message2_1", "10", "Network", "300", ""},
                     {"Task2_2", "10", "Processor1", "300", "70"}});
}

TEST(MastExamples, SimpleLinear) {
  const Times found = mast_responses(simple_linear("400"));
  ASSERT_EQ(found.size(), 6u);
  EXPECT_DOUBLE_EQ(found[2], 27.4);
  EXPECT_DOUBLE_EQ(found[5], 73);
}

// MAST subtracts best-case times from the jitter of this example and gets 270 and 140. Takt does not use
// them, so its bounds are higher.
TEST(MastExamples, Rtss98IsNeverBelowMast) {
  const auto model = mast_rtss_98();
  const Times found = mast_responses(model);
  ASSERT_EQ(found.size(), 8u);
  EXPECT_EQ(found[0], 4);
  EXPECT_GE(found[5], 270);
  EXPECT_EQ(found[6], 5);
  EXPECT_GE(found[7], 140);
}

// Operations that use a shared resource, each in an enclosing one.
std::string section(const std::string& name, const std::string& time, const std::string& resource) {
  return "Operation (Type => Simple, Name => " + name + ", Worst_Case_Execution_Time => " + time +
         ", Shared_Resources_List => (" + resource + "));\n";
}
std::string enclosing(const std::string& text, const std::string& name, const std::string& sections) {
  return replaced(
      replaced(text, "Type => Simple, Name => " + name, "Type => Enclosing, Name => " + name),
      "Name => " + name + ", Worst_Case_Execution_Time => ",
      "Name => " + name + ", Composite_Operation_List => (" + sections + "), Worst_Case_Execution_Time => ");
}
std::string ceiling_resource(const std::string& name) {
  return "Shared_Resource (Type => Immediate_Ceiling_Resource, Name => " + name + ");\n";
}

// The example of MAST's own documentation, whose file of results has these responses.
TEST(MastExamples, Controller) {
  auto model = mast_processor("CPU_1", ", Worst_Context_Switch => 0.25") + ceiling_resource("Data_Server") +
               ceiling_resource("Comm_Server") + section("Read", "2", "Data_Server") +
               section("Write", "20", "Data_Server") + section("Send", "10", "Comm_Server") +
               section("Receive", "10", "Comm_Server") +
               mast_chain("Control", mast_periodic("100"), {{"Control_Task", "20", "CPU_1", "3", "100"}}) +
               mast_chain("Planning", mast_periodic("150"), {{"Planning_Task", "40", "CPU_1", "2", "150"}}) +
               mast_chain("Status", mast_periodic("350"), {{"Status_Task", "100", "CPU_1", "1", "350"}}) +
               mast_chain("Emergency", "Type => Sporadic, Min_Interarrival => 50",
                          {{"Emergency_Task", "5", "CPU_1", "4", "6"}});
  model = enclosing(model, "Control_Task", "Read, Send");
  model = enclosing(model, "Planning_Task", "Write");
  model = enclosing(model, "Status_Task", "Receive");
  EXPECT_EQ(mast_responses(model), (Times{46, 82, 276, 5.5}));
}

// The example of table 9.2 in Liu, "Real-Time Systems", 2000, as MAST's page of results gives it for its
// holistic analysis.
TEST(MastExamples, JaneLiuTable92) {
  const auto composite = [](const std::string& name, const std::string& parts) {
    return "Operation (Type => Composite, Name => " + name + ", Composite_Operation_List => (" + parts +
           "));\n";
  };
  auto model =
      mast_processor("P1") + mast_processor("P2") + ceiling_resource("PR") + ceiling_resource("DB") +
      section("Use_PR", "1", "PR") + section("Use_DB", "1", "DB") + section("Code_1_2", "2", "DB") +
      mast_operation("One", "1") + mast_operation("Two", "2") + mast_operation("Three", "3") +
      composite("Code_1_3", "One, Use_PR") + composite("Code_2_1", "Two, Use_PR, One") +
      composite("Code_4_1", "One, Use_DB, Three") +
      mast_chain(
          "Task_1", mast_periodic("15"),
          {{"T11", "1", "P1", "100", ""}, {"T12", "2", "P2", "99", ""}, {"T13", "9", "P1", "99", "15"}}) +
      mast_chain("Task_2", mast_periodic("20"), {{"T21", "9", "P1", "98", "20"}}) +
      mast_chain("Task_3", mast_periodic("2"), {{"T31", "1", "P2", "100", "2"}}) +
      mast_chain("Task_4", mast_periodic("20"), {{"T41", "9", "P2", "98", "20"}});
  model = replaced(model, "Activity_Operation => T12", "Activity_Operation => Code_1_2");
  model = replaced(model, "Activity_Operation => T13", "Activity_Operation => Code_1_3");
  model = replaced(model, "Activity_Operation => T21", "Activity_Operation => Code_2_1");
  model = replaced(model, "Activity_Operation => T41", "Activity_Operation => Code_4_1");
  const Times found = mast_responses(model);
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ((Times{found[2], found[3], found[4], found[5]}), (Times{11, 7, 1, 14}));
}

TEST(MastImport, BurstsArriveTogether) {
  const auto model = imported(
      mast_processor("P") +
      mast_chain("T", "Type => Bursty, Bound_Interval => 60, Max_Arrivals => 3, Avg_Interarrival => 30",
                 {{"A", "10", "P", "1", "40"}}));
  EXPECT_EQ(model.declarations.at(0).needs.burst, 3);
  EXPECT_EQ(model.declarations.at(0).needs.period, Time(60'000));
  EXPECT_EQ(model.unused, std::vector<std::string>{"Avg_Interarrival (line 4)"});
}

// Frames of 3 on a bus: the most urgent waits for one that has begun.
TEST(MastImport, ServersThatAreNotPreemptedShareALane) {
  auto text = mast_network("Bus") + mast_chain("T", mast_periodic("20"), {{"A", "3", "Bus", "3", "20"}}) +
              mast_chain("U", mast_periodic("20"), {{"B", "3", "Bus", "2", "20"}}) +
              mast_chain("V", mast_periodic("20"), {{"C", "3", "Bus", "1", "20"}});
  for (int i = 0; i < 3; ++i) text = replaced(text, " Fixed_Priority_Policy", " Non_Preemptible_FP_Policy");
  EXPECT_EQ(named(imported(text), "U::B").needs.lane, "Bus");
  EXPECT_EQ(mast_responses(text), (Times{6, 9, 9}));
}

TEST(MastImport, AnActivityBecomesAnOperation) {
  const auto model =
      imported(mast_processor("Cpu") +
               mast_chain("Tr", "Type => Periodic, Period => 100, Max_Jitter => 5, Phase => 7.5",
                          {{"A", "10", "CPU", "3", ""}, {"B", "2.25", "cpu", "2", "80"}}));
  ASSERT_EQ(model.declarations.size(), 2u);
  const Declaration a = named(model, "Tr::A");
  EXPECT_EQ(a.needs.worstcase_execution_time, Time(10'000));
  EXPECT_EQ(a.needs.period, Time(100'000));
  EXPECT_EQ(a.needs.jitter, Time(5'000));
  EXPECT_EQ(a.needs.phase, Time(7'500));
  EXPECT_EQ(a.needs.deadline, Time(80'000)) << "that of the activity after it";
  EXPECT_EQ(a.needs.declared_priority, 3);
  ASSERT_EQ(a.calls.size(), 1u);
  EXPECT_EQ(a.calls[0].operation, "Tr::B");
  EXPECT_EQ(a.calls[0].type, DependencyType::one_way);
  const Declaration b = named(model, "Tr::B");
  EXPECT_EQ(b.needs.worstcase_execution_time, Time(2'250));
  EXPECT_FALSE(b.says("period")) << "it runs when it is called";
  EXPECT_EQ(model.resources, std::vector<std::string>{"Cpu"});
  EXPECT_TRUE(model.unused.empty());
  EXPECT_TRUE(model.no_deadline.empty());
}

TEST(MastImport, UnitsAndNumbersAreExact) {
  const auto model = [](const std::string& time, Time unit) {
    const auto text =
        mast_processor("P") + mast_chain("T", mast_periodic("1000"), {{"A", time, "P", "1", "999"}});
    return imported(text, unit).declarations.at(0).needs.worstcase_execution_time;
  };
  EXPECT_EQ(model("2E1", std::chrono::milliseconds(1)), std::chrono::milliseconds(20));
  EXPECT_EQ(model("+1.25e-3", std::chrono::seconds(1)), Time(1'250'000));
  EXPECT_EQ(model("0.1", std::chrono::microseconds(1)), Time(100));
  EXPECT_EQ(model("7", Time(1)), Time(7));
  EXPECT_EQ(model("0.0001", std::chrono::microseconds(1)), Time(1)) << "an execution time is rounded up";
  EXPECT_EQ(model("1.0000000000000e-99", std::chrono::microseconds(1)), Time(1));
  EXPECT_EQ(model("0.00000000000000000000000000", std::chrono::microseconds(1)), Time(0));
}

TEST(MastImport, PeriodsAndDeadlinesAreRoundedDown) {
  const auto model = imported(mast_processor("P") +
                              mast_chain("T", mast_periodic("10.9999"), {{"A", "1", "P", "1", "9.9999"}}));
  EXPECT_EQ(model.declarations.at(0).needs.period, Time(10'999));
  EXPECT_EQ(model.declarations.at(0).needs.deadline, Time(9'999));
}

TEST(MastImport, CaseQuotesAndCommentsDoNotMatter) {
  auto text = mast_processor("P") + mast_chain("T", mast_periodic("10"), {{"A", "1", "P", "1", "10"}});
  const auto plain = imported(text);
  text = replaced(text, "Transaction (", "-- a comment; (with => signs\r\nTRANSACTION(-- and another\n");
  text = replaced(text, "Activity_Server => A", "activity_SERVER=>\"a\"");
  const auto other = imported(text);
  ASSERT_EQ(other.declarations.size(), 1u);
  EXPECT_EQ(fingerprint(other.declarations[0]), fingerprint(plain.declarations[0]));
}

TEST(MastImport, SpeedContextSwitchesAndAveragesChangeTimes) {
  auto text = mast_processor("P", ", Speed_Factor => 4, Worst_Context_Switch => 2, Worst_ISR_Switch => 8") +
              mast_chain("T", mast_periodic("100"), {{"A", "10", "P", "1", "100"}}) +
              mast_chain("I", mast_periodic("100"), {{"B", "10", "P", "9", "100"}});
  text = replaced(text, "Fixed_Priority_Policy, The_Priority => 9", "Interrupt_FP_Policy, The_Priority => 9");
  text = replaced(text, "Worst_Case_Execution_Time => 10",
                  "Worst_Case_Execution_Time => 10, Avg_Case_Execution_Time => 4");
  const auto model = imported(text);
  EXPECT_EQ(named(model, "T::A").needs.worstcase_execution_time, Time(2'500 + 2 * 500));
  EXPECT_EQ(named(model, "T::A").needs.typical_execution_time, Time(1'000 + 2 * 500));
  EXPECT_EQ(named(model, "I::B").needs.worstcase_execution_time, Time(2'500 + 2 * 2'000));
  EXPECT_FALSE(named(model, "I::B").says("typical"));
}

TEST(MastImport, OperationsContainOthers) {
  auto text = mast_processor("P") + mast_chain("T", mast_periodic("100"), {{"A", "10", "P", "1", "100"}});
  text += mast_operation("Small", "2.5") +
          "Operation (Type => Composite, Name => All, Composite_Operation_List => (Small, Around, Small));\n"
          "Operation (Type => Enclosing, Name => Around, Worst_Case_Execution_Time => 9,"
          " Composite_Operation_List => (Small));\n";
  text = replaced(text, "Activity_Operation => A", "Activity_Operation => All");
  EXPECT_EQ(named(imported(text), "T::All").needs.worstcase_execution_time, Time(14'000));
}

TEST(MastImport, MessagesTakeTheirSizeByTheThroughput) {
  auto text =
      "Processing_Resource (Type => Packet_Based_Network, Name => Net, Throughput => 100,"
      " Max_Packet_Size => 500, Max_Blocking => 1, Speed_Factor => 2);\n"
      "Scheduler (Type => Primary_Scheduler, Name => S, Host => Net, Policy => (Type => FP_Packet_Based,"
      " Packet_Worst_Overhead => 0, Max_Priority => 9, Min_Priority => 1));\n" +
      mast_chain("T", mast_periodic("100"), {{"M", "10", "Net", "1", "100"}});
  text = replaced(text, "Type => Simple, Name => M, Worst_Case_Execution_Time => 10",
                  "Type => Message_Transmission, Name => M, Max_Message_Size => 1000");
  text = replaced(text, "Type => Fixed_Priority, Name => M", "Type => Regular, Name => M");
  text = replaced(text, "Server_Processing_Resource => Net", "Scheduler => S");
  const auto model = imported(text);
  EXPECT_EQ(named(model, "T::M").needs.worstcase_execution_time, Time(5'000));
  EXPECT_EQ(named(model, "T::M").needs.blocking, Time(500 + 2'500)) << "Max_Blocking and a packet in transit";
}

TEST(MastImport, SporadicEventsHaveAPeriod) {
  const auto model =
      imported(mast_processor("P") +
               mast_chain("T", "Type => Sporadic, Min_Interarrival => 50, Avg_Interarrival => 80",
                          {{"A", "1", "P", "1", "50"}}));
  EXPECT_EQ(model.declarations.at(0).needs.period, Time(50'000));
  EXPECT_EQ(model.unused, std::vector<std::string>{"Avg_Interarrival (line 4)"});
}

TEST(MastImport, WithoutADeadlineThereAre64Periods) {
  const auto model =
      imported(mast_processor("P") +
               mast_chain("T", mast_periodic("10"), {{"A", "1", "P", "1", "9"}, {"B", "1", "P", "1", ""}}));
  EXPECT_EQ(named(model, "T::A").needs.deadline, Time(9'000));
  EXPECT_EQ(named(model, "T::B").needs.deadline, Time(640'000));
  EXPECT_EQ(model.no_deadline, std::vector<std::string>{"T::B"});
}

std::string forked() {
  auto text = mast_processor("P") +
              mast_chain("T", mast_periodic("100"),
                         {{"A", "1", "P", "1", ""}, {"B", "2", "P", "1", "70"}, {"C", "3", "P", "1", "90"}});
  text = replaced(text, "Input_Event => T.1,", "Input_Event => T.x,");
  text = replaced(text, "Input_Event => T.2,", "Input_Event => T.y,");
  text = replaced(text, "Internal_Events => (",
                  "Internal_Events => ((Type => Regular, Name => T.x), (Type => Regular, Name => T.y), ");
  return replaced(
      text, "Event_Handlers => (",
      "Event_Handlers => ((Type => Multicast, Input_Event => T.1, Output_Events_List => (T.x, T.y)), ");
}

TEST(MastImport, AMulticastReleasesSeveral) {
  const auto model = imported(forked());
  const Declaration a = named(model, "T::A");
  ASSERT_EQ(a.calls.size(), 2u);
  EXPECT_EQ(a.calls[0].operation, "T::B");
  EXPECT_EQ(a.calls[1].operation, "T::C");
  EXPECT_EQ(a.needs.deadline, Time(70'000)) << "the tightest of those after it";
}

TEST(MastImport, AnOperationOfTwoActivitiesIsTwo) {
  auto text = mast_processor("P") +
              mast_chain("T", mast_periodic("100"), {{"A", "1", "P", "1", ""}, {"B", "2", "P", "1", "70"}});
  text = replaced(text, "Activity_Operation => B", "Activity_Operation => a");
  const auto model = imported(text);
  EXPECT_EQ(named(model, "T::A::T.1").calls.at(0).operation, "T::A::T.2");
}

std::string timed(const std::string& timer) {
  return replaced(mast_processor("P", ", System_Timer => (" + timer + ")") +
                      mast_chain("T", mast_periodic("100"), {{"A", "10", "P", "4", "100"}}),
                  "Type => Activity", "Type => System_Timed_Activity");
}

TEST(MastImport, AnAlarmClockInterruptsForEachTimedActivity) {
  const auto text = timed("Type => Alarm_Clock, Worst_Overhead => 2");
  const Declaration alarm = named(imported(text), "T::A::System_Timer");
  EXPECT_EQ(alarm.needs.worstcase_execution_time, Time(2'000));
  EXPECT_EQ(alarm.needs.period, Time(100'000));
  EXPECT_EQ(alarm.needs.declared_priority, 5) << "more urgent than all servers";
  EXPECT_EQ(mast_responses(text), (Times{12, 2}));
}

TEST(MastImport, ATickerInterruptsEachTickAndDelaysByOne) {
  const auto text = timed("Type => Ticker, Worst_Overhead => 1, Period => 5");
  const auto model = imported(text);
  EXPECT_EQ(named(model, "T::A").needs.jitter, Time(5'000));
  EXPECT_EQ(named(model, "P::System_Timer").needs.period, Time(5'000));
  EXPECT_EQ(mast_responses(text), (Times{5 + 13, 1}));
}

TEST(MastImport, WhatHasNoEffectIsListed) {
  auto text =
      "Model (Model_Name => Robot, Model_Date => 2004-01-23T10:59, System_Pip_Behaviour => POSIX);\n" +
      mast_processor("P", ", Avg_Context_Switch => 5, Best_Context_Switch => 3") +
      mast_processor("Q", ", Avg_Context_Switch => 5") +
      mast_chain("T", mast_periodic("100"), {{"A", "10", "Q", "4", ""}});
  const auto model = imported(text);
  EXPECT_EQ(model.name, "Robot");
  EXPECT_EQ(toml_of(model, "m.txt").substr(0, toml_of(model, "m.txt").find("\n\n")),
            "# Made by takt schedule import from m.txt; changes will be lost.\n"
            "# Model: Robot\n"
            "# Processor 0: P\n"
            "# Processor 1: Q\n"
            "# Without a deadline in the model, so 64 periods are declared:\n"
            "#   T::A\n"
            "# Read, but without effect on the analysis:\n"
            "#   Avg_Context_Switch (2, the first in line 2)\n"
            "#   Best_Context_Switch (line 2)\n"
            "#   Model_Date (line 1)\n"
            "#   System_Pip_Behaviour (line 1)");
}

}  // namespace
}  // namespace takt::scheduling::mast_import_test
