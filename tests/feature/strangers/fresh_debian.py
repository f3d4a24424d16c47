"""A fresh Debian in a folder: debootstrap makes it once and keeps it as an archive; commands run inside with mounts and processes of
their own."""

import os
import platform
import shutil
import subprocess
import tarfile

KEPT = ("PATH", "http_proxy", "https_proxy", "no_proxy")


def why_not():
    """The requirement of a fresh Debian that this machine lacks, or None."""
    if os.geteuid() != 0:
        return "only root can install packages into a folder"
    for program in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(program):
            return f"{program} is not installed"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], check=False, capture_output=True).returncode != 0:
        return "this machine lets root make no namespaces"
    if "VERSION_CODENAME" not in platform.freedesktop_os_release():
        return "this system has no code name that debootstrap knows"
    return None


class NoDebian(Exception):
    """debootstrap failed, as without a network."""


class FreshDebian:
    """`folder` is removed and created again; `cache` keeps the archive and the files that apt fetches for the next time."""

    def __init__(self, folder, cache):
        self.folder = folder
        self.fetched = os.path.join(cache, "archives")
        os.makedirs(self.fetched, exist_ok=True)
        archive = os.path.join(cache, "base.tar")
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(archive):
            with tarfile.open(archive) as file:
                file.extractall(folder, numeric_owner=True)
        else:
            self.bootstrap(archive)
        shutil.copy("/etc/resolv.conf", os.path.join(folder, "etc", "resolv.conf"))
        with open(os.path.join(folder, "etc", "apt", "apt.conf.d", "99unattended"), "w", encoding="utf-8") as file:
            file.write('APT::Get::Assume-Yes "true";\nAPT::Sandbox::User "root";\nBinary::apt::APT::Keep-Downloaded-Packages "true";\n')

    def bootstrap(self, archive):
        release = platform.freedesktop_os_release()["VERSION_CODENAME"]
        made = subprocess.run(["debootstrap", "--variant=minbase", release, self.folder], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode != 0:
            raise NoDebian("debootstrap failed:\n" + "\n".join(made.stdout.splitlines()[-5:]))
        with tarfile.open(archive + ".part", "w") as file:
            file.add(self.folder, ".")
        os.rename(archive + ".part", archive)

    def path(self, *parts):
        return os.path.join(self.folder, *(part.lstrip("/") for part in parts))

    def run(self, script, folder="/srv"):
        """The output of the sh program `script`, both streams together. Raises AssertionError when it fails."""
        mounts = 'mount --bind "$1" "$0/var/cache/apt/archives" && mount -t proc proc "$0/proc" && mount -t tmpfs tmp "$0/dev/shm" && ' \
                 'exec chroot "$0" sh -euc "cd $2; $3"'
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {"HOME": "/srv", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        result = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", mounts, self.folder,
                                 self.fetched, folder, script], check=False, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        if result.returncode != 0:
            raise AssertionError(f"exit status {result.returncode} of `{script}` in {folder}\n{result.stdout}")
        return result.stdout
