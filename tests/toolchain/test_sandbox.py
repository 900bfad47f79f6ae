"""CUDA text cannot read a file, learn whether one exists, reach this program, or run without end.

Every form names a file twice: once a canary that exists, once its missing neighbour. What comes back must not differ
between the two (or existence would show), and never hold the canary's content, its folder beyond what the source itself
says, or a path of the compiler's own.
"""

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest

from engine.machine.errors import Cancelled, CompileError, GpuError, InputError
from toolchain import compiler
from toolchain.bounded import Limits, run_bounded
from toolchain.compiler import MAX_SOURCE_BYTES, compile_cuda

SECRET = "73123457"  # the canary's content: a token that C++ accepts wherever a form can put it
KERNEL = "__global__ void k(int *p) { p[0] = 1; }\n"

FORMS = {
    "include": '#include "{path}"\n' + KERNEL,
    "include angled": "#include <{path}>\n" + KERNEL,
    "include relative": '#include "../../../../../../../..{path}"\n' + KERNEL,
    "include digraph": '%:include "{path}"\n' + KERNEL,
    "include trigraph": '??=include "{path}"\n' + KERNEL,
    "include spliced": '#inc\\\nlude "{path}"\n' + KERNEL,
    "include spliced with blanks": '#  inc\\ \nlude "{path}"\n' + KERNEL,
    "include commented": '/* */ # /* */ include /* */ "{path}"\n' + KERNEL,
    "include computed": '#define WHERE "{path}"\n#include WHERE\n' + KERNEL,
    "include computed angled": "#define WHERE <{path}>\n#include WHERE\n" + KERNEL,
    "include_next": '#include_next "{path}"\n' + KERNEL,
    "include_macros": '#__include_macros "{path}"\n' + KERNEL,
    "import": '#import "{path}"\n' + KERNEL,
    "include in a value": '__global__ void k(int *p) { p[0] =\n#include "{path}"\n; }\n',
    "include file url": '#include "file://{path}"\n' + KERNEL,
    "embed": '__device__ const unsigned char d[] = {\n#embed "{path}"\n};\n__global__ void k(int *p) { p[0] = d[0]; }\n',
    "embed angled": "__device__ const unsigned char d[] = {\n#embed <{path}> limit(4) if_empty(1)\n};\n" + KERNEL,
    "embed digraph": '__global__ void k(int *p) { const char d[] = {\n%:embed "{path}"\n}; p[0] = d[0]; }\n',
    "has_include": '#if __has_include("{path}")\n#error there\n#endif\n' + KERNEL,
    "has_include to code": "__global__ void k(int *p) {\n#if __has_include(<{path}>)\np[0] = 1;\n#endif\n}\n",
    "has_include_next": '#if __has_include_next("{path}")\n#error there\n#endif\n' + KERNEL,
    "has_embed": '#if __has_embed("{path}")\n#error there\n#endif\n' + KERNEL,
    "has_embed value": '#if __has_embed("{path}") == 2\n#error empty\n#endif\n' + KERNEL,
    "pragma dependency": '#pragma GCC dependency "{path}"\n' + KERNEL,
    "pragma dependency with text": '#pragma GCC dependency "{path}" is newer\n#pragma GCC error "stop"\n' + KERNEL,
    "pragma clang dependency": '#pragma clang dependency "{path}"\n' + KERNEL,
    "pragma operator": '_Pragma("GCC dependency \\"{path}\\"")\n' + KERNEL,
    "pragma pch": '#pragma GCC pch_preprocess "{path}"\n' + KERNEL,
    "pragma include_alias": '#pragma include_alias("a.h", "{path}")\n#include "a.h"\n' + KERNEL,
    "pragma comment": '#pragma comment(lib, "{path}")\n#pragma comment(linker, "/include:{path}")\n' + KERNEL,
    "pragma module import": "#pragma clang module import secret\n// {path}\n" + KERNEL,
    "pragma module build": (
        '#pragma clang module build secret\nmodule secret { header "{path}" export * }\n'
        "#pragma clang module contents\n#pragma clang module begin secret\n#pragma clang module end\n"
        "#pragma clang module endbuild\n#pragma clang module import secret\n" + KERNEL
    ),
    "pragma module map": (
        '#pragma clang module build other\nextern module secret "{path}"\nmodule other { }\n'
        "#pragma clang module contents\n#pragma clang module endbuild\n" + KERNEL
    ),
    "pragma module load": "#pragma clang module load secret\n// {path}\n" + KERNEL,
    "module import": "@import secret;\n// {path}\n" + KERNEL,
    "header unit": 'import "{path}";\n' + KERNEL,
    "module unit": "module;\nexport module secret;\nimport <{path}>;\n" + KERNEL,
    "line directive": '#line 1 "{path}"\nint wrong = ;\n' + KERNEL,
    "line marker": '# 1 "{path}" 1\nint wrong = ;\n# 2 "kernel.cu" 2\n' + KERNEL,
    "line marker of a system header": '# 1 "{path}" 3\n#warning here\n#error stop\n' + KERNEL,
    "asm incbin": '__global__ void k(int *p) { asm volatile(".incbin \\"{path}\\""); p[0] = 1; }\n',
    "asm include": '__global__ void k(int *p) { asm volatile(".include \\"{path}\\""); p[0] = 1; }\n',
    "asm file": '__global__ void k(int *p) { asm volatile(".file 7 \\"{path}\\""); p[0] = 1; }\n',
    "asm at file scope": 'asm(".incbin \\"{path}\\"");\n' + KERNEL,
    "asm in host code": 'void h() { asm(".incbin \\"{path}\\""); }\n' + KERNEL,
    "asm label": '__device__ int d asm("; .incbin \\"{path}\\"");\n' + KERNEL,
    "asm hidden by a macro": (
        '#define JOIN(a, b) a##b\n__global__ void k(int *p) { JOIN(__as, m__)(".incbin \\"{path}\\""); p[0] = 1; }\n'
    ),
    "section attribute": '__device__ __attribute__((section("{path}"))) int d;\n' + KERNEL,
    "static assertion": 'static_assert(__has_include("{path}"), "no");\n' + KERNEL,
    "deprecated message": '[[deprecated("{path}")]] void f();\nvoid g() { f(); int x = ; }\n' + KERNEL,
    "response file": '#pragma clang system_header\n#include "@{path}"\n' + KERNEL,
    "raw string": '#include R"({path})"\n' + KERNEL,
    "debug pragma": '#pragma clang __debug module_map "{path}"\n#pragma clang __debug sloc_usage\nint x = ;\n' + KERNEL,
}


def everything(source, seconds=15):
    """All that a compilation lets out: the PTX, or every word of the refusal."""
    try:
        return compile_cuda(source, limits=Limits(seconds=seconds)).ptx
    except GpuError as error:
        return f"{error}\n{error.as_json()}"


@pytest.fixture(scope="module")
def canary():
    with tempfile.TemporaryDirectory(prefix="canary-home-") as folder:
        path = Path(folder) / "canary_yes.h"
        path.write_text(SECRET + "\n")
        yield path


@pytest.mark.parametrize("form", FORMS)
def test_no_form_reads_a_file_or_tells_whether_it_exists(form, canary):
    missing = canary.with_name("canary_not.h")
    assert canary.exists() and not missing.exists()
    there, absent = (everything(FORMS[form].replace("{path}", str(path))) for path in (canary, missing))
    assert there.replace(canary.name, missing.name) == absent
    assert SECRET not in there
    assert ", ".join(str(byte) for byte in SECRET.encode()) not in there  # as an embedded array
    assert not [name for name in ("overlay", "qwengpu-", "ziglang", os.getcwd()) if name in there]


READING = ("include", "include digraph", "include spliced", "include computed", "import", "embed", "has_include")


@pytest.mark.parametrize("form", READING)
def test_without_the_virtual_file_system_the_forms_do_read(form, canary, monkeypatch):
    """The tests above have teeth: the same text tells the two files apart once the real file system shows through."""

    def see_through(folder):
        overlay = folder / "overlay.yaml"
        overlay.write_text('{"version": 0, "fallthrough": true, "roots": []}')
        return overlay

    monkeypatch.setattr(compiler, "_write_overlay", see_through)
    missing = canary.with_name("canary_not.h")
    there, absent = (everything(FORMS[form].replace("{path}", str(path))) for path in (canary, missing))
    assert there.replace(canary.name, missing.name) != absent


PRAGMAS = ("crash", "parser_crash", "llvm_fatal_error", "llvm_unreachable", "assert", "overflow_stack", "sloc_usage",
           "dump KERNEL", "macro KERNEL", "module_lookup secret", "diag_mapping", "captured")  # fmt: skip


@pytest.mark.parametrize("pragma", PRAGMAS)
def test_debugging_pragmas_end_quietly_and_leave_nothing_behind(pragma, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    answer = everything(f"#define KERNEL 1\n#pragma clang __debug {pragma}\n" + KERNEL, seconds=1.5)
    assert not [name for name in (str(tmp_path), "ziglang", "overlay", "Stack dump", "Program arguments") if name in answer]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["__FILE__", "__BASE_FILE__", "__TIMESTAMP__", "__builtin_FILE()", "__DATE__ __TIME__"])
def test_names_and_dates_are_those_of_no_machine(where):
    text = f"__global__ void k(char *p) {{ const char *s = {where}; for (int i = 0; s[i]; i++) p[i] = s[i]; }}\n"
    ptx = everything(text)
    assert ptx == everything(text)
    assert os.getcwd() not in ptx and tempfile.gettempdir() not in ptx


def test_the_environment_and_standard_input_are_out_of_reach(monkeypatch):
    monkeypatch.setenv("CANARY", SECRET)
    monkeypatch.setenv("CPATH", "/")
    for form in ("include", "embed", "has_include"):
        absent = everything(FORMS[form].replace("{path}", "/missing"))
        for path in ("/proc/self/environ", "/dev/stdin", "/proc/self/fd/0", "./", "/"):
            answer = everything(FORMS[form].replace("{path}", path))
            assert SECRET not in answer
            assert answer.replace(f"'{path}'", "'/missing'") == absent


# ------------------------------------------------------------------------------------------------ bounds

INSTANCES = """template <int A, int B> struct G { static const long v = G<A - 1, 2 * B>::v + G<A - 1, 2 * B + 1>::v; };
template <int B> struct G<0, B> { static const long v = 1; };
__global__ void k(long *o) { o[0] = G<24, 1>::v; }
"""
LOOP = """constexpr long spin(int n) { long s = 0; for (int i = 0; i < 900000; i++) s += i ^ n; return s; }
template <int N> struct R { static constexpr long v = spin(N) + R<N - 1>::v; };
template <> struct R<0> { static constexpr long v = 0; };
__global__ void k(long *o) { o[0] = R<200>::v; }
"""
SEQUENCE = """template <class T, T... I> struct S { static const int v = 1; };
__global__ void k(int *o) { o[0] = __make_integer_seq<S, int, 100000000>::v; }
"""
TABLE = "#define A0 1\n" + "".join(f"#define A{n} {', '.join([f'A{n - 1}'] * 16)}\n" for n in range(1, 6))


@pytest.mark.parametrize("source", [INSTANCES, LOOP], ids=["instances", "constexpr"])
def test_a_compilation_that_takes_too_long_is_killed(source):
    start = time.monotonic()
    with pytest.raises(CompileError, match=r"takes longer than 0\.6 s"):
        compile_cuda(source, limits=Limits(seconds=0.6))
    assert time.monotonic() - start < 5


def test_a_compilation_that_takes_too_much_memory_is_stopped():
    with pytest.raises(CompileError, match="more than 320 MB of memory"):
        compile_cuda(SEQUENCE, limits=Limits(memory=320 << 20))


def test_a_program_that_is_too_long_is_refused():
    with pytest.raises(CompileError, match="the compiler writes more than"):
        compile_cuda(
            TABLE + "__device__ char t[] = {A5};\n__global__ void k(int *p) { p[0] = t[p[1]]; }", limits=Limits(seconds=300)
        )


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void k(int *p) { p[0] = " + "(" * 50_000 + "1" + ")" * 50_000 + "; }",
        "__global__ void k(int *p) { p[0] = " + "- " * 60_000 + "1; }",
        "template <int N> struct F { static const int v = F<N + 1>::v; };\n__global__ void k(int *p) { *p = F<0>::v; }",
        "#include __FILE__\n#include <kernel.cu>\n" + KERNEL,
        "/*" + KERNEL,
        "#if 1\n" + KERNEL,
        'R"(' + KERNEL,
    ],
    ids=["brackets", "signs", "recursion", "itself", "comment", "condition", "raw string"],
)
def test_hostile_shapes_end_in_a_compile_error(source):
    with pytest.raises(CompileError):
        compile_cuda(source, limits=Limits(seconds=10))


def test_a_compilation_can_be_cancelled_at_once():
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        compile_cuda(INSTANCES, cancelled=stop.is_set)
    assert time.monotonic() - start < 5


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_the_whole_process_group_is_killed(tmp_path):
    mark = tmp_path / "alive"
    script = f"(while :; do sleep 0.05; echo x >> {mark}; done) & wait"
    outcome = run_bounded(["/bin/sh", "-c", script], b"", Limits(seconds=0.5))
    assert outcome.ended == "time"
    size = mark.stat().st_size
    time.sleep(0.3)
    assert mark.stat().st_size == size


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell as the child")
def test_a_child_gets_no_environment_an_empty_folder_and_a_cut_output(monkeypatch):
    monkeypatch.setenv("CANARY", SECRET)
    outcome = run_bounded(["/bin/sh", "-c", "env; ls -A; cat"], b"from stdin", Limits())
    assert outcome.returncode == 0 and outcome.stdout.endswith(b"from stdin")
    assert SECRET.encode() not in outcome.stdout
    assert {line.split(b"=")[0] for line in outcome.stdout.splitlines()[:-1]} <= {
        b"SOURCE_DATE_EPOCH",
        b"PWD",
        b"SHLVL",
        b"_",
        b"OLDPWD",
    }
    flood = run_bounded(["/bin/sh", "-c", "while :; do echo flood; done"], b"", Limits(seconds=20, output=10_000))
    assert flood.ended == "output" and len(flood.stdout) == 10_000


# ------------------------------------------------------------------------------------------------ text that is no source


def test_text_that_cannot_be_source_is_refused_before_compiling():
    with pytest.raises(InputError, match="NUL") as nul:
        compile_cuda("int a;\nint b;\0\n", "mine.cu")
    assert nul.value.where == "mine.cu:2"
    with pytest.raises(InputError, match=f"at most {MAX_SOURCE_BYTES:,}"):
        compile_cuda("// é\n" * (MAX_SOURCE_BYTES // 5))
    with pytest.raises(InputError, match="not Unicode"):
        compile_cuda("int a;\n// \udc80\n")
