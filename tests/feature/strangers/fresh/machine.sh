# Read by the scripts beside it: makes a root folder that has Debian's base and nothing else, with the sources in /takt, and
# gives functions that do there what the documents say. Exits with 77, and says why, if there can be no such folder.
set -eu
sources=$(cd "$(dirname "$0")/../../../.." && pwd)
folder=$sources/build/strangers
machine=$folder/$(basename "$0" .sh)

skip() {
  echo "skipped: $*"
  exit 77
}

[ "$(id -u)" -eq 0 ] || skip "making a machine takes root"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
mkdir -p "$folder"
if [ ! -e "$folder/base.tar" ]; then
  . /etc/os-release
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" | head -1)
  echo "== a Debian $VERSION_CODENAME"
  rm -rf "$folder/base"
  debootstrap --variant=minbase "$VERSION_CODENAME" "$folder/base" "$mirror" > "$folder/debootstrap.log" 2>&1 ||
    skip "debootstrap: $(tail -1 "$folder/debootstrap.log")"
  tar -C "$folder/base" -cf "$folder/base.tar" .
  rm -rf "$folder/base"
fi
rm -rf "$machine"
mkdir -p "$machine/takt"
tar -C "$machine" -xf "$folder/base.tar"
# How a machine reaches Debian's packages is no part of what the documents say.
cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d "$machine/etc/apt/"
cp -rL /usr/share/keyrings "$machine/usr/share/"
cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
[ ! -d /etc/ssl/certs ] || cp -rL /etc/ssl/certs "$machine/etc/ssl/" 2> /dev/null || true
git -C "$sources" ls-files -z -co --exclude-standard | (cd "$sources" && xargs -0 ls -d 2> /dev/null) |
  tar -C "$sources" -T - -cf - | tar -C "$machine/takt" -xf -

# there COMMANDS: runs them in the machine, as root in /srv, until the first that fails. What they leave running is killed.
there() {
  echo "there> $1"
  unshare --mount --pid --fork --kill-child sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
      exec env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        chroot "$0" sh -euc "cd /srv; $1"' "$machine" "$1" < /dev/null
}

# block PAGE HEADING NUMBER: the lines of code that stand there in a document, without their indentation.
block() {
  found=$(awk -v heading="$2" -v number="$3" '
    /^#/ && !fenced { here = index($0, heading); indented = 0; next }
    !here { next }
    /^```/ { fenced = !fenced; if (fenced) ++count; next }
    fenced { if (count == number) print; next }
    /^    / { if (!indented) ++count; indented = 1; if (count == number) print substr($0, 5); next }
    { indented = 0 }' "$sources/$1")
  [ -n "$found" ] || { echo "$1 has no block $3 below '$2'" >&2 && exit 1; }
  echo "$found"
}

# said EXPECTED: fails unless that is what the file /srv/said in the machine has.
said() {
  [ "$(cat "$machine/srv/said")" = "$1" ] || { echo "not '$1' but: $(cat "$machine/srv/said")" && exit 1; }
}

# first_program CONFIGURE: writes the files that docs/user/first-program.md shows or names, builds them, and expects the greeting.
first_program() {
  page=docs/user/first-program.md
  block $page "2. Say in IDL" 1 > "$machine/srv/hello.idl"
  block $page "3. The build" 1 > "$machine/srv/CMakeLists.txt"
  cp "$sources"/examples/hello/*.cpp "$machine/srv/"
  there "$1"
  there "cd build; $(block $page '6. Run it' 1 | sed -n 's/^\$ //p' | sed '1s/$/ sleep 2;/; $s/$/ > \/srv\/said/')"
  said "Hello, world!"
}
