import sys, torch
import torch.nn.functional as F
torch.manual_seed(1)
what = sys.argv[1:] or ["pool", "softmax", "norm", "matmul", "triton"]
d = "cuda"
x = torch.randn(32, 64, 224, 224, device=d)
y = torch.randn(8192, 4096, device=d)
a = torch.randn(4096, 4096, device=d, dtype=torch.bfloat16)
b = torch.randn(4096, 4096, device=d, dtype=torch.bfloat16)
if "triton" in what:
    try:
        import triton, triton.language as tl
        @triton.jit
        def swish_rows(x, y, n, BLOCK: tl.constexpr):
            k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            v = tl.load(x + k, mask=k < n)
            tl.store(y + k, v / (1 + tl.exp(-v)), mask=k < n)
    except Exception as e:
        print("no triton:", e)
        what.remove("triton")
z = torch.empty_like(y)
for step in range(10):
    if "pool" in what: F.avg_pool2d(x, 3, 2, 1)
    if "softmax" in what: torch.softmax(y, 1)
    if "norm" in what: F.layer_norm(y, (4096,))
    if "matmul" in what: a @ b
    if "triton" in what: swish_rows[(triton.cdiv(y.numel(), 1024),)](y, z, y.numel(), BLOCK=1024)
torch.cuda.synchronize()
if "graph" in what:
    g = torch.cuda.CUDAGraph()
    s = torch.randn(1000, 1000, device=d)
    with torch.cuda.graph(g):
        t = torch.sinh(s)
    g.replay()
    torch.cuda.synchronize()
print("done")
