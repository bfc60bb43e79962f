"""Patience and its ends: one deadline for an outage, an even pace, budgets, and what it all cost."""

import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from chatserver import GOOD, ScriptedServer, after, served
from painted import paint, picture_of
from salon.errors import RecipeError, StageError
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.llm.chat_client import ChatClient
from salon.llm.limits import CircuitBreaker, RateLimiter
from salon.llm.usage import Account, Usage, carried, charge, on_account
from salon.types import Failure, Picture, Prompt, Verdict

PROMPT = Prompt(id="p", text="draw a peach hibiscus")
PICTURES = [picture_of(paint("okay", seed, side=48)) for seed in range(8)]
PAIRS = [(a, b) for a in PICTURES for b in PICTURES if a.key != b.key]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with served() as scripted:
        yield scripted


def judge_at(server: ScriptedServer, **options: Any) -> OpenAIJudge:
    return OpenAIJudge("eye", server.url, **{"deadline_s": 5.0, "backoff_s": 0.01, "cache": False, **options})


def codes(found: list[Verdict | Failure]) -> set[str]:
    return {each.code if isinstance(each, Failure) else "ok" for each in found}


def one(judge: OpenAIJudge, pair: tuple[Picture, Picture]) -> Verdict | Failure:
    return judge.compare(PROMPT, [pair])[0]


# ---- outages ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [503, None, after(0.3, None), 429])
def test_a_dead_server_costs_one_deadline_and_not_one_per_question(
    server: ScriptedServer, fault: Any
) -> None:
    server.script = [fault]
    judge = judge_at(server, deadline_s=0.6, concurrency=4)
    found = judge.compare(PROMPT, PAIRS)
    waited = [each for each in found if not (isinstance(each, Failure) and each.code == "judge_down")]
    assert "ok" not in codes(found)
    assert len(waited) <= 4 < len(found), "only those that were being asked wait for the deadline"
    assert all(isinstance(each, Failure) and each.fault == "system" for each in found)
    asked = len(server.seen)
    judge.compare(PROMPT, PAIRS)
    assert len(server.seen) == asked


def test_a_server_that_comes_back_within_the_deadline_costs_no_answer(server: ScriptedServer) -> None:
    server.script = [*[503] * 40, GOOD]
    found = judge_at(server, deadline_s=60.0, concurrency=8).compare(PROMPT, PAIRS[:16])
    assert codes(found) == {"ok"}


def test_after_the_cool_down_one_question_tries_and_all_go_on(server: ScriptedServer) -> None:
    server.script = [503]
    judge = judge_at(server, deadline_s=1.0, timeout_s=1.0, cooldown_s=0.4)
    assert codes([one(judge, PAIRS[0])]) <= {"judge_unavailable"}
    assert codes([one(judge, PAIRS[0])]) == {"judge_down"}
    time.sleep(0.45)
    asked = len(server.seen)
    assert codes([one(judge, PAIRS[1])]) == {"judge_unavailable"}
    assert len(server.seen) == asked + 1
    assert codes([one(judge, PAIRS[2])]) == {"judge_down"}
    time.sleep(0.45)
    server.script = [GOOD]
    assert codes([one(judge, PAIRS[3])]) == {"ok"}
    assert codes(judge.compare(PROMPT, PAIRS)) == {"ok"}


def test_a_server_that_only_makes_errors_is_given_up_too(server: ScriptedServer) -> None:
    server.script = [500]
    judge = judge_at(server, attempts=2, concurrency=4)
    found = judge.compare(PROMPT, PAIRS)
    assert codes(found) == {"judge_error", "judge_down"}
    assert len(server.seen) <= 2 * (5 + 4)
    server.script = [500, 500, GOOD]
    server.seen.clear()
    fresh = judge_at(server, attempts=2, concurrency=1)
    assert codes([one(fresh, PAIRS[0])]) == {"judge_error"}
    assert codes(fresh.compare(PROMPT, PAIRS[1:])) == {"ok"}


def test_one_silent_question_among_answered_ones_opens_nothing(server: ScriptedServer) -> None:
    bad = judge_at(server)._shown.url(PICTURES[0])

    def step(handler: Any, body: Any) -> Any:
        content = body["messages"][1]["content"]
        return 503 if content[1]["image_url"]["url"] == bad else GOOD

    server.script = [step]
    found = judge_at(server, deadline_s=0.4, concurrency=8).compare(PROMPT, PAIRS)
    assert [isinstance(each, Verdict) for each in found] == [a is not PICTURES[0] for a, _ in PAIRS]


def test_who_waits_stops_waiting_when_the_breaker_opens() -> None:
    breaker = CircuitBreaker(cooldown_s=5)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(breaker.pause, 30.0)
        breaker.in_vain(time.monotonic(), trial=False, why="it is silent")
        with pytest.raises(StageError, match="judge_down"):
            waiting.result(2.0)


# ---- pace ------------------------------------------------------------------------------------------------


def test_requests_are_sent_evenly(server: ScriptedServer) -> None:
    began = time.monotonic()
    judge_at(server, requests_per_minute=600, concurrency=8).compare(PROMPT, PAIRS[:7])
    assert time.monotonic() - began >= 0.6
    assert len(server.seen) == 7


def test_waiting_for_ones_turn_is_no_part_of_the_deadline(server: ScriptedServer) -> None:
    judge = judge_at(server, requests_per_minute=1200, concurrency=30, deadline_s=0.6)
    began = time.monotonic()
    assert codes(judge.compare(PROMPT, PAIRS[:30])) == {"ok"}
    assert time.monotonic() - began >= 29 * 0.05


def test_repeats_keep_the_pace_too(server: ScriptedServer) -> None:
    server.script = [500, 500, GOOD]
    began = time.monotonic()
    assert codes([one(judge_at(server, requests_per_minute=300), PAIRS[0])]) == {"ok"}
    assert time.monotonic() - began >= 0.4


def test_retry_after_holds_everybody(server: ScriptedServer) -> None:
    times: list[float] = []

    def step(handler: Any, body: Any) -> Any:
        times.append(time.monotonic())
        return (429, {"Retry-After": "0.5"}, b"") if len(times) == 1 else GOOD

    server.script = [step]
    judge = judge_at(server, concurrency=1)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda pair: one(judge, pair), PAIRS[:4]))
    assert codes(found) == {"ok"}
    assert all(at - times[0] >= 0.5 for at in times[1:])


def test_a_nonsensical_wait_is_bounded() -> None:
    pace = RateLimiter(None, clock=lambda: 50.0)
    pace.hold(1e9)
    assert pace.held_until == 650.0


# ---- budgets ---------------------------------------------------------------------------------------------


def test_a_budget_of_calls_ends_cleanly_and_is_never_overdrawn(server: ScriptedServer) -> None:
    server.script = [after(0.02, GOOD)]
    judge = judge_at(server, budget={"calls": 10}, concurrency=8)
    found = judge.compare(PROMPT, PAIRS)
    assert len(server.seen) == 10
    assert sum(isinstance(each, Verdict) for each in found) == 10
    assert codes(found) == {"ok", "judge_budget_spent"}
    failure = next(each for each in found if isinstance(each, Failure))
    assert (failure.fault, "budget.calls" in failure.message) == ("system", True)


@pytest.mark.parametrize(
    ("budget", "calls"), [({"tokens": 330}, 3), ({"usd": 0.00025}, 3), ({"tokens": 0}, 0), ({"calls": 0}, 0)]
)
def test_budgets_of_tokens_and_money(server: ScriptedServer, budget: Any, calls: int) -> None:
    # 100 tokens in at 0.5 and 10 out at 4 dollars a million: 0.00009 a call.
    judge = judge_at(server, budget=budget, price={"input": 0.5, "output": 4}, concurrency=1)
    judge.compare(PROMPT, PAIRS[:6])
    assert len(server.seen) == calls
    assert judge.server.spent.usd == pytest.approx(calls * 0.00009)


def test_a_budget_holds_among_faults_and_a_larger_one_goes_on_from_there(
    server: ScriptedServer, tmp_path: Path
) -> None:
    """Every request that reaches the server is paid for, also a repeat where a connection was hung up."""
    steps = [after(0.01, GOOD), None, 429, after(0.01, GOOD), 500, "8/10", GOOD]
    server.script = [steps[number % len(steps)] for number in range(1000)]
    pictures = [picture_of(paint("okay", seed, side=16)) for seed in range(13)]
    pairs = [(a, b) for a in pictures for b in pictures if a.key != b.key]
    given: dict[str, Any] = {"concurrency": 64, "cache": str(tmp_path), "deadline_s": 20.0, "attempts": 50}
    judge = judge_at(server, budget={"calls": 100}, **given)
    with on_account(Account()) as account:
        found = judge.compare(PROMPT, pairs)
    assert len(server.seen) == account.total.calls == 100
    assert codes(found) == {"ok", "judge_budget_spent"}
    answered = sum(isinstance(each, Verdict) for each in found)
    again = judge_at(server, **given)
    with on_account(Account()) as account:
        assert codes(again.compare(PROMPT, pairs)) == {"ok"}
    assert account.total.cached == answered
    assert account.total.failed == 0


@pytest.mark.parametrize(
    "budget", [{"usd": float("nan")}, {"calls": -1}, {"calls": 1.5}, {"euro": 1}, {"usd": 1}]
)
def test_a_budget_that_is_none_is_refused(server: ScriptedServer, budget: Any) -> None:
    """The last one: what the model costs is not known."""
    with pytest.raises(RecipeError, match="budget"):
        judge_at(server, budget=budget)


# ---- usage -----------------------------------------------------------------------------------------------


def test_what_it_cost_is_charged_failures_and_repeats_included(server: ScriptedServer) -> None:
    server.script = ["mumble", 500, GOOD, 403]
    judge = judge_at(server, price={"input": 1, "output": 1})
    with on_account(Account()) as account:
        assert codes(judge.compare(PROMPT, [PAIRS[0]])) == {"ok"}
        assert codes(judge.compare(PROMPT, [PAIRS[0]])) == {"ok"}
        assert codes(judge.compare(PROMPT, [PAIRS[1]])) == {"judge_refused"}
    total = account.total
    assert (total.questions, total.cached, total.failed, total.calls) == (3, 1, 1, 4)
    assert (total.tokens_in, total.tokens_out) == (200, 20)
    assert total.usd == pytest.approx(220e-6)
    assert 0 < total.seconds < 5


def test_accounts_go_where_the_work_goes() -> None:
    with on_account(Account()) as outer, ThreadPoolExecutor(2) as threads:
        with on_account(Account()) as inner:
            list(threads.map(carried(lambda n: charge(Usage(calls=n))), [1, 2, 3]))
        charge(Usage(calls=10))
        list(threads.map(lambda n: charge(Usage(calls=100)), [1]))
    assert (inner.total.calls, outer.total.calls) == (6, 16)


# ---- connections -----------------------------------------------------------------------------------------


def test_connections_are_kept_and_one_that_was_closed_is_no_failed_attempt(server: ScriptedServer) -> None:
    chat = ChatClient(model="m", base_url=server.url, attempts=1)
    ask = [{"role": "user", "content": "hello"}]

    def last_on_this_connection(handler: Any, body: Any) -> str:
        handler.close_connection = True
        return GOOD

    server.script = [GOOD, GOOD, GOOD, last_on_this_connection, GOOD]
    for _ in range(4):
        chat.complete(ask)
    assert server.connections == 1
    time.sleep(0.05)
    chat.complete(ask)
    assert (server.connections, chat.spent.calls) == (2, 5)


def test_a_proxy_of_the_environment_is_used(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url.replace("http://", "http://me:word@").removesuffix("/v1"))
    chat = ChatClient(model="m", base_url="http://judge.invalid:8000/v1")
    assert chat.complete([{"role": "user", "content": "hello"}]) == GOOD
    assert server.headers_seen[0]["Proxy-Authorization"] == "Basic bWU6d29yZA=="
    assert server.headers_seen[0]["Host"] == "judge.invalid:8000"


def test_a_key_goes_to_its_own_host_only(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    ChatClient(model="m", base_url=server.url).complete([{"role": "user", "content": "hello"}])
    assert "Authorization" not in server.headers_seen[0]
    assert ChatClient(model="m").settings.key_for("api.openai.com") == "secret"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_connections_are_kept_over_tls_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    subprocess.run([*make, *subject], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secured.load_cert_chain(certificate, key)
    server = ScriptedServer()
    server.socket = secured.wrap_socket(server.socket, server_side=True)
    with served(server):
        chat = ChatClient(model="m", base_url=f"https://localhost:{server.server_address[1]}/v1")
        for _ in range(4):
            assert chat.complete([{"role": "user", "content": "hello"}]) == GOOD
        assert server.connections == 1
        monkeypatch.delenv("SSL_CERT_FILE")
        stranger = ChatClient(model="m", base_url=chat.settings.base_url, deadline_s=0.5)
        with pytest.raises(StageError, match=r"judge_unreachable.*certificate"):
            stranger.complete([{"role": "user", "content": "hello"}])


# ---- the pace behind a silence -----------------------------------------------------------------------------


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def sent(pace: RateLimiter, clock: Clock, waiting: list[float], silences: dict[float, float]) -> list[float]:
    """When each of those that wait is sent; at some times the server asks for silence. No real time."""
    times: list[float] = []
    for at in sorted(silences):
        waiting = [pace.still(booked) for booked in waiting]
        due = sorted(booked for booked in waiting if booked <= at)
        waiting = [booked for booked in waiting if booked > at]
        times += due
        clock.now = at
        pace.hold(silences[at])
    while waiting:
        waiting = sorted(pace.still(booked) for booked in waiting)
        clock.now = max(clock.now, waiting[0])
        times.append(clock.now)
        waiting = waiting[1:]
    return sorted(times)


@pytest.mark.parametrize("silences", [{1000.5: 30.0}, {1000.5: 2.5, 1003.2: 9.0}, {1000.0: 0.7}, {}])
def test_the_pace_holds_behind_a_silence(silences: dict[float, float]) -> None:
    clock = Clock()
    pace = RateLimiter(60, clock)
    found = sent(pace, clock, [pace.book() for _ in range(8)], silences)
    assert len(found) == 8
    gaps = [b - a for a, b in pairwise(found)]
    assert min(gaps) > 0.999
    for at, seconds in silences.items():
        assert not [each for each in found if at < each < at + seconds]
    late = pace.book()
    assert late >= found[-1] + 0.999


def test_without_a_pace_a_silence_is_kept_by_all() -> None:
    clock = Clock()
    pace = RateLimiter(None, clock)
    waiting = [pace.book() for _ in range(3)]
    pace.hold(5.0)
    assert [pace.still(each) for each in waiting] == [1005.0] * 3
