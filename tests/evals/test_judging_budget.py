"""A benchmark whose judge may spend no more: the report says what is missing, and the exit code says why."""

from pathlib import Path

import pytest
import yaml

from chatserver import served
from salon import cli
from salon.judges.fake import FakeJudge
from salon.serving.judge_server import JudgeServer


def test_what_was_answered_is_told_and_the_next_command_asks_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(JudgeServer(FakeJudge(), port=0)) as server:
        eye = {"kind": "openai", "model": "fake", "base_url": server.url, "cache": str(tmp_path / "kept")}
        term = {"scorer": "round_robin", "judge": "eye", "weight": 1}
        reward = {"terms": {"result": term}, "judges": {"eye": eye | {"budget": {"calls": 6}}}}
        file = tmp_path / "reward.yaml"
        file.write_text(yaml.safe_dump({"reward": reward}))
        ask = ["salon", "evaluate", "judge", "--recipe", str(file), "--judge", "eye", "--limit", "5"]
        monkeypatch.setattr("sys.argv", [*ask, "-o", str(tmp_path / "out")])
        with pytest.raises(SystemExit) as first:
            cli.main()
        told = capsys.readouterr()
        with pytest.raises(SystemExit) as second:
            cli.main()
    assert first.value.code == 3
    assert "4 × judge_budget_spent" in told.out
    assert "the judge's budget is spent. Raise it and start again" in told.err
    assert (tmp_path / "out").is_dir()
    assert second.value.code == 0
    assert "judge_budget_spent" not in capsys.readouterr().out
