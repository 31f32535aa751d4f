#!/usr/bin/env bash
# usage: history_bisect.sh CAMBER SOURCE_FOLDER
# The bisect recipe of docs/guide/history.md, on a repository made for it: git bisect run finds the
# commit that made a kernel's memory traffic worse. One commit between does not compile. Exit code 77:
# there is no git.
set -euo pipefail
camber=$(readlink -f "$1") source=$(readlink -f "$2")
command -v git >/dev/null || { echo 'skipped: there is no git'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/repository"
ln -s "$camber" "$folder/bin/camber"
export PATH=$folder/bin:$PATH
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b.c

# The script of the page, as a reader would save it.
python3 - "$source/docs/guide/history.md" > "$folder/bisect.sh" <<'PYTHON'
import re
import sys
blocks = re.findall(r"^```sh\n(.*?)^```", open(sys.argv[1], encoding="utf-8").read(), re.S | re.M)
print(next(block for block in blocks if block.startswith("#!/bin/sh")), end="")
PYTHON

cd "$folder/repository"
git init -q -b main .
kernel=$source/examples/kernels/blur_float4.cu
load='const float cells[6] = {first[-1], '
commit() {
    git add -A && git commit -q -m "$1"
}
cp "$kernel" blur.cu
commit 'The kernel'
git tag v1.0
note() {
    echo "// Note $1." >> blur.cu
    commit "Note $1"
}
for k in 1 2 3; do note $k; done
# In the middle, where the search begins.
echo 'This is no CUDA.' >> blur.cu
commit 'Does not compile'
sed -i '$d' blur.cu
note 4
grep -qF "$load" blur.cu
sed -i "s/const float cells\[6\] = {first\[-1\], /const float cells[6] = {first[4] * 0 + first[-1], /" blur.cu
commit 'One load too many'
bad=$(git rev-parse HEAD)
for k in 5 6; do note $k; done

# The commands of the page.
export HISTORY=$folder/history GOOD=v1.0
git checkout -q $GOOD
sh "$folder/bisect.sh"
git bisect start main $GOOD >/dev/null
git bisect run sh "$folder/bisect.sh" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
found=$(git rev-parse refs/bisect/bad)
if [[ $found != "$bad" ]]; then
    cat "$folder/log"
    echo "git bisect found $(git log -1 --format=%s "$found")"
    exit 1
fi
grep -q "is the first bad commit" "$folder/log"
git bisect log | grep -q "git bisect skip"
git bisect reset -q 2>/dev/null || git bisect reset >/dev/null
# The models made by the bisection form a history, in the order of the repository.
camber history show "$HISTORY" --repository . | grep -q "WORSE .* at ${bad:0:12}"
echo 'git bisect found the commit'
