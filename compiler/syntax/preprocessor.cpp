#include "syntax/preprocessor.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

extern "C" {
#include <mcpp_lib.h>
}

namespace takt::idl {

namespace {

constexpr rlim_t max_cpu_seconds = 10;
constexpr rlim_t max_memory_bytes = rlim_t{1} << 30;  // beyond the memory already mapped
constexpr std::size_t max_output_bytes = std::size_t{32} << 20;
constexpr std::size_t max_complaint_lines = 50;
constexpr std::size_t max_line_bytes = 60000;  // mcpp's own line buffer is 64 KiB

// Input known to make mcpp fail, which is refused beforehand. Empty if there is none.
std::string unfit(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return file + ": error: the file cannot be read: " + std::strerror(errno) + "\n";
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string begin(byte_order_mark.size(), ' ');
  if (input.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == byte_order_mark)
    return file + ":1: error: the file begins with a byte order mark, which is no IDL: save it without one\n";
  input.clear();
  input.seekg(0);
  std::size_t length = 0, line = 1;
  for (char c; input.get(c);) {
    length = c == '\n' ? 0 : length + 1;
    if (c == '\0' || length > max_line_bytes)
      return file + ":" + std::to_string(line) + ": error: " +
             (c == '\0' ? "the file has a NUL octet, so it is not IDL\n"
                        : "a line has more than 60000 characters\n");
    line += c == '\n';
  }
  if (input.bad() || !input.eof()) return file + ": error: the file cannot be read\n";
  return {};
}

// -N: no predefined macros such as `unix`; -k: keeps columns; -W1: says when a comment does not end; -I-: no
// system folders.
std::vector<std::string> command_line(const std::string& file, const PreprocessorOptions& options) {
  std::vector<std::string> words{"takt-idl", "-N", "-k", "-W1", "-e", "utf8", "-I-", "-D__TAKT_IDL__=1"};
  for (const auto& folder : options.include_folders) words.push_back("-I" + folder);
  if (const std::string installed = installed_idl_folder(); !installed.empty())
    words.push_back("-I" + installed);
  for (const auto& definition : options.definitions) words.push_back("-D" + definition);
  for (const auto& name : options.undefinitions) words.push_back("-U" + name);
  words.push_back(file);
  return words;
}

// The child's output streams for mcpp. They write to the pipes directly: mcpp's own memory buffers take
// quadratic time.
FILE* streams[2];  // text, complaints

FILE* stream(OUTDEST destination) { return streams[destination == OUT ? 0 : 1]; }
int put_character(int c, OUTDEST destination) { return std::fputc(c, stream(destination)); }
int put_text(const char* text, OUTDEST destination) { return std::fputs(text, stream(destination)); }
int put_format(OUTDEST destination, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = std::vfprintf(stream(destination), format, arguments);
  va_end(arguments);
  return count;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool has_shadow_memory = true;
#elif defined(__has_feature)
constexpr bool has_shadow_memory = __has_feature(address_sanitizer);
#else
constexpr bool has_shadow_memory = false;
#endif

// The memory that this process has mapped, including stacks and arenas inherited from its parent; 0 if
// unknown.
rlim_t mapped_bytes() {
  std::ifstream file("/proc/self/statm");
  rlim_t pages = 0;
  return file >> pages ? pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

// Limits the child that runs mcpp. Hostile text makes mcpp read beyond its buffers or divide with overflow
// (both to be reported upstream). The limits on time and memory exceed the needs of any real IDL, and a fault
// ends only this process, even under a sanitizer.
void contain() {
  const rlim_t mapped = mapped_bytes(), most = mapped + max_memory_bytes;
  const rlimit time{max_cpu_seconds, max_cpu_seconds}, memory{most, most}, no_core{};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (!has_shadow_memory && mapped != 0) ::setrlimit(RLIMIT_AS, &memory);
  for (const int fault : {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGPIPE}) ::signal(fault, SIG_DFL);
}

[[noreturn]] void run_mcpp(std::vector<std::string> words, int output, int errors) {
  contain();
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  streams[0] = ::fdopen(output, "w");
  streams[1] = ::fdopen(errors, "w");
  if (!streams[0] || !streams[1]) ::_exit(2);
  mcpp_set_out_func(put_character, put_text, put_format);
  const int status = mcpp_lib_main(static_cast<int>(words.size()), arguments.data());
  const bool written = std::fflush(streams[0]) == 0 && std::fflush(streams[1]) == 0;
  ::_exit(!written ? 2 : status == 0 ? 0 : 1);
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe(ends) == 0) read = ends[0], write = ends[1];
  }
  ~Pipe() { close_end(read), close_end(write); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

// Reads both pipes to their ends. False if the output of one exceeds the limit.
bool drain(Pipe& first, std::string& into_first, Pipe& second, std::string& into_second) {
  std::array<char, 65536> block;
  while (first.read >= 0 || second.read >= 0) {
    std::array<pollfd, 2> wanted{pollfd{first.read, POLLIN, 0}, pollfd{second.read, POLLIN, 0}};
    if (::poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR) return false;
    for (const bool is_first : {true, false}) {
      Pipe& from = is_first ? first : second;
      std::string& into = is_first ? into_first : into_second;
      if (from.read < 0 || !wanted[is_first ? 0 : 1].revents) continue;
      const ssize_t count = ::read(from.read, block.data(), block.size());
      if (count <= 0) {
        Pipe::close_end(from.read);
        continue;
      }
      into.append(block.data(), static_cast<std::size_t>(count));
      if (into.size() > max_output_bytes) return false;
    }
  }
  return true;
}

// Finds the comment that does not end in a file.
class OpenComment {
 public:
  // "line:column" of the comment's begin.
  std::string find(std::istream& input) {
    for (char c; input.get(c);) {
      before_ = take(c);
      ++column_;
      if (c != '\n') continue;
      ++line_;
      column_ = 0;
      if (before_ == 0) continue;  // the quote goes on
      quote_ = 0;
      to_line_end_ = false;
    }
    return begin_;
  }

 private:
  // Returns the character that the next one is seen after: 0 if the two do not belong together.
  char take(char c) {
    if (in_comment_) {
      if (before_ != '*' || c != '/') return c;
      in_comment_ = false;
      return 0;
    }
    if (quote_) {
      if (before_ == '\\') return 0;
      if (c == quote_) quote_ = 0;
      return c;
    }
    if (before_ == '/' && c == '*' && !to_line_end_) {
      in_comment_ = true;
      begin_ = std::to_string(line_) + ":" + std::to_string(column_);
      return 0;
    }
    if (before_ == '/' && c == '/')
      to_line_end_ = true;
    else if ((c == '"' || c == '\'') && !to_line_end_)
      quote_ = c;
    return c;
  }

  std::size_t line_ = 1, column_ = 0;
  std::string begin_ = "0:0";
  char quote_ = 0, before_ = 0;
  bool in_comment_ = false, to_line_end_ = false;
};

// The place, "name:line:column", of the comment at the end of a file that does not end.
std::string place_of_open_comment(const std::string& file, const std::string& name) {
  std::ifstream input(file, std::ios::binary);
  return name + ":" + OpenComment().find(input);
}

// Takes mcpp's warnings, each of which is one line and indented lines after it, out of its messages. Returns
// an error for each file that ends inside a comment; mcpp would end the comment there.
std::string take_warnings(std::string& complaints, const std::string& main_file) {
  constexpr std::string_view mark = ": warning: ";
  std::error_code error;
  const std::string main_path = std::filesystem::canonical(main_file, error).string();
  std::string rest, errors;
  bool in_warning = false;
  std::istringstream lines(complaints);
  for (std::string line; std::getline(lines, line);) {
    in_warning = line.find(mark) != std::string::npos || (in_warning && line.starts_with(' '));
    if (!in_warning) rest.append(line).append("\n");
    if (!in_warning || !line.ends_with("with unterminated comment, terminated the comment")) continue;
    const std::string file = line.substr(0, line.rfind(':', line.find(mark) - 1));
    const std::string near = std::filesystem::proximate(file, error).string();
    const bool is_inside = !error && !near.starts_with("..");
    errors += place_of_open_comment(file, file == main_path ? main_file
                                          : is_inside       ? near
                                                            : file) +
              ": error: this comment does not end\n";
  }
  complaints = std::move(rest);
  return errors;
}

// Shortens mcpp's messages, "x.idl:3: error: Text" followed by indented lines of context. The main file's
// name, which mcpp makes absolute, is restored as given; the count of errors is left out.
std::string readable_errors(const std::string& complaints, const std::string& file) {
  std::error_code error;
  const std::string absolute = std::filesystem::canonical(file, error).string();
  std::string text;
  std::size_t lines = 0;
  for (std::size_t start = 0; start < complaints.size();) {
    const std::size_t end = std::min(complaints.find('\n', start), complaints.size());
    std::string_view line = std::string_view(complaints).substr(start, end - start);
    start = end + 1;
    if (line.empty() || line.ends_with(" in preprocessor.")) continue;
    if (++lines > max_complaint_lines) {
      text += "(more errors are not shown)\n";
      break;
    }
    for (std::size_t at; !error && (at = line.find(absolute + ":")) != std::string_view::npos;) {
      text.append(line.substr(0, at)).append(file);
      line.remove_prefix(at + absolute.size());
    }
    text.append(line).append("\n");
  }
  return text.empty() ? file + ": error: the preprocessor failed\n" : text;
}

// Whether the text, "error: Text" of mcpp's, is of a line that other preprocessors skip with its directive
// obeyed: words after #else or #endif, as in `#endif NAME_H`, and directives that say nothing to the
// compiler.
bool is_harmless(std::string_view error, std::string_view line) {
  for (const std::string_view directive : {"\"ident\"", "\"sccs\"", "\"warning\""})
    if (error.starts_with("Unknown #directive " + std::string(directive))) return true;
  if (!error.starts_with("Excessive token sequence ")) return false;
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return false;
  line.remove_prefix(1);
  skip_blanks();
  return line.starts_with("else ") || line.starts_with("endif ");
}

// mcpp has skipped such lines only, and written all text then.
bool has_only_harmless_errors(const std::string& complaints) {
  constexpr std::string_view mark = ": error: ";
  std::istringstream lines(complaints);
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(" in preprocessor."))
      return found != 0 && std::strtoul(line.c_str(), nullptr, 10) == found;
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    std::string directive;
    std::getline(lines, directive);
    if (!is_harmless(std::string_view(line).substr(at + mark.size()), directive)) return false;
    ++found;
  }
  return false;
}

std::string fault_name(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

}  // namespace

std::string installed_idl_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto folder = (program.parent_path() / TAKT_IDL_FROM_PROGRAMS).lexically_normal();
  return !error && std::filesystem::is_directory(folder, error) ? folder.string() : "";
}

std::string own_or_installed_idl(const std::string& file) {
  std::error_code error;
  if (file.find('/') != std::string::npos || std::filesystem::exists(file, error)) return file;
  const std::string folder = installed_idl_folder();
  const std::string installed = folder + "/" + file;
  return !folder.empty() && std::filesystem::exists(installed, error) ? installed : file;
}

namespace {

std::unexpected<std::string> failed(const std::string& file, const std::string& why) {
  return std::unexpected(file + ": error: " + why + "\n");
}

// The output of a child process that ran mcpp, and its status as of wait().
struct Preprocessed {
  std::string text, complaints;
  int status = 0;
};

std::expected<Preprocessed, std::string> run_child(const std::string& file,
                                                   const PreprocessorOptions& options) {
  Pipe output, errors;
  if (output.read < 0 || errors.read < 0)
    return failed(file, std::string("cannot create a pipe to the preprocessor: ") + std::strerror(errno));
  const pid_t child = ::fork();
  if (child < 0)
    return failed(file, std::string("cannot start a process for the preprocessor: ") + std::strerror(errno));
  if (child == 0) {
    Pipe::close_end(output.read);  // a child whose parent was killed ends by SIGPIPE
    Pipe::close_end(errors.read);
    run_mcpp(command_line(file, options), output.write, errors.write);
  }
  Pipe::close_end(output.write);
  Pipe::close_end(errors.write);
  Preprocessed result;
  const bool drained = drain(output, result.text, errors, result.complaints);
  if (!drained) ::kill(child, SIGKILL);
  while (::waitpid(child, &result.status, 0) < 0 && errno == EINTR) {
  }
  if (!drained) return failed(file, "macros and includes expand this file to more than 32 MiB");
  return result;
}

// Why a child that a signal has ended did not succeed.
std::string reason_of(int signal) {
  if (signal == SIGXCPU || signal == SIGKILL) return "preprocessing takes longer than 10 seconds";
  return "the preprocessor crashes on this file (" + fault_name(signal) +
         "), which is a bug in libmcpp: look for unusual #if lines and macros";
}

}  // namespace

std::expected<std::string, std::string> preprocess(const std::string& file,
                                                   const PreprocessorOptions& options) {
  if (std::string reason = unfit(file); !reason.empty()) return std::unexpected(std::move(reason));
  auto child = run_child(file, options);
  if (!child) return std::unexpected(std::move(child.error()));
  auto& [text, complaints, status] = *child;
  if (WIFSIGNALED(status)) return failed(file, reason_of(WTERMSIG(status)));
  const std::string open_comments = take_warnings(complaints, file);
  const bool is_complete =
      WIFEXITED(status) &&
      (WEXITSTATUS(status) == 0 || (WEXITSTATUS(status) == 1 && has_only_harmless_errors(complaints)));
  if (!is_complete) return std::unexpected(open_comments + readable_errors(complaints, file));
  if (!open_comments.empty()) return std::unexpected(open_comments);
  return std::move(text);
}

}  // namespace takt::idl
