"""pycparser's parser, extended to the C that gcc accepts: statement expressions, nested functions, implicit ``int``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pycparser import c_ast, c_lexer
from pycparser.c_parser import Coord, CParser, ParseError

from ...base.patterns import regex
from .attributes import Extent
from .lexer import FastLexer


class StmtExpr(c_ast.Node):
    """A GNU statement expression ``({ ... })``."""

    __slots__ = ("__weakref__", "body", "coord")
    attr_names = ()

    def __init__(self, body: c_ast.Compound, coord: object = None) -> None:
        self.body = body
        self.coord = coord

    @property
    def last(self) -> c_ast.Node | None:
        """The last statement, without its labels. It may be the value of the expression."""
        last = self.body.block_items[-1] if self.body.block_items else None
        while isinstance(last, c_ast.Label):
            last = last.stmt
        return last

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("body", self.body),)

    def __iter__(self) -> Iterator[c_ast.Node]:
        yield self.body


class Elements(c_ast.StructRef):
    """The elements of a vector that is subscripted, as the array member of a structure.

    ``Sema.analyse`` inserts this node. As text it is the vector.
    """

    __slots__ = ()

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("name", self.name),)


class Cleanup(c_ast.Node):
    """The call at the end of a variable's scope, from the attribute ``cleanup`` of the declaration before this node."""

    __slots__ = ("__weakref__", "call", "coord")
    attr_names = ()

    def __init__(self, call: c_ast.FuncCall, coord: object = None) -> None:
        self.call = call
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (("call", self.call),)

    def __iter__(self) -> Iterator[c_ast.Node]:
        yield self.call


class Assembly(c_ast.Node):
    """A statement of inline assembly. Its operands are not in the tree."""

    __slots__ = ("__weakref__", "coord")
    attr_names = ()

    def __init__(self, coord: object = None) -> None:
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return ()

    def __iter__(self) -> Iterator[c_ast.Node]:
        return iter(())


# Floating types that stay names. Sema knows those whose layout is known.
_FLOATING_WORDS = (
    "_Float128", "__float128", "_Float64x", "_Float16", "__bf16", "__fp16", "__float80", "__ibm128", "_Decimal32",
    "_Decimal64", "_Decimal128",
)  # fmt: skip
_KEYWORDS = {
    **dict.fromkeys(_FLOATING_WORDS, "DOUBLE"),
    **dict.fromkeys(("__seg_fs", "__seg_gs"), "VOLATILE"),  # address spaces qualify types
    **dict.fromkeys(("__thread", "_Thread_local"), "_THREAD_LOCAL"),
    "asm": "ASM",
}
_BUILTIN_TYPES = ("__builtin_va_list", "__int128_t", "__uint128_t")
_WORD = regex(r"[A-Za-z_]\w*")
_TYPEOF = {
    "typeof": "TYPEOF",
    **dict.fromkeys(("typeof_unqual", "__typeof_unqual", "__typeof_unqual__"), "TYPEOF_UNQUAL"),
}
_NO_SPECIFIERS: dict[str, list[Any]] = {
    name: [] for name in ("qual", "alignment", "storage", "type", "function", "type_attributes")
}
# Operands that are a token alone, unless another of the second line follows: most operands are.
_SIMPLE = frozenset(("ID", "INT_CONST_DEC", "INT_CONST_OCT", "INT_CONST_HEX", "FLOAT_CONST", "CHAR_CONST"))
_SUFFIXES = frozenset(("LBRACKET", "LPAREN", "PERIOD", "ARROW", "PLUSPLUS", "MINUSMINUS"))
_NAMES = frozenset(("ID", "TYPEID"))
_DIGITS = frozenset("0123456789")
_PARTS = {"__real__": "__real__", "__real": "__real__", "__imag__": "__imag__", "__imag": "__imag__"}


_C23 = {"dialect": "c23"} if "dialect" in CParser.__init__.__code__.co_varnames else {}
KNOWS_C23 = bool(_C23)


class GnuParser(CParser):
    """pycparser's parser with GNU C's extensions.

    With ``c23`` it knows the keywords of C23, if pycparser is new enough.
    """

    def __init__(self, c23: bool = False) -> None:
        self._c23 = c23
        self.extents: list[Extent] = []  # of declarations, in the order of their ends
        self.pragma_types: dict[int, frozenset[str]] = {}  # the words of a pragma that name types there, by its line
        self.plain: list[c_ast.FuncDef] = []  # functions without a pragma
        self._pragmas = 0
        self._local_labels: list[dict[str, str]] = []  # for each open block, with names that are unique in the function
        self._labels = 0
        if hasattr(c_ast, "TypeOf"):
            super().__init__(lexer=FastLexer, **(_C23 if c23 else {}))
            self.clex._keyword_map = {**self.clex._keyword_map, **_KEYWORDS, **_TYPEOF}
        else:  # pycparser 3.11, the newest for Python 3.10: without typeof, and with keywords for all lexers alike
            super().__init__()
            c_lexer._keyword_map.update(_KEYWORDS)

    def _is_type_in_scope(self, name: str) -> bool:
        return name in _BUILTIN_TYPES or super()._is_type_in_scope(name)

    def _parse_pppragma_directive(self) -> c_ast.Node:
        pragma = super()._parse_pppragma_directive()
        self._pragmas += 1
        if isinstance(pragma.string, str):
            words = set(_WORD.findall(pragma.string))
            self.pragma_types[pragma.coord.line] = frozenset(filter(super()._is_type_in_scope, words))
        return pragma

    @property
    def tokens(self) -> Sequence[Any]:
        """The tokens that were read."""
        tokens: list[Any] = self._tokens._buffer
        return tokens

    # ---- the extents of declarations, definitions and names of types ----

    def _parse_declaration_specifiers(self, allow_no_type: bool = False) -> Any:
        first = self._mark()
        found = super()._parse_declaration_specifiers(allow_no_type)
        found[0]["extent"] = first, self._mark()
        return found

    def _parse_specifier_qualifier_list(self) -> Any:
        first = self._mark()
        spec = super()._parse_specifier_qualifier_list()
        spec["extent"] = first, self._mark()
        return spec

    def _parse_init_declarator(self, id_only: bool = False) -> dict[str, Any]:
        first = self._mark()
        declarator = self._parse_id_declarator() if id_only else self._parse_declarator()
        self._accept("ASM")  # the name of a variable in assembly
        init = self._parse_initializer() if self._accept("EQUALS") else None
        return {"decl": declarator, "init": init, "bitsize": None, "first": first}

    def _parse_struct_declarator(self) -> dict[str, Any]:
        first = self._mark()
        return {**super()._parse_struct_declarator(), "first": first}

    def _build_declarations(
        self, spec: dict[str, Any], decls: list[dict[str, Any]], typedef_namespace: bool = False
    ) -> list[c_ast.Node]:
        built: list[c_ast.Node] = super()._build_declarations(spec, decls, typedef_namespace)
        first, specifiers = spec.get("extent", (0, 0))
        if specifiers:
            starts = [d.get("first", specifiers) for d in decls]
            end = self._mark()
            end -= self.tokens[end - 1].type == "SEMI"  # pycparser 3.11 has read it by now
            self.extents.append(Extent(first, end, None, specifiers, built, starts))
        return built

    def _parse_declaration_end(self, decls: list[c_ast.Node]) -> list[c_ast.Node]:
        """Parse what ends a declaration. A directive in front of its semicolon would get the statement behind it."""
        ended: list[c_ast.Node] = super()._parse_declaration_end(decls)
        for pragma in ended[len(decls) :]:
            if pragma.string.split()[:1] == ["omp"]:
                self._parse_error("a directive inside a declaration", pragma.coord)
        return ended

    def _noted(self, first: int, node: c_ast.Node) -> c_ast.Node:
        self.extents.append(Extent(first, self._mark(), node))
        return node

    def _parse_parameter_declaration(self) -> c_ast.Node:
        first = self._mark()
        parameter = super()._parse_parameter_declaration()
        return self._noted(first, parameter) if isinstance(parameter, c_ast.Typename) else parameter

    def _parse_type_name(self) -> c_ast.Node:
        return self._noted(self._mark(), super()._parse_type_name())

    def _parse_struct_or_union_specifier(self) -> c_ast.Node:
        first = self._mark()
        node = super()._parse_struct_or_union_specifier()
        return self._noted(first, node) if node.decls is not None else node

    def _parse_enum_specifier(self) -> c_ast.Node:
        first = self._mark()
        node = super()._parse_enum_specifier()
        return self._noted(first, node) if node.values is not None else node

    # ---- extensions ----

    def _parse_parameter_type_list(self) -> c_ast.ParamList:
        """Parse a parameter list, which may be ``...`` alone, as in C23 and in clang's <tgmath.h>."""
        if ellipsis := self._accept("ELLIPSIS"):
            place = self._tok_coord(ellipsis)
            return c_ast.ParamList([c_ast.EllipsisParam(place)], place)
        return super()._parse_parameter_type_list()

    def _parse_any_declarator(
        self, allow_abstract: bool = False, typeid_paren_as_abstract: bool = False
    ) -> tuple[c_ast.Node | None, bool]:
        # No type can follow ``(*``: what stands there is declared, also where a type has its name.
        if typeid_paren_as_abstract:
            mark = self._mark()
            is_type = not (self._accept("LPAREN") and self._accept("TIMES"))
            self._reset(mark)
            typeid_paren_as_abstract = is_type
        found: tuple[c_ast.Node | None, bool] = super()._parse_any_declarator(allow_abstract, typeid_paren_as_abstract)
        return found

    def _is_inferred_auto(self, _spec: Any) -> bool:
        return False  # _fix_decl_name_type handles it

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        before = self._pragmas
        declared = self._parse_external()
        if self._pragmas == before:
            self.plain += [item for item in declared if isinstance(item, c_ast.FuncDef)]
        return declared

    def _parse_external(self) -> list[c_ast.Node]:
        tok = self._peek()
        if tok is None or tok.type not in ("ID", "TIMES"):
            declarations: list[c_ast.Node] = super()._parse_external_declaration()
            return declarations
        # A declaration without a type has type ``int``.
        return self._parse_declarators({**_NO_SPECIFIERS, "type": [self._int(self._tok_coord(tok))]})

    def _fix_decl_name_type(self, decl: c_ast.Node, typename: list[c_ast.Node]) -> c_ast.Node:
        if not typename:
            typename = [self._int(decl.coord)]
            if "auto" in (getattr(decl, "storage", None) or ()):  # in C23 the initialiser gives the type
                typename[0].names = ["signed"] if self._c23 else ["signed", "auto"]
        return super()._fix_decl_name_type(decl, typename)

    def _parse_compound_statement(self, **options: Any) -> c_ast.Node:
        self._local_labels.append({})
        try:
            block = super()._parse_compound_statement(**options)
        finally:
            renamed = self._local_labels.pop()
        stack = [block] if renamed else []
        while stack:
            node = stack.pop()
            if isinstance(node, c_ast.Label | c_ast.Goto) and isinstance(node.name, str):
                node.name = renamed.get(node.name, node.name)
            stack.extend(node)
        return block

    def _parse_local_labels(self) -> list[c_ast.Node]:
        """Parse GNU's ``__label__ a, b;``. Other blocks may have labels of the same names."""
        self._advance()
        while True:
            name = self._parse_identifier().name
            self._labels += 1
            self._local_labels[-1][name] = f"__rex_{name}_{self._labels}"
            if not self._accept("COMMA"):
                break
        self._expect("SEMI")
        return []

    def _parse_block_item(self) -> c_ast.Node | list[c_ast.Node]:
        if (word := self._peek()) is not None and word.value == "__label__":
            return self._parse_local_labels()
        if not self._starts_declaration():
            return super()._parse_block_item()
        mark, depth, known = self._mark(), len(self._scope_stack), len(self.extents)
        try:
            return super()._parse_block_item()
        except ParseError:
            failed_at = self._mark()
            self._reset(mark)
            del self._scope_stack[depth:], self.extents[known:]
            definition = self._parse_nested_function()
            if definition is not None:
                return definition
            self._reset(failed_at)
            raise

    def _parse_nested_function(self) -> c_ast.Node | None:
        """Parse the definition of a function in a block, or return None for anything else."""
        spec, _, coord = self._parse_declaration_specifiers(allow_no_type=True)
        if self._peek_declarator_name_info()[0] != "ID":
            return None
        spec["type"] = spec["type"] or [self._int(coord)]
        spec["storage"] = [word for word in spec["storage"] if word != "auto"]
        declarator = self._parse_id_declarator()
        if self._peek_type() != "LBRACE" and not self._starts_declaration():
            return None
        return self._parse_definition(spec, declarator)

    def _int(self, coord: Any) -> c_ast.Node:
        return c_ast.IdentifierType(["int"], coord=coord)

    def _parse_declarators(self, spec: dict[str, Any]) -> list[c_ast.Node]:
        """Parse the rest of a declaration or of a function's definition, after the specifiers."""
        declarator = self._parse_id_declarator()
        if self._peek_type() == "LBRACE" or self._starts_declaration():
            return [self._parse_definition(spec, declarator)]
        first: dict[str, Any] = {"decl": declarator, "init": None, "bitsize": None}
        if self._accept("EQUALS"):
            first["init"] = self._parse_initializer()
        declarators = self._parse_init_declarator_list(first=first)
        found: list[c_ast.Node] = self._build_declarations(spec, declarators, typedef_namespace=True)
        self._expect("SEMI")
        return found

    def _parse_definition(self, spec: dict[str, Any], declarator: c_ast.Node) -> c_ast.Node:
        """Parse the rest of a function's definition."""
        self._push_scope()
        for parameter in declarator.args.params if getattr(declarator, "args", None) is not None else ():
            if getattr(parameter, "name", None):
                self._add_identifier(parameter.name, parameter.coord)
        old_style = self._parse_declaration_list() if self._starts_declaration() else None
        body = self._parse_compound_statement()
        self._pop_scope()
        return self._build_function_definition(spec, declarator, old_style, body)

    def _parse_initializer_item(self) -> c_ast.Node:
        if self._peek_type() in ("ID", "TYPEID") and self._peek_type(2) == "COLON":  # GNU ``member: value``
            member = self._parse_identifier_or_typeid()
            self._expect("COLON")
            return c_ast.NamedInitializer([member], self._parse_initializer())
        return super()._parse_initializer_item()

    def _parse_designation(self) -> list[c_ast.Node]:
        designators: list[c_ast.Node] = self._parse_designator_list()
        self._accept("EQUALS")  # GNU ``[index] value``
        return designators

    def _parse_conditional_expression(self) -> c_ast.Node:
        expr = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return expr
        if self._accept("COLON"):  # GNU ``a ?: b``
            return c_ast.TernaryOp(expr, None, self._parse_conditional_expression(), expr.coord)
        iftrue = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(expr, iftrue, self._parse_conditional_expression(), expr.coord)

    def _parse_constant_expression(self) -> c_ast.Node:
        low = super()._parse_constant_expression()
        if self._accept("ELLIPSIS"):  # GNU ranges: ``case 1 ... 4:``, ``[0 ... 9] = x``
            return c_ast.BinaryOp("...", low, super()._parse_constant_expression(), low.coord)
        return low

    def _parse_argument_expression_list(self) -> c_ast.Node:
        """Parse the arguments of a call, which are types for some of gcc's builtins."""
        first = self._parse_argument()
        arguments = [first]
        while self._accept("COMMA"):
            arguments.append(self._parse_argument())
        return c_ast.ExprList(arguments, first.coord)

    def _parse_argument(self) -> c_ast.Node:
        return self._parse_type_name() if self._starts_declaration() else self._parse_assignment_expression()

    def _parse_cast_expression(self) -> c_ast.Node:
        """Parse an operand. One that begins with a name or a number has no cast or operator in front."""
        token = self._peek()
        if token is None or token.type not in _SIMPLE or token.value in _PARTS:
            return super()._parse_cast_expression()
        if self._peek_type(2) in _SUFFIXES:
            return self._parse_postfix_expression()
        return self._parse_identifier() if token.type == "ID" else self._parse_constant()

    def _parse_unary_expression(self) -> c_ast.Node:
        word = self._peek()
        if word is not None and word.type == "ID" and word.value in _PARTS:
            tok = self._advance()
            return c_ast.UnaryOp(_PARTS[tok.value], self._parse_cast_expression(), self._tok_coord(tok))
        if self._peek_type() == "LAND":  # GNU ``&&label``
            tok = self._advance()
            return c_ast.UnaryOp(tok.value, self._parse_identifier(), self._tok_coord(tok))
        if word is not None and word.type == "_ALIGNOF":
            tok = self._advance()
            named = self._try_parse_paren_type_name()
            operand = named[0] if named is not None else self._parse_unary_expression()  # GNU C allows an expression
            return c_ast.UnaryOp(tok.value, operand, self._tok_coord(tok))
        return super()._parse_unary_expression()

    def _starts_statement(self) -> bool:
        return self._peek_type() == "ASM" or bool(super()._starts_statement())

    def _parse_expression_statement(self) -> c_ast.Node:
        if assembly := self._accept("ASM"):
            self._expect("SEMI")
            return Assembly(self._tok_coord(assembly))
        return super()._parse_expression_statement()

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO" and self._peek_type(2) == "TIMES":  # GNU ``goto *address;``
            tok = self._advance()
            target = self._parse_cast_expression()
            self._expect("SEMI")
            return c_ast.Goto(target, self._tok_coord(tok))
        return super()._parse_jump_statement()

    def _parse_primary_expression(self) -> c_ast.Node:
        if self._peek_type() == "LPAREN" and self._peek_type(2) == "LBRACE":
            opening = self._advance()
            body = self._parse_compound_statement()
            self._expect("RPAREN")
            return StmtExpr(body, self._tok_coord(opening))
        return super()._parse_primary_expression()

    def next_token(self) -> Any:
        """The next token, or None at the end."""
        try:
            return self._peek()
        except ParseError:
            return None


class ExpressionParser(GnuParser):
    """Parses single expressions."""

    def __init__(self, c23: bool = False) -> None:
        super().__init__(c23)
        self._types: frozenset[str] = frozenset()
        keywords = self.clex._keyword_map if hasattr(c_ast, "TypeOf") else c_lexer._keyword_map
        self._reserved = frozenset((*keywords, *_BUILTIN_TYPES, *_PARTS))

    def parse_expression(self, text: str, typedefs: frozenset[str]) -> c_ast.Node:
        """Parse an expression in which ``typedefs`` are names of types. Raises ParseError."""
        if text in _DIGITS or (text.isdecimal() and text.isascii() and text[0] != "0"):
            return c_ast.Constant("int", text, Coord("", 1, 1))
        if _WORD.fullmatch(text) and text not in self._reserved and text not in typedefs:
            return c_ast.ID(text, Coord("", 1, 1))
        self._types = typedefs
        return self.parse(text)

    def _parse_translation_unit_or_empty(self) -> c_ast.Node:
        for name in self._types:
            self._add_typedef_name(name, None)
        return self._parse_expression()
