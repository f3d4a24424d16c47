// The settings of an ORB's asynchronous calls, for the ORB's own functions.
#pragma once

#include <cstddef>

#include <takt/async/settings.h>

namespace takt::client {
class Client;
}

namespace takt::async {

void use_settings(client::Client& client, const AsyncSettings& settings);
std::size_t calls_under_way(client::Client& client);

}  // namespace takt::async
