// Wrong, hostile and unsupported models of MAST are refused by name and place.
#include "mast_models.h"

namespace takt::scheduling::mast_refusals_test {
namespace {

// One element in each line; the handler is in line 4.
std::string model() {
  return mast_processor("P") + mast_chain("T", mast_periodic("100"), {{"A", "10", "P", "5", "90"}});
}

struct Mistake {
  std::string from, to, error;
};

void expect_refused(const std::string& text, std::initializer_list<Mistake> mistakes) {
  ASSERT_EQ(import_error(text), "none");
  for (const Mistake& each : mistakes)
    EXPECT_EQ(import_error(replaced(text, each.from, each.to)), "m.txt:" + each.error) << each.to;
}

TEST(MastSyntax, MistakesAreNamedWithTheirPlace) {
  expect_refused(
      model(),
      {{"Processing_Resource (", "Processing_Resource => (",
        "1:21: expected '(' after Processing_Resource, not '=>'"},
       {"Name => P);", "Name => P)", "2:1: expected ';', not 'Scheduling_Server'"},
       {"Name => P)", "Name => )", "1:64: expected a name, a number, a date or '(', not ')'"},
       {"Name => P)", "Name = P)", "1:61: '=' has no meaning in a MAST model"},
       {"Name => P)", "Name P)", "1:61: expected '=>', not 'P'"},
       {"Name => P)", "Name => P Type)", "1:66: expected ',' or ')', not 'Type'"},
       {"Name => P)", "Name => P, 5 => 6)", "1:67: expected the name of an attribute"},
       {"Name => P)", "Name => \"P)",
        "1:64: expected a name of letters, digits, '_' and '.' between double quotes"},
       {"Name => P)", "Name => 12ab)",
        "1:64: '12ab' is neither a number, such as 12.5 or 1.25E1, nor a date"},
       {"Name => P)", "Name => 7)", "1:64: expected a name for Name of Processing_Resource, not '7'"},
       {"Name => P)", "Name => (a, b))", "1:64: expected a name for Name of Processing_Resource, not a list"},
       {"Name => P)", "Name => \xc3\xa4)", "1:64: octet 0xc3 has no meaning in a MAST model"},
       {"Name => P)", "Name => P, name => Q)", "1:67: Processing_Resource 'P' has name twice"},
       {"Name => P)", "Name => P, Colour => Red)",
        "1:67: Processing_Resource 'P' has Colour, which cannot be imported"},
       {"(Type => Fixed_Priority_Processor, Name => P)", "(P)",
        "1:21: Processing_Resource needs attributes: Name => value, ..."},
       {"Processing_Resource (", "( ",
        "1:1: expected an element, such as Processing_Resource (...), not '('"},
       {"Processing_Resource", "Processor", "1:1: a MAST model has no element 'Processor'"}});
}

TEST(MastSyntax, HasLimits) {
  const auto error_of = [](const std::string& text) { return import_error(text).substr(6); };
  EXPECT_TRUE(contains(error_of(std::string(17 << 20, ' ')), "longer than 16 MiB"));
  EXPECT_TRUE(contains(error_of(std::string(300, 'a')), "the name is longer than 255 characters"));
  EXPECT_TRUE(contains(error_of("A (b => " + std::string(100, '9')), "too many digits"));
  const std::string deep = "A (b => " + std::string(100'000, '(');
  EXPECT_TRUE(contains(error_of(deep), "nested deeper than 16"));
  std::string many = "A (b => (1";
  for (int i = 0; i < 1'000'001; ++i) many += ",1";
  EXPECT_TRUE(contains(error_of(many + "));"), "more than 1000000 values"));
  EXPECT_EQ(import_error(""), "m.txt:1:1: the model has no Transaction");
  EXPECT_EQ(import_error("-- nothing"), "m.txt:1:1: the model has no Transaction");
  EXPECT_EQ(import_error(std::string("A\0(", 3)), "m.txt:1:2: octet 0x00 has no meaning in a MAST model");
}

TEST(MastNumbers, MistakesAreNamed) {
  const std::string at = "3:68: ";
  expect_refused(
      model(),
      {{"Time => 10", "Time => -1", at + "'-1' is negative"},
       {"Time => 10", "Time => ten", at + "expected a number, not 'ten'"},
       {"Time => 10", "Time => 1234567890123456789", at + "'1234567890123456789' has more than 18 digits"},
       {"Time => 10", "Time => 1E100", at + "the exponent of '1E100' has more than two digits"},
       {"Time => 10", "Time => 1E90", at + "the time is too long, or has too many digits, to be analysed"},
       {"Time => 10", "Time => 9007199254741",
        at + "the time is longer than can be analysed, 9007199254.740992 ms"},
       {"The_Priority => 5", "The_Priority => 5.5",
        "2:130: expected a whole number from 1 to 999999999, not '5.5'"},
       {"The_Priority => 5", "The_Priority => 0",
        "2:130: expected a whole number from 1 to 999999999, not '0'"},
       {"The_Priority => 5", "The_Priority => 1E9",
        "2:130: expected a whole number from 1 to 999999999, not '1E9'"}});
}

TEST(MastPlatform, WhatIsNotSupportedIsNamed) {
  expect_refused(
      model(),
      {{"Fixed_Priority_Processor", "Quantum_Processor",
        "1:30: Type of Processing_Resource 'P' is 'Quantum_Processor', which cannot be imported; expected "
        "Fixed_Priority_Processor, Regular_Processor, Fixed_Priority_Network or Packet_Based_Network"},
       {"Name => P)", "Name => P, Speed_Factor => 0)",
        "1:83: Speed_Factor of Processing_Resource 'P' must be greater than 0"},
       {"Fixed_Priority_Policy", "Polling_Policy",
        "2:91: Type of Server_Sched_Parameters of Scheduling_Server 'A' is 'Polling_Policy', which cannot be "
        "imported; "
        "expected Fixed_Priority_Policy, Interrupt_FP_Policy or Non_Preemptible_FP_Policy"},
       {"Fixed_Priority_Policy", "Sporadic_Server_Policy",
        "2:91: Type of Server_Sched_Parameters of Scheduling_Server 'A' is 'Sporadic_Server_Policy', which "
        "cannot be "
        "imported; expected Fixed_Priority_Policy, Interrupt_FP_Policy or Non_Preemptible_FP_Policy"},
       {", The_Priority => 5", "",
        "2:82: Server_Sched_Parameters of Scheduling_Server 'A' has no The_Priority"},
       {"Server_Processing_Resource => P", "Server_Processing_Resource => Q",
        "2:164: there is no Processing_Resource 'Q'"},
       {"Server_Processing_Resource => P", "Scheduler => Q", "2:147: there is no Scheduler 'Q'"},
       {"Name => P)", "Name => P, Max_Priority => 4)",
        "2:130: The_Priority of Scheduling_Server 'A' is not between Min_Priority and Max_Priority of 'P'"},
       {"Scheduling_Server (", "Scheduler (Type => Secondary_Scheduler, Name => X);\nScheduling_Server (",
        "2:20: Type of Scheduler 'X' is 'Secondary_Scheduler', which cannot be imported; expected "
        "Primary_Scheduler"},
       {"Scheduling_Server (",
        "Scheduler (Type => Primary_Scheduler, Name => X, Host => P, Policy => (Type => "
        "EDF));\nScheduling_Server (",
        "2:80: Type of Policy of Scheduler 'X' is 'EDF', which cannot be imported; expected Fixed_Priority "
        "or "
        "FP_Packet_Based"},
       {"Scheduling_Server (",
        "Scheduler (Type => Primary_Scheduler, Name => X, Host => P, Policy => (Type => Fixed_Priority));\n"
        "Scheduling_Server (",
        "2:58: Processing_Resource 'P' already has Scheduler 'P'"},
       {"Scheduling_Server (", mast_processor("p") + "Scheduling_Server (",
        "2:1: Processing_Resource 'p' is also in line 1"},
       {"Scheduling_Server (", "Shared_Resource (Type => SRP_Resource, Name => R);\nScheduling_Server (",
        "2:26: Type of Shared_Resource 'R' is 'SRP_Resource', which cannot be imported; expected "
        "Immediate_Ceiling_Resource"},
       {"Name => P)", "Name => P, System_Timer => (Type => Sundial))",
        "1:92: Type of System_Timer of Processing_Resource 'P' is 'Sundial', which cannot be imported; "
        "expected "
        "Alarm_Clock or Ticker"},
       {"Name => P)", "Name => P, System_Timer => 5)",
        "1:83: System_Timer of Processing_Resource 'P' needs attributes in parentheses: (Type => ..., "
        "...)"}});
}

TEST(MastPlatform, InterruptsAreMoreUrgentThanServers) {
  auto text = model() + mast_server("I", "P", "5");
  text = replaced(text,
                  "Fixed_Priority_Policy, The_Priority => 5), Server_Processing_Resource => P);\nOperation",
                  "Interrupt_FP_Policy, The_Priority => 5), Server_Processing_Resource => P);\nOperation");
  EXPECT_EQ(
      import_error(text),
      "m.txt:2:1: Scheduling_Server 'A' is an interrupt, but its priority 5 is not greater than 5, that of "
      "another server");
}

TEST(MastPlatform, NetworksWithOverheadAreRefused) {
  const auto error_of = [](const std::string& more) {
    return import_error(mast_network("N", more) +
                        mast_chain("T", mast_periodic("100"), {{"A", "10", "N", "5", "90"}}));
  };
  EXPECT_EQ(error_of(", Transmission => Simplex, Packet_Worst_Overhead => 0"), "none");
  EXPECT_EQ(error_of(", Transmission => Full_Duplex"),
            "m.txt:1:81: Processing_Resource 'N' is Full_Duplex, which cannot be imported; write a network "
            "for each "
            "direction");
  EXPECT_EQ(error_of(", Packet_Worst_Overhead => 2"),
            "m.txt:1:90: Processing_Resource 'N' has Packet_Worst_Overhead, which cannot be imported unless "
            "it is 0");
  EXPECT_EQ(error_of(", Max_Packet_Size => 2"),
            "m.txt:1:84: Processing_Resource 'N' has Max_Packet_Size but no Throughput");
  EXPECT_EQ(error_of(", List_of_Drivers => ((Type => Packet_Driver))"),
            "m.txt:1:65: Processing_Resource 'N' has List_of_Drivers, which cannot be imported");
}

TEST(MastOperations, WhatIsNotSupportedIsNamed) {
  expect_refused(
      model(),
      {{"Type => Simple", "Type => Complex",
        "3:20: Type of Operation 'A' is 'Complex', which cannot be imported; expected Simple, Composite, "
        "Enclosing or "
        "Message_Transmission"},
       {"Time => 10", "Time => 10, Shared_Resources_List => (R)", "3:98: there is no Shared_Resource 'R'"},
       {"Time => 10",
        "Time => 10, New_Sched_Parameters => (Type => Overridden_Permanent_FP, The_Priority => 7)",
        "3:72: Operation 'A' has New_Sched_Parameters, which cannot be imported"},
       {"Worst_Case", "Best_Case", "3:11: Operation 'A' has no Worst_Case_Execution_Time"},
       {"Type => Simple, Name => A, Worst_Case_Execution_Time => 10",
        "Type => Composite, Name => A, Composite_Operation_List => (A)",
        "3:1: Operation 'A' contains itself, or operations nested deeper than 64"},
       {"Type => Simple, Name => A, Worst_Case_Execution_Time => 10",
        "Type => Composite, Name => A, Composite_Operation_List => (B)", "3:71: there is no Operation 'B'"},
       {"Type => Simple, Name => A, Worst_Case_Execution_Time => 10",
        "Type => Composite, Name => A, Composite_Operation_List => B",
        "3:70: Composite_Operation_List of Operation 'A' is a list: (..., ...)"},
       {"Type => Simple, Name => A, Worst_Case_Execution_Time",
        "Type => Message_Transmission, Name => A, Max_Message_Size",
        "3:1: Operation 'A' is a message, but 'P' has no Throughput"}});
}

TEST(MastOperations, CeilingsAreNotBinding) {
  const auto with = [](const std::string& more) {
    return import_error(model() + "Shared_Resource (Type => Immediate_Ceiling_Resource, Name => R" + more +
                        ");\n");
  };
  EXPECT_EQ(with(", Ceiling => 7"), "none");
  EXPECT_EQ(with(", Ceiling => 7, Preassigned => No"), "none");
  EXPECT_EQ(with(", Ceiling => 7, Preassigned => Yes"),
            "m.txt:5:76: Shared_Resource 'R' has a Ceiling that is Preassigned, which cannot be imported");
  EXPECT_TRUE(
      contains(import_error(model() + "Shared_Resource (Type => Priority_Inheritance_Resource, Name => R);"),
               "is 'Priority_Inheritance_Resource', which cannot be imported"));
}

TEST(MastOperations, LocksOfAnOperationAreLimited) {
  std::string text = model(), list;
  for (int i = 0; i < 65; ++i) {
    text += "Shared_Resource (Type => Immediate_Ceiling_Resource, Name => R" + std::to_string(i) + ");\n";
    list += (i == 0 ? "R" : ", R") + std::to_string(i);
  }
  EXPECT_TRUE(contains(
      import_error(replaced(text, "Time => 10", "Time => 10, Shared_Resources_List => (" + list + ")")),
      "Operation 'A' uses more than 64 shared resources"));
}

TEST(MastPlatform, MixedServersAreRefused) {
  const auto text =
      mast_processor("P") +
      mast_chain("T", mast_periodic("100"), {{"A", "10", "P", "5", ""}, {"B", "10", "P", "4", "90"}});
  EXPECT_EQ(import_error(replaced(text, "Fixed_Priority_Policy", "Non_Preemptible_FP_Policy")),
            "m.txt:4:1: Scheduling_Server 'B' can be preempted and 'A' cannot, or the reverse; mixed servers "
            "on one "
            "Processing_Resource, 'P', cannot be imported");
}

TEST(MastTransactions, BurstsHaveLimits) {
  const auto error_of = [](const std::string& arrivals) {
    return import_error(replaced(model(), "Type => Periodic, Period => 100",
                                 "Type => Bursty, Bound_Interval => 100" + arrivals));
  };
  EXPECT_EQ(error_of(", Max_Arrivals => 3"), "none");
  EXPECT_TRUE(
      contains(error_of(", Max_Arrivals => 1001"), "expected a whole number from 1 to 1000, not '1001'"));
  EXPECT_TRUE(contains(error_of(", Max_Arrivals => 0"), "expected a whole number from 1 to 1000, not '0'"));
  EXPECT_TRUE(contains(error_of(""), "external event 'T.in' of Transaction 'T' has no Max_Arrivals"));
  EXPECT_TRUE(
      contains(error_of(", Max_Arrivals => 3, Max_Jitter => 2"), "has Max_Jitter, which cannot be imported"));
}

// Without remembered results, 2^60 additions.
TEST(MastOperations, OperationsThatDoubleAreAddedUpOnce) {
  std::string text = model() + mast_operation("D0", "0");
  for (int i = 1; i < 60; ++i) {
    const std::string below = "D" + std::to_string(i - 1);
    text += "Operation (Type => Composite, Name => D" + std::to_string(i) +
            ", Composite_Operation_List => (" + below + ", " + below + "));\n";
  }
  EXPECT_EQ(import_error(replaced(text, "Activity_Operation => A", "Activity_Operation => D59")), "none");
  EXPECT_TRUE(
      contains(import_error(replaced(replaced(text, "Activity_Operation => A", "Activity_Operation => D59"),
                                     "Name => D0, Worst_Case_Execution_Time => 0",
                                     "Name => D0, Worst_Case_Execution_Time => 1")),
               "the operation takes longer than can be analysed"));
}

TEST(MastTransactions, WhatIsNotSupportedIsNamed) {
  for (const std::string type : {"Singular", "Unbounded"})
    EXPECT_TRUE(contains(import_error(replaced(model(), "Periodic", type)),
                         "Type of external event 'T.in' of Transaction 'T' is '" + type +
                             "', which cannot be imported; expected Periodic, Sporadic or Bursty"));
  for (const std::string type :
       {"Offset", "Delay", "Rate_Divisor", "Concentrator", "Barrier", "Delivery_Server", "Query_Server"})
    EXPECT_TRUE(
        contains(import_error(replaced(model(), "Type => Activity", "Type => " + type)),
                 "Type of event handler of Transaction 'T' is '" + type +
                     "', which cannot be imported; expected Activity, System_Timed_Activity or Multicast"));
  for (const std::string type :
       {"Soft_Global_Deadline", "Hard_Local_Deadline", "Max_Output_Jitter_Req", "Global_Max_Miss_Ratio"})
    EXPECT_TRUE(contains(import_error(replaced(model(), "Hard_Global_Deadline", type)),
                         "Type of Timing_Requirements of internal event 'T.1' of Transaction 'T' is '" +
                             type +
                             "', which cannot be imported; expected Hard_Global_Deadline or Composite"));
}

TEST(MastTransactions, MistakesAreNamed) {
  const auto error_of = [](const std::string& from, const std::string& to) {
    return import_error(replaced(model(), from, to)).substr(std::string("m.txt:4:").size());
  };
  EXPECT_TRUE(contains(error_of("Input_Event => T.in", "Input_Event => T.out"), "there is no event 'T.out'"));
  EXPECT_TRUE(contains(error_of("Output_Event => T.1", "Output_Event => T.in"),
                       "event 'T.in' is external, so no handler can have it as its output"));
  EXPECT_TRUE(contains(error_of("Activity_Server => A", "Activity_Server => B"),
                       "there is no Scheduling_Server 'B'"));
  EXPECT_TRUE(
      contains(error_of("Activity_Operation => A", "Activity_Operation => B"), "there is no Operation 'B'"));
  EXPECT_TRUE(contains(error_of("Referenced_Event => T.in", "Referenced_Event => T.1"),
                       "the deadline of event 'T.1' counts from 'T.1', but 'T.in' leads to it"));
  EXPECT_TRUE(
      contains(error_of("Referenced_Event => T.in", "Referenced_Event => X"), "there is no event 'X'"));
  EXPECT_TRUE(contains(error_of("Period => 100", "Period => 0"), "must be at least a nanosecond"));
  EXPECT_TRUE(contains(error_of("Input_Event => T.in", "Input_Event => T.1"),
                       "event 'T.in' is external, but no handler has it as its input"));
  EXPECT_TRUE(contains(error_of("((Name => T.in, Type => Periodic, Period => 100))", "T.in"),
                       "External_Events of Transaction 'T' is a list"));
}

TEST(MastTransactions, EventsHaveOneProducerAndOneConsumer) {
  const std::string handler =
      "(Type => Activity, Input_Event => T.in, Output_Event => T.2, Activity_Operation => A, Activity_Server "
      "=> A)";
  auto text =
      replaced(model(), "Internal_Events => (", "Internal_Events => ((Type => Regular, Name => T.2), ");
  EXPECT_TRUE(contains(import_error(text), "event 'T.2' is neither external nor the output of a handler"));
  text = replaced(text, "Event_Handlers => (", "Event_Handlers => (" + handler + ", ");
  EXPECT_TRUE(contains(import_error(text),
                       "event 'T.in' is already the input of the handler in line 4; a Multicast"));
  const auto same_output =
      replaced(replaced(text, "Output_Event => T.2", "Output_Event => T.1"), "Event => T.in", "Event => T.2");
  EXPECT_TRUE(contains(import_error(same_output), "event 'T.1' is already an output of another handler"));
}

TEST(MastTransactions, ACircleIsNotReached) {
  const std::string handler =
      "(Type => Activity, Input_Event => T.2, Output_Event => T.2, Activity_Operation => A, Activity_Server "
      "=> A)";
  auto text =
      replaced(model(), "Internal_Events => (", "Internal_Events => ((Type => Regular, Name => T.2), ");
  text = replaced(text, "Event_Handlers => (", "Event_Handlers => (" + handler + ", ");
  EXPECT_TRUE(contains(import_error(text),
                       "the event handler is not reached from an external event of Transaction 'T'"));
}

TEST(MastTransactions, TwoOfOneNameAreRefused) {
  const auto chain = mast_chain("T", mast_periodic("100"), {{"B", "10", "P", "5", "90"}});
  EXPECT_EQ(import_error(model() + chain), "m.txt:7:1: Transaction 'T' is also in line 4");
}

TEST(MastTransactions, OnlyTheFirstActivityIsTimed) {
  auto text =
      mast_processor("P", ", System_Timer => (Type => Alarm_Clock, Worst_Overhead => 2)") +
      mast_chain("T", mast_periodic("100"), {{"A", "10", "P", "4", ""}, {"B", "10", "P", "4", "100"}});
  text = replaced(text, "Type => Activity, Input_Event => T.1",
                  "Type => System_Timed_Activity, Input_Event => T.1");
  EXPECT_TRUE(contains(import_error(text),
                       "only the first activity after an external event can be a "
                       "System_Timed_Activity on a processor with a System_Timer"));
}

}  // namespace
}  // namespace takt::scheduling::mast_refusals_test
