#include "admin/libmicrohttpd.h"

#include "common/loaded_library.h"

namespace takt::command {
namespace {

Libmicrohttpd functions_of(const LoadedLibrary& library) {
  Libmicrohttpd http;
  library.find(http.start_daemon, "MHD_start_daemon");
  library.find(http.stop_daemon, "MHD_stop_daemon");
  library.find(http.get_daemon_info, "MHD_get_daemon_info");
  library.find(http.get_connection_info, "MHD_get_connection_info");
  library.find(http.create_response_from_buffer, "MHD_create_response_from_buffer");
  library.find(http.add_response_header, "MHD_add_response_header");
  library.find(http.queue_response, "MHD_queue_response");
  library.find(http.destroy_response, "MHD_destroy_response");
  return http;
}

}  // namespace

const Libmicrohttpd& libmicrohttpd() {
  static const Libmicrohttpd http = functions_of(LoadedLibrary(TAKT_LIBMICROHTTPD, "libmicrohttpd"));
  return http;
}

}  // namespace takt::command
