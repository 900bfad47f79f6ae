"""C++ names of kernels, from their mangled form.

The part of the Itanium C++ ABI's mangling (chapter 5.1, https://itanium-cxx-abi.github.io/cxx-abi/abi.html) that names
and signatures of kernels use: namespaces, templates with type and integer arguments, substitutions, lambdas, function
types. A name outside it, or a hostile one, stays mangled; nothing is raised.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_NAME = 4096
"""Longest name that is read or built (characters): substitutions can double a name again and again."""

_MAX_DEPTH = 64  # nested types

_BUILTIN = {
    "v": "void", "w": "wchar_t", "b": "bool", "c": "char", "a": "signed char", "h": "unsigned char", "s": "short",
    "t": "unsigned short", "i": "int", "j": "unsigned int", "l": "long", "m": "unsigned long", "x": "long long",
    "y": "unsigned long long", "n": "__int128", "o": "unsigned __int128", "f": "float", "d": "double",
    "e": "long double", "g": "__float128", "z": "...",
}  # fmt: skip
_BUILTIN_D = {"Da": "auto", "Dn": "std::nullptr_t", "Di": "char32_t", "Ds": "char16_t", "Du": "char8_t", "Dh": "_Float16"}
_STANDARD = {"St": "std", "Sa": "std::allocator", "Sb": "std::basic_string", "Ss": "std::string"}
_LITERAL_SUFFIX = {"int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll",
                   "unsigned long long": "ull"}  # fmt: skip

_ALIASES = {
    "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short",
    "int32_t": "int", "uint32_t": "unsigned int", "int64_t": "long", "uint64_t": "unsigned long",
    "size_t": "unsigned long", "ptrdiff_t": "long", "uint": "unsigned int",
}  # fmt: skip
_INTEGER_WORDS = {"unsigned", "signed", "short", "long", "int", "char"}


@dataclass(frozen=True, slots=True)
class Demangled:
    """A readable name: `name` with its namespaces and template arguments, and the parameter types.

    parameters is None where the mangled name says nothing about them (extern "C", or a name we cannot read).
    """

    name: str
    parameters: tuple[str, ...] | None

    def __str__(self) -> str:
        return self.name if self.parameters is None else f"{self.name}({', '.join(self.parameters)})"


def demangle(symbol: str) -> Demangled:
    """The readable form of a symbol; the symbol itself where it is not (understandably) mangled."""
    if not symbol.startswith("_Z") or len(symbol) > MAX_NAME:
        return Demangled(symbol, None)
    try:
        return _Reader(symbol).encoding()
    except _Unreadable:
        return Demangled(symbol, None)


def normalise_name(name: str) -> str:
    """A spelling of a name or signature that is equal for equal ones: spacing, integer types, literals unified.

    Anonymous namespaces, which nobody can spell, are left out.
    """
    tokens = re.findall(r"[A-Za-z_$][\w$]*|\d\w*|::|\S", name.replace("(anonymous namespace)::", ""))
    words: list[str] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token in _INTEGER_WORDS:
            end = position
            while end < len(tokens) and tokens[end] in _INTEGER_WORDS:
                end += 1
            words.append(_integer_type(tokens[position:end]))
            position = end
            continue
        if token == "(" and words and words[-1] in ("<", ",") and ")" in tokens[position:]:
            position = tokens.index(")", position) + 1  # the cast of a literal: (char)65
            continue
        if token[0].isdigit():
            token = token.rstrip("uUlL")
        words.append(_ALIASES.get(token, token))
        position += 1
    text = " ".join(words)
    text = re.sub(r"\b(true|false)\b", lambda m: "1" if m[1] == "true" else "0", text)
    text = re.sub(r" ?(\W) ?", r"\1", text)
    return text.removeprefix("::")


def _integer_type(words: list[str]) -> str:
    """One spelling for each integer type: `long unsigned int` is `unsigned long`."""
    sign = "unsigned " if "unsigned" in words else "signed " if "signed" in words and "char" in words else ""
    base = "char" if "char" in words else "short" if "short" in words else " ".join(["long"] * words.count("long"))
    return sign + (base or "int")


class _Unreadable(Exception):
    """The symbol uses a form that is not supported here."""


class _Reader:
    """Recursive descent over one mangled symbol; method names are those of the ABI's grammar."""

    def __init__(self, symbol: str) -> None:
        self.text = symbol
        self.at = 2
        self.depth = 0
        self.substitutions: list[str] = []
        self.template_arguments: list[str] = []

    # ---- characters
    def peek(self, *options: str) -> bool:
        return self.text.startswith(options, self.at)

    def take(self, option: str) -> bool:
        if self.peek(option):
            self.at += len(option)
            return True
        return False

    def expect(self, option: str) -> None:
        if not self.take(option):
            raise _Unreadable

    def match(self, pattern: str) -> str:
        found = re.compile(pattern).match(self.text, self.at)
        if not found:
            raise _Unreadable
        self.at = found.end()
        return found[0]

    def remember(self, name: str) -> str:
        if len(name) > MAX_NAME:
            raise _Unreadable
        self.substitutions.append(name)
        return name

    # ---- names
    def encoding(self) -> Demangled:
        name = self.name()
        if self.at == len(self.text) or self.peek("E", "."):
            return Demangled(name, None)
        if name.endswith(">"):
            self.type()  # template functions carry their return type
        parameters = []
        while self.at < len(self.text) and not self.peek("E", "."):
            parameters.append(self.type())
        return Demangled(name, () if parameters == ["void"] else tuple(parameters))

    def name(self) -> str:
        if self.take("N"):
            return self.nested_name()
        if self.take("Z"):
            return self.local_name()
        if self.peek("S") and not self.peek("St"):
            name = self.substitution()
            return self.with_template_arguments(name)
        prefix = "std::" if self.take("St") else ""
        name = prefix + self.unqualified_name()
        if self.peek("I"):
            self.remember(name)
            return self.with_template_arguments(name)
        return name

    def with_template_arguments(self, name: str) -> str:
        return name + self.template_args() if self.peek("I") else name

    def nested_name(self) -> str:
        qualifiers = self.match("[rVK]*[RO]?")
        del qualifiers  # of a member function: no kernel is one
        name = ""
        while not self.take("E"):
            if self.peek("S") and not self.peek("St"):
                name = self.substitution()
            elif self.take("St"):
                name = "std"
            elif self.peek("I"):
                name = self.remember(name + self.template_args())
            elif self.peek("T"):
                name = self.remember(self.template_param())
            else:
                part = self.unqualified_name()
                name = self.remember(f"{name}::{part}" if name else part)
        if self.substitutions and self.substitutions[-1] == name:
            self.substitutions.pop()  # the whole name is a candidate only as a type, which remembers it itself
        return name

    def local_name(self) -> str:
        function = self.encoding()
        self.expect("E")
        if self.take("s"):
            return str(function)
        if self.take("d"):
            self.match(r"\d*_")
        entity = self.name()
        if self.take("_"):
            self.match(r"_\d+_|\d")
        return f"{function}::{entity}"

    def unqualified_name(self) -> str:
        self.take("L")  # internal linkage
        if self.peek("Ut"):
            return f"{{unnamed type#{self.unnamed_number('Ut')}}}"
        if self.take("Ul"):
            parameters = []
            while not self.take("E"):
                parameters.append(self.type())
            shown = "" if parameters == ["void"] else ", ".join(parameters)
            return f"{{lambda({shown})#{self.unnamed_number('')}}}"
        if self.take("C1") or self.take("C2") or self.take("D1") or self.take("D2"):
            raise _Unreadable  # constructors are no kernels
        if self.take("cl"):
            return "operator()"
        length = int(self.match(r"[1-9]\d{0,3}"))
        name = self.text[self.at : self.at + length]
        if len(name) != length:
            raise _Unreadable
        self.at += length
        return "(anonymous namespace)" if name.startswith("_GLOBAL__N") else name

    def unnamed_number(self, prefix: str) -> int:
        self.expect(prefix)
        digits = self.match(r"\d{0,6}_")[:-1]
        return int(digits) + 2 if digits else 1

    def substitution(self) -> str:
        for code, name in _STANDARD.items():
            if self.take(code):
                return name
        self.expect("S")
        return self.numbered(self.substitutions)

    def template_param(self) -> str:
        self.expect("T")
        return self.numbered(self.template_arguments)

    def numbered(self, table: list[str]) -> str:
        digits = self.match(r"[0-9A-Z]{0,4}_")[:-1]
        index = int(digits, 36) + 1 if digits else 0
        if index >= len(table):
            raise _Unreadable
        return table[index]

    def template_args(self) -> str:
        self.expect("I")
        arguments = []
        while not self.take("E"):
            arguments.extend(self.template_arg())
        self.template_arguments = arguments
        text = ", ".join(a for a in arguments if a)
        return f"<{text}>"

    def template_arg(self) -> list[str]:
        if self.take("J"):
            pack: list[str] = []
            while not self.take("E"):
                pack.extend(self.template_arg())
            return [", ".join(pack)]
        if self.take("Tn"):  # the declared type of an `auto` argument
            self.type()
        if self.take("L"):
            return [self.literal()]
        return [self.type()]

    def literal(self) -> str:
        if self.take("_Z"):
            inner = self.encoding()
            self.expect("E")
            return f"&{inner.name}"
        kind = self.type()
        value = self.match(r"n?\d+")
        self.expect("E")
        value = value.replace("n", "-")
        if kind == "bool":
            return "true" if value == "1" else "false"
        return value + _LITERAL_SUFFIX[kind] if kind in _LITERAL_SUFFIX else f"({kind}){value}"

    # ---- types
    def type(self) -> str:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _Unreadable
        try:
            return self.typed()
        finally:
            self.depth -= 1

    def typed(self) -> str:
        if self.peek("r", "V", "K"):
            words = {"r": " __restrict__", "V": " volatile", "K": " const"}
            qualifiers = [words[c] for c in self.match("r?V?K?")]
            return self.remember(self.type() + "".join(reversed(qualifiers)))
        for code, mark in (("P", "*"), ("R", "&"), ("O", "&&")):
            if self.take(code):
                return self.remember(_pointer(self.type(), mark))
        if self.take("Dp"):
            return self.type()
        if self.peek(*_BUILTIN_D):
            self.at += 2
            return _BUILTIN_D[self.text[self.at - 2 : self.at]]
        if self.take("A"):
            count = self.match(r"\d*")
            self.expect("_")
            return self.remember(f"{self.type()} [{count}]")
        if self.take("F"):
            self.take("Y")
            result, *parameters = self.types_until_end()
            shown = "" if parameters == ["void"] else ", ".join(parameters)
            return self.remember(f"{result} ({shown})")
        if self.take("U"):
            self.match(r"[1-9]\d{0,2}(?=[A-Za-z])")
            raise _Unreadable  # vendor qualifiers
        if self.peek("T"):
            return self.with_remembered_arguments(self.remember(self.template_param()))
        if self.peek("S") and not self.peek("St"):
            return self.with_remembered_arguments(self.substitution())
        if self.at < len(self.text) and self.text[self.at] in _BUILTIN:
            self.at += 1
            return _BUILTIN[self.text[self.at - 1]]
        outer = self.template_arguments
        name = self.remember(self.name())
        self.template_arguments = outer  # T_ in a signature means the function's arguments, not the type's
        return name

    def with_remembered_arguments(self, name: str) -> str:
        if not self.peek("I"):
            return name
        outer = self.template_arguments
        name = self.remember(name + self.template_args())
        self.template_arguments = outer
        return name

    def types_until_end(self) -> list[str]:
        types = []
        while not self.take("E"):
            types.append(self.type())
        if not types:
            raise _Unreadable
        return types


def _pointer(pointee: str, mark: str) -> str:
    """`int` -> `int*`; a function or an array needs the mark inside parentheses."""
    if len(pointee) > MAX_NAME:
        raise _Unreadable
    for opening in ("(", "["):
        before, found, after = pointee.partition(f" {opening}")
        if found and pointee.endswith((")", "]")):
            return f"{before} ({mark}) {opening}{after}" if opening == "[" else f"{before} ({mark}){opening}{after}"
    return pointee + mark
