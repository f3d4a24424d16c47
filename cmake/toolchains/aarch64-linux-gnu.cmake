# Cross-compiles for aarch64 on Debian 12. takt-idl and the tests run under qemu-user. What it needs:
#
#   dpkg --add-architecture arm64
#   apt-get update
#   apt-get install g++-aarch64-linux-gnu qemu-user libstdc++6:arm64 libssl-dev:arm64 zlib1g-dev:arm64 libsqlite3-dev:arm64 \
#                   libmcpp-dev:arm64 libgtest-dev:arm64 libgmock-dev:arm64 librapidcheck-dev:arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
