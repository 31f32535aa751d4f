#!/usr/bin/env bash
# The example workflow and the action for other projects are valid YAML in GitHub Actions' format, their
# scripts are valid shell scripts, and the options of camber in the workflow exist. The package test runs
# the action's steps (tests/foreign/foreign_test.py). Exit code 77: Python with YAML is not installed.
set -euo pipefail
root=$1 camber=$2
command -v python3 >/dev/null && python3 -c 'import yaml' 2>/dev/null || exit 77
scripts=$(python3 - "$root/docs/github-actions.yml" <<'PYTHON'
import sys
import yaml

workflow = yaml.safe_load(open(sys.argv[1]))
assert True in workflow, "'on' is missing (YAML 1.1 reads it as true)"
assert set(workflow["jobs"]) >= {"model", "gpu"}, workflow["jobs"].keys()
for name, job in workflow["jobs"].items():
    assert "runs-on" in job, name
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), (name, step)
        if "run" in step:
            print(step["run"])
PYTHON
)
bash -n <<<"$scripts"
steps=$(python3 - "$root/action.yml" <<'PYTHON'
import re
import sys
import yaml

text = open(sys.argv[1]).read()
action = yaml.safe_load(text)
assert action["runs"]["using"] == "composite"
for name, declared in action["inputs"].items():
    assert set(declared) == {"description", "default"}, name
used = set(re.findall(r"inputs\.([a-z-]+)", text))
assert used == set(action["inputs"]), used ^ set(action["inputs"])
for step in action["runs"]["steps"]:
    # GitHub would insert a text of a pull request as code.
    assert step["shell"] == "bash" and "${{" not in step["run"], step["name"]
    print(step["run"])
PYTHON
)
bash -n <<<"$steps"
for option in $(grep -oE -- ' --[a-z-]+' <<<"$scripts" | sort -u); do
    case $option in
    --version) help=$("$camber" --help) ;;
    --build) help=$(cat "$root/camber") ;;
    --baseline) help=$("$camber" model --help) ;;
    --processes | --counters) help=$("$camber" run --help-all) ;;
    *) help=$("$camber" compare --help) ;;
    esac
    grep -qe "$option" <<<"$help" || { echo "camber has no option $option"; exit 1; }
done
