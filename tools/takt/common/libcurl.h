// The functions of libcurl that `takt` calls.
#pragma once

#include <curl/curl.h>

namespace takt::command {

struct Libcurl {
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&::curl_multi_perform) multi_perform = nullptr;
  decltype(&::curl_multi_poll) multi_poll = nullptr;
  decltype(&::curl_multi_info_read) multi_info_read = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_url) url = nullptr;
  decltype(&::curl_url_cleanup) url_cleanup = nullptr;
  decltype(&::curl_url_get) url_get = nullptr;
  decltype(&::curl_url_set) url_set = nullptr;
  decltype(&::curl_url_strerror) url_strerror = nullptr;
  decltype(&::curl_free) free = nullptr;
};

// Loads the library at the first call. Any thread. Throws a Failure if it cannot be loaded.
const Libcurl& libcurl();

// Makes the time limits of a handle's transfers hold while a host's name is looked up, which would otherwise
// be waited for (without effect before libcurl 7.87). The thread that looks the name up may outlive the
// handle.
void end_in_time(CURL* handle);

}  // namespace takt::command
