#!/usr/bin/env python3
# ruff: noqa
"""CUDA-on-CPU oracle: runs a kernel of a .cu file with g++ (no PTX involved).

  oracle.py kernel.cu launch.json [--seed N] [--order forward|reverse|random|prio] [--resident N]
            [--warp N] [--admit N] [--lenient] [--no-races] [-o out.json]

launch.json: one launch object, or a list of them (each may also be {"launch": {...}}).
Prints {"<pointer argument>": [values...], ...} per launch (a list when the input is a list).
--admit N  runs forward, reverse, one-block-at-a-time and N random schedules; fails if any differ or race.
"""

import argparse, hashlib, json, math, os, re, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("CUDA_ORACLE_CACHE", os.path.join(tempfile.gettempdir(), "cuda-oracle-cache"))
SHIM = os.path.join(HERE, "cuda_shim.h")
TYPES = {
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
    "int": "i",
    "uint": "I",
    "unsigned": "I",
    "float": "f",
    "double": "d",
    "bool": "B",
    "char": "b",
    "uchar": "B",
    "short": "h",
    "ushort": "H",
    "long long": "q",
}
MODES = {"forward": 0, "reverse": 1, "random": 2, "prio": 3}


class OracleError(Exception):
    pass


# ---------------------------------------------------------------- source rewriting
def strip_comments(s):
    """Blank out comments, keeping newlines and strings."""
    out, i, n = [], 0, len(s)
    while i < n:
        c = s[i]
        if s.startswith("//", i):
            while i < n and s[i] != "\n":
                i += 1
        elif s.startswith("/*", i):
            j = s.find("*/", i + 2)
            j = n if j < 0 else j + 2
            out.append("\n" * s.count("\n", i, j) or " ")
            i = j
        elif c in "\"'":
            j = i + 1
            while j < n and s[j] != c:
                j += 2 if s[j] == "\\" else 1
            out.append(s[i : j + 1])
            i = j + 1
        else:
            out.append(c)
            i += 1
    return "".join(out)


def split_top(s, sep=","):
    parts, depth, cur = [], 0, ""
    for c in s:
        if c in "([{<":
            depth += 1
        elif c in ")]}>":
            depth -= 1
        if c == sep and depth == 0:
            parts.append(cur)
            cur = ""
        else:
            cur += c
    return parts + [cur]


SH = re.compile(r"((?:\b(?:extern|static|volatile|const|alignas\s*\([^)]*\)|__align__\s*\([^)]*\))\s*)*)\b__shared__\b([^;]*);")


def rewrite(src):
    """__shared__ declarations become per-block storage; everything else is left to the shim's macros."""
    src = strip_comments(src)
    cnt = [0]

    def sub(m):
        quals, body = m.group(1), m.group(2)
        ext = "extern" in quals or re.search(r"\bextern\b", body)
        vol = "volatile " if "volatile" in quals else ""
        body = re.sub(
            r"__align__\s*\([^)]*\)|alignas\s*\([^)]*\)|__attribute__\s*\(\(.*?\)\)|\bextern\b|\bstatic\b", " ", body
        ).strip()
        decls = split_top(body)
        mm = re.match(r"^(.*?[\s\*&>])([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)$", decls[0].strip(), re.S)
        if not mm:
            raise OracleError("cannot read the declaration: __shared__ " + body)
        base = vol + mm.group(1).strip()
        items = [(mm.group(2), mm.group(3))]
        for d in decls[1:]:
            k = re.match(r"^\s*([A-Za-z_]\w*)\s*((?:\[[^\]]*\]\s*)*)$", d, re.S)
            if not k:
                raise OracleError("cannot read the declaration: __shared__ " + body)
            items.append((k.group(1), k.group(2)))
        depth = src.count("{", 0, m.start()) - src.count("}", 0, m.start())
        out = []
        line = src.count("\n", 0, m.end()) + 1
        for name, dims in items:
            cnt[0] += 1
            i = cnt[0]
            if ext:
                rest = re.sub(r"^\[\s*\]", "", dims.strip())
                if rest:
                    raise OracleError("extern __shared__ of more than one dimension")
                if depth == 0:  # at file scope: a macro, every kernel sees its own block's buffer
                    out.append(f"\n#define {name} (({base} *)__cu_dynshared())\n#line {line}\n")
                else:
                    out.append(f"{base} *{name} = ({base} *)__cu_dynshared();")
            elif depth == 0:
                out.append(
                    f"static char __cu_tag{i}; typedef {base} __cu_ty{i} {dims};\n#define {name} (*(__cu_ty{i} *)__cu_shared(&__cu_tag{i}, sizeof(__cu_ty{i}), alignof(__cu_ty{i})))\n#line {line}\n"
                )
            else:
                out.append(
                    f"static char __cu_tag{i}; typedef {base} __cu_ty{i} {dims}; __cu_ty{i} &{name} = *(__cu_ty{i} *)__cu_shared(&__cu_tag{i}, sizeof(__cu_ty{i}), alignof(__cu_ty{i}));"
                )
        if depth == 0:
            return " ".join(out)
        return " ".join(out) + "\n" * m.group(0).count("\n")

    return SH.sub(sub, src)


# ---------------------------------------------------------------- building
def run_cmd(cmd):
    p = subprocess.run(cmd, capture_output=True, text=True)
    if p.returncode:
        raise OracleError("build failed: " + " ".join(cmd) + "\n" + p.stderr[:4000])
    return p


def build(cu, kernel, opt=("-O0",)):
    src = open(cu).read()
    shim = open(SHIM).read()
    h = hashlib.sha256((rewrite(src) + "\0" + kernel + "\0" + shim + "\0" + " ".join(opt)).encode()).hexdigest()[:20]
    hs = hashlib.sha256(shim.encode()).hexdigest()[:20]
    os.makedirs(CACHE, exist_ok=True)
    exe = os.path.join(CACHE, h)
    if os.path.exists(exe):
        return exe
    rt = os.path.join(CACHE, "rt_" + hs + ".o")
    common = ["g++", "-std=c++20", "-g", "-no-pie", "-fno-pie", "-w"]
    if not os.path.exists(rt):
        tmp = rt + ".%d" % os.getpid()
        run_cmd(common + ["-O2", "-DCUDA_SHIM_RUNTIME", "-x", "c++", "-c", SHIM, "-o", tmp])
        os.rename(tmp, rt)
    with tempfile.TemporaryDirectory(dir=CACHE) as d:
        cpp = os.path.join(d, "k.cpp")
        with open(cpp, "w") as f:
            f.write(
                f'#line 1 "{os.path.abspath(cu)}"\n'
                + rewrite(src)
                + f'\n#line 1 "launcher"\nextern "C" void __cu_entry(const __cu_Arg *a, int n) {{ __cu_invoke(&{kernel}, a, n); }}\n'
            )
        obj = os.path.join(d, "k.o")
        run_cmd(
            common
            + list(opt)
            + [
                "-fsanitize=thread",
                "--param",
                "tsan-distinguish-volatile=1",
                "-fsanitize=bounds,shift-exponent,integer-divide-by-zero",
                "-fno-sanitize-recover=all",
                "-fwrapv",
                "-fno-strict-aliasing",
                "-ffp-contract=off",
                "-fno-exceptions",
                "-fno-stack-protector",
                "-I",
                os.path.join(HERE, "stub"),
                "-include",
                SHIM,
                "-c",
                cpp,
                "-o",
                obj,
            ]
        )
        run_cmd(["g++", "-no-pie", rt, obj, "-o", exe + ".%d" % os.getpid()])
    os.rename(exe + ".%d" % os.getpid(), exe)
    return exe


# ---------------------------------------------------------------- values
def wrap(v, t):
    c = TYPES[t]
    if c in "fd":
        return float(v)
    n = struct.calcsize(c) * 8
    v = int(v) & ((1 << n) - 1)
    return v - (1 << n) if c.islower() and v >> (n - 1) else v


def pack(t, vals):
    return struct.pack("<%d%s" % (len(vals), TYPES[t]), *[wrap(v, t) for v in vals])


def unpack(t, data):
    c = TYPES[t]
    v = list(struct.unpack("<%d%s" % (len(data) // struct.calcsize(c), c), data))
    return [str(x) if c in "fd" and (math.isnan(x) or math.isinf(x)) else x for x in v]


def dims(v):
    v = [v] if isinstance(v, int) else list(v)
    return (v + [1, 1, 1])[:3]


def arg_bytes(a):
    """(is_pointer, bytes or None, nbytes)"""
    t = a["type"].replace("const ", "").replace(" ", "").replace("longlong", "int64").replace("unsigned", "uint32")
    if t == "struct":
        b = b"".join(pack(f, [v]) for f, v in zip(a["fields"], a["value"]))
        return False, b, len(b)
    if t.endswith("*"):
        et = t[:-1]
        if "value" in a and a["value"] is not None:
            b = pack(et, a["value"])
            if "size" in a and a["size"] > len(a["value"]):
                b += b"\0" * (struct.calcsize(TYPES[et]) * (a["size"] - len(a["value"])))
            return True, b, len(b)
        return True, None, a["size"] * struct.calcsize(TYPES[et])
    b = pack(t, [a["value"]])
    return False, b, len(b)


def elem(a):
    return a["type"].replace("const ", "").replace(" ", "").replace("longlong", "int64").replace("unsigned", "uint32")[:-1]


def run(
    cu,
    launch,
    seed=0,
    order="forward",
    resident=0,
    warp=None,
    lenient=False,
    races=True,
    pre=None,
    limit=50000000,
    timeout=60,
    opt=("-O0",),
):
    """Runs one launch. Returns {"out": {...}, "unwritten": {...}, "races": [...], "uninit": [...], "stat": {...}}; raises OracleError."""
    exe = build(cu, launch["kernel"], opt)
    g, b = dims(launch.get("grid", 1)), dims(launch.get("block", 1))
    w = warp or launch.get("warp", 32)
    if isinstance(w, list):
        w = w[-1]
    if pre is None:
        pre = (0.5, 0.1, 0.02, 0.0)[seed % 4] if order == "random" else (0.01, 0.1)[seed % 2]
    args = launch["args"]
    txt = [
        " ".join(
            map(
                str,
                g
                + b
                + [launch.get("shared", 0), w, MODES[order], seed, pre, resident, int(races), int(lenient), limit, len(args)],
            )
        )
    ]
    for a in args:
        p, data, n = arg_bytes(a)
        txt.append(
            f"{'P' if p else 'S'} {n} {int(data is not None)} {' '.join('%02x' % x for x in data) if data is not None else ''}"
        )
    try:
        p = subprocess.run([exe], input="\n".join(txt) + "\n", capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise OracleError("timeout: the kernel does not end")
    res = {"out": {}, "unwritten": {}, "races": [], "uninit": [], "warn": [], "stat": {}}
    ok = err = None
    for l in p.stdout.splitlines():
        k = l.split(" ", 1)[0]
        if k == "ok":
            ok = True
        elif k == "error":
            err = l[6:]
        elif k == "arg":
            _, i, *h = l.split(" ")
            a = args[int(i)]
            res["out"][a["name"]] = unpack(elem(a), bytes.fromhex(h[0] if h else ""))
        elif k == "unwritten":
            _, i, n = l.split()
            res["unwritten"][args[int(i)]["name"]] = int(n)
        elif k == "race":
            res["races"].append(lines(exe, l[5:]))
        elif k == "uninit":
            res["uninit"].append(lines(exe, l[7:]))
        elif k == "warn":
            res["warn"].append(l[5:])
        elif k == "stat":
            q = l.split()[1:]
            res["stat"] = dict(zip(q[::2], map(int, q[1::2])))
    if err or not ok:
        raise OracleError(lines(exe, err) if err else f"no answer (rc {p.returncode}) {p.stdout[-200:]} {p.stderr[-300:]}")
    return res


def lines(exe, s):
    pcs = re.findall(r"pc (0x[0-9a-f]+)", s)
    if pcs:
        try:
            o = subprocess.run(
                ["addr2line", "-e", exe] + [hex(int(x, 16) - 1) for x in pcs], capture_output=True, text=True
            ).stdout.split("\n")
            for pc, l in zip(pcs, o):
                s = s.replace("pc " + pc, "line " + l.split(" ")[0].rsplit(":", 1)[-1], 1)
        except OSError:
            pass
    return s


def admit(cu, launch, n=8, warp=None, lenient=False, races_ok=False):
    """Runs many schedules. Returns (result of the first, list of complaints)."""
    first = run(cu, launch, warp=warp, lenient=lenient)
    bad = []
    plans = [("forward", 0, 0), ("reverse", 1, 0), ("forward", 2, 1), ("reverse", 3, 1)]
    plans += [(("random", "prio")[i % 2], 100 + i, (0, 0, 2)[i % 3]) for i in range(n)]
    allr = [first]
    for order, seed, resident in plans:
        try:
            r = run(cu, launch, order=order, seed=seed, resident=resident, warp=warp, lenient=lenient)
        except OracleError as e:
            bad.append(f"{order}/{seed}/resident {resident}: {e}")
            continue
        allr.append(r)
        if r["out"] != first["out"]:
            bad.append(
                f"{order}/{seed}/resident {resident}: result depends on the schedule: "
                + ", ".join(k for k in r["out"] if r["out"][k] != first["out"][k])
            )
    for r in allr:
        if r["races"] and not races_ok:
            bad.append("data race: " + r["races"][0])
        if r["uninit"]:
            bad.append(r["uninit"][0])
    return first, sorted(set(bad), key=bad.index)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cu")
    ap.add_argument("launch")
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--order", choices=MODES, default=None)
    ap.add_argument("--resident", type=int, default=0)
    ap.add_argument("--warp", type=int)
    ap.add_argument("--admit", type=int, metavar="N")
    ap.add_argument("--lenient", action="store_true")
    ap.add_argument("--no-races", action="store_true")
    ap.add_argument("-o", "--out")
    ap.add_argument("--details", action="store_true", help="print races, uninitialised reads and counts too")
    a = ap.parse_args()
    j = json.load(sys.stdin if a.launch == "-" else open(a.launch))
    many = isinstance(j, list)
    outs, rc = [], 0
    for l in j if many else [j]:
        l = l.get("launch", l)
        try:
            if a.admit is not None:
                r, bad = admit(a.cu, l, a.admit, a.warp, a.lenient)
                if bad:
                    r["refused"] = bad
                    rc = 1
            else:
                r = run(
                    a.cu,
                    l,
                    a.seed,
                    a.order or ("random" if a.seed else "forward"),
                    a.resident,
                    a.warp,
                    a.lenient,
                    not a.no_races,
                )
                for x in r["races"]:
                    print("warning: data race:", x, file=sys.stderr)
                for x in r["uninit"]:
                    print("warning:", x, file=sys.stderr)
            outs.append(r if a.details else dict(r["out"], **({"refused": r["refused"]} if "refused" in r else {})))
        except OracleError as e:
            print("error:", e, file=sys.stderr)
            outs.append({"error": str(e)})
            rc = 1
    s = json.dumps(outs if many else outs[0])
    if a.out:
        open(a.out, "w").write(s + "\n")
    else:
        print(s)
    return rc


if __name__ == "__main__":
    sys.exit(main())
