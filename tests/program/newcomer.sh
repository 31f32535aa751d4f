#!/usr/bin/env bash
# usage: newcomer.sh CAMBER SOURCE_FOLDER
# Problems of somebody who used camber for the first time, on a machine without a GPU: each command as
# typed, with one check.
set -uo pipefail
camber=$(realpath "${1:?usage: newcomer.sh CAMBER SOURCE_FOLDER}")
source=$(realpath "${2:?usage: newcomer.sh CAMBER SOURCE_FOLDER}")
export CUDA_VISIBLE_DEVICES=''
unset COLUMNS
work=$(mktemp -d "${TMPDIR:-/tmp}/camber-newcomer.XXXXXX") || exit 2
trap '[[ $BASHPID == "$$" ]] && rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp"
cd "$work/home" || exit 2
failures=0

verdict() { # verdict NAME WHY: WHY is empty where all is well
    if [[ -z $2 ]]; then
        echo "PASS: $1"
    else
        echo "FAIL: $1: $2"
        tail -n 8 "$work/out" "$work/err" | cut -c1-300
        failures=$((failures + 1))
    fi
}
# says NAME CODE TEXT ARGUMENT...: the exit code, and an extended regular expression that standard
# output or standard error matches.
says() {
    local name=$1 code=$2 text=$3 status=0
    "$camber" "${@:4}" >"$work/out" 2>"$work/err" </dev/null || status=$?
    local why=''
    ((status == code)) || why="it ends with $status and not with $code"
    cat "$work/out" "$work/err" | tr '\n' ' ' | grep -Eq -e "$text" || why+=" it does not say \"$text\""
    verdict "$name" "$why"
}
# never NAME TEXT ARGUMENT...: it succeeds, and its output does not match.
never() {
    local why=''
    "$camber" "${@:3}" >"$work/out" 2>"$work/err" </dev/null || why="it ends with $?"
    ! grep -Eq -e "$2" "$work/out" "$work/err" || why+=" it says \"$2\""
    verdict "$1" "$why"
}
full() { # full NAME ARGUMENT...: standard output cannot be written
    local why=''
    "$camber" "${@:2}" >/dev/full 2>"$work/err" </dev/null
    (($? == 5)) || why='it does not end with 5'
    grep -q 'cannot write to standard output' "$work/err" || why+=' it does not say why'
    verdict "$1" "$why"
}
small=(run --backend simt --size 32x32 --variant halo/16x16/align128)
life=$source/results/h200/life.json
benchmarks() { # benchmarks TIME...: a file of Google Benchmark with cases of that time
    local time list=''
    for time in "$@"; do
        list+=",{\"name\":\"a\",\"run_type\":\"iteration\",\"iterations\":1,\"real_time\":$time,\"cpu_time\":1,\"time_unit\":\"ns\"}"
    done
    echo "{\"context\":{},\"benchmarks\":[${list:1}]}"
}

# 0. Without a GPU, CUDA is refused with the alternatives.
says '0 cuda without a GPU' 5 'choose --backend simt or cpu' run --backend cuda

# 1. Whoever stops a run keeps what it measured; nothing stays behind. (SIGINT a shell's background
# jobs ignore; interrupt_test.cpp sends it.)
stopped() { # stopped NAME SIGNAL TEXT ARGUMENT...
    local name=$1 signal=$2 text=$3 status=0 why='' pid
    rm -f "$work/out" camber-results.json
    TMPDIR=$work/tmp "$camber" "${@:4}" >"$work/out" 2>"$work/err" </dev/null &
    pid=$!
    # A first row, or a first result.
    for _ in {1..600}; do
        [[ -s $work/out || -s camber-results.json ]] && break
        sleep 0.05
    done
    kill -s "$signal" "$pid"
    wait "$pid" || status=$?
    ((status == 128 + $(kill -l "$signal"))) || why="it ends with $status"
    grep -Eq "camber: stopped: [0-9]+ of [0-9]+ $text" "$work/err" || why+=' it does not say how far it came'
    [[ -s $work/out ]] || why+=' it shows no table'
    [[ -z $(ls -A "$work/tmp") ]] || why+=' temporary files stay'
    verdict "$name" "$why"
}
stopped '1 three processes, terminated' TERM 'cases measured, [0-9]+ of [0-9]+ visits' \
    run --backend simt --processes 3 --size 300x200 --variant 'halo/*'
verdict '1 its file is marked as incomplete' \
    "$(grep -q '"incomplete"' camber-results.json || echo 'it is not')"
stopped '1 a check, terminated' TERM 'cases checked' check --generations 40
rm -f camber-results*.json

# 2. Output that cannot be written is an error.
full '2 report into a full disk' report "$life" --format csv
full '2 run into a full disk' "${small[@]}" --out full.json
full '2 help into a full disk' --help
full '2 JSON into a full disk' reproduce topa-1 --format json

# 3. What is read is not overwritten, and an earlier file is kept.
"$camber" cat "$life" --out x.json
ln -s x.json link.json
cp "$source/workloads/life/patterns/glider.rle" a.rle
"$camber" cat "$source/results/h200/ceilings.json" --out limits.json
says '3 a report over its file' 2 'would overwrite' report x.json -o x.json
says '3 a report over its file by a link' 2 'would overwrite' report x.json -o link.json
says '3 a comparison over a file' 2 'would overwrite' compare "$life" x.json --out x.json
says '3 results over a pattern' 2 'would overwrite' run --pattern a.rle --out a.rle
says '3 a model over limits' 2 'would overwrite' model --ceilings limits.json --json limits.json
"$camber" "${small[@]}" >"$work/out" 2>&1
says '3 an earlier file is kept' 0 'the previous camber-results.json was renamed to' "${small[@]}"

# 4. A variant that cannot be scaled is refused.
says '4 scale of no such variant' 2 "cannot scale 'nosuch'" scale --over threads --variant nosuch

# 5. Georeferencing survives.
"$camber" run --workload water_flow --backend simt --variant halo/two_kernels/16x16/align128 \
    --input "$source/examples/valley.asc" --save end.asc --out water.json >"$work/out" 2>"$work/err"
verdict '5 a saved grid lies where it lay' \
    "$(diff <(head -n 5 "$source/examples/valley.asc") <(head -n 5 end.asc) || true)"

# 6. What scale says respects its uncertainty.
{
    echo '{"context":{},"benchmarks":['
    for point in 1:8000000 2:3999900 4:2000050; do
        for noise in -2000 -1000 0 1000 2000; do
            echo "{\"name\":\"step/threads:${point%:*}\",\"run_type\":\"iteration\",\"threads\":${point%:*},\"repetitions\":5,\"iterations\":1,\"real_time\":$((${point#*:} + noise)),\"cpu_time\":1,\"time_unit\":\"ns\"},"
        done
    done
    echo '{"name":"step/threads:1","run_type":"iteration","threads":1,"repetitions":5,"iterations":1,"real_time":8000000,"cpu_time":1,"time_unit":"ns"}]}'
} >threads.json
never '6 noise is not superlinear' '[Ss]uperlinear' scale --from threads.json
never '6 no share above 100 %' '(1[0-9][0-9]|[2-9][0-9][0-9])\.[0-9]+ .*Gustafson' \
    scale --from "$source/results/h200/scaling-sms-weak.json"

# 7. A ratio of 0.99 makes no difference.
never '7 0.99x is not reversed' 'reversed +(0\.9[89]|1\.0[0-2])x' \
    reproduce balasalle-life --from "$life"

# 8. Threads cost little on a small board, on a busy machine too.
"$camber" run --backend cpu --size 64x64 --variant reference/serial --variant reference/threads \
    --out cpu.json >"$work/out" 2>"$work/err"
verdict '8 threads on a small board' "$(python3 - <<'P'
import json
times = {case["camber"]["variant"]: case["real_time"] for case in json.load(open("cpu.json"))["benchmarks"]}
serial, threads = times["life/reference/serial"], times["life/reference/threads"]
if threads > 50 * serial:
    print(f"{threads} ns against {serial} ns")
P
)"

# 9. Bad input is 2, and names file, place and remedy.
mkdir folder
echo '[]' >list.json
benchmarks 1e999 >large.json
benchmarks -5 >negative.json
benchmarks '"x"' >text.json
says '9 a folder of no results' 2 '"folder" has no results file: give a folder' compare folder folder
says '9 a folder without results' 2 '"folder" has no results file: give a folder' report folder --format csv
says '9 a list for an object' 2 'list.json is no results file: it is no JSON object' report list.json --format csv
says '9 a number out of range' 2 'large.json has the number 1e999 in line 1' report large.json --format csv
says '9 a negative time' 2 'negative.json .*/benchmarks/0/real_time: -5 is not a number of 0 or more' report negative.json --format csv
says '9 a text for a number' 2 'text.json .*/benchmarks/0/real_time' report text.json --format csv
says '9 a negative seed' 2 "'-1' is no whole number from 0 to" run --seed -1
says '9 no such file' 2 'no.json": No such file' compare no.json "$life"

# 10. What means nothing is refused.
says '10 no number' 2 "'nan' is no number" run --sample-seconds nan
says '10 a seed of 2^64' 2 '18446744073709551616. is no whole number' run --seed 18446744073709551616
says '10 a GPU that is none' 2 'a compute capability that no GPU has' model --arch sm_999
says '10 a flag without effect' 2 'has no effect here' run --benchmark_format=csv
says '10 an empty board' 2 'size 0x3 is impossible' reproduce topa-1 --size 0x3
says '10 a seed for a pattern' 2 'leave out --seed or --input' run --seed 3 --pattern a.rle
says '10 sigma twice' 2 "'sigma' is given twice" run --workload blur --param sigma=1 --param sigma=2
says '10 sigma beside weights' 2 'sigma' \
    run --workload blur --param sigma=1 --param weights=1,2,1,2,4,2,1,2,1
says '10 no file' 2 "'-' is no file" run --out -

# 11. Two runs do not write one file.
"$camber" run --backend simt --size 300x200 --out one.json >/dev/null 2>&1 </dev/null &
first=$!
for _ in {1..600}; do
    [[ -s one.json ]] && break
    sleep 0.05
done
says '11 a second run on the same file' 5 'one.json.*another camber, process [0-9]+, is writing it' "${small[@]}" --out one.json
kill "$first"
wait "$first" 2>/dev/null

# 12. Advice is of options that were given.
"$camber" "${small[@]}" --out s.json >/dev/null 2>&1
says '12 two runs that measured nothing' 3 'the simt backend checks kernels and measures nothing' \
    compare s.json s.json
echo '{"context":{},"benchmarks":[{"name":"a_mean","run_name":"a","run_type":"aggregate","aggregate_name":"mean","iterations":1,"real_time":1,"cpu_time":1,"time_unit":"ns"}]}' >mean.json
says '12 a file of aggregates' 3 'only aggregates .*--benchmark_report_aggregates_only' compare mean.json mean.json
says '12 threads of Google Benchmark' 0 'strong scaling over threads.* 4 +(5|6) +2\.000 ms' scale --from threads.json

# 13. What beyond the edge lies, and which file has the published checksum, is written down.
verdict '13 blur beyond the edge' \
    "$(grep -q "^\*\*Beyond the edge" "$source/docs/guide/images-and-water.md" || echo "no page says it")"
verdict '13 the published checksum' \
    "$(grep -q '2006_000000016000_Temperature.asc' "$source/docs/verification.md" || echo 'no page says it')"

# 14. A variant that cannot run is skipped with the reason.
for workload in surface_water water_flow; do
    says "14 the model of $workload" 0 "skipped $workload/constant.*constant memory" model \
        --workload "$workload" --variant 'constant*' --variant 'halo/*16x16*' --json "$workload.json"
    verdict "14 the file of $workload has it too" \
        "$(grep -q '"status": "skipped"' "$workload.json" || echo 'it has not')"
done

# 15. A report says a few things first, and the rest on request.
if browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) &&
    "$camber" report "$source"/results/h200/life*.json* -o report.html >"$work/out" 2>"$work/err"; then
    timeout 30 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
        --virtual-time-budget=8000 --dump-dom "file://$PWD/report.html" >"$work/out" 2>"$work/err"
    verdict '15 the report opens on few sentences' "$(python3 - "$work/out" <<'P'
import re, sys
page = open(sys.argv[1], encoding="utf-8").read()
summary = page[page.index('id="summary"'):]
before = summary[:summary.index('id="summary-words"')]
sentences = len(re.findall(r"<li", before)) or len(re.findall(r"<p", before))
if not 1 <= sentences <= 6:
    print(f"{sentences} sentences stand there")
P
)"
else
    echo 'SKIP: 15: there is no browser, or no charts in this build'
fi

echo "$failures failures"
exit $((failures > 0))
