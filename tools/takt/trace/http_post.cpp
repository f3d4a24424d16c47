#include "trace/http_post.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "common/libcurl.h"
#include "os/error_text.h"

namespace takt::command {
namespace {

constexpr std::size_t most_reply_bytes = 65536;

struct UrlCloser {
  void operator()(CURLU* url) const { libcurl().url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlCloser>;

// A part of the URL; empty if it has none.
std::string part_of(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (libcurl().url_get(url.get(), part, &text, 0) != CURLUE_OK) return {};
  std::string copy(text);
  libcurl().free(text);
  return copy;
}

// Called by libcurl. Octets beyond the limit are read and dropped.
std::size_t take_body(char* octets, std::size_t size, std::size_t count, void* body) {
  auto& kept = *static_cast<std::string*>(body);
  kept.append(octets, std::min(size * count, most_reply_bytes - kept.size()));
  return size * count;
}

}  // namespace

std::expected<std::string, std::string> post_url_from(const std::string& text, const char* default_path) {
  const auto wrong = [&](std::string_view why) {
    return std::unexpected("'" + text +
                           "' is not http://HOST[:PORT][/PATH] or https://...: " + std::string(why));
  };
  const Url url(libcurl().url());
  if (!url) throw std::bad_alloc();
  if (const CURLUcode fault = libcurl().url_set(url.get(), CURLUPART_URL, text.c_str(), 0);
      fault != CURLUE_OK)
    return wrong(libcurl().url_strerror(fault));
  const std::string scheme = part_of(url, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return wrong("it has another scheme");
  if (part_of(url, CURLUPART_PORT) == "0") return wrong("there is no port 0");
  if (part_of(url, CURLUPART_PATH) == "/" &&
      libcurl().url_set(url.get(), CURLUPART_PATH, default_path, 0) != CURLUE_OK)
    throw std::bad_alloc();
  return part_of(url, CURLUPART_URL);
}

struct HttpPoster::Curl {
  CURL* const handle = libcurl().easy_init();
  curl_slist* headers = nullptr;
  char error[CURL_ERROR_SIZE] = "";

  ~Curl() {
    libcurl().slist_free_all(headers);
    libcurl().easy_cleanup(handle);
  }
  // Without Expect, which delays long documents at servers that do not know it.
  void add_headers() {
    for (const char* const header : {"Content-Type: application/json", "Expect:"}) {
      curl_slist* const longer = libcurl().slist_append(headers, header);
      if (!longer) throw std::bad_alloc();
      headers = longer;
    }
  }
  template <class Value>
  void set(CURLoption option, Value value) {
    if (libcurl().easy_setopt(handle, option, value) != CURLE_OK) throw std::bad_alloc();
  }
  std::string why(CURLcode failed) const {
    if (failed == CURLE_OPERATION_TIMEDOUT) return "no answer in time";
    std::string text = error[0] != '\0' ? error : libcurl().easy_strerror(failed);
    long number = 0;
    if (libcurl().easy_getinfo(handle, CURLINFO_OS_ERRNO, &number) == CURLE_OK && number != 0)
      text += ": " + os::error_text(static_cast<int>(number));
    return text;
  }
};

HttpPoster::HttpPoster(std::string url, const std::string& authorities)
    : url_(std::move(url)), curl_(std::make_unique<Curl>()) {
  if (!curl_->handle) throw std::bad_alloc();
  curl_->add_headers();
  curl_->set(CURLOPT_URL, url_.c_str());
  curl_->set(CURLOPT_PROTOCOLS_STR, "http,https");
  if (!authorities.empty()) curl_->set(CURLOPT_CAINFO, authorities.c_str());
  curl_->set(CURLOPT_POST, 1L);
  curl_->set(CURLOPT_HTTPHEADER, curl_->headers);
  curl_->set(CURLOPT_NOSIGNAL, 1L);
  end_in_time(curl_->handle);
  curl_->set(CURLOPT_ERRORBUFFER, curl_->error);
  curl_->set(CURLOPT_WRITEFUNCTION, &take_body);
}

HttpPoster::~HttpPoster() = default;

std::expected<HttpReply, std::string> HttpPoster::post_json(const std::string& json,
                                                            std::chrono::nanoseconds most) {
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(most).count();
  HttpReply reply;
  curl_->error[0] = '\0';
  curl_->set(CURLOPT_POSTFIELDS, json.c_str());
  curl_->set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(json.size()));
  curl_->set(CURLOPT_TIMEOUT_MS, static_cast<long>(milliseconds));
  curl_->set(CURLOPT_WRITEDATA, &reply.body);
  if (const CURLcode failed = libcurl().easy_perform(curl_->handle); failed != CURLE_OK)
    return std::unexpected(curl_->why(failed));
  long status = 0;
  libcurl().easy_getinfo(curl_->handle, CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  return reply;
}

}  // namespace takt::command
