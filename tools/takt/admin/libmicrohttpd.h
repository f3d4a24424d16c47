// The functions of libmicrohttpd that `takt` calls.
#pragma once

#include <microhttpd.h>

namespace takt::command {

struct Libmicrohttpd {
  decltype(&::MHD_start_daemon) start_daemon = nullptr;
  decltype(&::MHD_stop_daemon) stop_daemon = nullptr;
  decltype(&::MHD_get_daemon_info) get_daemon_info = nullptr;
  decltype(&::MHD_get_connection_info) get_connection_info = nullptr;
  decltype(&::MHD_create_response_from_buffer) create_response_from_buffer = nullptr;
  decltype(&::MHD_add_response_header) add_response_header = nullptr;
  decltype(&::MHD_queue_response) queue_response = nullptr;
  decltype(&::MHD_destroy_response) destroy_response = nullptr;
};

// Loads the library at the first call. Any thread. Throws a Failure if it cannot be loaded.
const Libmicrohttpd& libmicrohttpd();

}  // namespace takt::command
