"""A macrogenerator.

Ours, in the notation of 1965, after what Strachey's macrogenerator does (evidence,
source GPM65).

It reads the input: `cpl run macrogenerator.cpl < FILE` writes what FILE becomes.
Expanded does the same with a string.

A text is a chain of links. An item of it is the code of a symbol, or a Number. A
jump to Resume[0] leaves all calls after a mistake.

Compiled from macrogenerator.cpl by cplc; the docstrings are the CPL.
"""

from typing import Any, Never

from cplrt import (
    Array,
    AsInteger,
    Code,
    Destination,
    Equal,
    Formarray,
    Head,
    ImaginaryPart,
    Input,
    Is,
    Item,
    Join,
    Jump,
    Labels,
    NewLine,
    NextSymbol,
    Node,
    Null,
    Output,
    Quotient,
    ReadSymbol,
    RealPart,
    Remainder,
    Source,
    SqRt,
    StreamOf,
    StringOf,
    SymbolWith,
    Symbols,
    SymbolsOf,
    Tail,
    Write,
    WriteSymbol,
    start_program,
)

# fmt: off
__all__ = [
    "Append", "Argument", "Array", "AtEnd", "Calculated", "Call", "Code", "Defined",
    "Definition", "Depth", "Destination", "Digit", "Ended", "Expand", "Expanded",
    "Fail", "Find", "Finished", "Forget", "Formarray", "Head", "ImaginaryPart", "Input",
    "Is", "Join", "Last", "Length", "Like", "Link", "Mod", "Monitor", "NewLine",
    "NewText", "Next", "NextSymbol", "Null", "Number", "NumberIn", "Obey", "Open",
    "Opens", "Output", "Put", "PutNumber", "PutText", "Quotation", "Quotient",
    "ReadSymbol", "Reader", "RealPart", "Remainder", "Resume", "Same", "Scan", "Single",
    "Skip", "Source", "SqRt", "StreamOf", "StringOf", "SymbolWith", "Symbols",
    "SymbolsOf", "Tail", "Text", "TextOf", "Unclosed", "Under", "Value", "Write",
    "WriteItem", "WriteSymbol", "WriteText",
]
# fmt: on

if __name__ == "__main__":
    start_program()

Nil = list[Never]


# A macrogenerator
#
# Copies its input and expands the calls of macros in it, as Christopher Strachey's General Purpose Macrogenerator does (1965). The
# program is ours, in the notation of that year. It was written from what the macrogenerator does, without the program that he printed.
#
#   §NAME,a,b;    A call. Its value is the definition of NAME, scanned with a for ~1, b for ~2 and NAME for ~0.
#   <text>        A quotation. It is copied, and one pair of brackets is taken off.
#   §DEF,A,<t>;   A definition. In the arguments of a call it holds until that call ends.
#
# The name and the arguments are scanned, too, before the name is looked up. The value of a call goes to where the call stood, and is
# not scanned again. Other machine macros are VAL, UPDATE, BIN, DEC and BAR: see Obey. A call may also begin with a dollar.
# The input ends at a > that closes nothing.
#
# What is wrong is told after MONITOR, with the calls under way, the innermost first. All of them are then left, with the
# definitions that they made, and the work goes on after the outermost. If the input has ended, it ends.


# An item is the code of a symbol, or a Number, which BIN makes. A text is a chain of links.
class Number(Node):
    """node Number is integer Worth"""

    __slots__ = ("Worth",)
    numbers = {"Worth": "integer"}
    Worth: int


class Link(Node):
    """node Link is general Item with Link : Rest"""

    __slots__ = ("Item", "Rest")
    Item: Any
    Rest: "Link | Nil"


class Text(Node):
    """node Text is Link : First with Link : End with index Size"""

    __slots__ = ("First", "End", "Size")
    numbers = {"Size": "index"}
    First: Link | Nil
    End: Link | Nil
    Size: int


# Definitions are a chain, the newest first. Macro is 0, or the number of a machine macro.
class Definition(Node):
    """node Definition is Text : Name with Text : Body with index Macro with Definition : Older"""

    __slots__ = ("Name", "Body", "Macro", "Older")
    numbers = {"Macro": "index"}
    Name: Text | Nil
    Body: Text | Nil
    Macro: int
    Older: "Definition | Nil"


# A call. Parts is the list of its name and its arguments so far. Complete: whether its ; has been read. Outer is the call whose
# argument it stands in, Below the call that was under way before it, and Before the newest definition at its beginning.
class Call(Node):
    """
    node Call is general Parts with Boolean Complete with Call : Outer with Call : Below
        with Definition : Before
    """

    __slots__ = ("Parts", "Complete", "Outer", "Below", "Before")
    Parts: Any
    Complete: bool
    Outer: "Call | Nil"
    Below: "Call | Nil"
    Before: Definition | Nil


# Reads what is scanned: Left is the rest of a definition, and For the call that it is scanned for. For the input, that is NIL.
class Reader(Node):
    """node Reader is Link : Left with Call : For"""

    __slots__ = ("Left", "For")
    Left: Link | Nil
    For: Call | Nil


# From standard.cpl
#
# What any program may use. A program gets only the definitions that it needs.
#
# The CPL is ours: no list of CPL's standard functions could be read. Mod is attested (evidence E14), and Map described (S13).


# The absolute value of a number.
def Mod(x: int) -> float:
    """
    Mod(x) = Is(complex,x) → SqRt(RealPart(x)↑2 + ImaginaryPart(x)↑2),
             x < 0 → -x,
             x
    """
    if Is("complex", x):
        return SqRt(RealPart(x) ** 2 + ImaginaryPart(x) ** 2)
    if x < 0:
        return -x
    return x


# The number of members of a list.
def Length(L: list[Any]) -> int:
    """Length(L) = Null(L) → 0, 1 + Length(Tail(L))"""
    if Null(L):
        return 0
    return 1 + Length(Tail(L))


def Last(L: list[Any]) -> Text:
    """Last(L) = Null(Tail(L)) → Head(L), Last(Tail(L))"""
    if Null(Tail(L)):
        return Head(L)
    return Last(Tail(L))


# Again from macrogenerator.cpl


# The innermost call whose arguments are being read, or NIL if what comes is outside of all; the innermost call under way; the newest
# definition.
Open: Call | Nil = []
Under: Call | Nil = []
Defined: Definition | Nil = []
Depth = 0  # how many calls are open that began in the input itself
Finished = False  # whether a > has ended the input
Resume = Array("label", (0, 0))  # where the work goes on after a mistake
Ended = -1  # what Next gives at the end of a source


# Texts
def NewText() -> Text:
    """let NewText[] ≡ Text[NIL,NIL,0]"""
    return Text([], [], 0)


# Puts the item x at the end of the text t.
def Append(t: Text | Nil, x: Any) -> None:
    """
    let Append[Text : t, general x] be
      § let l = Link[x,NIL]
        test Size[t] = 0
        then do First[t] := l
        or do Rest[End[t]] := l
        End[t], Size[t] := l, Size[t] + 1 §|
    """
    l = Link(x, [])
    if t.Size == 0:
        t.First = l
    else:
        t.End.Rest = l
    t.End, t.Size = l, t.Size + 1


# The text that has the symbols of the string s.
def TextOf(s: str) -> Text:
    """
    let TextOf[string s] ≡ value of
      § let t = NewText[]
        for c = SymbolsOf[s] do Append[t, Code[c]]
        result is t §|
    """
    t = NewText()
    for c in SymbolsOf(s):
        Append(t, Code(c))
    return t


# Whether two items, or two texts, are the same.
def Like(x: Any, y: Any) -> bool:
    """let Like[general x, general y] = Is[Number,x] ∧ Is[Number,y] → Worth[x] = Worth[y], x = y"""
    if Is(Number, x) and Is(Number, y):
        return x.Worth == y.Worth
    return Equal(x, y)


def Same(t: Text | Nil, u: Text | Nil) -> bool:
    """
    let Same[Text : t, Text : u] ≡ value of
      § unless Size[t] = Size[u] do result is false
        let p, q = First[t], First[u]
        until Null[p] do
          § unless Like[Item[p], Item[q]] do result is false
            p, q := Rest[p], Rest[q] §|
        result is true §|
    """
    if t.Size != u.Size:
        return False
    p, q = t.First, u.First
    while not Null(p):
        if not Like(p.Item, q.Item):
            return False
        p, q = p.Rest, q.Rest
    return True


# Output
#
# Writes an item; a Number in digits.
def WriteItem(x: Any) -> None:
    """
    let WriteItem[general x] be
      § test Is[Number,x]
        then do Write[Worth[x]]
        or do WriteSymbol[x] §|
    """
    if Is(Number, x):
        Write(x.Worth)
    else:
        WriteSymbol(x)


def WriteText(t: Text | Nil) -> None:
    """
    let WriteText[Text : t] be
      § let p = First[t]
        until Null[p] do
          § WriteItem[Item[p]]
            p := Rest[p] §| §|
    """
    p = t.First
    while not Null(p):
        WriteItem(p.Item)
        p = p.Rest


# Puts an item, or each item of a text, where the value of what is being scanned goes: to the argument that is being read, or to the
# output.
def Put(x: Any) -> None:
    """
    let Put[general x] be
      § test Null[Open]
        then do WriteItem[x]
        or do Append[Last[Parts[Open]], x] §|
    """
    if Null(Open):
        WriteItem(x)
    else:
        Append(Last(Open.Parts), x)


def PutText(t: Text | Nil) -> None:
    """
    let PutText[Text : t] be
      § let p = First[t]
        until Null[p] do
          § Put[Item[p]]
            p := Rest[p] §| §|
    """
    p = t.First
    while not Null(p):
        Put(p.Item)
        p = p.Rest


# Puts the digits of a whole number.
def PutNumber(n: int) -> None:
    """
    let PutNumber[integer n] be
      § if n < 0 do Put[‘-’]
        if Mod[n] ≥ 10 do PutNumber[Quot[Mod[n], 10]]
        Put[‘0’ + Rem[Mod[n], 10]] §|
    """
    n = AsInteger(n)
    if n < 0:
        Put(45)
    if Mod(n) >= 10:
        PutNumber(Quotient(Mod(n), 10))
    Put(48 + Remainder(Mod(n), 10))


# Mistakes
#
# Tells what is wrong, and with which text, and the calls under way.
def Monitor(Message: str, t: Text | Nil) -> None:
    """
    let Monitor[string Message, Text : t] be
      § Write[‘*nMONITOR: ’, Message]
        WriteText[t]
        let c = Under
        until Null[c] do
          § Write[‘*n*t’]
            for k = 0 to Length[Parts[c]] − 1 do
              § WriteSymbol[k = 0 → ‘§’, ‘,’]
                WriteText[Parts[c][k]] §|
            test Complete[c]
            then do WriteSymbol[‘;’]
            or do Write[‘ …’]
            c := Below[c] §|
        NewLine[] §|
    """
    Write("\nMONITOR: ", Message)
    WriteText(t)
    c = Under
    while not Null(c):
        Write("\n\t")
        for k in range(Length(c.Parts)):
            WriteSymbol(167 if k == 0 else 44)
            WriteText(Item(c.Parts, k))
        if c.Complete:
            WriteSymbol(59)
        else:
            Write(" …")
        c = c.Below
    NewLine()


# The same, and leaves all calls.
def Fail(Message: str, t: Text | Nil) -> None:
    """
    let Fail[string Message, Text : t] be
      § Monitor[Message,t]
        until Null[Under] do Defined, Under := Before[Under], Below[Under]
        Open := NIL
        go to Resume[0] §|
    """
    global Defined, Open, Under
    Monitor(Message, t)
    while not Null(Under):
        Defined, Under = Under.Before, Under.Below
    Open = []
    raise Jump(Resume[0])


# The text of one item.
def Single(x: Any) -> Text:
    """
    let Single[general x] ≡ value of
      § let t = NewText[]
        Append[t,x]
        result is t §|
    """
    t = NewText()
    Append(t, x)
    return t


# Sources
#
# Whether the input has ended.
def AtEnd() -> bool:
    """let AtEnd[] ≡ Finished ∨ NextSymbol[] = ‘’"""
    return Finished or NextSymbol() == ""


# Whether a symbol begins a call, whether it is a digit.
def Opens(x: Any) -> bool:
    """let Opens[general x] = x = ‘§’ ∨ x = ‘$’"""
    return Equal(x, 167) or Equal(x, 36)


def Digit(x: Any) -> bool:
    """let Digit[general x] ≡ Is[Number,x] → false, ‘0’ ≤ x ≤ ‘9’"""
    if Is(Number, x):
        return False
    return 48 <= x <= 57


# The next item of a source.
def Next(s: Reader | Nil) -> Any:
    """
    let Next[Reader : s] ≡ value of
      § let A be index
        let p = Left[s]
        unless Null[For[s]] do
          § if Null[p] do result is Ended
            Left[s] := Rest[p]
            result is Item[p] §|
        if AtEnd[] do result is Ended
        ReadSymbol[A]
        result is A §|
    """
    p = s.Left
    if not Null(s.For):
        if Null(p):
            return Ended
        s.Left = p.Rest
        return p.Item
    if AtEnd():
        return Ended
    A = Code(ReadSymbol())
    return A


# Looks up the definition of a name: the newest.
def Find(t: Text | Nil) -> Definition | Nil:
    """
    let Find[Text : t] ≡ value of
      § let d = Defined
        until Null[d] ∨ Same[Name[d], t] do d := Older[d]
        if Null[d] do Fail[‘no definition of ’, t]
        result is d §|
    """
    d = Defined
    while not (Null(d) or Same(d.Name, t)):
        d = d.Older
    if Null(d):
        Fail("no definition of ", t)
    return d


# The k-th argument of the call c.
def Argument(c: Call | Nil, k: int) -> Text:
    """
    let Argument[Call : c, index k] ≡ value of
      § unless k < Length[Parts[c]] do
            Fail[StringOf[(‘no argument ’, SymbolWith[‘0’ + k], ‘ in a call of ’)], Parts[c][0]]
        result is Parts[c][k] §|
    """
    k = AsInteger(k)
    if k >= Length(c.Parts):
        Fail(
            StringOf(("no argument ", SymbolWith(48 + k), " in a call of ")),
            Item(c.Parts, 0),
        )
    return Item(c.Parts, k)


# Machine macros
#
# The number that the k-th argument of c holds.
def NumberIn(c: Call | Nil, k: int) -> int:
    """
    let NumberIn[Call : c, index k] ≡ value of
      § let t = Argument[c,k]
        unless Size[t] = 1 ∧ Is[Number, Item[First[t]]] do Fail[‘not a number: ’, t]
        result is Worth[Item[First[t]]] §|
    """
    k = AsInteger(k)
    t = Argument(c, k)
    if not (t.Size == 1 and Is(Number, t.First.Item)):
        Fail("not a number: ", t)
    return t.First.Item.Worth


# The number that the digits of a text mean, after a sign if there is one.
def Value(t: Text | Nil) -> float:
    """
    let Value[Text : t] ≡ value of
      § let n, p = 0, First[t]
        let Minus = false
        unless Null[p] do if Item[p] = ‘+’ ∨ Item[p] = ‘-’ do Minus, p := Item[p] = ‘-’, Rest[p]
        until Null[p] do
          § let x = Item[p]
            unless Digit[x] do Fail[‘not a digit: ’, Single[x]]
            n, p := 10n + (x − ‘0’), Rest[p] §|
        result is Minus → −n, n §|
    """
    n, p = 0, t.First
    Minus = False
    if not Null(p):
        if Equal(p.Item, 43) or Equal(p.Item, 45):
            Minus, p = Equal(p.Item, 45), p.Rest
    while not Null(p):
        x = p.Item
        if not Digit(x):
            Fail("not a digit: ", Single(x))
        n, p = 10 * n + (x - 48), p.Rest
    if Minus:
        return -n
    return n


# The value of §BAR,t,x,y;.
def Calculated(t: Text | Nil, x: int, y: int) -> int:
    """
    let Calculated[Text : t, integer x, integer y] ≡ value of
      § let Sign = Size[t] = 1 → Item[First[t]], 0
        if Sign = ‘+’ do result is x + y
        if Sign = ‘-’ do result is x − y
        if Sign = ‘x’ do result is x × y
        unless Sign = ‘/’ ∨ Sign = ‘R’ do Fail[‘no operation ’, t]
        if y = 0 do Fail[‘division by zero’, NewText[]]
        result is Sign = ‘/’ → Quot[x,y], Rem[x,y] §|
    """
    x = AsInteger(x)
    y = AsInteger(y)
    if t.Size == 1:
        Sign = t.First.Item
    else:
        Sign = 0
    if Equal(Sign, 43):
        return x + y
    if Equal(Sign, 45):
        return x - y
    if Equal(Sign, 120):
        return x * y
    if not (Equal(Sign, 47) or Equal(Sign, 82)):
        Fail("no operation ", t)
    if y == 0:
        Fail("division by zero", NewText())
    if Equal(Sign, 47):
        return Quotient(x, y)
    return Remainder(x, y)


# Obeys the m-th machine macro.
def Obey(m: int, c: Call | Nil) -> None:
    """
    let Obey[index m, Call : c] be
      § go to m = 1 → Def, m = 2 → Val, m = 3 → Update, m = 4 → Bin, m = 5 → Dec, Bar

        || §DEF,A,t; defines A as t.
        Def:
        Defined := Definition[Argument[c,1], Argument[c,2], 0, Defined]
        return

        || §VAL,A; is the definition of A, as it is written.
        Val:
        PutText[Body[Find[Argument[c,1]]]]
        return

        || §UPDATE,A,t; puts t in the place of the text of A, which must be as long or longer. Where that is being scanned, it goes on.
        Update:
        let d, t = Find[Argument[c,1]], Argument[c,2]
        if Size[t] > Size[Body[d]] do Fail[‘too long for UPDATE: ’, t]
        Body[d] := t
        return

        || §BIN,123; is one item, the number that the digits mean; without digits 0. §DEC,x; has the digits of such an item.
        Bin:
        Put[Number[Value[Argument[c,1]]]]
        return
        Dec:
        PutNumber[NumberIn[c,1]]
        return

        || §BAR,+,x,y; is the sum of two such items. So with - x / and R, for the remainder.
        Bar:
        Put[Number[Calculated[Argument[c,1], NumberIn[c,2], NumberIn[c,3]]]] §|
    """
    global Defined
    m = AsInteger(m)
    if m == 1:
        Defined = Definition(Argument(c, 1), Argument(c, 2), 0, Defined)
        return
    if m == 2:
        PutText(Find(Argument(c, 1)).Body)
        return
    if m == 3:
        d, t = Find(Argument(c, 1)), Argument(c, 2)
        if t.Size > d.Body.Size:
            Fail("too long for UPDATE: ", t)
        d.Body = t
        return
    if m == 4:
        Put(Number(Value(Argument(c, 1))))
        return
    if m == 5:
        PutNumber(NumberIn(c, 1))
        return
    Put(Number(Calculated(Argument(c, 1), NumberIn(c, 2), NumberIn(c, 3))))


# Scanning
#
# A call or a quotation does not end before its source does.
def Unclosed(What: str, s: Reader | Nil) -> None:
    """
    let Unclosed[string What, Reader : s] be
      § if Null[For[s]] do
          § Finished := true
            Fail[StringOf[(What, ‘ does not end in the input’)], NewText[]] §|
        Fail[StringOf[(What, ‘ does not end in the definition of ’)], Parts[For[s]][0]] §|
    """
    global Finished
    if Null(s.For):
        Finished = True
        Fail(StringOf((What, " does not end in the input")), NewText())
    Fail(StringOf((What, " does not end in the definition of ")), Item(s.For.Parts, 0))


# Copies a quotation from the source s up to the bracket that closes it.
def Quotation(s: Reader | Nil) -> None:
    """
    let Quotation[Reader : s] be
      § let n = 1
        let A = Next[s]
        until n = 1 ∧ A = ‘>’ do
          § if A = Ended do Unclosed[‘a quotation’, s]
            n := A = ‘<’ → n + 1, A = ‘>’ → n − 1, n
            Put[A]
            A := Next[s] §| §|
    """
    n = 1
    A = Next(s)
    while not (n == 1 and Equal(A, 62)):
        if Equal(A, Ended):
            Unclosed("a quotation", s)
        if Equal(A, 60):
            n += 1
        elif Equal(A, 62):
            n -= 1
        else:
            n = n
        Put(A)
        A = Next(s)


# Forgets the definitions that were made in the arguments of c; the newest of them is d, if there are any. Those that its
# value has made are newer, and stay.
def Forget(c: Call | Nil, d: Definition | Nil) -> None:
    """
    let Forget[Call : c, Definition : d] be
      § if d = Before[c] do return
        if Defined = d do
          § Defined := Before[c]
            return §|
        let p = Defined
        until Older[p] = d do p := Older[p]
        Older[p] := Before[c] §|
    """
    global Defined
    if d == c.Before:
        return
    if Defined == d:
        Defined = c.Before
        return
    p = Defined
    while p.Older != d:
        p = p.Older
    p.Older = c.Before


# Scans a source to its end.
def Scan(s: Reader | Nil) -> None:
    """
    let Scan[Reader : s] be
      § let Around = Open  || the call that the source is for stands in its argument
        let A = Ended

        Symbol:
        A := Next[s]
        go to A = ‘<’ → Quote,
              Opens[A] → Begin,
              A = ‘,’ → Comma,
              A = ‘;’ → Apply,
              A = ‘~’ → Parameter,
              A = ‘>’ → Close,
              A = Ended → Close,
              Copy

        Copy:
        Put[A]
        go to Symbol

        Quote:
        Quotation[s]
        go to Symbol

        Begin:
        Under := Call[[NewText[]], false, Open, Under, Defined]
        Open := Under
        if Null[For[s]] do Depth := Depth + 1
        go to Symbol

        || A comma in a definition may also divide the arguments of the call around.
        Comma:
        if Null[Open] go to Copy
        Parts[Open] := Join[Parts[Open], [NewText[]]]
        go to Symbol

        Apply:
        if Open = Around do
          § if Null[For[s]] go to Copy
            Fail[‘; without a call in the definition of ’, Parts[For[s]][0]] §|
        if Null[For[s]] do Depth := Depth − 1
        let c, d = Open, Defined
        Complete[c], Open := true, Outer[c]
        let f = Find[Parts[c][0]]
        test Macro[f] = 0
        then do Scan[Reader[First[Body[f]], c]]
        or do Obey[Macro[f], c]
        Forget[c,d]
        Under := Below[c]
        go to Symbol

        || In the input, ~ is told, and taken as if it were quoted.
        Parameter:
        if Null[For[s]] do
          § Monitor[‘~ outside of a definition’, NewText[]]
            go to Copy §|
        A := Next[s]
        if A = Ended do Fail[‘no digit after ~’, NewText[]]
        unless Digit[A] do Fail[‘no digit after ~ but ’, Single[A]]
        PutText[Argument[For[s], A − ‘0’]]
        go to Symbol

        Close:
        unless Open = Around do Unclosed[‘a call’, s]
        Finished := Finished ∨ Null[For[s]] §|
    """
    global Depth, Finished, Open, Under
    Around = Open
    A = Ended
    while True:
        A = Next(s)
        if Equal(A, 60):
            Quotation(s)
        elif Opens(A):
            Under = Call([NewText()], False, Open, Under, Defined)
            Open = Under
            if Null(s.For):
                Depth += 1
        else:
            if Equal(A, 44):
                if not Null(Open):
                    Open.Parts = Join(Open.Parts, [NewText()])
                    continue
            elif Equal(A, 59):
                to_Copy = False
                if Open == Around:
                    if Null(s.For):
                        to_Copy = True
                    else:
                        Fail(
                            "; without a call in the definition of ",
                            Item(s.For.Parts, 0),
                        )
                if not to_Copy:
                    if Null(s.For):
                        Depth -= 1
                    c, d = Open, Defined
                    c.Complete, Open = True, c.Outer
                    f = Find(Item(c.Parts, 0))
                    if f.Macro == 0:
                        Scan(Reader(f.Body.First, c))
                    else:
                        Obey(f.Macro, c)
                    Forget(c, d)
                    Under = c.Below
                    continue
            elif Equal(A, 126):
                if Null(s.For):
                    Monitor("~ outside of a definition", NewText())
                else:
                    A = Next(s)
                    if Equal(A, Ended):
                        Fail("no digit after ~", NewText())
                    if not Digit(A):
                        Fail("no digit after ~ but ", Single(A))
                    PutText(Argument(s.For, A - 48))
                    continue
            else:
                if Equal(A, 62):
                    break
                if Equal(A, Ended):
                    break
            Put(A)
    if Open != Around:
        Unclosed("a call", s)
    Finished = Finished or Null(s.For)


# After a mistake: reads the input to the end of the outermost call that is open in it.
def Skip() -> None:
    """
    let Skip be
      § let n = 0  || how many quotations are open
        let A be index
        until Depth = 0 ∨ AtEnd[] do
          § ReadSymbol[A]
            n := A = ‘<’ → n + 1, A = ‘>’ → n − 1, n
            if n = 0 do Depth := Opens[A] → Depth + 1, A = ‘;’ → Depth − 1, Depth
            if n < 0 do Finished := true §| §|
    """
    global Depth, Finished
    n = 0
    while not (Depth == 0 or AtEnd()):
        A = Code(ReadSymbol())
        if A == 60:
            n += 1
        elif A == 62:
            n -= 1
        else:
            n = n
        if n == 0:
            if Opens(A):
                Depth += 1
            elif A == 59:
                Depth -= 1
            else:
                Depth = Depth
        if n < 0:
            Finished = True


# Expands the input.
def Expand() -> None:
    """
    let Expand be
      § let Return = Formarray[label, (1,1)][Again]
        let Names = (‘DEF’, ‘VAL’, ‘UPDATE’, ‘BIN’, ‘DEC’, ‘BAR’)
        Open, Under, Defined, Depth, Finished, Resume[0] := NIL, NIL, NIL, 0, false, Return[1]
        for k = 1 to 6 do Defined := Definition[TextOf[Names[k − 1]], NewText[], k, Defined]

        Again:
        Skip
        unless Finished do Scan[Reader[NIL,NIL]] §|
    """
    global Defined, Depth, Finished, Open, Under
    labels = Labels()
    at = "start"
    Return = Formarray("label", (1, 1), [labels["Again"]])
    Names = ("DEF", "VAL", "UPDATE", "BIN", "DEC", "BAR")
    while True:
        try:
            if at == "start":
                Open, Under, Defined, Depth, Finished, Resume[0] = (
                    [],
                    [],
                    [],
                    0,
                    False,
                    Return[1],
                )
                for k in range(1, 7):
                    Defined = Definition(
                        TextOf(Item(Names, k - 1)), NewText(), k, Defined
                    )
                at = "Again"
            else:
                Skip()
                if not Finished:
                    Scan(Reader([], []))
                break
        except Jump as jump:
            at = labels.target(jump)


# What the string s becomes, for other programs.
def Expanded(s: str) -> str:
    """
    let Expanded[string s] ≡ value of
      § let From, To, D = Source[], Destination[], StreamOf[‘’]
        Input[StreamOf[s]]
        Output[D]
        Expand
        Input[From]
        Output[To]
        result is Symbols[D] §|
    """
    From, To, D = Source(), Destination(), StreamOf("")
    Input(StreamOf(s))
    Output(D)
    Expand()
    Input(From)
    Output(To)
    return Symbols(D)


Expand()


# Lines of macrogenerator.cpl: 93-98=20 101-106=21 109-116=22 120-128=25 133-144=29
#   148-153=33 197-199=37 200-203=38-41 209=45 222-224=49-51 226-227=52-53 238-239=57-58
#   240-241=58-59 247-249=62 262-263=65 264-266=66-68 267-269=68-70 282-283=76-77 285=78
#   296-299=81-84 311-312=89-90 314=91 325-328=94-97 339-340=100-101 341-342=101-102
#   343-344=102-103 367-376=109-118 378-380=119-121 392-394=124-126 395-397=126-128
#   408-410=132-134 418=139 424=142 429-431=143 448-450=148-150 451-454=150-153
#   455-457=153-155 469-470=159-160 471-472=160-161 473-474=161-162 485-487=165-167
#   488-490=167 491=168 504-506=173-175 507-508=175-176 524-526=180-182 527-528=182
#   529-531=183-185 532-534=185-187 535-536=187 551-552=190 553-554=191 556-557=191-192
#   558-559=192-193 560-561=193-194 562-563=194-195 564-565=195-196 566-567=196-197
#   568-569=197 607-608=200 609=201 610-611=205-206 612=201 613-614=210-211 615=201
#   616-617=215-216 618-620=216-218 621=201 622-623=222-223 624=201 625-626=225-226
#   627=230 641-645=235-239 660-663=243-246 664-665=246-247 666-668=247 670-672=247-249
#   688-689=253-254 690-695=254-259 696-697=259-260 768-770=263-265 771-773=267-269
#   774=283 775=269 776-778=287-289 779=289 781=269 782-784=294-296 785=269 786-787=299
#   788-789=300 791-794=301 795=299 796-797=302 798-802=303-307 804-807=308-311 808=269
#   809-810=315-316 812-813=318-319 814-815=319-320 816-818=320-322 820-823=269 824=279
#   825-826=325 827=326 842-843=329-330 844-846=332-334 847-849=334 851-852=334-335
#   853-856=335 858-859=335-336 860=336 876-877=339-340 878-879=340 880=341 881-883=340
#   884-891=342 892-895=343 896=345 897=340 898-899=346-347 900=347 901-903=340
#   918-924=351-357 927=359
# Lines of standard.cpl: 170-171=6 172-173=7 174=8 180-182=41 187-189=66
