"""A game in mid-play set up on the page while the box's camera has its table in sight already."""

from __future__ import annotations

from typing import Any, cast

import httpx

from companion.games.notation import read_state
from companion.session.events import Began
from companion.table.hosts import HOSTS
from companion.table.scenes import scene
from companion.table.sight import Sight
from companion.table.simulated_table import SimulatedTable
from companion.table.watcher import Watcher
from tests.patience import eventually
from tests.table.test_watcher import Still
from tests.web.rig import Rig
from tests.web.test_api import API
from vision.cameras.supervised import SupervisedCamera

BEGUN = "silencio players=2 driver=table deck=14 hands=?,?,?,?/?,?,?,? oracle=y8,g4 rows=r5/b3,b6/-/g7"


def under_way(phone: httpx.Client, options: dict[str, Any]) -> None:
    """What the form of a new game sends."""
    now = phone.get(f"{API}/state").json()["game_id"]
    begun = {"game": "silencio", "options": options, "instead_of": now, "is_under_way": True}
    assert phone.post(f"{API}/games", json=begun).status_code == 200


def test_a_table_that_the_camera_has_seen_before_is_taken(rig: Rig) -> None:
    state = read_state(HOSTS["silencio"].game, BEGUN)
    camera = Still(SimulatedTable("silencio", state.options).photograph(scene("silencio", state)))
    sights: list[Sight] = []

    def tell(sight: Sight) -> None:
        sights.append(sight)
        rig.runner.post(lambda: rig.box.on_sight(sight))

    watcher = Watcher(cast(SupervisedCamera, camera), tell, lambda name, is_there: None, lambda text: None)
    rig.box.bus.subscribe(Began, lambda event: watcher.watch(event.game, event.options))
    phone = rig.paired()
    rig.begin("silencio", players=2)
    watcher.start()
    try:
        eventually(lambda: bool(sights) and not sights[-1].is_unsettled)
        seen = len(sights)
        under_way(phone, {"players": 2})
        said = eventually(lambda: (now := phone.get(f"{API}/state").json())["answers"] and now)
        assert len(sights) == seen + 1, "nothing on the table has changed"
        while said["answers"]:
            likely = next(one for one in said["answers"] if one["is_likely"])
            told = {"key": likely["key"], "value": likely["value"]}
            phone.post(f"{API}/believe", json={"number": said["number"], "answer": told})
            said = phone.get(f"{API}/state").json()
        found = rig.ask(lambda: rig.history.state)
        assert (found.rows, found.oracle) == (state.rows, state.oracle)
    finally:
        watcher.stop()
