"""tao_test.py FOLDER TAKT: programs written for TAO, with untouched sources, as C++14 and C++17: FOLDER/14/server and so on."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

FOLDER, TAKT = sys.argv[1:3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


class Programs(unittest.TestCase):
    def start(self, *words, folder=None):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT, cwd=folder)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, path, process):
        end = time.monotonic() + 60
        while not os.path.exists(path) or not open(path, encoding="ascii").read().endswith("\n"):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        return open(path, encoding="ascii").read().strip()

    def test_call_each_other_and_find_each_other_by_naming_service_and_plain_key(self):
        naming = self.start(TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0")
        names = "NameService=" + naming.stdout.readline().strip()
        for standard_of_server, standard_of_client in (("14", "17"), ("17", "14")):
            with self.subTest(server=standard_of_server, client=standard_of_client), tempfile.TemporaryDirectory() as folder:
                reference = os.path.join(folder, "factory.ior")
                server = self.start(os.path.join(FOLDER, standard_of_server, "server"), reference, "-ORBInitRef", names,
                                    "-ORBListenEndpoints", "iiop://127.0.0.1:0")
                ior = self.wait_for(reference, server)
                port = subprocess.run([TAKT, "ior", ior], capture_output=True, text=True, check=True, timeout=60, env=ENVIRONMENT).stdout
                port = port.split("port: ")[1].split()[0]
                client = subprocess.run([os.path.join(FOLDER, standard_of_client, "client"), "file://" + reference,
                                         f"corbaloc:iiop:127.0.0.1:{port}/Stock_Factory", "-ORBInitRef", names], capture_output=True, text=True,
                                        timeout=60, check=False, env=ENVIRONMENT)
                self.assertEqual((client.returncode, client.stderr), (0, ""))
                self.assertEqual(client.stdout.splitlines()[:2],
                                 ["EXCEPTION, expected", "user exception, ID 'IDL:Stock/Invalid_Symbol:1.0'"])
                self.assertEqual(server.wait(timeout=60), 0)

    def test_options_of_tao_and_svc_conf_are_understood(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "svc.conf"), "w", encoding="ascii") as file:
                file.write('# of the current folder\nstatic Server_Strategy_Factory "-ORBConcurrency thread-per-connection"\n'
                           'dynamic UIOP_Factory Service_Object * TAO_Strategies:_make_TAO_UIOP_Protocol_Factory() ""\n'
                           'static Resource_Factory "-ORBProtocolFactory IIOP_Factory -ORBProtocolFactory UIOP_Factory"\n')
            naming = self.start(TAKT, "naming", "--memory", "-ORBListenEndpoints", "iiop://127.0.0.1:0")
            names = "NameService=" + naming.stdout.readline().strip()
            reference = os.path.join(folder, "factory.ior")
            server = self.start(os.path.join(FOLDER, "14", "server"), reference, "-ORBInitRef", names, "-ORBDottedDecimalAddresses", "1",
                                "-ORBListenEndpoints", "iiop://1.2@127.0.0.1:0/hostname_in_ior=localhost", "-ORBDebugLevel", "0", folder=folder)
            ior = self.wait_for(reference, server)
            shown = subprocess.run([TAKT, "ior", ior], capture_output=True, text=True, check=True, timeout=60, env=ENVIRONMENT).stdout
            self.assertIn("host: localhost", shown)
            client = subprocess.run([os.path.join(FOLDER, "14", "client"), "file://" + reference, "-ORBInitRef", names, "-ORBClientConnectionHandler", "RW"],
                                    capture_output=True, text=True, timeout=60, check=False, env=ENVIRONMENT)
            self.assertEqual((client.returncode, client.stderr), (0, ""))
            self.assertEqual(server.wait(timeout=60), 0)

    def test_mistakes_in_svc_conf_are_told_with_their_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.conf")
            with open(path, "w", encoding="ascii") as file:
                file.write('\nstatic Server_Strategy_Factory "-ORBConcurrency pool"\n')
            client = subprocess.run([os.path.join(FOLDER, "17", "client"), "-ORBSvcConf", path], capture_output=True, text=True, timeout=60,
                                    check=False, env=ENVIRONMENT)
            self.assertEqual(client.returncode, 2)
            self.assertIn(path + ":2: 'pool' is not valid for Concurrency", client.stderr)

    def test_what_failed_is_printed(self):
        client = subprocess.run([os.path.join(FOLDER, "14", "client"), "corbaloc:iiop:127.0.0.1:1/x"], capture_output=True, text=True, timeout=60,
                                check=False, env=ENVIRONMENT)
        self.assertEqual(client.returncode, 2)
        self.assertEqual(client.stderr.splitlines()[:2],
                         ["EXCEPTION, client", "system exception, ID 'IDL:omg.org/CORBA/TRANSIENT:1.0'"])
        self.assertIn("127.0.0.1:1", client.stderr.splitlines()[2])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
