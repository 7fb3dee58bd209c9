"""Words that every question has: dropped from queries, never from text."""

_ENGLISH = """
a about above after again all also am an and any are as at be because been before being below between both but by can could
did do does doing don down during each else ever few for from further get got had has have having he her here hers him his
how i if in into is isn it its itself just kind let ll many may me might more most much must my no nor not now of off on once
one only or other our ours out over own please re s same shall she should so some such t tell than that the their theirs them
then there these they this those through to too under until up us ve very was we were what when where which while who whom
whose why will with would you your yours
"""
_CHINESE = """
的 了 是 吗 呢 吧 啊 么 什 和 与 在 我 你 您 他 她 它 们 这 那 哪 些 个 有 没 就 都 也 还 要 会 能 该 被 把 对 为 以 及 或 谁 怎
样 请 给
什么 怎么 怎样 为什 如何 我们 你们 他们 这个 那个 哪个 哪些 这些 那些 一个 是否 有没 没有 可以 应该 需要 多少 时候 之前 以及
"""
_JAPANESE = """
です ます でし ました した して する いる ある こと もの これ それ どれ どの どう なに から まで など とき よう には では とは
のは のが のか を は が に で と も の か ね よ いつ 何 誰 何を
"""
STOP_WORDS = frozenset(f"{_ENGLISH} {_CHINESE} {_JAPANESE}".split())
