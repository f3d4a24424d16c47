// The tables of members: CORBA 3.0.3, 21.3.12, 21.3.13 and 21.5.3.
#pragma once

#include <string>
#include <vector>

namespace rows {

// Answers of members at each point, a letter a point:
//   y  "ok"
//   O  BAD_INV_ORDER 14      N  BAD_INV_ORDER 14 unless the request is being forwarded
//   H  NO_RESOURCES 1        V  NO_RESOURCES 1 unless the values of the call are shown
//   T  NO_RESOURCES 1 unless the request has led to an object
//   C  BAD_PARAM 26          P  BAD_PARAM 28          B  BAD_PARAM 29         Z  BAD_PARAM 0
//   R  INV_POLICY 1          I  INV_POLICY 3          S  InvalidSlot
// or a value:
//   i  a number that is the same at each point of an attempt
//   o  the operation         x  whether a response is expected
//   s  the reply status      e  the exception, without its minor code
//   c  the last part of the completion status, of a system exception
struct Row {
  const char* member;
  const char* answers;
};

// clang-format off: columns.
const std::vector<std::string> client_points{"send_request", "receive_reply", "receive_exception", "receive_other"};
const std::vector<Row> client_rows{
    {"request_id",                         "i i i i"},
    {"operation",                          "o o o o"},
    {"response_expected",                  "x x x x"},
    {"target",                             "y y y y"},
    {"effective_target",                   "y y y y"},
    {"effective_profile",                  "y y y y"},
    {"get_slot",                           "y y y y"},
    {"get_slot of none",                   "S S S S"},
    {"arguments",                          "V V O O"},
    {"exceptions",                         "V V V V"},
    {"contexts",                           "V V V V"},
    {"operation_context",                  "V V V V"},
    {"result",                             "O V O O"},
    {"sync_scope",                         "y y y y"},
    {"reply_status",                       "O s s s"},
    {"forward_reference",                  "O O O N"},
    {"get_request_service_context",        "C C C C"},
    {"get_reply_service_context",          "O C C C"},
    {"received_exception",                 "O O y O"},
    {"received_exception_id",              "O O e O"},
    {"status of received_exception",       "O O c O"},
    {"get_effective_component",            "y y y y"},
    {"get_effective_component of none",    "P P P P"},
    {"get_effective_components",           "y y y y"},
    {"get_effective_components of none",   "P P P P"},
    {"get_request_policy",                 "y y y y"},
    {"get_request_policy of no type",      "R R R R"},
    {"add_request_service_context",        "y O O O"},
};

const std::vector<std::string> server_points{"receive_request_service_contexts", "receive_request", "send_reply",
                                             "send_exception", "send_other"};
const std::vector<Row> server_rows{
    {"request_id",                         "i i i i i"},
    {"operation",                          "o o o o o"},
    {"response_expected",                  "x x x x x"},
    {"sync_scope",                         "y y y y y"},
    {"arguments",                          "O V V V V"},
    {"exceptions",                         "O H H H H"},
    {"contexts",                           "O H H H H"},
    {"operation_context",                  "O H H O O"},
    {"result",                             "O O V O O"},
    {"reply_status",                       "O O s s s"},
    {"forward_reference",                  "O O O O N"},
    {"get_slot",                           "y y y y y"},
    {"get_slot of none",                   "S S S S S"},
    {"set_slot",                           "y y y y y"},
    {"set_slot of none",                   "S S S S S"},
    {"get_request_service_context",        "C C C C C"},
    {"get_reply_service_context",          "O O C C C"},
    {"sending_exception",                  "O O O y O"},
    {"status of sending_exception",        "O O O c O"},
    {"object_id",                          "O T T T T"},
    {"adapter_id",                         "O T T T T"},
    {"adapter_name",                       "O T T T T"},
    {"server_id",                          "O y y y y"},
    {"orb_id",                             "O y y y y"},
    {"target_most_derived_interface",      "O y O O O"},
    {"target_is_a",                        "O y O O O"},
    {"get_server_policy of no type",       "I I I I I"},
    {"add_reply_service_context",          "y y y y y"},
};

// At establish_components and components_established. Later all are OBJECT_NOT_EXIST.
const std::vector<Row> ior_rows{
    {"get_effective_policy",               "y y"},
    {"get_effective_policy of no type",    "I I"},
    {"add_ior_component",                  "y O"},
    {"add_ior_component_to_profile",       "y O"},
    {"add_ior_component_to no profile",    "B O"},
    {"manager_id",                         "y y"},
    {"state",                              "y y"},
    {"adapter_template",                   "O y"},
    {"current_factory",                    "O y"},
    {"set current_factory",                "O y"},
    {"set current_factory to nil",         "O Z"},
};
// clang-format on

}  // namespace rows
