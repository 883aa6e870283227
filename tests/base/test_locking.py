"""Files that one process changes at a time: games that many write to, campaigns; and who is told what."""

from __future__ import annotations

import logging
import multiprocessing
import os
import platform
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread, Timer
from time import monotonic

import pytest

from satjudge import Game
from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.base.locking import HeldError, hold_lock
from satjudge.game.stored_game import hold_game_lock
from satjudge.world.board import Phase

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
WRITERS = 10
Given = tuple[str, str, list[str]]
"""A phase, a power, and its orders then; or no power where the phase was judged."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Game.new().save(tmp_path / "g.json")
    return tmp_path / "g.json"


def write(path: Path, writer: int, rounds: int, seconds: float) -> list[Given]:
    """Give one power's orders, others each time; or judge: what was done."""
    random, done, end = Random(writer), list[Given](), monotonic() + seconds
    while rounds and monotonic() < end:
        rounds -= 1
        with Game.open(path) as game:
            phase = game.phase_name
            if writer >= len(POWERS):
                game.next()
                done.append((phase, "", []))
            elif game.board.phase is Phase.MOVEMENT:
                power = POWERS[writer]
                places = sorted(game.map.provinces)
                orders = [f"{unit} - {random.choice(places)}" for unit in game.board.units if unit.power == power]
                done.append((phase, power, game.set_orders(power, orders)))
    return done


def check_nothing_is_lost(path: Path, executor: Executor, rounds: int, seconds: float) -> int:
    """Ten writers at one file at once. How much they wrote."""
    futures: list[Future[list[Given]]] = [executor.submit(write, path, one, rounds, seconds) for one in range(WRITERS)]
    done = [given for future in futures for given in future.result()]
    game = Game.load(path)
    judged = [phase for phase, power, _ in done if not power]
    assert sorted(judged) == sorted(played.phase_name for played in game.history)
    last = {(phase, power): orders for phase, power, orders in done if power}
    kept = {(phase, power): game.at(phase).orders.get(power, []) for phase, power in last}
    assert kept == last
    assert os.listdir(path.parent) == [path.name]
    return len(done)


def test_ten_writers_of_one_game_lose_nothing(path: Path) -> None:
    with ThreadPoolExecutor(WRITERS) as threads:
        assert check_nothing_is_lost(path, threads, 3, 60.0) >= 3 * 3


@pytest.mark.slow
def test_ten_processes_lose_nothing(path: Path) -> None:
    with ProcessPoolExecutor(WRITERS, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert check_nothing_is_lost(path, processes, 10**6, 20.0) > 30


@contextmanager
def held(path: Path) -> Iterator[Event]:
    """Somebody else holds the game, until the event is set."""
    begun, done = Event(), Event()

    def hold() -> None:
        with hold_game_lock(path):
            begun.set()
            done.wait(60)

    thread = Thread(target=hold)
    thread.start()
    begun.wait(60)
    try:
        yield done
    finally:
        done.set()
        thread.join()


def test_a_command_waits_for_another_and_says_for_whom(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satjudge.base.locking._MOMENT", 0.05)

    class Ending(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            done.set()

    with held(path) as done:
        handler = Ending()
        logging.getLogger("satjudge").addHandler(handler)
        try:
            assert run(["game", "order", str(path), "FRANCE", "A PAR - BUR"]) == 0
        finally:
            logging.getLogger("satjudge").removeHandler(handler)
    assert caplog.messages == [
        f"satjudge: {path} is in use by process {os.getpid()} on {platform.node()}: waiting for up to 60 seconds"
    ]
    assert Game.load(path).orders == {"FRANCE": ["A PAR - BUR"]}


def test_who_waits_in_vain_is_told(path: Path) -> None:
    before = path.read_bytes()
    with held(path), pytest.raises(HeldError, match=rf"g.json: in use by process {os.getpid()} on "):  # noqa: SIM117
        with Game.open(path, wait=0.05) as game:
            game.next()
    assert path.read_bytes() == before


def test_two_commands_that_begin_one_game(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.unlink()
    with ThreadPoolExecutor(2) as threads:
        codes = [*threads.map(run, [["game", "new", str(path)], ["game", "new", str(path), "--map", "loeb9"]])]
    assert sorted(codes) == [0, 2]
    assert "already exists" in capsys.readouterr().err


def test_saving_over_what_somebody_else_wrote_is_refused(path: Path) -> None:
    ours, theirs = Game.load(path), Game.load(path)
    ours.order("FRANCE", "A PAR - BUR")
    ours.save(path)
    theirs.order("GERMANY", "A MUN - BUR")
    for game in (theirs, theirs.fork()):
        with pytest.raises(InputError, match="the file has changed since the game was read from it"):
            game.save(path)
    assert Game.load(path).orders == {"FRANCE": ["A PAR - BUR"]}
    theirs.save(path.with_name("other.json"))
    ours.next()
    ours.save(path)  # who wrote last knows what is there
    path.unlink()
    theirs.save(path)  # nothing is there to be lost
    assert Game.load(path).orders == {"GERMANY": ["A MUN - BUR"]}


def test_an_error_while_a_game_is_open_leaves_the_file(path: Path) -> None:
    def fail(saving: bool) -> None:
        with Game.open(path) as game:
            game.next()
            if saving:  # whoever holds a file may write it
                game.save(path)
            raise OSError("of the caller's own")

    for saving, phase in ((False, "S1901M"), (True, "F1901M")):
        with pytest.raises(OSError, match="of the caller's own"):
            fail(saving)
        assert (Game.load(path).phase_name, os.listdir(path.parent)) == (phase, ["g.json"])


@pytest.mark.skipif(os.name == "nt", reason="pipes in folders")
def test_only_a_regular_file_is_written(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(pipe := path.with_name("pipe"))
    for place in (pipe, Path(os.devnull)):
        mode = place.stat().st_mode
        for command in (["new", str(place), "--force"], ["next", str(place)], ["fork", str(path), str(place), "--force"]):
            assert run(["game", *command]) == 2
            assert capsys.readouterr().err == f"satjudge: cannot write {place}: it is not a regular file\n"
        with pytest.raises(InputError, match="not a regular file"):
            Game.new().save(place)
        assert place.stat().st_mode == mode
        assert not stat.S_ISREG(mode)


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_link_is_written_and_locked_as_what_it_leads_to(path: Path) -> None:
    link = path.with_name("link.json")
    link.symlink_to(path)
    game = Game.load(link)
    with held(path), pytest.raises(HeldError), Game.open(link, wait=0):
        pytest.fail("both hold it")
    with Game.open(link) as other:
        other.next()
    assert link.is_symlink()
    assert Game.load(path).phase_name == "F1901M"
    with pytest.raises(InputError, match="the file has changed"):
        game.save(path)


HOLDING = """
import sys, time
from satjudge import Game
with Game.open(sys.argv[1]) as game:
    game.next()
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_whoever_is_ended_while_it_holds_a_game_leaves_it_to_others(number: signal.Signals, path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDING, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(HeldError, match=f"process {process.pid} on "), hold_lock(path, wait=0):
            pytest.fail("both hold it")
        process.send_signal(number)
    assert Game.load(path).phase_name == "S1901M"
    with Game.open(path, wait=0) as game:
        game.order("FRANCE", "A PAR - BUR")
    assert Game.load(path).orders == {"FRANCE": ["A PAR - BUR"]}
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("interruptible")
def test_a_command_that_waits_can_be_interrupted(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held(path):
        Timer(0.2, signal.raise_signal, (signal.SIGINT,)).start()
        assert run(["game", "next", str(path)]) == 130
    assert capsys.readouterr().err.split() == ["interrupted"]
    assert Game.load(path).phase_name == "S1901M"
