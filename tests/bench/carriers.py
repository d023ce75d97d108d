"""Transports of the tests: one over sockets of the file system, one that loses, one each for troubles on the way."""

import os
import queue
import random
import select
import socket
import time

from couplant.bench import Transport, UdpTransport


class UnixTransport(Transport):
    """Datagram sockets in the folder that COUPLANT_TEST_FOLDER names; no relay, no UDP."""

    def __init__(self, side, listen, peer):
        folder = os.environ["COUPLANT_TEST_FOLDER"]
        other = "right" if side == "left" else "left"
        self.peer = os.path.join(folder, other)
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.link.bind(os.path.join(folder, side))
        self.link.setblocking(False)

    def send(self, datagram):
        try:
            self.link.sendto(datagram, self.peer)
        except OSError:
            return

    def receive(self):
        found = []
        while True:
            try:
                found.append(self.link.recv(65536))
            except OSError:
                return found

    def wait(self, seconds):
        select.select([self.link], [], [], seconds)

    def close(self):
        self.link.close()


class Pair(Transport):
    """Two ends in one process that lose a share of what they send."""

    def __init__(self, out, back, loss=0.0, seed=1):
        self.out, self.back, self.loss, self.chance = out, back, loss, random.Random(seed)

    def send(self, datagram):
        if self.chance.random() >= self.loss:
            self.out.put(datagram)

    def receive(self):
        found = []
        while True:
            try:
                found.append(self.back.get_nowait())
            except queue.Empty:
                return found

    def close(self):
        return


def pair(loss=0.0):
    """Return two ends that reach each other."""
    one, two = queue.Queue(), queue.Queue()
    return Pair(one, two, loss, 1), Pair(two, one, loss, 2)


class Failing(UdpTransport):
    """The right side breaks after half a second of values."""

    def __init__(self, side, listen, peer):
        super().__init__(side, listen, peer)
        self.side, self.left = side, 50

    def send(self, datagram):
        self.left -= datagram[5] == 3
        if self.side == "right" and self.left < 0:
            raise RuntimeError("the cable was cut")
        super().send(datagram)


class Dying(Failing):
    """The process of the right side ends without a word."""

    def send(self, datagram):
        self.left -= datagram[5] == 3
        if self.side == "right" and self.left < 0:
            os._exit(9)
        UdpTransport.send(self, datagram)


class Lasting(Failing):
    """The right side is held up in the middle of its run, for two seconds."""

    def send(self, datagram):
        self.left -= datagram[5] == 3
        if self.side == "right" and self.left == 0:
            self.left -= 1
            time.sleep(2.0)
        UdpTransport.send(self, datagram)
