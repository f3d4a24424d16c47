"""Local roads between processes: other users, groups and namespaces, and servers that are killed."""

import os
import subprocess
import sys
import unittest

PEER = sys.argv.pop(1)
ROADS = ("-ORBLocalRoads", "on", "-ORBLocalRoadTimeout", "5s")  # however busy the machine is
NOBODY, ALICE, BOB, GROUP = 65534, 47001, 47002, 47100
IS_ROOT = os.geteuid() == 0


def can_unshare(*kinds):
    return IS_ROOT and subprocess.run(["unshare", *kinds, "true"], capture_output=True, check=False).returncode == 0


def become(user, groups):
    def change():
        os.setgroups(groups)
        os.setgid(user)
        os.setuid(user)
    return change if user else None


class Server:
    def __init__(self, *options, user=None, groups=(), port=0, before=()):
        endpoint = ("-ORBListenEndpoints", f"iiop://127.0.0.1:{port}")
        self.process = subprocess.Popen([*before, PEER, "serve", *endpoint, *(options or ROADS)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
                                        preexec_fn=become(user, list(groups)))
        self.reference = self.process.stdout.readline().strip()
        assert self.reference.startswith("IOR:"), self.process.communicate()[1]

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()


def call(server, *options, user=None, groups=(), before=(), log=None):
    """The road of one call. The log's lines go to `log`, a list."""
    done = subprocess.run([*before, PEER, "call", server.reference, *(options or ROADS), "-ORBLogLevel", "info"],
                          capture_output=True, text=True, timeout=20, cwd="/", preexec_fn=become(user, list(groups)),
                          check=False)
    assert done.returncode == 0, done.stderr
    if log is not None:
        log += done.stderr.splitlines()
    return done.stdout.strip()


class Processes(unittest.TestCase):
    def test_processes_of_one_user_share_memory(self):
        with Server() as server:
            self.assertEqual(call(server), "shm")
            self.assertEqual(call(server, *ROADS, "-ORBLocalRoads", "unix"), "unix")
            self.assertEqual(call(server, "-ORBLocalRoads", "off"), "tcp")

    def test_a_killed_server_leaves_nothing_in_the_way_of_the_next(self):
        with Server() as first:
            port = first.reference
            first.kill()
            with Server() as second:
                self.assertEqual(call(second), "shm")
            done = subprocess.run([PEER, "call", port, *ROADS], capture_output=True, text=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 1)  # neither road nor TCP leads to it

    @unittest.skipUnless(IS_ROOT, "only root can be other users")
    def test_other_users_go_by_tcp_and_the_log_says_why(self):
        with Server(user=ALICE) as server:
            self.assertEqual(call(server, user=ALICE), "shm")
            for user in (None, BOB):
                log = []
                self.assertEqual(call(server, user=user, log=log), "tcp")
                self.assertTrue(any(f"of user {ALICE} is there, not of this user; calls go by iiop" in line for line in log), log)

    @unittest.skipUnless(IS_ROOT, "only root can be other users")
    def test_a_group_that_both_name_shares_roads(self):
        group = ("-ORBLocalGroup", str(GROUP))
        with Server(*ROADS, *group, user=ALICE, groups=[GROUP]) as server:
            self.assertEqual(call(server, *ROADS, *group, user=BOB, groups=[GROUP]), "shm")
            self.assertEqual(call(server, *ROADS, *group, user=BOB), "tcp")  # it is not a member
            self.assertEqual(call(server, *ROADS, user=BOB, groups=[GROUP]), "tcp")  # does not trust the group
        with Server(*ROADS, user=ALICE, groups=[GROUP]) as server:
            log = []
            self.assertEqual(call(server, *ROADS, *group, user=BOB, groups=[GROUP], log=log), "tcp")
            self.assertTrue(any("has refused this one" in line for line in log), log)

    @unittest.skipUnless(IS_ROOT, "only root can be other users")
    def test_the_user_of_unmapped_users_has_no_roads(self):
        with Server(user=NOBODY) as server:
            self.assertEqual(call(server, user=NOBODY), "tcp")

    @unittest.skipUnless(can_unshare("--mount"), "no mount namespaces here")
    def test_another_mount_namespace_is_no_obstacle(self):
        with Server() as server:
            self.assertEqual(call(server, before=("unshare", "--mount")), "shm")

    @unittest.skipUnless(can_unshare("--user", "--map-root-user"), "no user namespaces here")
    def test_another_user_namespace_has_no_roads(self):
        with Server() as server:
            log = []
            self.assertEqual(call(server, before=("unshare", "--user", "--map-root-user"), log=log), "tcp")
            self.assertFalse(any("takt-road" in line for line in log), log)  # it is not even tried

    @unittest.skipUnless(can_unshare("--net"), "no network namespaces here")
    def test_another_network_namespace_has_no_roads(self):
        up = "ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null; exec \"$@\""
        with Server(before=("unshare", "--net", "sh", "-c", up, "sh")) as server:
            done = subprocess.run([PEER, "call", server.reference, *ROADS, "-ORBLogLevel", "info"], capture_output=True,
                                  text=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 1)  # by TCP neither
            self.assertNotIn("takt-road", done.stderr)

    def test_many_clients_at_once(self):
        with Server(*ROADS, "-ORBServerConcurrency", "worker-pool") as server:
            clients = [subprocess.Popen([PEER, "call", server.reference, *ROADS], stdout=subprocess.PIPE, text=True)
                       for _ in range(40)]
            roads = [client.communicate(timeout=60)[0].strip() for client in clients]
            self.assertEqual(roads, ["shm"] * 40)


if __name__ == "__main__":
    unittest.main()
