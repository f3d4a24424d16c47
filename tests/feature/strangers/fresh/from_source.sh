#!/bin/sh
# The first program, with Takt installed from its sources as docs/user/first-program.md says.
. "$(dirname "$0")/machine.sh"
there "apt-get -qq update"
before=$(du -sm "$machine" | cut -f1)
there "cd /takt; script/bootstrap --build"
echo "packages of script/bootstrap --build: $(($(du -sm "$machine" | cut -f1) - before)) MB installed"
there "cd /takt; $(block docs/user/first-program.md '1. Install Takt' 1)"
first_program "$(block docs/user/first-program.md '3. The build' 2)"
