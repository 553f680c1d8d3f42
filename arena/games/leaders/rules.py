"""The rules of both modes: whose ply, which actions, what follows. L, Q, E refer to docs/games/leaders.md."""

from msgspec.structs import replace

from arena.game import Outcome
from arena.games.leaders import actions
from arena.games.leaders import state as phases
from arena.games.leaders.actions import ACTIONS, EFFECT, END_ACTIONS, GO, NUMBER, SHIFT, SWAP
from arena.games.leaders.board import ALL, BIT, NEAR, OFF, RECRUITMENT_SPACES, SPACE, spaces_of
from arena.games.leaders.cards import CARDS, FIGURES_OF, HERMIT_AND_CUB_CARD, LEADER, NEMESIS
from arena.games.leaders.characters import hermit_and_cub, jailer, nemesis, vizier
from arena.games.leaders.characters.table import ABILITY
from arena.games.leaders.notation import Action, Banish, NemesisMove, Options, Recruit
from arena.games.leaders.sight import fall, look
from arena.games.leaders.state import State, position_key, recruit_count, taken, without

REPETITIONS = 3  # Q12
CARDS_FOR_BANISHMENT = 3 - 1  # L31, the Leader aside
BANISHED_AT_OPENING, BANISHED_IN_ALL = 2, 4  # L31


def max_plies(options: Options) -> int:
    """No game has more plies: a turn has at most 6 actions, 6 reactions, `end_actions` and a recruitment."""
    return 14 * options.max_turns + BANISHED_IN_ALL + 1


def seat_to_act(state: State) -> int | None:
    """The seat that decides the next ply; None when the game is over."""
    if state.phase == phases.OVER:
        return None
    if state.phase == phases.NEMESIS:
        return nemesis.owner(state.at, state.bits)
    if state.phase == phases.BANISH:
        return len(state.supply.banished) & 1
    return state.active_seat


def outcome(state: State) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    return state.outcome


def legal_actions(state: State) -> tuple[Action, ...]:
    """The actions of the seat to act, sorted by their JSON text (E14); () when the game is over."""
    return tuple([ACTIONS[number] for number in legal_numbers(state)])


def apply(state: State, action: Action) -> State:
    """The state after an action of `legal_actions(state)`; of the rules only the phase is checked (ValueError)."""
    number = NUMBER.get(action)
    if number is None:
        raise ValueError(f"no position allows {action}")
    return apply_number(state, number)


def legal_numbers(state: State) -> list[int]:
    """The legal actions by their numbers in `actions.ACTIONS`, ascending."""
    if state.phase == phases.ACTION:
        return sorted([*_turn_numbers(state), END_ACTIONS])
    if state.phase == phases.RECRUIT:
        return sorted(_recruit_numbers(state))
    if state.phase == phases.NEMESIS:
        ends = nemesis.destinations(state.at, state.bits, nemesis.owner(state.at, state.bits))
        return [actions.NEMESIS_MOVE[to] for to in spaces_of(ends)]
    if state.phase == phases.BANISH:
        return [number for card, number in actions.BANISH.items() if state.supply.market >> card & 1]
    return []


def apply_number(state: State, number: int) -> State:
    """`apply` for the number of an action."""
    action = ACTIONS[number]
    if state.phase == phases.ACTION and (number == END_ACTIONS or EFFECT[number][2] != OFF):
        return _end_actions(state) if number == END_ACTIONS else _act(state, number)
    if state.phase == phases.RECRUIT and isinstance(action, Recruit):
        return _recruit(state, action)
    if state.phase == phases.NEMESIS and isinstance(action, NemesisMove):
        return _react(state, SPACE[action.to])
    if state.phase == phases.BANISH and isinstance(action, Banish):
        return _banish(state, CARDS.index(action.card))
    raise ValueError(f"{action} does not belong to the phase {phases.PHASES[state.phase]!r}")


def start_turn(state: State, turn: int) -> State:
    """The given turn begins: first the draws (Q12, E6), then whatever happens by itself (E12)."""
    seat = turn & 1
    history = (*state.history, position_key(state.at, seat))
    repeats = history.count(history[-1])
    recruits = recruit_count(turn, state.supply.cards[seat])
    started = State(state.supply, state.at, state.bits, 0, turn, phases.ACTION, recruits, repeats, history)
    if repeats >= REPETITIONS:
        return replace(started, phase=phases.OVER, outcome=Outcome.draw(reason="repetition"))
    if turn >= state.supply.max_turns:
        return replace(started, phase=phases.OVER, outcome=Outcome.draw(reason="turn-limit"))
    return _go_on(started)


def _turn_numbers(state: State) -> list[int]:
    """Moves and abilities of the active seat's characters (L5) that keep its Leader safe (L8)."""
    seat, at = state.active_seat, state.at
    sight = look(at, state.bits, seat)
    jail = jailer.jail(at, sight.enemy)
    numbers: list[int] = []
    for figure in state.supply.figures[seat]:
        if state.acted >> figure & 1 or figure == NEMESIS:
            continue
        space = at[figure]
        if figure == seat:
            steps = vizier.leader_steps(at, sight.own, sight.empty, space)
            numbers += actions.step_numbers(LEADER, sight.leader_may_go(steps))
            continue
        numbers += actions.step_numbers(figure, sight.own_may_go(space, NEAR[space] & sight.empty))
        ability = ABILITY[figure]
        if ability and not BIT[space] & jail:
            numbers += ability(sight, space)
    return numbers


def _can_act(state: State) -> bool:
    """Whether `_turn_numbers` finds anything; mostly some figure has a basic move, which is quickly seen."""
    seat, at = state.active_seat, state.at
    empty = ALL & ~(state.bits[0] | state.bits[1])
    near = NEAR[at[seat]]
    breath = near & empty
    safe = empty if breath & breath - 1 else empty & ~breath
    idle = True
    for figure in state.supply.figures[seat]:
        if state.acted >> figure & 1 or figure == NEMESIS:
            continue
        idle = False
        space = at[figure]
        if figure != seat and NEAR[space] & (empty if BIT[space] & near else safe):
            return True
    return not idle and bool(_turn_numbers(state))


def _act(state: State, number: int) -> State:
    effect, figure, a, b = EFFECT[number]
    seat = state.active_seat
    own, enemy = state.bits[seat], state.bits[1 - seat]
    if figure == LEADER:
        figure = seat
    at = list(state.at)
    start = at[figure]
    if effect != GO:
        other, end = state.at.index(a), start if effect == SWAP else b
        at[other] = end
        if own & BIT[a]:
            own ^= BIT[a] | BIT[end]
        else:
            enemy ^= BIT[a] | BIT[end]
    if effect != SHIFT:
        at[figure] = a
        own ^= BIT[start] | BIT[a]
    bits = (own, enemy) if seat == 0 else (enemy, own)
    after = replace(state, at=tuple(at), bits=bits, acted=hermit_and_cub.forfeit(state.acted, figure))
    if reason := fall(after.at, bits, 1 - seat):
        return _won(after, seat, reason)
    return replace(after, phase=phases.NEMESIS) if _nemesis_reacts(state, after) else _go_on(after)


def _nemesis_reacts(before: State, after: State) -> bool:
    """L25: whether the action moved the Leader that the Nemesis hunts, and it has somewhere to go."""
    if after.at[NEMESIS] == OFF:
        return False
    owner = nemesis.owner(after.at, after.bits)
    prey = 1 - owner
    return after.at[prey] != before.at[prey] and nemesis.destinations(after.at, after.bits, owner) != 0


def _react(state: State, to: int) -> State:
    owner = nemesis.owner(state.at, state.bits)
    at, bits = list(state.at), list(state.bits)
    bits[owner] ^= BIT[at[NEMESIS]] | BIT[to]
    at[NEMESIS] = to
    after = replace(state, at=tuple(at), bits=(bits[0], bits[1]), phase=phases.ACTION)
    for loser in (state.active_seat, 1 - state.active_seat):  # Q6: in this order
        if reason := fall(after.at, after.bits, loser):
            return _won(after, 1 - loser, reason)
    return _go_on(after)


def _go_on(state: State) -> State:
    return state if _can_act(state) else _end_actions(state)


def _end_actions(state: State) -> State:
    """Ends the action phase, by an action or by itself (E12): who has not acted has forfeited it (E2)."""
    acted = sum(1 << figure for figure in state.supply.figures[state.active_seat] if figure != NEMESIS)
    return _recruit_or_end(replace(state, acted=acted, phase=phases.RECRUIT))


def _free_spaces(state: State) -> tuple[int, int]:
    """The empty recruitment spaces of the active seat (L3) and the empty spaces beside its Leader."""
    seat = state.active_seat
    empty = ALL & ~(state.bits[0] | state.bits[1])
    return RECRUITMENT_SPACES[seat] & empty, NEAR[state.at[seat]] & empty


def _recruit_numbers(state: State) -> list[int]:
    free, breath = _free_spaces(state)
    safe = free if breath & breath - 1 else free & ~breath  # L8
    numbers: list[int] = []
    for card in spaces_of(state.supply.market):
        if card == HERMIT_AND_CUB_CARD:
            numbers += hermit_and_cub.placements(free, breath)
        else:
            numbers += actions.recruit_numbers(card, safe)
    return numbers


def _recruit_or_end(state: State) -> State:
    """Q10: the recruitment goes on while something can be recruited."""
    if state.recruits_left and _recruit_numbers(state):
        return state
    return _end_turn(replace(state, recruits_left=0))


def _recruit(state: State, action: Recruit) -> State:
    seat = state.active_seat
    card = CARDS.index(action.card)
    at, bits = list(state.at), list(state.bits)
    for figure, name in zip(FIGURES_OF[card], (action.at, action.cub_at), strict=False):
        at[figure] = SPACE[str(name)]
        bits[seat] |= BIT[at[figure]]
    after = replace(
        state,
        supply=taken(state.supply, seat, card),
        at=tuple(at),
        bits=(bits[0], bits[1]),
        recruits_left=state.recruits_left - 1,
        history=(),
    )
    if reason := fall(after.at, after.bits, 1 - seat):
        return _won(after, seat, reason)
    return _recruit_or_end(after)


def _end_turn(state: State) -> State:
    supply = state.supply
    banishing = supply.expert and len(supply.banished) < BANISHED_IN_ALL
    if banishing and min(map(len, supply.cards)) >= CARDS_FOR_BANISHMENT:
        return replace(state, phase=phases.BANISH)
    return start_turn(state, state.turn + 1)


def _banish(state: State, card: int) -> State:
    after = replace(state, supply=without(state.supply, card), history=())
    banished = len(after.supply.banished)
    if banished == BANISHED_AT_OPENING:
        return start_turn(after, 0)
    return start_turn(after, state.turn + 1) if banished == BANISHED_IN_ALL else after


def _won(state: State, seat: int, reason: str) -> State:
    return replace(state, phase=phases.OVER, outcome=Outcome.win(seat, reason=reason))
