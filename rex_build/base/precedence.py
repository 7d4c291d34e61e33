"""How closely the operators of C and C++ bind, from the loosest on. All printers of expressions use these levels."""

(
    BRACES, COMMA, ASSIGN, CONDITIONAL, LOR, LAND, BOR, XOR, BAND, EQ, REL, SHIFT, ADD, MUL, UNARY, POSTFIX, PRIMARY,
) = range(17)  # fmt: skip

BINARY = {
    "||": LOR, "&&": LAND, "|": BOR, "^": XOR, "&": BAND, "==": EQ, "!=": EQ, "<": REL, ">": REL, "<=": REL, ">=": REL,
    "<<": SHIFT, ">>": SHIFT, "+": ADD, "-": ADD, "*": MUL, "/": MUL, "%": MUL,
}  # fmt: skip
