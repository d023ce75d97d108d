"""The broker of a federation, in a process of its own."""

import os
import re
import threading
import time
from typing import Any

from couplant.base.errors import CouplantError
from couplant.elsewhere.helics.crew import Talk
from couplant.elsewhere.helics.link import CORE, HEARTBEAT, Address, Lookout, helics, helics_words

_TURN = 0.2
_ANYWHERE = "0.0.0.0"
_CORE = re.compile(r"[-_]core[-_].*")
"""What follows the name of the federate in the names of cores that we and HELICS itself give."""

_LEFT = ("disconnected", "terminating", "error")
_PATIENCE = 5.0  # how long a federate may take for its answer, more than twice what HELICS is told [s]


def work(talk: Talk, count: int) -> None:
    """Be the broker of `count` federates in all runs asked for; raise `CouplantError` if an address cannot be used."""
    while (listen := talk.hear()) is not None:
        # a broker says "address", and "ended" when all federates have left; between them "silent" with those that no
        # longer answer, "gone" with those that have left, once for each
        h = helics()
        place = f"--localinterface=tcp://{listen.host} --localport={listen.port}"
        try:
            name = f"couplant-broker-{os.getpid()}-{time.monotonic_ns()}"
            broker = h.helicsCreateBroker(CORE, name, f"-f {count} {place} --querytimeout=2s {HEARTBEAT}")
        except h.HelicsException as error:
            raise CouplantError(f"{listen}: {helics_words(error)}.") from None
        if not h.helicsBrokerIsConnected(broker):
            raise CouplantError(f"{listen}: a broker cannot listen there.")
        talk.say("address", listen)
        watch, gone = _Watch(h, broker), set[str]()
        while h.helicsBrokerIsConnected(broker):
            if lost := watch.silent():
                talk.say("silent", lost)
            if new := watch.leavers() - gone:
                talk.say("gone", sorted(new))
                gone |= new
            time.sleep(_TURN)
        talk.say("ended", None)


class _Watch:
    """Looks whether those that have joined still listen: HELICS itself does not notice it on the way to the run.

    It asks HELICS in a thread, which may wait for ever for an answer, whatever time it is given.
    """

    def __init__(self, module: Any, broker: Any) -> None:
        self._helics, self._broker = module, broker
        self._names: dict[str, str] = {}  # of the federates, by their cores
        self._lookouts: dict[str, Lookout | None] = {}  # of the cores; None where none can be
        self._left: set[str] = set()
        self._asked: tuple[str, float] | None = None  # whose address is not known yet, since when
        threading.Thread(target=self._watch, daemon=True).start()

    def silent(self) -> list[str]:
        """Return the federates that no longer answer."""
        asked, now = self._asked, time.monotonic()
        lost = [asked[0]] if asked is not None and now > asked[1] + _PATIENCE else []
        lost += [core for core, lookout in list(self._lookouts.items()) if lookout is not None and lookout.lost()]
        return [self._name(core) for core in lost if core not in self._left]

    def leavers(self) -> set[str]:
        """Return the federates that have left."""
        return {self._name(core) for core in set(self._left)}

    def _name(self, core: str) -> str:
        return self._names.get(core, _CORE.sub("", core))

    def _watch(self) -> None:
        while self._helics.helicsBrokerIsConnected(self._broker):
            for one in self._cores("current_state"):
                core = one["attributes"]["name"]
                if one["state"] in _LEFT:
                    self._left.add(core)
                elif core not in self._lookouts:
                    self._lookouts[core] = self._locate(core)
            for one in self._cores("federate_map"):  # the last: it asks the cores
                for federate in one["federates"]:
                    self._names[one["attributes"]["name"]] = federate["attributes"]["name"]
            time.sleep(_TURN)

    def _locate(self, core: str) -> Lookout | None:
        self._asked = core, time.monotonic()
        found = re.fullmatch(r"tcp://([^*/]+):(\d+)", str(self._ask(core, "address")))
        self._asked = None
        if found is None or found[1] == _ANYWHERE:
            return None
        return Lookout(Address(found[1], int(found[2])), known=True)

    def _cores(self, what: str) -> list[Any]:
        """Return the broker's list of the cores."""
        found = self._ask("root", what)
        return list(found.get("cores", [])) if isinstance(found, dict) else []

    def _ask(self, target: str, what: str) -> Any:
        query = self._helics.helicsCreateQuery(target, what)
        return self._helics.helicsQueryBrokerExecute(query, self._broker)
