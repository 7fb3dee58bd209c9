"""What a line is about: its significant words, folded so that a person's other way of saying the same thing finds it."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from commonbook.vocabulary import folded

_WORD = re.compile(
    r"[a-zà-ÿ][a-zà-ÿ0-9+#]*(?:[._/][a-z0-9+#]+)*|\d+(?:\.\d+)*|[\u3040-\u30ff\u4e00-\u9fff]+", re.IGNORECASE
)
_DATE = re.compile(r"\s*\(\d{4}-\d\d-\d\d\)\s*$")
_NUMBERS = {
    word: str(value)
    for value, words in enumerate(
        (
            "zero 零",
            "one single 一",
            "two couple 二 两",
            "three 三",
            "four 四",
            "five 五",
            "six 六",
            "seven 七",
            "eight 八",
            "nine 九",
            "ten 十",
            "eleven",
            "twelve dozen",
        )
    )
    for word in words.split()
}
_EMPTY_WORDS = (
    "a an the this that these those it its i i'm me my mine we us our ours you your they them their he she his her "
    "is are was were be been being am do does did done have has had and or but so not no nor if when then than as "
    "at by for from in into of off on onto out over to under up with without about please always never ever only "
    "just also too very all any each every some more most less one's now still already yet again use uses used "
    "using keep keeps kept get gets must should shall will would can could may might need needs what which who whom "
    "whose where why how there here said say told tell thing things stuff everything anything rule rules limit "
    "line's preference note remember forget forgot anymore since last week month year instead rather repo repos "
    "project projects don dont doesn isn aren won ll ve re el la los las un una unos de del y o en con por para que "
    "no se lo der die das ein eine und oder nicht mit auf von zu ist sind le les des et ou pas dans pour sur est "
    "sont ne on nous "
)
_POINTING = re.compile(
    r"\b(?:the |that |my |our |your )?(?:lines?|entry|entries|notes?|rules?|bits?|parts?|sentences?|items?|bullets?|facts?)"
    r"(?: (?:about|on|that (?:says|mentions)|which says|saying|with|mentioning|for|regarding|where)\b|$)|"
    r"^(?:the |that |my |our )|(?:关于|有关)|的?[那这]一?[条句行点](?:记录|规则|约定)?",
    re.IGNORECASE,
)
"""Words that point at a line and say nothing of what stands in it."""
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Words that say nothing about the subject, in English and, the smallest ones, in Spanish, German and French."""
_EMPTY_HAN = re.compile(
    r"刚才|之前|以前|说过?的?|[那这]一?[条句行点个]|这件事|那件事|这回事|的事|关于|有关|我们|咱们|我的|你|我|请|把|先|都|就|了|的|吧|"
    r"呢|啊|吗|也|还|再|和|与|跟|在|是|有|要|得|会|能|用|别|不要|不用|不|没|一律|统一|以后|今后|一直|已经|现在|"
    r"目前|记住|忘掉|忘记|规定|约定|规则|要求|限制|项目|仓库|时候|这样|那样|所有|每次|从|到|换成|改成|改用|起|上周|"
    r"はい|です|ます|する|して|ください|こと|の|は|を|に|が|で|と|も"
)
_SUBJECTS: dict[str, str] = {
    "port": "port ports listen listens listening 端口 监听",
    "answer": "answer answers answering reply replies response responses respond explanation explanations explain "
    "explaining talk 回答 回复 解释 说明 讲解 聊天 沟通 交流 结论 回答",
    "length": "short shorter brief concise terse long detailed verbose length lines line paragraphs bullets 简短 "
    "简洁 详细 基础 通俗 结论 细一点 行 长度",
    "tongue": "english chinese german french spanish japanese korean portuguese italian russian 中文 英文 英语 汉语 "
    "日文 日语 德语 法语 韩语 日本語 英語 español inglés deutsch englisch français anglais",
    "commit": "commit commits 提交 提交信息",
    "test": "test tests testing 测试 单测 unittest pytest jest vitest mocha junit",
    "database": "database databases db postgres postgresql mysql sqlite mariadb oracle mongodb tidb 数据库",
    "release": "release releases releasing tag tags tagging version versions versioning semver calver 发版 发布 "
    "版本 版本号",
    "deploy": "deploy deploys deployed deployment deployments 部署 上线",
    "branch": "branch branches 分支",
    "indent": "indent indentation tab tabs spaces 缩进 空格",
    "log": "log logs logging logger 日志",
    "cache": "cache caching cached 缓存",
    "queue": "queue queues 队列 消息队列",
    "lint": "lint linter linting formatter ruff flake8 eslint 格式化",
    "pipeline": "ci pipeline jenkins drone buildkite circleci travis 流水线",
    "package": "npm pnpm yarn bun pip uv poetry pixi conda pdm 包管理器 包管理",
    "comment": "comment comments 注释",
    "migration": "migration migrations 迁移",
    "emoji": "emoji emojis 表情",
    "time": "timezone timestamps utc 时区 时间戳",
    "staging": "staging preprod 预发 测试环境",
    "production": "production prod live 生产 线上",
}
_BY_WORD: dict[str, str] = {word: f"#{name}" for name, words in _SUBJECTS.items() for word in words.split()}
_HAN_SUBJECTS = re.compile("|".join(sorted((word for word in _BY_WORD if word >= "\u3040"), key=len, reverse=True)))
_COUNTED = re.compile(r"([零一二两三四五六七八九十])([行条个句年月天次段页])")
_LOOK_ALIKE = 0.5
"""Share of two lines' words that must agree before one replaces the other without being asked to."""


def bare(line: str) -> str:
    """A line without list mark and without the date that we append."""
    return _DATE.sub("", line.strip().removeprefix("- ").removeprefix("* ")).strip()


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """Significant words: stems of Latin words, numbers (also as words), pairs of Chinese characters, ``#subject`` of each."""
    found: set[str] = set()
    for raw in _WORD.findall(unicodedata.normalize("NFKC", bare(text)).casefold()):
        if raw >= "\u3040":
            raw = _COUNTED.sub(lambda counted: _counted(counted, found), raw)
            found.update(_BY_WORD[word] for word in _HAN_SUBJECTS.findall(raw))
            for run in _EMPTY_HAN.split(raw):
                found.update(run[at : at + 2] for at in range(max(len(run) - 1, 0)))
                if len(run) == 1:
                    found.add(_NUMBERS.get(run, run))
        elif raw in _NUMBERS:
            found.add(_NUMBERS[raw])
        elif raw not in _EMPTY:
            found.add(_stem(raw))
            if raw in _BY_WORD:
                found.add(_BY_WORD[raw])
    return frozenset(found)


def _counted(counted: re.Match[str], found: set[str]) -> str:
    found.add(_NUMBERS[counted[1]])
    return counted[2]


def _stem(word: str) -> str:
    if not word.isalpha() or len(word) < 4:
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return (word.removesuffix(ending) + instead).rstrip("e")
    return word.rstrip("e")


_RIVALS = tuple(
    frozenset(_stem(name) for name in names.split())
    for names in (
        "npm pnpm yarn bun",
        "pip uv poetry pixi conda pdm pipenv hatch rye",
        "jest vitest mocha",
        "jenkins drone circleci travis buildkite",
        "eslint biome",
    )
)
"""Of each kind a project has one: who says that they changed to one of them, gave up the other."""


def named(words: str, line: str) -> float:
    """How much of what ``words`` point to stands in ``line``, 0…1. A subject counts where the word itself does not match."""
    wanted, there = terms(words), terms(line)
    own = {term for term in wanted if not term.startswith("#")}
    if not own:
        return float(bool(wanted) and wanted <= there)
    subjects = {term for term in wanted & there if term.startswith("#")}
    hits = sum(
        term in there or _BY_WORD.get(term) in subjects or any(_BY_WORD.get(form) in subjects for form in _forms(term))
        for term in own
    )
    return hits / len(own)


def _forms(stem: str) -> Iterable[str]:
    return (stem, stem + "s", stem + "e", stem + "es", stem + "ing")


def without_pointing(words: str) -> str:
    """ "the line about ports": "ports"."""
    return _POINTING.sub("", words).strip()


def pointed_at(words: str, lines: Sequence[str]) -> list[int]:
    """The lines that a request to forget points to: all that hold everything it names, else the one that clearly holds most."""
    exact = [at for at, line in enumerate(lines) if folded(bare(line)) == folded(words)]
    if exact:
        return exact
    scores = [named(without_pointing(words), line) for line in lines]
    full = [at for at, score in enumerate(scores) if score == 1.0]
    if full or not scores:
        return full
    best = max(scores)
    near = [at for at, score in enumerate(scores) if score == best]
    return near if best >= 0.6 and len(near) == 1 else []


def replaced_by(new: str, lines: Sequence[str], *, change: bool, old: str | None) -> int | None:
    """The older line that ``new`` stands in for, or ``None``.

    With words of change ("moved from A to B", "no longer", a correction) the line that names A or shares the subject most;
    without them only a line that says nearly the same.
    """
    if change:
        return _corrected(new, lines, old)
    fresh = terms(new)
    for at, line in enumerate(lines):
        there = terms(line)
        if fresh == there:
            continue
        both = {term for term in fresh & there if not term.startswith("#")}
        either = {term for term in fresh | there if not term.startswith("#")}
        if len(both) >= 2 and len(both) / len(either) >= _LOOK_ALIKE and _differ_in_value(fresh, there):
            return at
    return None


def _corrected(new: str, lines: Sequence[str], old: str | None) -> int | None:
    fresh, gone = terms(new), terms(old) if old else frozenset()
    scored = [(_agreement(fresh, gone, terms(line)), at) for at, line in enumerate(lines)]
    best = max(scored, key=lambda each: (each[0], -each[1]), default=(0.0, 0))
    return best[1] if best[0] >= 2 else None


def _agreement(fresh: frozenset[str], gone: frozenset[str], there: frozenset[str]) -> float:
    """Words count one, subjects a half (their own word often counts already), what is named as gone counts double.
    Where the gone thing is named by a number or a name, a line without it is about something else."""
    named_gone = {term for term in gone & there if not term.startswith("#")}
    if any(any(char.isdigit() for char in term) for term in gone) and not named_gone:
        return 0.0
    shared = fresh & there
    words = {term for term in shared if not term.startswith("#")}
    rivals = any(fresh & kind and there & kind and not fresh & there & kind for kind in _RIVALS)
    return len(words) + 0.5 * (len(shared) - len(words)) + 2 * len(named_gone) + 2 * rivals


def _differ_in_value(fresh: frozenset[str], there: frozenset[str]) -> bool:
    """Two different things may be said in like words ("the API runs on A", "the worker runs on A"): replace only when
    what differs is a value of the same kind: a number against a number, or words on both sides of one subject."""
    mine, theirs = fresh - there, there - fresh
    if not mine and not theirs:
        return False
    return all(any(char.isdigit() for char in term) for term in mine | theirs)
