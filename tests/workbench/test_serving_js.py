"""The side of the page that computes: what is answered first, what is left unfinished, what begins again."""

from tests.workbench.node import run

SERVED = """
import { Server } from "./serving.js";
import { heard } from "./analysis/paced.js";
const told = [], scope = { postMessage: ({ channel, id, part }) => told.push([channel, id, part]) };
const counting = (most) => async function* counted(_, { name = "" }, stop) {
  for (let i = 0; i < most; i++) {
    yield `${name}${i}`;
    await heard();
    if (stop()) return;
  }
};
const jobs = { run: counting(2), table: counting(2), whole: counting(4), ahead: counting(3) };
new Server(scope, jobs, () => null, {}, { whole: 0, ahead: 5 });
const send = (channel, id, request = {}) => scope.onmessage({ data: { channel, id, request } });
const until = async (is) => { while (!is()) await heard(); };
const last = (channel, id, part) => told.some((one) => one.join() === [channel, id, part].join());
send("begin");
for (const step of given) {
  if (step.until) await until(() => last(...step.until));
  else if (step.rest) await new Promise((done) => setTimeout(done, step.rest));
  else send(...step.send);
}
answer(told.map((one) => one.join(" ")));
"""


def served(*steps):
    """Return what is told, in order, when questions are sent by and by."""
    return run(SERVED, list(steps))


def test_what_is_for_spare_time_comes_last_and_makes_way():
    """It begins again once nothing else waits."""
    first = [{"send": ["whole", 1]}, {"send": ["table", 2]}, {"until": ["whole", 1, "1"]}]
    told = served(*first, {"send": ["run", 3]}, {"until": ["whole", 1, "3"]})
    assert told[:3] == ["whole 1 0", "table 2 0", "table 2 1"]
    after = told[told.index("run 3 0") :]
    assert after == ["run 3 0", "run 3 1", "whole 1 0", "whole 1 1", "whole 1 2", "whole 1 3"]


def test_what_looks_ahead_waits_until_all_else_is_done():
    told = served({"send": ["ahead", 1]}, {"send": ["whole", 2]}, {"send": ["table", 3]}, {"until": ["ahead", 1, "2"]})
    assert told[-3:] == ["ahead 1 0", "ahead 1 1", "ahead 1 2"]
    assert told.index("whole 2 3") < told.index("ahead 1 0")


def test_a_newer_question_takes_the_place_of_the_one_before():
    told = served({"send": ["ahead", 1]}, {"send": ["run", 2]}, {"send": ["run", 3, {"name": "b"}]},
                  {"send": ["ahead", 4, {"name": "b"}]}, {"until": ["ahead", 4, "b2"]})  # fmt: skip
    assert [one for one in told if one.startswith("ahead")] == ["ahead 4 b0", "ahead 4 b1", "ahead 4 b2"]
    assert "run 2 1" not in told and told.index("run 3 b1") < told.index("ahead 4 b0")


def test_nothing_is_worked_out_that_nobody_hears():
    told = served({"send": ["ahead", 1]}, {"send": ["whole", 2]}, {"until": ["whole", 2, "1"]},
                  {"send": ["whole", 0, None]}, {"send": ["ahead", 0, None]}, {"rest": 50})  # fmt: skip
    assert told[:2] == ["whole 2 0", "whole 2 1"] and len(told) <= 3
