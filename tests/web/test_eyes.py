"""The camera by requests: the picture laid flat, recognised cards and their correction, calibration, enrolment."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from companion.kits import KITS
from companion.table.decks import drawn_deck
from companion.table.eye import Eye, Snapshot
from companion.table.scenes import corner_markers
from companion.table.simulated_table import looks_of
from tests.patience import eventually
from tests.web.rig import Rig, StillCamera, running
from tests.web.test_api import API
from vision.decks import open_deck
from vision.simulated import LaidCard, PinholeCamera, Scene, render


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with running(tmp_path, simulated=True) as rig:
        yield rig


def seen(phone: httpx.Client, *cards: str) -> dict[str, Any]:
    """The recognised table, once it has these cards among others."""

    def look() -> dict[str, Any] | None:
        said: dict[str, Any] = phone.get(f"{API}/seen").json()
        there = {one["card"] for one in said["cards"]}
        return said if set(cards) <= there and not said["is_unsettled"] else None

    return eventually(look)


def lay(phone: httpx.Client, *cards: dict[str, Any]) -> None:
    laid = phone.get(f"{API}/simulation").json()["scene"]["laid"]
    assert phone.post(f"{API}/simulation", json={"laid": [*laid, *cards]}).status_code == 200


def understood(phone: httpx.Client) -> str:
    """What the box makes of the table, where it asks whether the effect of the card was used too."""
    return str(phone.get(f"{API}/state").json()["asked"])


def test_a_misread_card_is_corrected_and_the_proposal_follows(rig: Rig) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    lay(phone, {"card": "r5", "x": 290.0, "y": 110.0})
    before = seen(phone, "r5")
    eventually(lambda: "plays red 5" in understood(phone))
    card = next(one for one in before["cards"] if one["card"] == "r5")
    assert not card["is_corrected"]
    said = {"glimpse": before["glimpse"], "at": card["at"], "card": "r8"}
    assert phone.post(f"{API}/seen", json=said).status_code == 200
    eventually(lambda: "plays red 8" in understood(phone))
    after = seen(phone, "r8")
    assert [one["name"] for one in after["cards"] if one["is_corrected"]] == ["red 8"]
    late = phone.post(f"{API}/seen", json=said)
    assert (late.status_code, late.json()["code"]) == (409, "stale_state")
    back = {"glimpse": after["glimpse"], "at": card["at"], "card": ""}
    assert phone.post(f"{API}/seen", json=back).status_code == 200
    eventually(lambda: "plays red 5" in understood(phone))


def test_what_a_card_can_be_is_the_whole_deck_whatever_lies_or_is_held(rig: Rig) -> None:
    rig.begin("silencio", players=2)
    phone = rig.paired()
    names = [(one["card"], one["face"]) for one in phone.get(f"{API}/seen/cards").json()]
    assert len(names) == len(set(names)) == 61
    rig.play(30)
    assert [(one["card"], one["face"]) for one in phone.get(f"{API}/seen/cards").json()] == names


def test_a_wrong_correction_is_a_sentence(rig: Rig) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    glimpse = seen(phone, "r4")["glimpse"]
    for at, card, status in ((0, "queen", 422), (0, "../../etc/passwd", 422), (99, "r5", 404)):
        assert phone.post(f"{API}/seen", json={"glimpse": glimpse, "at": at, "card": card}).status_code == status


def test_the_flat_picture_lies_under_the_drawn_cards(rig: Rig) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    table = seen(phone, "r4", "b7")
    packed = np.frombuffer(phone.get(f"{API}/picture/flat").content, np.uint8)
    flat = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    scale = flat.shape[1] / table["width"]
    assert abs(flat.shape[0] / scale - table["height"]) < 1
    for card in table["cards"]:
        x, y, reach = (round(value * scale) for value in (card["x"], card["y"], table["card_width"] / 2))
        around = flat[y - reach : y + reach, x - reach : x + reach]
        # A drawn card has contrast; the bare white table hasn't.
        assert around.std() > 25, card["name"]


def test_the_calibration_view_names_the_missing_marker_and_measures_anew(rig: Rig) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    good = eventually(lambda: (said := phone.get(f"{API}/calibration").json())["is_well"] and said)
    assert [(spot["number"], spot["is_found"]) for spot in good["markers"]] == [(n, True) for n in range(4)]
    assert base64.b64decode(good["picture"].partition(",")[2])[:2] == b"\xff\xd8"
    lay(phone, {"card": "r9", "x": 20.0, "y": 20.0})
    bad = eventually(lambda: not (said := phone.get(f"{API}/calibration").json())["is_well"] and said)
    assert [spot["number"] for spot in bad["markers"] if not spot["is_found"]] == [0]
    (check,) = [check for check in bad["checks"] if not check["is_well"]]
    assert check["says"] == "Corner markers that aren't seen: 0."
    assert check["fix"]
    phone.post(f"{API}/simulation/tidy")
    assert phone.post(f"{API}/calibration").status_code == 200
    assert eventually(lambda: phone.get(f"{API}/calibration").json()["is_well"])


def test_a_simulated_table_whose_eye_fails_says_so_and_sees_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rig.begin_first_turn()
    phone = rig.paired()
    eventually(lambda: (said := phone.get(f"{API}/calibration")).status_code == 200 and said.json()["is_well"])

    def odd(*_: Any) -> None:
        raise np.linalg.LinAlgError("singular matrix")

    with monkeypatch.context() as broken:
        broken.setattr(Eye, "look", odd)
        lay(phone, {"card": "r5", "x": 290.0, "y": 110.0})
        eventually(lambda: phone.get(f"{API}/state").json()["faults"] == ["no-eye"])
        assert phone.post(f"{API}/calibration").status_code == 200
    eventually(lambda: phone.get(f"{API}/state").json()["faults"] == [], seconds=40)
    eventually(lambda: "plays red 5" in understood(phone))
    assert [str(one.exc_info[1]) for one in caplog.records if one.exc_info] == ["singular matrix"]


def test_a_bumped_camera_is_told(rig: Rig) -> None:
    layout = KITS["silencio"].layout
    eye = Eye("silencio", None)
    scene = Scene(tuple(corner_markers(layout)), layout.width, layout.height)
    looks = rig_looks()
    shots = [render(scene, looks, PinholeCamera(1024, 768, fill=fill), table="white").picture for fill in (0.97, 0.9)]
    eye.look(shots[0])
    phone = rig.paired()
    rig.service.tryout = None
    moved = []
    for shot in shots:
        camera = StillCamera(shot)
        camera.snapshot = lambda shot=shot: Snapshot(shot, eye.layout, eye.calibration)  # type: ignore[misc,method-assign]
        rig.service.camera = camera
        checks = {one["name"]: one["is_well"] for one in phone.get(f"{API}/calibration").json()["checks"]}
        moved.append(checks["place"])
    assert moved == [True, False]


def rig_looks() -> dict[tuple[str, str], Any]:
    return looks_of(open_deck(drawn_deck("silencio")))


def test_a_deck_is_enrolled_card_by_card_stopped_and_gone_on_with(rig: Rig) -> None:
    phone = rig.paired()
    cards = [one["card"] for one in phone.get(f"{API}/decks/fables").json()["cards"]]
    for card in cards[:2]:
        assert phone.post(f"{API}/decks/fables/lay", json={"card": card}).status_code == 200
        look = phone.get(f"{API}/decks/fables/look").json()
        assert look["can_keep"]
        assert len(look["outline"]) == 4
        assert phone.post(f"{API}/decks/fables/cards/{card}", json={"look": look["number"]}).status_code == 200
    rig.restart()
    after = phone.get(f"{API}/decks/fables").json()["cards"]
    assert [one["card"] for one in after if one["is_done"]] == cards[:2]
    assert phone.get(f"{API}/decks/fables/cards/{cards[0]}").content[:2] == b"\xff\xd8"
    assert phone.get(f"{API}/decks/fables/cards/{cards[5]}").status_code == 404
    found = phone.post(f"{API}/decks/fables/check").json()
    assert found == {"done": 2, "total": 32, "alike": []}
    assert open_deck(rig.folder / "decks" / "fables").cards == tuple(cards[:2])
    (progress,) = [one for one in phone.get(f"{API}/decks").json() if one["deck"] == "fables"]
    assert (progress["done"], progress["total"]) == (2, 32)


def test_look_alikes_are_named_and_can_be_taken_again(rig: Rig) -> None:
    phone = rig.paired()
    phone.post(f"{API}/decks/fables/lay", json={"card": "alice"})
    for card in ("alice", "jack"):
        look = phone.get(f"{API}/decks/fables/look").json()
        phone.post(f"{API}/decks/fables/cards/{card}", json={"look": look["number"]})
    (pair,) = phone.post(f"{API}/decks/fables/check").json()["alike"]
    assert {pair["one"]["card"], pair["other"]["card"]} == {"alice", "jack"}
    phone.post(f"{API}/decks/fables/lay", json={"card": "jack"})
    look = phone.get(f"{API}/decks/fables/look").json()
    phone.post(f"{API}/decks/fables/cards/jack", json={"look": look["number"]})
    assert phone.post(f"{API}/decks/fables/check").json()["alike"] == []


@pytest.mark.parametrize(("how", "wrong"), [("blurred", "sharpness"), ("glaring", "glare"), ("away", "the card")])
def test_a_bad_picture_is_said_and_not_kept(rig: Rig, how: str, wrong: str) -> None:
    phone = rig.paired()
    phone.post(f"{API}/decks/silencio/lay", json={"card": "r5", "how": how})
    look = phone.get(f"{API}/decks/silencio/look").json()
    assert [one["name"] for one in look["checks"] if not one["is_well"]] == [wrong]
    assert not look["can_keep"]
    kept = phone.post(f"{API}/decks/silencio/cards/r5", json={"look": look["number"]})
    assert kept.status_code == (409 if how == "away" else 422)
    assert not (rig.folder / "decks").exists()


def test_an_old_look_cant_be_kept_and_names_cant_leave_the_folder(rig: Rig) -> None:
    phone = rig.paired()
    phone.post(f"{API}/decks/silencio/lay", json={"card": "r5"})
    look = phone.get(f"{API}/decks/silencio/look").json()["number"]
    for path, status in (
        ("silencio/cards/r77", 404), ("silencio/cards/..%2f..%2fpage", 404), ("chess/cards/r5", 404),
        ("..%2f..%2fetc/cards/r5", 404), ("fables/cards/alice", 409), ("silencio/cards/r5", 200),
        ("silencio/cards/r5", 409),
    ):  # fmt: skip
        assert phone.post(f"{API}/decks/{path}", json={"look": look}).status_code == status, path
    assert [path.name for path in (rig.folder / "decks").rglob("*.png")] == ["r5.png"]
    for deck in ("chess", "..", "..%2f..%2fetc", "%00"):
        assert phone.get(f"{API}/decks/{deck}").status_code == 404


def test_the_eye_has_an_enrolled_card_in_the_place_of_the_drawn_one(rig: Rig) -> None:
    phone = rig.paired()
    phone.post(f"{API}/decks/fables/lay", json={"card": "alice"})
    look = phone.get(f"{API}/decks/fables/look").json()
    phone.post(f"{API}/decks/fables/cards/jack", json={"look": look["number"]})
    phone.post(f"{API}/decks/fables/check")
    options = rig.box.hosts["similo"].game.options()
    eyes = [Eye("similo", options), Eye("similo", options, rig.folder)]
    faces = [{face.card: face.pictures[0].parent.name for face in eye.deck.faces}["jack"] for eye in eyes]
    assert faces[1] == "fables"
    assert faces[0] != "fables"


def test_without_a_camera_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    with running(tmp_path / "bare") as bare:
        bare.begin("silencio")
        phone = bare.paired()
        for path in ("calibration", "picture/flat", "decks/silencio/look"):
            assert phone.get(f"{API}/{path}").status_code == 404
        assert phone.post(f"{API}/decks/silencio/lay", json={"card": "r5"}).status_code == 404
        bare.service.camera = StillCamera(render(Scene((LaidCard("r5", 110, 80),), 240, 180), rig_looks()).picture)
        assert phone.get(f"{API}/decks/silencio/look").json()["outline"]
        refused = phone.get(f"{API}/picture/flat")
        assert (refused.status_code, refused.json()["code"]) == (404, "no_markers")


def test_a_full_disk_loses_no_picture(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = rig.paired()
    phone.post(f"{API}/decks/silencio/lay", json={"card": "r5"})
    look = phone.get(f"{API}/decks/silencio/look").json()["number"]
    phone.post(f"{API}/decks/silencio/cards/r5", json={"look": look})
    kept = (rig.folder / "decks" / "silencio" / "r5.png").read_bytes()
    look = phone.get(f"{API}/decks/silencio/look").json()["number"]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    refused = phone.post(f"{API}/decks/silencio/cards/r5", json={"look": look})
    assert (refused.status_code, refused.json()["code"]) == (503, "no_deck")
    assert "No space left" in refused.json()["reason"]
    monkeypatch.undo()
    assert (rig.folder / "decks" / "silencio" / "r5.png").read_bytes() == kept
