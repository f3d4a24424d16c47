#include "common/libcurl.h"

#include "common/loaded_library.h"

namespace takt::command {
namespace {

Libcurl functions_of(const LoadedLibrary& library) {
  Libcurl curl;
  library.find(curl.easy_init, "curl_easy_init");
  library.find(curl.easy_cleanup, "curl_easy_cleanup");
  library.find(curl.easy_setopt, "curl_easy_setopt");
  library.find(curl.easy_getinfo, "curl_easy_getinfo");
  library.find(curl.easy_perform, "curl_easy_perform");
  library.find(curl.easy_strerror, "curl_easy_strerror");
  library.find(curl.multi_init, "curl_multi_init");
  library.find(curl.multi_cleanup, "curl_multi_cleanup");
  library.find(curl.multi_add_handle, "curl_multi_add_handle");
  library.find(curl.multi_remove_handle, "curl_multi_remove_handle");
  library.find(curl.multi_perform, "curl_multi_perform");
  library.find(curl.multi_poll, "curl_multi_poll");
  library.find(curl.multi_info_read, "curl_multi_info_read");
  library.find(curl.slist_append, "curl_slist_append");
  library.find(curl.slist_free_all, "curl_slist_free_all");
  library.find(curl.url, "curl_url");
  library.find(curl.url_cleanup, "curl_url_cleanup");
  library.find(curl.url_get, "curl_url_get");
  library.find(curl.url_set, "curl_url_set");
  library.find(curl.url_strerror, "curl_url_strerror");
  library.find(curl.free, "curl_free");
  return curl;
}

}  // namespace

const Libcurl& libcurl() {
  static const Libcurl curl = functions_of(LoadedLibrary(TAKT_LIBCURL, "libcurl"));
  return curl;
}

void end_in_time([[maybe_unused]] CURL* handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  (void)libcurl().easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);  // the library may be older than its header
#endif
}

}  // namespace takt::command
