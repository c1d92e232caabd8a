#!/usr/bin/env python3
"""A client of Holdfast's lock server, with Python's standard library only.

    python3 holdfast.py NAME COMMAND...     run a command while the lock NAME is held
    python3 holdfast.py --events [PREFIX]   show what happens

HOLDFAST_SERVER (http://localhost:7420), HOLDFAST_TOKEN, HOLDFAST_TTL (30s) and HOLDFAST_WAIT (60s) configure it.
Exit codes are those of `holdfast run`: the command's, or 128 and the number of the signal that ended it.
64: wrong arguments. 69: the server cannot be reached or has no majority of nodes.
75: another client holds the lock, or the server refuses the request. 79: the lease was lost and the command was therefore stopped.
126: the command cannot be run. 127: it does not exist.
"""
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

SERVER = os.environ.get("HOLDFAST_SERVER", "http://localhost:7420").rstrip("/")
TOKEN = os.environ.get("HOLDFAST_TOKEN")
USAGE, NO_SERVER, NOT_ACQUIRED, LOST, CANNOT_RUN, NO_COMMAND = 64, 69, 75, 79, 126, 127
LONGEST_WAIT = 3_700  # seconds; the server answers earlier, when the requested wait has passed


def request(path, body=None, timeout=10, headers=()):
    """Sends a request, a POST if there is a body, and returns the open response."""
    made = urllib.request.Request(SERVER + path, headers=dict(headers))
    if body is not None:
        made.data = json.dumps(body).encode()
        made.add_header("Content-Type", "application/json")
    if TOKEN:
        made.add_header("Authorization", "Bearer " + TOKEN)
    return urllib.request.urlopen(made, timeout=timeout)


class Lease:
    """A held lock. A thread extends it until it is released or lost."""

    def __init__(self, name, ttl="30s", wait="60s"):
        key = str(uuid.uuid4())  # re-sending a request with the same key returns the same lease
        answer = None
        for last in (False, True):
            sent = time.monotonic()
            try:
                with request("/v1/leases", {"lock": name, "ttl": ttl, "wait": wait}, timeout=LONGEST_WAIT,
                             headers={"Idempotency-Key": key}) as given:
                    answer = json.load(given)
                break
            except (urllib.error.URLError, ConnectionError) as e:
                if last or isinstance(e, urllib.error.HTTPError):
                    raise
        self.id, self.token, self.ttl = answer["id"], answer["token"], answer["ttlMillis"] / 1000
        self.lost = threading.Event()
        self._released = threading.Event()
        # The lease is valid from when the request was sent. After a long wait it may be about to expire, so extend it.
        self._deadline = sent + answer["remainingMillis"] / 1000
        if self._deadline - time.monotonic() < self.ttl / 2:
            self._extend()
        self._extender = threading.Thread(target=self._keep, daemon=True)
        self._extender.start()

    def _extend(self):
        """Extends the lease. Returns False if it is lost or the caller may retry."""
        sent = time.monotonic()
        patience = max(min(self.ttl / 3, self._deadline - sent), 0.1)
        try:
            with request("/v1/leases/" + self.id + "/extend", {}, timeout=patience) as given:
                self._deadline = sent + json.load(given)["remainingMillis"] / 1000
                return True
        except urllib.error.HTTPError as e:
            if e.code < 500 and e.code != 429:
                self.lost.set()
        except (OSError, http.client.HTTPException, ValueError):
            pass
        if time.monotonic() >= self._deadline:
            self.lost.set()
        return False

    def _keep(self):
        pause = self.ttl / 3
        while not self._released.wait(pause) and not self.lost.is_set():
            left = self._deadline - time.monotonic()
            pause = self.ttl / 3 if self._extend() else max(min(left / 3, 1), 0.05)

    def release(self):
        self._released.set()
        self._extender.join()
        try:
            with request("/v1/leases/" + self.id + "/release", {}) as given:
                return json.load(given)["outcome"]
        except (OSError, http.client.HTTPException, ValueError):
            return "unconfirmed"  # then the lease expires after its ttl


def refused(error):
    """Shows why the server refuses a request, and returns the exit code for that."""
    try:
        print(json.load(error)["detail"], file=sys.stderr)
    except (ValueError, KeyError, OSError):
        print("the server refuses the request with status %d" % error.code, file=sys.stderr)
    return NO_SERVER if error.code >= 500 else USAGE if error.code == 400 else NOT_ACQUIRED


def run(name, command):
    try:
        lease = Lease(name, os.environ.get("HOLDFAST_TTL", "30s"), os.environ.get("HOLDFAST_WAIT", "60s"))
    except urllib.error.HTTPError as e:
        return refused(e)
    except (OSError, http.client.HTTPException, ValueError) as e:
        print("the server %s cannot be reached: %s" % (SERVER, e), file=sys.stderr)
        return NO_SERVER
    signal.signal(signal.SIGINT, lambda *_: None)  # a terminal sends it to the command too
    try:
        child = subprocess.Popen(command, env=dict(os.environ, HOLDFAST_FENCING_TOKEN=str(lease.token)))
    except OSError as e:
        print("%s: %s" % (command[0], e.strerror), file=sys.stderr)
        lease.release()
        return NO_COMMAND if isinstance(e, FileNotFoundError) else CANNOT_RUN
    for ending in (signal.SIGTERM, signal.SIGHUP):  # without a client that extends the lease, the command must not go on
        if signal.getsignal(ending) is not signal.SIG_IGN:  # nohup ignores SIGHUP for both
            signal.signal(ending, lambda *_: child.terminate())
    while child.poll() is None and not lease.lost.wait(0.05):
        pass
    if child.poll() is None:
        print("the lock is lost: stopping the command", file=sys.stderr)
        child.terminate()
        child.wait()
        return LOST
    lease.release()
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def events(prefix):
    last, connected = "", False
    while True:
        try:
            with request("/v1/events?prefix=" + urllib.parse.quote(prefix), timeout=60,
                         headers={"Last-Event-ID": last} if last else {}) as stream:
                connected = True
                for line in stream:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "id":
                        last = value  # the server replays missed events after a reconnection
                    elif field == "data":
                        print(value, flush=True)
        except urllib.error.HTTPError as e:
            return refused(e)
        except (OSError, http.client.HTTPException, ValueError) as e:
            if not connected:
                print("the server %s cannot be reached: %s" % (SERVER, e), file=sys.stderr)
                return NO_SERVER
            time.sleep(1)


if __name__ == "__main__":
    if len(sys.argv) >= 2 and sys.argv[1] == "--events":
        try:
            sys.exit(events(sys.argv[2] if len(sys.argv) > 2 else ""))
        except (KeyboardInterrupt, BrokenPipeError):
            os._exit(0)  # the reader has seen enough
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(USAGE)
    try:
        sys.exit(run(sys.argv[1], sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)  # it waited for the lock
