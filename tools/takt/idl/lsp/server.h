// The language server: answers an editor's requests about IDL.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "idl/lsp/answers.h"
#include "idl/lsp/workspace.h"

namespace takt::command::lsp {

// One editor's session. The process must have one thread, because analyses start preprocessors.
class Server {
 public:
  Server(std::vector<std::string> include_folders, std::ostream& out)
      : workspace_(std::move(include_folders)), out_(out) {}

  // Serves until the editor ends the session. Returns the exit status: 0 after `shutdown`, else 1.
  int run(std::istream& in);

 private:
  struct Error {
    int code;
    std::string text;
  };
  using Request = Json (Server::*)(const Json& parameters);
  using Notification = void (Server::*)(const Json& parameters);
  static Request request_of(const std::string& method);
  static Notification notification_of(const std::string& method);

  void receive(const Json& message);  // a discarded value if the content was not JSON
  // Throws Error if a message of that method may not come now.
  void require_session(const std::string& method, bool is_request) const;
  void answer(const Json& id, const std::string& method, const Json& parameters);

  Json initialize(const Json& parameters);
  Json shut_down(const Json& parameters);
  Json definition(const Json& parameters);
  Json hover(const Json& parameters);
  Json completion(const Json& parameters);
  Json references(const Json& parameters);
  Json prepare_rename(const Json& parameters);
  Json rename(const Json& parameters);
  Json formatting(const Json& parameters);
  Json symbols(const Json& parameters);
  void opened(const Json& parameters);
  void changed(const Json& parameters);
  void closed(const Json& parameters);

  // Throw Error.
  std::filesystem::path path_in(const Json& parameters) const;
  Document& document_in(const Json& parameters);
  std::optional<Occurrence> name_in(const Json& parameters, const Document& document) const;
  void publish(const std::filesystem::path& path, const Json& diagnostics);
  void update(const std::filesystem::path& path, std::string text);

  Workspace workspace_;
  std::ostream& out_;
  bool is_initialized_ = false, is_shut_down_ = false;
};

}  // namespace takt::command::lsp
