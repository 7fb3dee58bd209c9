"""How people say lasting things in English: the forms. What speaks against listening stands in ``english``."""

from commonbook.agents.rules.language import form

_STANDING = r"always|never|ever|from now on|going forward|from here on|as a rule|every time|whenever"
HERE = (
    r"(?:in|for|across|throughout) (?:this|the|our) (?:repo(?:sitory)?|project|code ?base|package|workspace)|"
    r"\bhere\b|this (?:repo|project)"
)
EVERYWHERE = (
    r"(?:in|for|across|on) (?:all|every|any|each)(?: of)?(?: my| our)? (?:repos?|repositor(?:y|ies)|projects?|"
    r"code ?bases?|docs|machines?)"
    r"|(?:in|across) my (?:repos|repositories|projects)\b|everywhere i work|in general|no matter (?:which|"
    r"what) (?:repo|project)|(?:all|any of) my (?:repos|projects|docs)"
)
PERSON = (
    r"(?:co-?workers?|colleagues?|teammates?|boss|manager|(?:team |tech )?leads?|cto|ceo|client|customer|sister|"
    r"brother|mother|mom|mum|father|dad|wife|"
    r"husband|partner|friends?|flatmates?|roommates?|kids?|son|daughter|intern|contractor|consultant|vendor|"
    r"professor|supervisor|advisor|teacher|"
    r"competitors?|rivals?|devs?|developers?|maintainers?|authors?|predecessor|reviewers?|designers?|contact|"
    r"old company|cousin|uncle|aunt|neighbou?r)"
)
_NOT_A_THING = (
    r"(?!(?:it|this|that|these|those|there|they|he|she|you|i|we|who|what|which|someone|somebody|nobody|everyone|let|"
    r"please|if|when|and|but|or|so|"
    r"because|since|not|no|yes|maybe|only|just|now|then|also|the (?:bug|error|problem|issue|results?|output|first|"
    r"second|other|last|next|"
    r"function|method|value|one|whole|question|answer|user|log|line|trace))\b)"
)
_THING = _NOT_A_THING + r"(?:[\w./+#'’-]+ ){1,6}?"
_NOT_WORK = (
    r"(?!(?:run|test|show|read|fix|change|check|do|print|return|edit|update|commit|push|deploy|build|look|try|take|"
    r"list|"
    r"give|tell|add|remove|move|call|make)\b)"
)
TOOL = r"(?!(?:a|an|the|this|that|these|those|it|them|its|his|her|another|some|both|one|your|my)\b)"
_WE_DO = (
    r"use|run|deploy|sign|ship|tag|release|store|host|build|test|target|support|follow|write|name|pin|rely on|"
    r"stick (?:to|with)|log|squash|rebase|merge|"
    r"branch|version|prefer|require|avoid|publish|document|format|lint|cache|encrypt|back ?up|review|freeze|cut|"
    r"keep(?! \w+ing)|put|call|"
    r"agreed (?:on|to|that)|decided (?:on|to|against|that)|settled on|chose|picked|went with|standardi[sz]ed on|"
    r"speak|serve|generate|work (?:in|with)"
)
_STATES = (
    r"(?:lives?|sits?|resides?) (?:in|under|on|at|behind|inside|next)|runs? (?:on (?!my)|in|under|inside|at|through|"
    r"via|behind|against|every|nightly|only)|"
    r"follows? (?!below|next|the (?:next|first)|from\b|up\b|this|that|suit)|listens? on|comes? (?:only |"
    r"straight )?from|goes? (?:to|through|into|via|under|out)|gets? (?:deployed|tagged|"
    r"released|built|wiped|merged)|"
    r"stays? (?:on|in|at|under|below)|starts? with|ends? with|defaults? to|belongs? (?:in|to|under)|depends? on|"
    r"(?:is|are) (?:always|never|only|all|usually|stored|kept|hosted|pinned|deployed|built|wiped|generated|named|"
    r"called|versioned|released|signed|"
    r"written|run|managed|tracked|owned|backed|encrypted|not allowed|forbidden|off limits|read-only|lower ?case|"
    r"upper ?case|frozen)\b(?! empty| the same| nil| null| true| false)"
)
_SETTING = (
    r"(?:(?:the |our |default |main |minimum |maximum |max |min |target |test |code |file |commit |branch |date |"
    r"line |release |production |prod |staging )*"
    r"(?:format|branch|version|port|length|indent(?:ation)?|license|licence|coverage|timeout|limit|locale|currency|"
    r"time ?zone|database|db|queue|cache|"
    r"registry|bucket|ci|linter|formatter|runner|package manager|stack|framework|convention|style|naming|encoding|"
    r"protocol|deadline|budget|platform|"
    r"environment|hardware|regions?)"
    r"|(?:the |our |all )?(?:timestamps|dates|ids|prices|amounts|durations|sizes|coordinates|currencies|identifiers|"
    r"file names|table names|column names|env vars|variable names)(?: (?:in|of|on) (?:the |our )?\w+)?)"
)
_TONGUE = r"(?-i:[A-Z])[a-z]+(?:ese|ish|an|ch|ic|ew|i)?"
_BASE = (
    r"(?:use|prefer|write|indent|wrap|sort|spell|prefix|suffix|quote|put|name|format|document|follow|stick to|avoid|"
    r"don['’]?t|do not|no|only|run|ask|add|"
    r"commit|target|stop)"
)
_PLURALS = (
    r"(?:commit messages?|commits|comments?|docs?|docstrings?|tests?|branch names|names|identifiers|variables?|"
    r"messages|pull requests|prs?|"
    r"functions|files|diffs|changes|logs?|types?|type hints|changelog entries|release notes)"
)

_DOING = r"(?:(?:always|never|only|mostly|usually|also|don['’]?t|do not) )*"
_SYSTEM = (
    r"(?:(?:an?|my) )?(?:(?-i:M\d) |intel )?(?:fedora|ubuntu|debian|arch|mint|nixos|opensuse|gentoo|alpine|manjaro|"
    r"rhel|"
    r"centos|linux|mac ?os|os ?x|mac|macbook|imac|windows|wsl|freebsd|openbsd|chromeos|chromebook|thinkpad|"
    r"raspberry pi)\b(?! (?:tests?|builds?|jobs?|users?|ci|runners?)\b)"
)
_CONSENT = (
    r"(?:i (?:explicitly )?(?:ask|say|tell|approve|confirm|agree|request|want|have)|(?:first )?(?:asking|checking|"
    r"telling|"
    r"showing|consulting|confirm\w*)|(?:my|an?) (?:explicit )?(?:ok|okay|approval|permission|consent|say-so|go-ahead|"
    r"confirmation)|you (?:ask|have asked|check))\b"
)
_GOING_WRONG = r"\b(?:fails|takes|breaks|crashes|hangs|(?:is|are) (?:red|broken|down|failing|slow|gone|green|flaky))\b"

FORMS = (
    form(
        "change about: what is over for the user",
        r"i (?:(?:don['’]?t|do not) (?:use|live|work|write|speak|do) .*any ?more|no longer (?:use|live|work|write|"
        r"do) )",
        half=True,
    ),
    form(
        "identity about: where the user lives",
        r"i(?:['’]ve| have)? (?:now |just |recently |"
        r"currently )*(?:moved (?:from (?-i:[A-Z])\w+ )?(?:back )?to (?-i:[A-Z])|"
        r"live in )",
    ),
    form(
        "identity about: what the user works on",
        r"i(?:['’]?m| am) (?:mostly |usually |normally )?(?:on|running|using) ",
        _SYSTEM,
    ),
    form(
        "fact decisions: who works on the project",
        r"i(?:['’]m| am) (?:the|an?|one of the|also the) (?:\w+ )?(?:maintainer|owner|author|developer|lead|creator|"
        r"contributor)s? (?:of|on|for|in) (?:this|the|our) (?:repo(?:sitory)?|project|code ?base|package)\b",
    ),
    form(
        "identity about: who the user is",
        r"(?:i(?:['’]?m| am) (?:(?:an? (?!bit|little|fan of th|step|loss)|the (?:only|sole|main) )\w|(?:\w+ly |"
        r"pretty |quite |very |still |completely |also )?new to "
        r"(?!this|that|the )|based (?:in|out of)|from (?-i:[A-Z])|originally|colou?r[- ]?blind|left-handed|"
        r"dyslexic|deaf|blind|"
        r"(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)(?=$|[,.;]| and\b| from\b)(?<!OK)(?<!Done)(?<!Sorry)(?<!Not))"
        r"|(?-i:[A-Z]\w+) here(?=$|[,.;])|my name(?:['’]?s| is) |(?:you can |please |just )?call me (?!back|"
        r"when|if|with|once|out|on))",
    ),
    form(
        "identity working: how the user works",
        r"(?:i use " + TOOL + r"[\w.+#-]+(?:,? (?:and |on |for |with |as )?[\w.+#-]+){0,6}$"
        r"|i (?:only |mostly |mainly |usually |normally |primarily |typically )(?:really )?use\b"
        r"|i (?:never|always) (?:use|write|touch|commit|read|work|want|deploy|run) (?!this|that|it))",
    ),
    form(
        "identity about: what the user does",
        r"(?:i (?:work|live|teach|study) (?!around|through|it|with this|on (?:it|this|that)\b)"
        r"|i (?:only |mostly |mainly |usually |normally |primarily |typically )(?:really )?(?:work|write|code|"
        r"do|program|build|speak|read|know)\b"
        r"|i(?:['’]?m| am) (?:(?:more of|mostly|mainly|primarily|basically|really) an? )\w|i come from (?!here|"
        r"there)(?:an? )?(?-i:[A-Z]|\w+ background)|i (?:write|build|make|develop) (?!the|this|that|it\b|a\b|"
        r"an\b)[^,]*\b(?:software|code|apps?|tools|firmware|games|websites|services|systems|libraries|plugins|"
        r"drivers|compilers)\b|i speak (?-i:[A-Z])|i lead "
        r"|i (?:also )?do (?:mostly |mainly |some )?(?!that|this|it|not|the)[\w /-]{2,40}?(?:work|development|"
        r"engineering|dev|research|consulting|design|ops|science|support)\b"
        r"|i (?:run|lead|manage|head) (?:the|a|an|our) [\w -]*(?:team|group|department|lab|squad|company|shop|"
        r"business|studio|club|unit|division|project)\b"
        r"|i(?:['’]ve| have) (?:been )?(?:done|written|used|worked|coded|coding|writing|doing|programming|using|"
        r"working|a background|a degree|\d+ years)\b"
        r"(?=.*\b(?:years?|months?|decades?|since|background|degree)\b)"
        r"|i (?:don['’]?t|do not) (?:speak|read|know|write) (?!what|why|how|if|where|whether|this|that|it\b|the\b)"
        r"|my (?:native|first|main|primary|preferred|home|day|strongest) ?(?:language|job|editor|shell|os|"
        r"platform|background) is "
        r"|my (?:time ?zone|pronouns?|editor|shell|os|background|job|day job|timezone)(?: is| are) (?!slow|broken))",
    ),
    form(
        "fact decisions: who works on the project",
        r"i(?:['’]m| am)? (?:maintain|own|maintaining|the maintainer of|building|wrote) (?=.*\b(?:alone|myself|"
        r"solo|only|by myself|on the side|at night|evenings|spare)\b)",
    ),
    form(
        "instruction answers: how to answer",
        r"(?:(?:please|always|just|only|so|from now on|going forward|in (?:the )?future|in (?:this|our|all my|every|all|any) "
        r"(?:repos?|projects?|code ?base)),? )*(?:(?:answer|reply|"
        r"respond|talk|speak|write) (?:to me |back |me )?(?:only |always )?in (?!this|the|a file|order)"
        r"|(?:keep|make) (?:your |all |the |any )?(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|explanations?|"
        r"summar(?:y|ies)|messages) "
        r"|(?:explain|describe) (?:things|stuff|everything|concepts)|show me (?:a plan|the plan|the diff|diffs|"
        r"the command) before you"
        r"|(?:be|stay) (?:brief|concise|terse|blunt|direct)(?=.*\b(?:always|answers?|repl|with me)\b)|"
        r"no (?:emojis?|recaps?|preambles?|apologies|flattery|small talk|filler)"
        r"|(?:don['’]?t|do not|stop|skip|avoid|never) (?:apologi[sz]\w+|us(?:e|ing) emojis?|flatter\w*|recap\w*|"
        r"summari[sz]\w+|repeat\w* my)"
        r"|(?:don['’]?t|do not|never) be so \w+|(?:one|two|three|four|five|\d+) (?:sentences?|lines?|"
        r"paragraphs?|bullets?) (?:is|are|max|at most)"
        r"|when(?:ever)? you (?:explain|answer|reply|show|review|suggest|propose|summari[sz]e) (?!the|this|that|"
        r"it\b)[^,]*, "
        r"|(?:don['’]?t|do not|never|avoid|please|no) [^,]*\bin (?:your |the )?(?:answers|replies|responses|"
        r"explanations|messages|summaries)\b"
        r"|(?:skip|drop|cut|spare me) (?:the |all |any )?(?:pleasantr\w+|intro\w*|preambles?|fluff|filler|"
        r"summar\w+|recaps?|apolog\w+|small talk|disclaimers?|praise)"
        r"|(?:when(?:ever)?|if|where) (?:you(?:['’]re| are) (?:unsure|not (?:quite |really )?sure|in doubt|"
        r"uncertain)|in doubt|"
        r"unsure|(?:something|anything|a task|the task|a request|it) is (?:unclear|ambiguous|not clear|vague))"
        r"(?! (?:what|if|whether|why|how|that) (?:it|this|that|the)\b)[^,]*, "
        r"|i (?:really )?(?:hate|dislike|don['’]?t like|do not like|can['’]?t stand|like|love|appreciate) it (?:when|"
        r"if) you "
        r"|(?:your |the |all )?(?:answers|replies|responses|explanations|summaries) (?:(?:may|can|should|must|shall)"
        r"(?: not)? |(?:of |with )?(?:up to|at most|no more than|under|longer than|shorter than) |in (?-i:[A-Z]))"
        r"(?!.*\b(?:wrong|outdated|stale|vary|cached)\b)"
        r"|(?:show|give|tell) me [^,]+, (?:always|every time)|(?:short|brief|concise|terse|direct|detailed|"
        r"long) (?:answers|replies|explanations)|ask (?:me )?before you\b)",
    ),
    form(
        "instruction conventions: a standing rule",
        r"(?:please )?(?:(?:always|never) (?!mind|the\b|an?\b|this|that|it\b|works?\b|fails|gets?\b|seen|had|"
        r"said|heard|empty|once|again)\w"
        r"|(?:from now on|going forward|from here on|in future|in the future|as a rule),? (?!i['’ ])(?!.*"
        + _GOING_WRONG
        + r")"
        r"|(?:don['’]?t|do not) ever |you (?:should|must|may|can) (?:always|never) |(?:nobody|"
        r"no one) \w+s? [^,]*\b(?:without|unless|except|before|directly)\b|(?:whenever|every time|each time|"
        r"before|after) you (?!touch anything|start|go|answer|get|continue|do that)[^,]+, (?!can|could|"
        r"please tell)"
        r"|when you (?:write|name|create|add|change|commit|edit|refactor|generate|format|document|build|package|release) "
        r"(?!the\b|this|that\b|it\b|these|those|an?\b|my\b)[^,]+, (?!can|could|would|will|what|which|do you|tell|let|please "
        r"tell|i\b|we\b)"
        r"|(?!if|when)(?!.*" + _GOING_WRONG + r")[\w ,'’]+ from now on$)",
    ),
    form(
        "instruction conventions: not without the user's consent",
        r"(?:please )?(?:don['’]?t|do not|never) (?!(?:\w+ )?(?:it|this|that|these|those|them|the (?:file|function|"
        r"test|"
        r"branch|change|pr|line|code))\b)[\w-]+[^.]*?,? (?:unless|without|before) ",
        _CONSENT,
    ),
    form(
        "instruction conventions: one thing for all of a kind",
        r"(?:please )?(?:don['’]?t |do not )?use ",
        TOOL,
        r"[\w.+#@/-]+(?: [\w.+#-]+){0,2} (?:for|in) (?:all |our )?(?!(?:the|this|that|these|those|now|it|my|your|an?|"
        r"all|"
        r"next|last|some|both)\b)(?:[\w-]+ ){0,2}(?!(?:this|class|process|less|yes|is|tests?|"
        r"us)\b)[\w-]+s(?:,? please)?$",
        alone=True,
    ),
    form(
        "instruction conventions: what must not be touched",
        r"(?:please )?(?:don['’]?t|do not) (?:touch|edit|modify|change|format|reformat|commit|delete)(?: (?:anything|"
        r"any "
        r"files?|files))?(?: (?:in|under|inside|below))? (?:the )?(?!(?:this|that|these|those|it|any|my|your|first|"
        r"last|other|"
        r"same|new|whole)\b)(?:[\w.*/-]+(?: [\w-]+)? (?:director(?:y|ies)|folders?|submodules?)|[\w.*-]+/[\w.*/-]*)$",
        alone=True,
    ),
    form(
        "instruction conventions: a limit for all of a kind",
        r"(?:please )?(?:(?:keep|limit|wrap) (?:all |every |our )?(?:lines|methods|classes|subjects|"
        + _PLURALS[3:-1]
        + r") (?:under|below|within|at|to|shorter|short|small)\b|(?:lines|functions|methods|files|classes|commits|"
        r"prs|pull "
        r"requests|subject lines|commit messages)(?: \w+)? (?:are|stay|should be|must be|have|"
        r"should have) (?:at most|no "
        r"(?:longer|more) than|under|below|max(?:imum)?|up to|shorter than) )",
        alone=True,
    ),
    form(
        "instruction conventions: use one, not the other",
        r"(?!.*\b[\w-]+\.(?:py|js|jsx|ts|tsx|go|rs|java|c|cpp|h|rb|sh|sql|vue|swift|kt|php|html|"
        r"css)\b)(?:please |so |and )?(?:only )?(?:use|prefer|write|choose) "
        + TOOL
        + r"[\w.+#@/ -]{1,40}?(?:,? (?:and )?(?:not|never) |,? (?:over|instead of|rather than) )",
    ),
    form(
        "instruction conventions: an instruction with its place",
        r"(?:please )?"
        + _BASE
        + r" (?=.*(?:"
        + EVERYWHERE
        + r"|\b(?:any|every)where\b|in (?:this|our) (?:repo|project|code ?base)\b|\bever\b))",
    ),
    form(
        "instruction conventions: please, for all of a kind",
        r"please (?:only )?(?:write|keep|format|name|put|prefix|start) (?:all |our |your )?"
        + _PLURALS
        + r" (?!for\b|to\b|that\b|now|first|again)",
    ),
    form(
        "instruction conventions: none without",
        r"(?:no (?:new |more |extra )?[\w ]{2,30}(?:without|unless)\b|(?:one|a single|max(?:imum)?|at most) [\w ]+ per "
        r"(?:file|commit|pr|class|module|pull request)|"
        + _NOT_A_THING
        + _NOT_WORK
        + r"[\w.+-]+(?: [\w.+-]+){0,3}(?: only(?:, (?:no|not|never) [^,]+)?|, never [\w.+ -]+)$)",
    ),
    form(
        "preference working: what the user prefers",
        r"(?:i|we) (?:really |strongly |much |generally |always )?prefer (?!this|that|it|the (?:first|second|"
        r"other|last|old|new)|to leave|not to answer)",
    ),
    form(
        "preference working: what the user likes",
        r"i (?:really |strongly )?(?:like|dislike|can['’]?t stand|don['’]?t like|do not like) (?!(?:it|to|how|what|"
        r"where|"
        r"when|the|this|that|these|those|them|an?|his|her|their|your|my|our|one|you|him|everything|nothing|something|"
        r"anything|being|having|working|most|all|both|some)\b)(?:[\w+#-]+ ){0,4}[\w+#-]+$",
    ),
    form(
        "preference working: what the user likes everywhere",
        r"i (?:really |strongly )?(?:like|love|hate|dislike|can['’]?t stand|don['’]?t like|do not like|"
        r"want) (?!this|that|it\b|where|how|what)(?=.*(?:" + EVERYWHERE + r"|" + _STANDING + "))",
    ),
    form(
        "instruction conventions: a rule for every one",
        r"(?:every|each|all) (?:[\w./-]+ ){1,4}?(?:needs?|gets?|has|have|must|goes?|requires?|carry|carries|"
        r"starts?|ends?|should|returns?|takes?|uses?|lives?|follows?|is|are) "
        r"(?!to be fixed|failed|broken|green|red\b|passing|failing|empty|slow|gone|the same|null|wrong|good|"
        r"done|fine|ok\b)",
    ),
    form(
        "instruction conventions: what must be",
        _THING + r"(?:must(?: not|n['’]t)?|ha(?:s|ve) to|may (?:not|never|only)|should (?:always|never|only)|can(?:not|"
        r"['’]t) ever|(?:is|are) not allowed to|shall) (?!have (?:been|\w+ed\b)|wait|be (?:\w+ing\b|an?|the|outdated|wrong|"
        r"missing|some\w*|stale|broken|old|really|very|nice|hard|caused|because|due|related|better|more)\b)\w",
    ),
    form(
        "condition conventions: a condition for later",
        r"(?:(?:if|when|once|should) (?:we|this|i|it|the \w+|anyone|somebody) (?:ever|one day|someday|"
        r"eventually|later)\b"
        r"|(?:when|once|as soon as) (?:we|this project) (?:go|move|migrate|get|have|ship|release|open|switch|"
        r"support|reach|hit|are|start|grow)\b"
        r"(?=.*(?:must|need|has to|have to|should|never|always|no |get |gets )))[^,]+,",
        whole=True,
    ),
    form(
        "change decisions: what is over",
        r"we(?:['’]re| are)? (?:(?:don['’]?t|do not|not) \w+ (?!(?:it|this|that|them|those) any).*any ?more|no longer )",
        half=True,
    ),
    form(
        "change decisions: a change",
        r"(?:we(?:['’]ve| have)? (?:now |just |recently |finally |already |since )*(?:(?:moved|switched|"
        r"migrated|upgraded|went) (?:\w+ )?(?:from|to|over|off|away)\b|"
        r"(?:dropped|replaced|retired|abandoned|stopped using|got rid of|renamed) (?!it|this|that))"
        r"|(?:since|as of) [\w ]+?,? we(?:['’]re| are| use| run| have)\b|we(?:['’]re| are) (?:now )?on (?!it\b|"
        r"the same|track|schedule|fire|vacation|board)[^,]+ (?:since|now)\b"
        r"|we(?:['’]re| are) now on |we used to [^,]+,? (?:but )?(?:now|these days|nowadays)\b|"
        + _THING
        + r"(?:moved|switched|migrated) (?:from|to) "
        r"|" + _THING + r"(?:is|are) (?:now |no longer )(?!working|broken|fine|ok|green|red|failing|passing))",
    ),
    form(
        "fact decisions: what the team does",
        r"we (?:(?:all |also )*(?:don['’]?t|do not|never|only|always) do|(?:all |always |never |only |don['’]?t |"
        r"do not |"
        r"mostly |usually |generally |currently |still |also |have )*(?:go (?:with|for)|do(?= [^,]+,)|"
        + _WE_DO
        + r"))\b "
        r"(?!the (?!same)|this|that\b|it\b|them|these|so\b|a (?:helper|loop|hack)|into)",
    ),
    form(
        "fact decisions: what is done at a place",
        r"(?=(?:in|for|across|throughout|on) )(?:",
        EVERYWHERE,
        r"|",
        HERE,
        r"),? (?:please )?(?:(?:i|we) ",
        _DOING,
        r"(?:want|like|",
        _WE_DO,
        r")|",
        _BASE,
        r") (?!the (?!same)|this|that\b|it\b|them|these)",
    ),
    form(
        "fact decisions: what is done for one kind of thing",
        r"(?:for|on|in|during) (?!(?:this|that|these|those|it|now|today|example|instance|theory|practice|fact|some|short|case|"
        r"(?:the|a) (?:moment|first|last|next|other|log|file|test|meantime|past|end))\b)(?:[\w.+#-]+ ){0,3}[\w.+#-]+,? we "
        r"(?:always |never |only |don['’]?t |do not )*(?:",
        _WE_DO,
        r")\b (?!the (?!same)|this|that\b|it\b|them|these)|on (?:\w+days|weekends|holidays),? we (?:always |never |only |"
        r"don['’]?t |do not )+\w",
    ),
    form(
        "fact decisions: the least, the default",
        _THING,
        r"(?:is|are) (?:the|our) (?:minimum|maximum|oldest|lowest|newest|default|only supported|official|"
        r"target) (?:supported )?"
        r"(?:version|branch|target|platform|browser|language|locale|environment|editor|formatter|shell|currency|"
        r"time ?zone|"
        r"encoding|runtime|database|python|node)s?\b",
    ),
    form(
        "fact decisions: what this is made of",
        r"(?:this (?:service|project|repo|app|application|library|package|codebase|tool|site|server|api|cli|"
        r"plugin) (?:is (?:written|built|hosted|deployed|licensed|published|plain|pure|an? (?!mess|pain|bit|"
        r"joke|disaster|nightmare))"
        r"|runs|uses|talks|targets|supports|ships|depends|serves)|we(?:['’]re|"
        r" are) on (?-i:[A-Z])[\w.]+ (?=[^,]*\d)|we have (?:exactly|only|a (?:rule|policy|convention)|"
        r"no (?!idea|time|choice|clue|way))|(?:the|our) team is (?!\w+ing)|we(?:['’]re|"
        r" are) an? (?:\w+ )?(?:team|company|startup|agency|lab|shop|studio|group)|let['’]?s (?:settle on|"
        r"stick (?:to|with)|agree (?:on|that)|standardi[sz]e on) |let['’]?s go with "
        + TOOL
        + r"(?!(?:option|plan|approach|version|variant|number) )[^,]+? (?:instead of|rather than|over|for (?:all|"
        r"every)) (?!the "
        r"(?:first|second|other|last))|i decided (?:on|against|to use) |"
        r"" + _THING + r"(?:is|are) (?:kept |all )?(?:in|under|at) (?![A-Z]?\w+\.py)[\w.-]*/)",
    ),
    form(
        "fact decisions: our own things",
        r"our (?:[\w./-]+ ){1,5}?(?:is|are|runs?|lives?|uses?|goes?|sits?|needs?|targets?|supports?|starts?|"
        r"comes?) (?!\w+ing\b|not working|broken|down|slow|too|so\b|red\b|late)",
    ),
    form("fact decisions: where or what a thing is", _THING, r"(?:", _STATES, r")"),
    form(
        "fact decisions: is this, never that",
        _THING,
        r"(?:is|are|uses?|gets?) (?!not\b)[^.]+?,? (?:never|not|no longer) (?!sure|yet|working|a bug|the)",
    ),
    form(
        "fact decisions: a setting of the project",
        _SETTING,
        r" (?:is|are) (?!not\b|wrong|off\b|too|missing|broken|set\b|it|there|unclear)",
    ),
    form(
        "instruction conventions: stays that way",
        r"(?:please )?(?:keep (?:it|them) (?:that way|like that|so)|(?:keep|stick) to (?:that|this|it))",
        wide=True,
    ),
)
