#include "naming/etcd_http.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "common/command.h"
#include "common/libcurl.h"

namespace takt::command {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds connect_time{1000};
constexpr std::size_t kept_connections = 64;

// The octets that a transfer has received.
struct Received {
  std::string octets;
  std::size_t most = 0;
};

// Called by libcurl. Ends the transfer beyond the limit.
std::size_t take(char* octets, std::size_t size, std::size_t count, void* to) {
  auto& received = *static_cast<Received*>(to);
  const std::size_t bytes = size * count;
  if (bytes > received.most - received.octets.size()) return 0;
  try {
    received.octets.append(octets, bytes);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return bytes;
}

// The octets of a request that are not sent yet.
std::size_t give(char* to, std::size_t size, std::size_t count, void* from) {
  auto& rest = *static_cast<std::string_view*>(from);
  const std::size_t bytes = rest.copy(to, size * count);
  rest.remove_prefix(bytes);
  return bytes;
}

// Called by libcurl to send a request once more, which it does by itself if a connection that was used before
// breaks without an answer. The server may have carried out the request then, so it is not sent again.
int refuse_to_send_again(void*, curl_off_t, int) { return CURL_SEEKFUNC_FAIL; }

struct EndHandle {
  void operator()(CURL* handle) const { libcurl().easy_cleanup(handle); }
};
struct EndHeaders {
  void operator()(curl_slist* headers) const { libcurl().slist_free_all(headers); }
};
struct EndTransfers {
  void operator()(CURLM* transfers) const { libcurl().multi_cleanup(transfers); }
};

// One connection's handle. The settings that do not change are made once. Throws a Failure if libcurl does
// not have one of them.
class Transfer {
 public:
  explicit Transfer(const EtcdTls& tls) : handle_(libcurl().easy_init()) {
    if (!handle_) throw std::bad_alloc();
    make_headers();
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_POST, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    end_in_time(handle_.get());
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect_time.count()));
    set(CURLOPT_ERRORBUFFER, error_);
    set(CURLOPT_READFUNCTION, &give);
    set(CURLOPT_READDATA, &rest_);
    set(CURLOPT_SEEKFUNCTION, &refuse_to_send_again);
    set(CURLOPT_WRITEFUNCTION, &take);
    set(CURLOPT_WRITEDATA, &received);
    if (!tls.authorities.empty()) set(CURLOPT_CAINFO, tls.authorities.c_str());
    if (!tls.certificate.empty()) set(CURLOPT_SSLCERT, tls.certificate.c_str());
    if (!tls.key.empty()) set(CURLOPT_SSLKEY, tls.key.c_str());
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  template <class Value>
  void set(CURLoption option, Value value) {
    const CURLcode failed = libcurl().easy_setopt(handle_.get(), option, value);
    if (failed == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    if (failed != CURLE_OK)
      fail("libcurl refuses option " + std::to_string(option) + ": " + libcurl().easy_strerror(failed) +
           "; etcd needs libcurl 7.85 or later, built with TLS");
  }
  void authorize(const std::string& token) {
    if (token == token_) return;
    token_ = token;
    make_headers();
  }
  // `json` outlives the transfer.
  void prepare(const std::string& url, std::string_view json, std::size_t most_bytes) {
    received = {.octets = {}, .most = most_bytes};
    rest_ = json;
    error_[0] = '\0';
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(json.size()));
  }
  std::string why(CURLcode failed) const {
    if (failed == CURLE_OPERATION_TIMEDOUT) return "no answer in time";
    if (failed == CURLE_WRITE_ERROR) return "the answer is too long";
    if (failed == CURLE_SEND_FAIL_REWIND) return "the connection has ended without an answer";
    return error_[0] != '\0' ? error_ : libcurl().easy_strerror(failed);
  }
  long number(CURLINFO which) const {
    long number = 0;
    libcurl().easy_getinfo(handle_.get(), which, &number);
    return number;
  }
  CURL* handle() const { return handle_.get(); }

  Received received;

 private:
  void make_headers() {
    std::unique_ptr<curl_slist, EndHeaders> made;
    const auto add = [&made](const std::string& header) {
      curl_slist* const longer = libcurl().slist_append(made.get(), header.c_str());
      if (!longer) throw std::bad_alloc();
      std::ignore = made.release();  // it is part of the longer list
      made.reset(longer);
    };
    add("Content-Type: application/json");
    add("Expect:");
    if (!token_.empty()) add("Authorization: " + token_);
    set(CURLOPT_HTTPHEADER, made.get());
    headers_ = std::move(made);
  }

  std::string token_;
  std::string_view rest_;  // the octets of the request that are still to be sent
  char error_[CURL_ERROR_SIZE] = "";
  std::unique_ptr<curl_slist, EndHeaders> headers_;  // outlive the handle
  const std::unique_ptr<CURL, EndHandle> handle_;
};

class EtcdStream final : public etcd::HttpStream {
 public:
  EtcdStream(const EtcdTls& tls, const std::string& token, const std::string& url, std::string json)
      : json_(std::move(json)), transfer_(tls), transfers_(libcurl().multi_init()) {
    if (!transfers_) throw std::bad_alloc();
    transfer_.authorize(token);
    transfer_.prepare(url, json_, most_waiting);
    if (libcurl().multi_add_handle(transfers_.get(), transfer_.handle()) != CURLM_OK) throw std::bad_alloc();
  }
  ~EtcdStream() override { libcurl().multi_remove_handle(transfers_.get(), transfer_.handle()); }

  std::expected<std::string, std::string> read(milliseconds most) override {
    int running = 0;
    libcurl().multi_perform(transfers_.get(), &running);
    if (transfer_.received.octets.empty() && running) {
      libcurl().multi_poll(transfers_.get(), nullptr, 0, static_cast<int>(most.count()), nullptr);
      libcurl().multi_perform(transfers_.get(), &running);
    }
    if (!transfer_.received.octets.empty()) return std::exchange(transfer_.received.octets, {});
    if (running) return std::string();
    int left = 0;
    const CURLMsg* const said = libcurl().multi_info_read(transfers_.get(), &left);
    const CURLcode code = said ? said->data.result : CURLE_OK;
    return std::unexpected(code == CURLE_OK ? "the stream has ended" : transfer_.why(code));
  }

 private:
  static constexpr std::size_t most_waiting = 64 << 20;  // between two calls of read()

  const std::string json_;
  Transfer transfer_;
  const std::unique_ptr<CURLM, EndTransfers> transfers_;
};

class EtcdHttp final : public etcd::Http {
 public:
  // The first handle shows whether libcurl has all settings.
  explicit EtcdHttp(EtcdTls tls) : tls_(std::move(tls)) { idle_.push_back(std::make_unique<Transfer>(tls_)); }

  std::expected<etcd::HttpAnswer, etcd::HttpFault> post(const std::string& url, const std::string& json,
                                                        milliseconds most, std::size_t most_bytes) override {
    std::unique_ptr<Transfer> transfer = taken();
    transfer->authorize(token());
    transfer->prepare(url, json, most_bytes);
    transfer->set(CURLOPT_TIMEOUT_MS, static_cast<long>(most.count()));
    const CURLcode failed = libcurl().easy_perform(transfer->handle());
    if (failed != CURLE_OK)  // the connection is not used again
      return std::unexpected(etcd::HttpFault{.text = transfer->why(failed),
                                             .maybe_sent = transfer->number(CURLINFO_REQUEST_SIZE) > 0,
                                             .too_long = failed == CURLE_WRITE_ERROR,
                                             .timed_out = failed == CURLE_OPERATION_TIMEDOUT});
    etcd::HttpAnswer answer{.status = static_cast<int>(transfer->number(CURLINFO_RESPONSE_CODE)),
                            .body = std::exchange(transfer->received.octets, {})};
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kept_connections) idle_.push_back(std::move(transfer));
    return answer;
  }

  std::unique_ptr<etcd::HttpStream> open(const std::string& url, const std::string& json) override {
    return std::make_unique<EtcdStream>(tls_, token(), url, json);
  }
  void authorize(const std::string& token) override {
    const std::lock_guard lock(mutex_);
    token_ = token;
  }

 private:
  std::unique_ptr<Transfer> taken() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto transfer = std::move(idle_.back());
        idle_.pop_back();
        return transfer;
      }
    }
    return std::make_unique<Transfer>(tls_);
  }

  std::string token() {
    const std::lock_guard lock(mutex_);
    return token_;
  }

  const EtcdTls tls_;
  std::mutex mutex_;
  std::string token_;
  std::vector<std::unique_ptr<Transfer>> idle_;
};

}  // namespace

std::unique_ptr<etcd::Http> etcd_http(EtcdTls tls) { return std::make_unique<EtcdHttp>(std::move(tls)); }

}  // namespace takt::command
