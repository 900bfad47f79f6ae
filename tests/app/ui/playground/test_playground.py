"""The Playground as a person uses it: typing, pasting, running, comparing; nothing written is lost."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit

from app.compute.kernels import launch_kernel
from app.playground.drafts import EMPTY, Drafts
from app.playground.gallery import examples, library
from app.ui.playground import PlaygroundPage
from app.ui.playground.editor import CodeEditor
from app.ui.theme import Appearance, theme
from tests.app.fast import FastMachine


def said(widget):
    return " ".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


@pytest.fixture
def page(qtbot, paths):
    """An empty Playground, shown."""
    made = PlaygroundPage(paths)
    qtbot.addWidget(made)
    made.resize(1032, 800)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def paths(tmp_path):
    from app.paths import Paths

    return Paths(tmp_path / "config", tmp_path / "cache", tmp_path / "data é", tmp_path / "logs")


@pytest.fixture
def editor(qtbot):
    made = CodeEditor()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


def histogram():
    return next(draft for draft in examples() if draft.filename == "histogram.cu")


def run(page, change=lambda launch: None):
    """Play the worker's part: launch on the interpreter."""

    def launch(source, filename, document):
        change(document)
        record = launch_kernel(source, filename, document, FastMachine())
        page.show_progress({"tokens": 30, "prompt": 60, "block": None, "warp": None})
        page.show_result(
            {
                "launch": {"id": "abc", "prompt": len(record.prompt), "tokens": len(record.generated), "seconds": 0.1},
                "outputs": record.outputs,
            }
        )

    page.launch_requested.connect(launch)


# ---------------------------------------------------------------- editor
def test_enter_keeps_the_indentation_and_brackets_come_in_pairs(editor, qtbot):
    qtbot.keyClicks(editor, "void f(int a) {")
    assert editor.toPlainText() == "void f(int a) {}"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "void f(int a) {\n    \n}"
    qtbot.keyClicks(editor, "x[0];")
    assert editor.toPlainText() == "void f(int a) {\n    x[0];\n}"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "}")
    assert editor.toPlainText().splitlines()[2] == "}"


def test_tab_indents_and_esc_tab_leaves(editor, qtbot):
    editor.setPlainText("a\nb")
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "    a\n    b"
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Backtab)
    assert editor.toPlainText() == "a\nb"
    other = QLineEdit(editor)
    other.show()
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    before = editor.toPlainText()
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == before and not editor.hasFocus()


def test_backspace_takes_an_empty_pair(editor, qtbot):
    qtbot.keyClicks(editor, "f(")
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    assert editor.toPlainText() == "f"


def test_an_input_method_composes_and_commits(editor):
    editor.setPlainText("// ")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    assert editor.toPlainText() == "// "
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本語")
    QApplication.sendEvent(editor, commit)
    assert editor.toPlainText() == "// 日本語"


def test_errors_stand_at_their_lines_until_the_text_changes(editor, qtbot):
    editor.setPlainText("a\nb\nc")
    editor.show_errors({2: "expected ';'"})
    assert editor.textCursor().blockNumber() == 1 and editor.errors() == {2: "expected ';'"}
    assert len(editor.extraSelections()) == 2
    qtbot.keyClicks(editor, "x")
    assert editor.errors() == {}


def test_the_brackets_of_a_pair_are_marked(editor):
    editor.setPlainText("f(a[1])")
    cursor = editor.textCursor()
    cursor.setPosition(1)
    editor.setTextCursor(cursor)
    assert editor._brackets() == (1, 6)


# ---------------------------------------------------------------- arrays
def test_pasting_from_a_spreadsheet(page, qtbot):
    page.open(histogram())
    table = page._form._rows[0]._table
    table.setCurrentIndex(table.model().index(0, 2))
    QGuiApplication.clipboard().setText("1\t2\n3\t0\n" * 10)
    qtbot.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    values = page._form.launch()["args"][0]["value"]
    assert len(values) == 42 and values[:6] == [3, 0, 1, 2, 3, 0]
    table.clearSelection()
    table.setCurrentIndex(table.model().index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert len(page._form.launch()["args"][0]["value"]) == 41
    table.paste("1 two")
    assert "two" in page._note.text() and len(page._form.launch()["args"][0]["value"]) == 41


def test_typing_into_a_cell(page):
    page.open(histogram())
    model = page._form._rows[0]._table.model()
    assert model.setData(model.index(0, 1), "7") and not model.setData(model.index(0, 1), "x")
    assert model.setData(model.index(2, 0), "5")
    assert page._form.launch()["args"][0]["value"][1] == 7 and len(page._form.launch()["args"][0]["value"]) == 17


# ---------------------------------------------------------------- running
def test_run_compare_and_inspect_by_keys(page, qtbot, paths):
    run(page)
    page.open(histogram())
    page.editor.setFocus()
    qtbot.keyClick(page.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "As expected" in page._outcome.findChildren(type(page._outcome._chip))[1].accessibleName()
    with qtbot.waitSignal(page.inspect_requested) as asked:
        page._outcome.inspect_asked.emit()
    assert asked.args == [str(paths.launches / "abc.json")]
    with qtbot.waitSignal(page.inspect_requested):
        qtbot.keyClick(page.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)


def test_what_is_not_as_expected_is_named(page, qtbot):
    run(page)
    page.open(histogram())
    page._form._rows[1]._expected.setText("4 6 3 4")
    qtbot.mouseClick(page._run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "bins[2] is 2, expected 3" in said(page._outcome))


def test_stopping(page, qtbot):
    page.open(histogram())
    asked = []
    page.launch_requested.connect(lambda *request: asked.append(request))
    qtbot.mouseClick(page._run_button, Qt.MouseButton.LeftButton)
    assert asked and page._run_button.text() == "Stop"
    page.show_progress({"tokens": 90, "prompt": 60, "block": 1, "warp": 0})
    qtbot.waitUntil(lambda: "30 tokens, block 1" in said(page._outcome))
    with qtbot.waitSignal(page.stop_requested):
        qtbot.mouseClick(page._run_button, Qt.MouseButton.LeftButton)
    page.show_error({"kind": "cancelled", "message": "launch cancelled"})
    qtbot.waitUntil(lambda: "Stopped" in said(page._outcome))
    assert page._run_button.text() == "Run"


def test_compiler_errors_go_to_their_lines(page, qtbot):
    page.open(histogram())
    page.show_error(
        {
            "kind": "compile",
            "message": "use of undeclared identifier 'y'",
            "where": "histogram.cu:4:20",
            "remedy": "correct the source",
            "facts": {
                "line": 4,
                "messages": ["histogram.cu:4:20: use of undeclared identifier 'y'", "histogram.cu:5:1: expected '}'"],
            },
        }
    )
    assert set(page.editor.errors()) == {4, 5} and "Line 4" in page._note.text()
    page.show_compiled({"ptx": "", "kernels": ()})
    assert not page.editor.errors() and not page._note.text()


def test_a_fault_is_said_in_the_words_of_the_source(page, qtbot):
    page.open(histogram())
    qtbot.mouseClick(page._run_button, Qt.MouseButton.LeftButton)
    page.show_error(
        {
            "kind": "fault",
            "message": "thread 2 reads bins[7], which has 4 entries",
            "where": "line 4",
            "remedy": "guard the access",
            "facts": {"record": "k1"},
        }
    )
    qtbot.waitUntil(lambda: "stopped by a fault" in said(page._outcome))
    shown = said(page._outcome)
    assert "bins[7]" in shown and "Guard the access." in shown
    step = next(button for button in page._outcome.findChildren(QAbstractButton) if button.text() == "Step to the fault")
    with qtbot.waitSignal(page.inspect_requested) as asked:
        step.click()
    assert asked.args == [str(page._paths.launches / "k1.json")]


def test_it_is_compiled_by_itself_and_its_fit_is_shown(page, qtbot):
    from toolchain.compiler import compile_cuda

    asked = []
    page.compile_requested.connect(lambda source, filename, kernel: asked.append(filename))
    page.open(histogram())
    qtbot.waitUntil(lambda: bool(asked))
    page.show_compiled({"ptx": compile_cuda(histogram().source, "histogram.cu").ptx, "kernels": [{"name": "histogram"}]})
    qtbot.waitUntil(lambda: page._compiled.fit._title.text() == "It fits", timeout=20_000)
    assert page._compiled._blocks._blocks[0].operations[-1] == "store T2 + 1 to bins[T0]"
    page._form._block.setText("96")
    qtbot.waitUntil(lambda: page._compiled.fit._title.text() == "It does not fit", timeout=20_000)
    assert "96" in page._compiled.fit._text.text()


def test_a_template_is_compiled_for_the_types_of_its_launch(page, qtbot):
    from toolchain.compiler import compile_cuda

    asked = []
    page.compile_requested.connect(lambda source, filename, kernel: asked.append(kernel))
    dot = next(draft for draft in library() if draft.filename == "dot.cu")
    page.open(dot)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [dot.launch["kernel"]] and "<" in asked[0]
    compiled = compile_cuda(dot.source, "dot.cu", instantiate=asked[0])
    page.show_compiled({"ptx": compiled.ptx, "kernels": [{"name": asked[0]}]})
    qtbot.waitUntil(lambda: page._compiled.fit._title.text() == "It fits", timeout=20_000)
    page._form._kernel.setCurrentText(asked[0].replace("int", "unsigned int", 1))
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=20_000)


@pytest.mark.parametrize("field, text", [("_grid", "0"), ("_block", "a"), ("_shared", "x")])
def test_fields_that_cannot_be_read_are_named_and_nothing_runs(page, qtbot, field, text):
    page.open(histogram())
    asked = []
    page.launch_requested.connect(lambda *request: asked.append(request))
    getattr(page._form, field).setText(text)
    qtbot.mouseClick(page._run_button, Qt.MouseButton.LeftButton)
    assert not asked and text in page._note.text()


def test_arguments_follow_the_kernel(page):
    page.open(histogram())
    page.editor.setPlainText("__global__ void f(const int *x, long long n, float *y) {}")
    assert not page._form._match.isHidden()
    page._form.match()
    launch = page._form.launch()
    assert launch["kernel"] == "f" and [(a["name"], a["type"]) for a in launch["args"]] == [
        ("x", "int32*"),
        ("n", "int64"),
        ("y", "float32*"),
    ]
    assert len(launch["args"][0]["value"]) == 16 and page._form._match.isHidden()


# ---------------------------------------------------------------- drafts
def test_what_is_written_is_kept_and_comes_back(page, qtbot, paths):
    page.open(histogram())
    assert Drafts(paths.data / "playground").all() == []
    page.editor.setFocus()
    qtbot.keyClicks(page.editor, "int mine; ")
    page.hide()
    (kept,) = Drafts(paths.data / "playground").all()
    assert kept.source.startswith("int mine; ") and kept.launch["args"][0]["value"] == histogram().launch["args"][0]["value"]
    again = PlaygroundPage(paths)
    qtbot.addWidget(again)
    assert again.editor.toPlainText() == kept.source and again._form.launch() == dict(kept.launch)
    again.open(EMPTY)
    assert len(Drafts(paths.data / "playground").all()) == 1


def test_files_open_with_their_launch_and_are_saved(page, tmp_path):
    folder = tmp_path / "ユーザー"
    folder.mkdir()
    page.open(histogram())
    page.save_to(str(folder / "mine.cu"))
    page.open(EMPTY)
    page.open_file(str(folder / "mine.cu"))
    assert page._form.launch()["kernel"] == "histogram" and len(page._form.launch()["args"][0]["value"]) == 16
    page.open_file(str(folder / "nowhere.cu"))
    assert "cannot be read" in page._note.text()


@pytest.mark.parametrize(
    "size, text_size, mode", [((1032, 800), 100, "dark"), ((844, 600), 150, "light"), ((600, 400), 100, "light")]
)
def test_it_can_be_painted_at_every_size(page, size, text_size, mode):
    theme().set_appearance(Appearance(mode=mode, text_size=text_size, reduced_motion=True))
    page.open(histogram())
    page.resize(*size)
    picture = page.grab().toImage()
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}) > 8
    assert page.size().toTuple() == size
    buttons = [b for b in page.findChildren(QAbstractButton) if b.isVisible() and b.parent().objectName() != "qt_"]
    assert all(b.accessibleName() or b.text() for b in buttons if type(b).__module__.startswith("app."))
