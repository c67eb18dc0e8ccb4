"""The recogniser: from one picture to the cards in it. Knows nothing of time; `tracking` does."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision import cells, confidence, features, identity, matching, quads, rows, slant
from vision.geometry import (
    Array,
    Mask,
    Picture,
    Points,
    about,
    area,
    map_points,
    overlap,
    rectangle,
    sides,
    square_to,
    turn_between,
    turn_of,
)
from vision.index import Index, from_unit, to_unit
from vision.judging import HIDDEN, LOOK_AGAIN, Judged, better, judge, refine, settle
from vision.sight import (
    CLAIM_ZOOM,
    FEATURES,
    Reading,
    Sight,
    Sighting,
    Stranger,
    claimed_share,
    features_in,
    is_claimed,
    is_painted,
    lies_in,
    opened,
    paint,
    reading_of,
    shown_of,
    unexplained,
)
from vision.tuning import NAMING

# Work on at most this many pixels on the long side: a 1280x960 frame as it is, a phone's photo shrunk.
LONG_SIDE = 1440
SMALLEST_CARD = 45.0
MOST_HYPOTHESES = 90
# So many votes together give a pose that is close to the true one.
MANY = 12
# After this many hypotheses in a row without a card, weaker ones aren't worth the time.
PATIENCE = 8
ROUNDS = 4
TRIES = 3
# Cards of rows that one vote alone speaks for, at most: a vote by chance seldom fits a row.
MOST_ALONG = 12
# Where a row goes on, this much of a card is asked to show.
STRIP = 0.2
# Pictures smaller than this are read at full resolution at once: halved, their cards would be too small.
HALVED = 600
# Unless the cards are known to be this wide: such cards read well when halved.
HALVED_CARD = 100.0
# A card that explains this much of what another, turned by more degrees than this, was seen by takes its place.
EXPLAINS, MIRAGE = 0.7, 15.0
# Of an outline this much taken by named cards, nothing is left to be another one: two cards side by side.
TAKEN = 0.6
# A face that looks as much like what is inside an outline as this, or so much more than any other, plainly is that.
PLAIN, AHEAD = 0.5, 0.1
# A doubtful card is looked at again when this much more of it is known to be covered.
NEWS = 0.1
LONGEST_ROW = 12
# A card of which this much of what showed before still does lies where it lay.
STILL = 0.6
# Doubtful cards that are as likely as this may stand for one another's cover: each has to prove itself then.
COVERS = 0.15
# From this many cards on their size is known; the nearest card looks at most this much larger than the next.
ENOUGH, NEARER = 3, 1.8
# A picture is out of focus if so many cards agree by this much better with faces out of focus.
FOCUSED, SOFTER = 6, 0.03
STRAIGHT: Points = np.eye(3)
# Poses this near (in card widths) look the same to `settle`, which starts within four times as much.
SAME = 0.02


class Recogniser:
    """Reads pictures with one deck enrolled."""

    def __init__(self, index: Index, is_soft: bool = False):
        self.index = index
        # For pictures out of focus, the same with faces out of focus.
        self._soft = None if is_soft else Recogniser(msgspec.structs.replace(index, fine=index.soft), True)

    def read(
        self,
        picture: Picture,
        card_width: float = 0.0,
        known: Sequence[Sighting] = (),
        expected: Sequence[Sighting] = (),
    ) -> Reading:
        """All cards in a picture but those `known` to lie in it already, which hide what is under them.

        `card_width` is about how wide cards are in pixels, where that's known. Cards `expected` to lie where they lay
        before are looked for there first.
        """
        factor = min(1.0, LONG_SIDE / max(picture.shape[:2]))
        if min(picture.shape[:2]) * factor < 24:
            return Reading()
        if factor < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
        known = [card.moved(np.zeros(2), factor) for card in known]
        expected = [card.moved(np.zeros(2), factor) for card in expected]
        sight = self._seen(picture, card_width * factor, known, expected)
        if self._soft is not None and self._is_out_of_focus(sight, self._soft.index):
            sight = self._soft._seen(picture, card_width * factor, known, expected)
        return reading_of(sight, factor)

    @staticmethod
    def _is_out_of_focus(sight: Sight, soft_index: Index) -> bool:
        """Whether the cards seen so far agree better with what a camera out of focus would see of them."""
        judged = [judged for _sighting, judged in sight.found] + [verdict.judged for verdict in sight.waiting]
        judged = sorted(judged, key=lambda j: -j.support)[:FOCUSED]
        if not judged or float(np.mean([j.quality for j in judged])) > NAMING.exact:
            return False
        soft = [judge(soft_index, sight.levels, j.face, j.matrix, j.covered) for j in judged]
        return float(np.mean([s.quality - j.quality for s, j in zip(soft, judged, strict=True)])) > SOFTER

    def _seen(
        self, picture: Picture, card_width: float, known: Sequence[Sighting], expected: Sequence[Sighting]
    ) -> Sight:
        """A picture with all that was found in it."""
        sight = opened(picture)
        # A width that is known is as good as cards seen.
        sight.widths += [card_width] * ENOUGH if card_width else []
        sight.known += known
        for card in sight.known:
            paint(sight.claimed, card.shown)
        sight.outlines += quads.find(picture, self.index.aspect, SMALLEST_CARD)
        for card in sorted(expected, key=lambda card: -card.visible):
            self._where_it_was(sight, card)
        self._by_plain_outline(sight)
        self._by_features(sight)
        self._by_outline(sight)
        return sight

    def _where_it_was(self, sight: Sight, before: Sighting) -> None:
        """A card is still there if most of what showed of it does, and no other face explains that better."""
        fine = self.index.fine
        numbers = [n for n, f in enumerate(self.index.faces) if (f.card, f.face) == (before.card, before.face)]
        pose = square_to(before.corners, fine.width, fine.height)
        judged = max((self._judged(sight, n, pose, None) for n in numbers), key=lambda j: j.support, default=None)
        if judged is None or not confidence.is_worth_a_contest(self.index, judged):
            return
        canvas = np.zeros_like(sight.claimed)
        paint(canvas, before.shown)
        showed = is_painted(canvas, map_points(judged.matrix, fine.centres()))
        if not showed.any() or float(judged.seen[showed].mean()) < STILL:
            return
        verdict = self._decided(sight, judged)
        if verdict.judged.face in numbers and confidence.has_lead(verdict):
            self._claim(sight, verdict, before.confidence)

    def _by_features(self, sight: Sight) -> None:
        """First at half the resolution, which finds most cards at a quarter of the cost, then at full
        resolution where something is left unexplained."""
        grey = sight.levels[0].pixels
        if len(sight.levels) < 2 or (min(grey.shape) < HALVED and min(sight.widths, default=0.0) < HALVED_CARD):
            spots = features.find(grey)
            ballot = self._vote(sight, features.describe(spots.only(~is_claimed(sight, spots.rows[:, :2]))))
            self._go_along(sight, ballot)
            return
        half = features.find(sight.levels[1].pixels, FEATURES // 2)
        at, sizes = half.rows[:, :2] * 2 + 0.5, half.rows[:, 2] * 2
        boxes = unexplained(sight, at, sizes, half.rows[:, 4])
        if not boxes:
            return
        new = features.describe(half.only(~is_claimed(sight, at) & lies_in(boxes, at)))
        rough = msgspec.structs.replace(new, points=new.points * 2 + 0.5, sizes=new.sizes * 2)
        self._vote(sight, rough)
        boxes = unexplained(sight, at, sizes, half.rows[:, 4])
        if boxes:
            ballot = self._vote(sight, features.joined([rough, *features_in(sight, boxes)]))
            if unexplained(sight, at, sizes, half.rows[:, 4]):
                self._go_along(sight, ballot)
                self._from_above(sight)
        self._reconsider_together(sight)

    def _from_above(self, sight: Sight) -> None:
        """What is still unexplained in a slanting view is read in the picture as seen from above."""
        fine = self.index.fine
        upright = slant.stretch([slant.ellipse(j.matrix, fine, self.index.aspect) for _s, j in sight.found])
        if upright is None:
            return
        grey, free = sight.levels[0].pixels, np.asarray(sight.claimed == 0, np.uint8)
        upright, size = slant.framed(upright, grey.shape[1], grey.shape[0])
        above = cv2.warpPerspective(grey, upright, size, borderMode=cv2.BORDER_REPLICATE)
        zoom = np.diag([CLAIM_ZOOM, CLAIM_ZOOM, 1.0])
        mask = cv2.warpPerspective(free, upright @ zoom, size, flags=cv2.INTER_NEAREST)
        spots = features.find(np.asarray(above, np.float32), FEATURES).within(mask)
        self._vote(sight, features.describe(spots), np.linalg.inv(upright))

    def _vote(self, sight: Sight, found: features.Features, back: Points = STRAIGHT) -> matching.Ballot:
        """Let features vote for poses, and look at these; `back` leads from where they were found to the picture.

        Returns the votes that are left.
        """
        ballot = matching.vote(self.index.bank, found, SMALLEST_CARD, 1.2 * max(sight.levels[0].pixels.shape))
        ballot = ballot.only(~is_claimed(sight, map_points(back, ballot.target)))
        # More features may tell more about a place that was looked at in vain.
        sight.refused.clear()
        # What cards found so far explain is taken out, and the rest votes again: a card of which little
        # shows comes forward when its neighbours are out of the way.
        for _ in range(ROUNDS):
            before = len(sight.found)
            self._hear(sight, ballot, back)
            self._reconsider(sight)
            if len(sight.found) == before:
                break
            ballot = ballot.only(~is_claimed(sight, map_points(back, ballot.target)))
        return ballot

    def _hear(self, sight: Sight, ballot: matching.Ballot, back: Points) -> None:
        """Look at hypotheses, best first, until too many in a row were wrong."""
        misses = 0
        failed: Counter[int] = Counter()
        spots = map_points(back, ballot.target)
        claimed = np.zeros(len(spots), bool)
        for guess in itertools.islice(matching.hypotheses(ballot), MOST_HYPOTHESES):
            if misses > PATIENCE:
                break
            if self._was_mirage(sight, guess.face, back @ guess.matrix):
                claimed = is_claimed(sight, spots)
            # Some faces resemble the table itself and stand for election everywhere. Votes from a card found
            # meanwhile speak for that card.
            if failed[guess.face] >= TRIES or np.count_nonzero(claimed[guess.votes]) > 0.5 * len(guess.votes):
                continue
            if not _has_the_size(sight, _width(back @ guess.matrix)):
                continue
            pose = back @ matching.sheared(ballot, guess)
            if self._is_taken(sight, guess.face, pose):
                continue
            if self._try(sight, guess.face, pose, len(guess.votes) >= MANY):
                misses = failed[guess.face] = 0
                claimed = is_claimed(sight, spots)
            else:
                misses += 1
                failed[guess.face] += 1

    def _go_along(self, sight: Sight, ballot: matching.Ballot) -> None:
        """Look for the next card of each row, where a single vote sees one, or else a step further on."""
        for _ in range(LONGEST_ROW):
            before = len(sight.found)
            ballot = ballot.only(~is_claimed(sight, ballot.target))
            lying = [judged.matrix @ from_unit(self.index, self.index.fine, judged.face) for _s, judged in sight.found]
            guesses = [guess for unit in lying for guess in rows.next_seen(ballot, unit, self.index.aspect)]
            for guess in sorted(guesses, key=lambda guess: -float(ballot.weight[guess.votes].sum()))[:MOST_ALONG]:
                if not self._is_taken(sight, guess.face, guess.matrix):
                    self._try(sight, guess.face, guess.matrix)
            for place in rows.next_places([sighting.corners for sighting, _judged in sight.found]):
                self._name_next(sight, place)
            self._reconsider(sight)
            if len(sight.found) == before:
                break

    def _name_next(self, sight: Sight, corners: Points) -> None:
        """Try the faces that look most like what shows of a place where a row may go on."""
        coarse = self.index.coarse
        pose = square_to(corners, coarse.width, coarse.height)
        shows = ~is_claimed(sight, map_points(pose, coarse.centres()))
        if shows.sum() >= STRIP * len(shows):
            for alike, face, unit in self._ranked(sight, corners, shows.astype(np.float32))[:TRIES]:
                if alike >= quads.WORTH and not self._is_taken(sight, face, unit):
                    self._try(sight, face, unit)

    def _has_failed(self, sight: Sight, face: int, unit: Points) -> bool:
        """Whether this guess was looked at in an earlier round, when nothing there looked like it."""
        corners = map_points(unit, rectangle(1.0, self.index.faces[face].aspect))
        limit = (SAME * _width(unit)) ** 2
        if any(f == face and float(((c - corners) ** 2).sum(axis=1).max()) < limit for f, c in sight.failed):
            return True
        sight.failed.append((face, corners))
        return False

    def _is_taken(self, sight: Sight, face: int, unit: Points) -> bool:
        """Whether this place was looked at already, with or without success."""
        known = sight.middles + sight.refused + [card.corners.mean(axis=0) for card in sight.known]
        if not known:
            return False
        x, y, depth = unit @ [0.5, self.index.faces[face].aspect / 2, 1.0]
        width = _width(unit)
        away = np.array(known) - [x / depth, y / depth]
        return bool((away**2).sum(axis=1).min() < (0.15 * width) ** 2)

    def _try(self, sight: Sight, face: int, unit: Points, is_close: bool = False) -> bool:
        """Look closely at a guess that wasn't looked at before; claim its place if it holds."""
        if self._has_failed(sight, face, unit):
            return False
        matrix = settle(self.index, sight.levels, face, unit, is_close)
        if matrix is None:
            return False
        return self._look(sight, face, matrix)

    def _look(self, sight: Sight, face: int, matrix: Points, hidden: Mask | None = None) -> bool:
        """Look closely at a pose; `hidden` are cells that something lies on which isn't named yet."""
        judged = self._judged(sight, face, matrix, hidden)
        if judged.quality < LOOK_AGAIN and judged.covered.mean() > HIDDEN:
            # Of a card that is hidden so far, another one beside it tells the size and the slant.
            beside = self._like_one_beside(sight, judged)
            if beside is not None:
                judged = better(judged, self._judged(sight, face, beside, hidden))
        return self._stands(sight, judged)

    def _stands(self, sight: Sight, judged: Judged) -> bool:
        """Whether a face stands against its rivals; it then has its place."""
        if not confidence.is_worth_a_contest(self.index, judged):
            return False
        return self._accept(sight, self._decided(sight, judged))

    def _decided(self, sight: Sight, judged: Judged) -> identity.Verdict:
        """Which face has a place."""
        return identity.decide(self.index, sight.place, judged)

    def _judged(self, sight: Sight, face: int, matrix: Points, hidden: Mask | None) -> Judged:
        covered = self._covered(sight, matrix)
        covered = covered if hidden is None else covered | hidden
        return refine(self.index, sight.levels, judge(self.index, sight.levels, face, matrix, covered), covered)

    def _like_one_beside(self, sight: Sight, judged: Judged) -> Points | None:
        """The pose of a card as the nearest named one lies, by the middle of what is seen of it."""
        if not sight.found or not judged.seen.any():
            return None
        spot = self.index.fine.centres()[judged.seen].mean(axis=0)
        here = map_points(judged.matrix, spot[None])[0]
        corners = judged.corners(self.index)
        near, other = min(sight.found, key=lambda pair: float(np.linalg.norm(pair[0].corners.mean(axis=0) - here)))
        away = math.radians(turn_of(corners) - near.turn)
        turned = np.array([[math.cos(away), -math.sin(away)], [math.sin(away), math.cos(away)]])
        linear = turned @ about(other.matrix, np.array([self.index.fine.width, self.index.fine.height]) / 2)[1]
        return np.vstack([np.column_stack([linear, here - linear @ spot]), [0, 0, 1.0]])

    def _reconsider(self, sight: Sight) -> None:
        """Look again at cards that were in doubt for what hides them, where that is known by now.

        In a row each card that gets its name tells what hides the next one, and a pose that got better what hides it.
        """
        for _ in range(LONGEST_ROW):
            waiting, sight.waiting = sight.waiting, []
            news = [v for v in waiting if _has_news(v.judged, self._covered(sight, v.judged.matrix))]
            sight.waiting += [verdict for verdict in waiting if all(verdict is not other for other in news)]
            if not news:
                break
            for verdict in news:
                self._look(sight, verdict.judged.face, verdict.judged.matrix)

    def _reconsider_together(self, sight: Sight) -> None:
        """Cards in a row that are all in doubt for what hides them may hide one another."""
        likely: list[Judged] = []
        for verdict in sorted(sight.waiting, key=lambda v: -confidence.of(v)):
            judged = verdict.judged
            corners = judged.corners(self.index)
            if confidence.of(verdict) < COVERS or verdict.lead < NAMING.clear:
                break
            if all(overlap(corners, other.corners(self.index)) < quads.SAME_PLACE for other in likely):
                likely.append(judged)
        for judged in likely:
            others = np.zeros_like(sight.claimed)
            for other in likely:
                if other is not judged:
                    paint(others, shown_of(other, self.index.fine))
            hidden = is_painted(others, map_points(judged.matrix, self.index.fine.centres())) & ~judged.seen
            if hidden.sum() > NEWS * len(hidden):
                self._look(sight, judged.face, judged.matrix, hidden)
        self._reconsider(sight)

    def _accept(self, sight: Sight, verdict: identity.Verdict) -> bool:
        judged = verdict.judged
        corners = judged.corners(self.index)
        if not _is_card_shaped(corners, self.index.aspect):
            return False
        if not confidence.is_certain(verdict):
            self._doubt(sight, verdict, corners)
            return False
        if any(overlap(sighting.corners, corners) > quads.SAME_PLACE for sighting, _other in sight.found):
            return False
        if self._is_in_another(sight, judged, corners):
            return False
        self._claim(sight, verdict)
        return True

    def _is_in_another(self, sight: Sight, judged: Judged, corners: Points) -> bool:
        """Whether what is seen of a card lies in one that shows wholly elsewhere: there's no piece of another in it."""
        if not sight.pledged:
            return False
        seen = map_points(judged.matrix, self.index.fine.centres()[judged.seen])
        return any(
            overlap(whole, corners) < quads.SAME_PLACE and quads.inside(whole, seen).mean() > 0.5
            for whole in sight.pledged
        )

    def _claim(self, sight: Sight, verdict: identity.Verdict, at_least: float = 0.0) -> None:
        """Name a card, as surely as it was known before or better, and take its place."""
        judged, face = verdict.judged, self.index.faces[verdict.judged.face]
        corners, shown = judged.corners(self.index), shown_of(judged, self.index.fine)
        sure = max(confidence.of(verdict), at_least)
        either_way = confidence.is_either_way(verdict)
        visible = float(judged.seen.mean())
        sighting = Sighting(face.card, face.face, corners, turn_of(corners), sure, visible, shown, either_way)
        sight.found.append((sighting, judged))
        sight.widths.append(self._width_of(corners))
        sight.middles.append(
            map_points(judged.matrix, np.array([[self.index.fine.width, self.index.fine.height]]) / 2)[0]
        )
        paint(sight.claimed, shown)

    def _was_mirage(self, sight: Sight, face: int, pose: Points) -> bool:
        """Take back a card found before that was this one, turned about a round ornament in it, and name this one.

        An ornament that looks the same turned, a sun with its rays, may be found first, turned. The card itself
        explains the ornament too, and more.
        """
        # A card that shows wholly is none.
        alike = [n for n, (s, old) in enumerate(sight.found) if old.face == face and s.visible < NAMING.whole]
        if not alike:
            return False
        corners = map_points(pose, rectangle(1.0, self.index.faces[face].aspect))
        for number in alike:
            sighting, old = sight.found[number]
            is_turned = turn_between(sighting.turn, turn_of(corners), sighting.either_way) >= MIRAGE
            if not is_turned or overlap(sighting.corners, corners) < 0.3:
                continue
            matrix = settle(self.index, sight.levels, face, pose)
            if matrix is None:
                continue
            bare = judge(self.index, sight.levels, face, matrix)
            before, now = np.zeros_like(sight.claimed), np.zeros_like(sight.claimed)
            paint(before, sighting.shown)
            paint(now, shown_of(bare, self.index.fine))
            if bare.support > old.support and (now[before > 0] > 0).mean() > EXPLAINS:
                middle = sight.middles[number]
                del sight.found[number], sight.middles[number]
                sight.claimed[:] = 0
                for left in [*sight.known, *(other for other, _judged in sight.found)]:
                    paint(sight.claimed, left.shown)
                if self._look(sight, face, matrix):
                    return True
                # It was none: what seemed to explain it doesn't hold itself.
                sight.found.insert(number, (sighting, old))
                sight.middles.insert(number, middle)
                paint(sight.claimed, sighting.shown)
        return False

    def _doubt(self, sight: Sight, verdict: identity.Verdict, corners: Points) -> None:
        """Remember a place that was looked at in vain; the names it may have are worth telling."""
        judged = verdict.judged
        sight.waiting.append(verdict)
        if judged.seen.mean() <= NAMING.half:
            return
        sight.refused.append(corners.mean(axis=0))
        if confidence.is_one_of_us(verdict) >= NAMING.named and judged.seen.mean() >= NAMING.whole:
            sight.pledged.append(corners)
        names = confidence.names(self.index, verdict)
        if names:
            sight.doubtful.append(Stranger(corners, tuple(n for n, _p in names), tuple(p for _n, p in names)))

    def _covered(self, sight: Sight, matrix: Points) -> Mask:
        """The cells of a pose that other cards hold, known ones or such as only their outline tells of.

        A cell half under another card's edge shows that edge, so four spots about the middle of each are asked.
        """
        fine = self.index.fine
        spots = map_points(matrix, fine.quarters())
        covered = is_claimed(sight, spots)
        corners = map_points(matrix, rectangle(fine.width, fine.height))
        for outline in quads.near(sight.outlines, corners):
            if quads.lies_elsewhere(outline, corners, self.index.aspect):
                covered |= quads.inside(outline, spots)
        return np.asarray(covered.reshape(-1, 4).any(axis=1))

    def _by_plain_outline(self, sight: Sight) -> None:
        """Cards that show wholly, where one face plainly is what their outline holds: the surest way to the pose."""
        # Those that stand straight first: with these out of the way, two cards side by side aren't taken for one.
        for corners in sorted(sight.outlines, key=lambda quad: not quads.stands_straight(quad, self.index.aspect)):
            if not self._is_free(sight, corners):
                continue
            (best, face, pose), *others = self._ranked(sight, corners)
            next_best = max((alike for alike, other, _pose in others if other != face), default=0.0)
            if best >= PLAIN or (best >= quads.WORTH and best - next_best >= AHEAD):
                self._try_outline(sight, face, pose, True)

    def _try_outline(self, sight: Sight, face: int, unit: Points, is_close: bool = False) -> bool:
        """Look closely at a face where an outline has its corners, or at a pose near it that agrees better."""
        matrix = unit @ to_unit(self.index, self.index.fine, face)
        covered = self._covered(sight, matrix)
        judged = judge(self.index, sight.levels, face, matrix, covered)
        if judged.quality < NAMING.exact:
            if self._has_failed(sight, face, unit):
                return False
            judged = refine(self.index, sight.levels, judged, covered)
            settled = settle(self.index, sight.levels, face, unit, is_close)
            if settled is not None:
                judged = better(judged, self._judged(sight, face, settled, None))
        return self._stands(sight, judged)

    def _by_outline(self, sight: Sight) -> None:
        """Cards with too few features, by their outline; card-shaped things without a name stay unknown."""
        for corners in sight.outlines:
            if not self._is_free(sight, corners) or self._name_quad(sight, corners):
                continue
            is_straight = quads.stands_straight(corners, self.index.aspect, 1.4)
            is_card_like = is_straight and _has_the_size(sight, self._width_of(corners), 1)
            if is_card_like and quads.has_edges(sight.levels[0].pixels, corners):
                sight.doubtful.append(Stranger(corners))

    def _width_of(self, corners: Points) -> float:
        """How wide a card with this outline would be, were it seen from above."""
        return math.sqrt(abs(area(corners)) / self.index.aspect)

    def _is_free(self, sight: Sight, corners: Points) -> bool:
        """Whether a quadrilateral is as large as a card and no named card lies in it: the squares of a cloth aren't."""
        if sum(sorted(sides(corners).tolist())[:2]) / 2 < SMALLEST_CARD:
            return False
        if not _has_the_size(sight, self._width_of(corners)):
            return False
        is_apart = all(overlap(s.corners, corners) <= 0.5 for s, _j in sight.found)
        return is_apart and claimed_share(sight, corners) <= TAKEN

    def _name_quad(self, sight: Sight, corners: Points) -> bool:
        return any(
            alike >= quads.WORTH and self._try_outline(sight, face, pose)
            for alike, face, pose in self._ranked(sight, corners)[:TRIES]
        )

    def _ranked(self, sight: Sight, corners: Points, shows: Array | None = None) -> list[tuple[float, int, Points]]:
        """The faces that look most like what `shows` inside an outline, each as likeness, face and pose."""
        templates, faces = self.index.coarse, len(self.index.faces)
        if shows is None:
            shows = np.ones(templates.rows * templates.columns, np.float32)
        ranked: list[tuple[float, int, Points]] = []
        # An outline that isn't of a card's own shape may be of a card on its side, seen at a slant.
        for turns in (0,) if quads.stands_straight(corners, self.index.aspect) else (0, 1):
            pose = square_to(np.roll(corners, turns, axis=0), templates.width, templates.height)
            blocks = cells.cut_blocks(cells.cut_patch(sight.levels, pose, templates, 0), templates, 0)
            score = cells.resemblance(blocks, templates, shows).ravel()
            for at in np.argsort(-score, kind="stable")[:TRIES].tolist():
                turned = pose @ identity.turn_about(templates) if at >= faces else pose
                ranked.append((float(score[at]), at % faces, turned @ from_unit(self.index, templates, at % faces)))
        return sorted(ranked, key=lambda item: -item[0])


def _has_news(judged: Judged, covered: Mask) -> bool:
    """Whether much more of a card is known to be covered now."""
    return bool((covered & ~judged.covered).sum() > NEWS * len(covered))


def _width(unit: Points) -> float:
    """About how wide a card lies in the picture, by its pose."""
    return math.sqrt(abs(float(unit[0, 0] * unit[1, 1] - unit[0, 1] * unit[1, 0])))


def _has_the_size(sight: Sight, width: float, enough: int = ENOUGH) -> bool:
    """Whether something is about as wide as the cards found so far, if that many were: they're of one size."""
    known = sight.widths
    return len(known) < enough or min(known) / NEARER < width < max(known) * NEARER


def _is_card_shaped(corners: Points, aspect: float) -> bool:
    """Whether a quadrilateral may be a card under a camera: not folded, not stretched beyond a steep view."""
    if not bool(np.all(np.isfinite(corners))):
        return False
    top, right, bottom, left = sides(corners)
    if min(top, right, bottom, left) < SMALLEST_CARD * 0.5:
        return False
    tall = (right + left) / (top + bottom) / aspect
    return bool(0.42 < tall < 2.2 and max(top, bottom) < 2 * min(top, bottom))
