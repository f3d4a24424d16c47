#!/bin/sh
# The first program, with Takt installed from the Debian packages that script/package has made; then the same by make,
# with the shared library and with the archive.
here=$(dirname "$0")
[ -e "$here/../../../../build/debian" ] || "$here/../../../../script/package"
. "$here/machine.sh"
page=docs/user/first-program.md
mkdir -p "$machine/takt/build/debian"
cp "$sources"/build/debian/*.deb "$machine/takt/build/debian/"
there "apt-get -qq update"
# As root there is no sudo, and nobody answers questions. Recommended packages, g++ and cmake among them, are installed by default.
there "cd /takt; $(block $page '1. Install Takt' 2 | sed -n 's/^sudo apt install/apt-get -qq -o Dpkg::Use-Pty=0 install -y/p')"
there "takt --version; takt-idl --version; takt-idtable --version"
there 'dpkg -L takt-tools | grep -q man1/takt-ping.1.gz; ldd /usr/bin/takt | grep libtakt && exit 1; ldconfig -p | grep libtakt.so'
first_program "$(block $page '3. The build' 2 | sed 's/-D CMAKE_PREFIX_PATH=[^ ]* //')"
there "readelf -d build/hello_server | grep 'NEEDED.*libtakt.so'"

# By pkg-config, in folders of their own.
for takt in takt takt-static; do
  there "mkdir $takt; cp /takt/examples/hello/* $takt/; cd $takt; apt-get -qq -o Dpkg::Use-Pty=0 install -y make pkg-config > /dev/null
    make TAKT=$takt; ./hello_server > reference & sleep 2; ./hello_client \"\$(cat reference)\" > /srv/said
    ! readelf -d hello_server | grep 'NEEDED.*libtakt' || [ $takt = takt ]"
  said "Hello, world!"
done

# The commands that a first look takes.
there 'hash=$(takt ior build/reference | head -1); [ -n "$hash" ]; takt help > /dev/null; takt options TLS | head -3'
there 'takt naming --memory --listen iiop://127.0.0.1:0 > reference & sleep 2; takt name mkdir --service "$(cat reference)" a
  takt name tree --service "$(cat reference)" > said; grep -q a said'
# What is removed leaves nothing.
there 'apt-get -qq -o Dpkg::Use-Pty=0 purge -y takt-tools libtakt libtakt-dev; ! ls -d /usr/share/takt /usr/include/takt 2> /dev/null'
