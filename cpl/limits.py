"""The limits that the text, the file or the program of a stranger may meet, in one table.

Each is a constant with a sentence: what is counted, of what, and after the colon why the figure is what it is. This
module imports nothing of cpl. What only says how much of a result is shown stands where it is used.

`study/run/limited` holds a run to its time and depth, `study/run/record` to its calls, and `processes` a process to
its memory. `record` also holds the recording of a run to its steps: the run goes on, and only calls and results are
kept.
"""

from typing import Final

# Texts

MOST_BYTES_OF_PROGRAM: Final = 8_000_000
"""Bytes of a file of CPL, and characters of all files that one program gets: a file may have no end."""

MOST_CHARACTERS_OF_PROGRAM: Final = 2_000_000
"""Characters of a text that is compiled: one of this size takes half a minute and more than a gigabyte."""

MOST_TOKENS_OF_DEFINITION: Final = 30_000
"""Tokens of a definition: one of this size takes some four seconds."""

MOST_WRONG_CHARACTERS: Final = 10_000
"""Characters of a text that cannot stand where they are: a text with more of them is hardly CPL."""

MOST_DIGITS: Final = 4_000
"""Digits of a number in a text: Python refuses to read whole numbers of more than 4,300."""

MOST_NESTED: Final = 80
"""Brackets, arms and commands within each other: Python refuses a hundred indentations, and its parser 200 brackets,
of which one of CPL can become two.
"""

MOST_OPERANDS: Final = 400
"""Operands of a chain of operators: Python's compiler goes one level deeper with each."""

MOST_ARMS: Final = 500
"""Arms of a conditional: each is a conditional within the one before."""

MOST_DIMENSIONS: Final = 9
"""Dimensions of an array that is declared: each is an array within the one before."""

MOST_LABELS: Final = 100
"""Labels of a section: finding the loops and conditionals that they stand for is slow."""

MOST_CASES: Final = 500
"""Cases of a switch: each is a conditional within the one before."""

DEEPEST_TREE: Final = 1_000
"""Levels of the tree of a definition: Python's compiler gives up at about three times that."""

MOST_BYTES_OF_GAMES: Final = 100_000_000
"""Bytes of a file of games: large collections fit, and a special file may have no end."""

# Errors and their repair

MOST_DIAGNOSTICS: Final = 50
"""Messages about a text, and places that one of them names: nobody reads more."""

MOST_WORDS_TRIED: Final = 12
"""Words near an error that are tried as misspelt: each means that the statement is parsed again."""

MOST_CHARACTERS_TRIED: Final = 20_000
"""Characters of a statement in which words are tried as misspelt: it is parsed up to twelve times."""

MOST_TOKENS_TO_REPAIR: Final = 3_000
"""Tokens of a definition that a repair is searched for: the search parses it again and again."""

MOST_TOKENS_TRIED: Final = 160_000
"""Tokens that are laid out in search of a repair, starting at the error: this takes a few seconds."""

MOST_BLANKS: Final = 100
"""Blanks between two brackets of which one is doubled: they stand side by side as a rule."""

MOST_CHARACTERS_SEEN: Final = 200
"""Characters beside a place in which its explanation is looked for: lines may have no end."""

MOST_ERRORS_REPAIRED: Final = 1_000
"""Errors for which one token may be to blame: with more of them the text is wrong in several places."""

MOST_CHARACTERS_RESOLVED: Final = 300_000
"""Characters of repaired programs that are resolved to choose a repair: a second's work."""

MOST_CHARACTERS_INFERRED: Final = 40_000
"""Characters of repaired programs whose types are inferred to choose a repair: it takes ten times as long."""

# Types and C

MOST_LINES_INFERRED: Final = 500
"""Lines of a text whose types an editor shows while it changes: to infer them takes about a second."""

MOST_VARIABLES_COPIED: Final = 500
"""Type variables of a function that are copied for each use: one with more is of one type, however it is used."""

MOST_FUNCTIONS_TOGETHER: Final = 100
"""Functions that use each other and may have several types: with more, each is of one type."""

MOST_UNITED: Final = 8
"""Lists, arrays or functions that are united in one type variable: each pair of them is compared."""

MOST_UNIONS: Final = 100
"""Type variables in which lists, arrays or functions are united: types may double with each definition."""

MOST_ALIKE: Final = 3
"""NIL, constant strings and values of operators in one type variable that stay apart: each is followed by itself."""

MOST_ITEMS: Final = 12
"""Members of a list whose types are inferred one by one: those of longer lists share one type."""

MOST_OPTIONS: Final = 6
"""Alternatives of a type: one with more is general."""

DEEPEST_TYPE: Final = 8
"""Levels of a type that is written: nobody reads deeper ones."""

MOST_PARTS_OF_TYPE: Final = 200
"""Parts of a type that is looked at or written: types may double with each definition."""

MOST_VARIABLES_UNITED: Final = 500
"""Type variables that flow into one whose type is read: it is read for each expression."""

MOST_VARIABLES_TRACED: Final = 2_000
"""Type variables between a value and its use that a message follows: it is made for each finding."""

MOST_INSTANCES: Final = 1_000
"""Instances of functions in the C of a program: one function may be compiled for each combination of types."""

# Runs that cpl begins itself, in processor time and nested frames of Python

RUN_SECONDS: Final = 2.0
"""Seconds of processor time of a run on inputs that nobody chose: how busy the machine is makes no difference."""

DEEPEST_RUN: Final = 6_000
"""Frames of Python within each other in such a run: the same runs end in a notebook and in a command."""

TRIAL_SECONDS: Final = 0.5
"""Seconds of processor time of a run that is one of many: hundreds of inputs are tried."""

EXPLAINED_SECONDS: Final = 3.0
"""Seconds of processor time of a run that is recorded to explain a difference: recording is slower than running."""

LOADING_SECONDS: Final = 10.0
"""Seconds of processor time of the commands of a program before its functions are run: they may fill tables."""

RECORDING_SECONDS: Final = 60.0
"""Seconds of processor time of a run that a person asks to record: Ctrl-C ends it sooner."""

DEEPEST_RECORDING: Final = 50_000
"""Frames of Python within each other in a recorded run: a call of CPL takes some seven in the interpreter, and three
compiled.
"""

SEARCH_SECONDS: Final = 60.0
"""Seconds of processor time of a search whose tree is shown: as long as any recorded run."""

MOST_STEPS: Final = 100_000
"""Steps that are recorded in full: each takes some 400 bytes of memory or more."""

MOST_LATER_CALLS: Final = 25_000
"""Calls that are recorded after those steps, with their arguments and results only: the page stays readable."""

MOST_CALLS_RECORDED: Final = 10_000
"""Calls of compiled functions that are recorded in a run: those after them run unrecorded."""

MOST_CALLS: Final = 1_000_000
"""Calls of a run of recorded functions, which is then stopped: a recording that has so many calls does not explain
more.
"""

MOST_CALLS_OF_TRIAL: Final = 20_000
"""Calls of a run that is one of many, unless the other side finishes it: hundreds of inputs are tried."""

MOST_CALLS_OF_EXPERIMENT: Final = 200_000
"""Calls with which a function is tried, and again with which it is compared: programs have dozens of functions."""

MOST_CALLS_AS_INPUTS: Final = 500
"""Calls within a run that may become inputs of other functions: runs have very many."""

MOST_CALLS_REMEMBERED: Final = 5_000
"""Calls that a program makes while it is loaded, and that become inputs: they are kept in memory."""

MOST_VALUES_REMEMBERED: Final = 200
"""Values in the arguments of such a call: they are copied."""

MOST_TRIALS: Final = 2_000
"""Arguments that are tried on one function: beyond them one hardly finds new behaviour."""

MOST_PLIES_AT_RANDOM: Final = 200
"""Plies after which a random game is broken off: kings may wander for ever."""

MOST_KNOWN_POSITIONS: Final = 1_000
"""Known positions in a row after which random games end: no new one is expected."""

MOST_CORRECTIONS: Final = 8
"""Corrections of a text of which every choice is tried: each doubles the number of texts."""

MOST_PLIES: Final = 60
"""Plies that an analysis looks ahead, if it has no other limit of depth: time ends it sooner as a rule."""

MOST_UNFINISHED: Final = 3
"""Runs without an end after which an experiment is given up: each has taken all its time."""

MOST_PARTS: Final = 100_000
"""Parts of a value that are looked at: those beyond are ignored, as a value may be endless."""

# Child processes, the cache and clusters

BUILD_SECONDS: Final = 600
"""Seconds that the C compiler may take: the largest packaged program takes a few."""

BUILD_BYTES: Final = 4 << 30
"""Bytes of memory of the C compiler: the largest packaged program takes some 80 million."""

MOST_BYTES_OF_MESSAGES: Final = 1_000_000
"""Bytes of messages of the C compiler that are kept: the last lines are shown."""

MOST_BYTES_OF_LIBRARY: Final = 1_000_000_000
"""Bytes of a library that the C compiler has built: those of the packaged programs have fewer than a hundred thousand.
"""

MOST_BYTES_OF_CACHE: Final = 200_000_000
"""Bytes of the cache, of which the oldest entries are removed: it holds many programs, as a library in C has some
hundred thousand.
"""

CLUSTER_SECONDS: Final = 10.0
"""Seconds in which a cluster must answer: a command with a wrong address ends."""

# Runs in a page of the site

PAGE_SECONDS: Final = 3_600.0
"""Seconds of processor time of a run in a page: its reader stops it sooner."""

DEEPEST_IN_PAGE: Final = 1_000
"""Frames of Python within each other in such a run: the stack of a browser is small, and Python does not survive its
end.
"""

# The language server

SERVED_RUN_SECONDS: Final = 20
"""Seconds of a run that an editor asks for, and of its processor time: its reader waits for it."""

SERVED_RUN_BYTES: Final = 4 << 30
"""Bytes of memory of a run that an editor asks for: its programs are small, and the editor needs memory, too."""

MOST_BYTES_OF_OUTPUT: Final = 200_000
"""Bytes of output of a run that an editor asks for: the rest is dropped, as editors are slow with large texts."""

MOST_BYTES_OF_MESSAGE: Final = 64 << 20
"""Bytes of a message of an editor: a text of the largest size fits, with each character escaped."""

MOST_BYTES_OF_HEADER: Final = 4_096
"""Bytes of a line before a message of an editor: such lines have some twenty."""

MOST_DIGITS_OF_LENGTH: Final = 18
"""Digits of the length of a message of an editor: no message is so long."""

MOST_FILES_SEARCHED: Final = 2_000
"""Files that are searched for the uses of a name: each is parsed."""

MOST_FOLDERS_SEARCHED: Final = 10_000
"""Folders below each one in the editor that are searched for such files: it may be the root of a disk."""
