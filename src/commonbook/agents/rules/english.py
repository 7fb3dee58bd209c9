"""How people say lasting things in English."""

from commonbook.agents.rules.language import NEVER, Act, Language, Topic, Veto, form, rx

_STANDING = r"always|never|ever|from now on|going forward|from here on|as a rule|every time|whenever"
_HERE = (
    r"(?:in|for|across|throughout) (?:this|the|our) (?:repo(?:sitory)?|project|code ?base|package|workspace)|"
    r"\bhere\b|this (?:repo|project)"
)
_EVERYWHERE = (
    r"(?:in|for|across|on) (?:all|every|any|each)(?: of)?(?: my| our)? (?:repos?|repositor(?:y|ies)|projects?|"
    r"code ?bases?|docs|machines?)"
    r"|(?:in|across) my (?:repos|repositories|projects)\b|everywhere i work|in general|no matter (?:which|"
    r"what) (?:repo|project)|(?:all|any of) my (?:repos|projects|docs)"
)
_PERSON = (
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
    r"(?!(?:run|test|show|read|fix|change|check|do|print|return|edit|update|commit|push|deploy|build|look|try|take|list|"
    r"give|tell|add|remove|move|call|make)\b)"
)
_TOOL = r"(?!(?:a|an|the|this|that|these|those|it|them|its|his|her|another|some|both|one|your|my)\b)"
_WE_DO = (
    r"use|run|deploy|ship|tag|release|store|host|build|test|target|support|follow|write|name|pin|rely on|"
    r"stick (?:to|with)|log|squash|rebase|merge|"
    r"branch|version|prefer|require|avoid|publish|document|format|lint|cache|encrypt|back ?up|review|freeze|cut|"
    r"keep(?! \w+ing)|put|call|"
    r"agreed (?:on|to|that)|decided (?:on|to|against|that)|settled on|chose|picked|went with|standardi[sz]ed on|"
    r"speak|serve|generate|work (?:in|with)"
)
_STATES = (
    r"(?:lives?|sits?|resides?) (?:in|under|on|at|behind|inside|next)|runs? (?:on (?!my)|in|under|inside|at|through|"
    r"via|behind|against|every|nightly|only)|"
    r"listens? on|comes? (?:only |straight )?from|goes? (?:to|through|into|via|under|out)|gets? (?:deployed|tagged|"
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
    r"(?:use|prefer|write|put|name|format|document|follow|stick to|avoid|don['’]?t|do not|no|only|run|ask|add|"
    r"commit|target|stop)"
)
_PLURALS = (
    r"(?:commit messages?|commits|comments?|docs?|docstrings?|tests?|branch names|names|identifiers|variables?|"
    r"messages|pull requests|prs?|"
    r"functions|files|diffs|changes|logs?|types?|type hints|changelog entries|release notes)"
)

_FORMS = (
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
        "identity about: what the user does",
        r"(?:i (?:work|live|teach|study) (?!around|through|it|with this|on (?:it|this|that)\b)"
        r"|i (?:only |mostly |mainly |usually |normally |primarily |typically )(?:really )?(?:work|write|code|"
        r"do|use|program|build|speak|read|know)\b"
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
        r"|i use " + _TOOL + r"[\w.+#-]+(?:,? (?:and |on |for |with |as )?[\w.+#-]+){0,6}$"
        r"|i (?:never|always) (?:use|write|touch|commit|read|work|want|deploy|run) (?!this|that|it)"
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
        r"(?:(?:please|always|just|only|so|from now on|going forward|in (?:the )?future),? )*(?:(?:answer|reply|"
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
        r"|(?:show|give|tell) me [^,]+, (?:always|every time)|(?:short|brief|concise|terse|direct|detailed|"
        r"long) (?:answers|replies|explanations)|ask (?:me )?before you\b)",
    ),
    form(
        "instruction conventions: a standing rule",
        r"(?:please )?(?:(?:always|never) (?!mind|the\b|an?\b|this|that|it\b|works?\b|fails|gets?\b|seen|had|"
        r"said|heard|empty|once|again)\w"
        r"|(?:from now on|going forward|from here on|in future|in the future|as a rule),? (?!i['’ ])"
        r"|(?:don['’]?t|do not) ever |you (?:should|must|may|can) (?:always|never) |(?:nobody|"
        r"no one) \w+s? [^,]*\b(?:without|unless|except|before|directly)\b|(?:whenever|every time|each time|"
        r"before|after) you (?!touch anything|start|go|answer|get|continue|do that)[^,]+, (?!can|could|"
        r"please tell)"
        r"|(?!if|when)[\w ,'’]+ from now on$)",
    ),
    form(
        "instruction conventions: use one, not the other",
        r"(?!.*\b[\w-]+\.(?:py|js|jsx|ts|tsx|go|rs|java|c|cpp|h|rb|sh|sql|vue|swift|kt|php|html|"
        r"css)\b)(?:please |so |and )?(?:only )?(?:use|prefer|write|choose) "
        + _TOOL
        + r"[\w.+#@/ -]{1,40}?(?:,? (?:and )?(?:not|never) |,? (?:over|instead of|rather than) )",
    ),
    form(
        "instruction conventions: an instruction with its place",
        r"(?:please )?"
        + _BASE
        + r" (?=.*(?:"
        + _EVERYWHERE
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
        "preference working: what the user likes everywhere",
        r"i (?:really |strongly )?(?:like|love|hate|dislike|can['’]?t stand|don['’]?t like|do not like|"
        r"want) (?!this|that|it\b|where|how|what)(?=.*(?:" + _EVERYWHERE + r"|" + _STANDING + "))",
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
        r"['’]t) ever|(?:is|are) not allowed to|shall) (?!have been|wait|be (?:an?|the|outdated|wrong|missing|"
        r"some\w*|stale|broken|old|really|very|nice|hard|caused|because|due|related|coming|getting|using|"
        r"doing|going|having|better|more)\b)\w",
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
        "change decisions: a change",
        r"(?:we(?:['’]ve| have)? (?:now |just |recently |finally |already |since )*(?:(?:moved|switched|"
        r"migrated|upgraded|went) (?:\w+ )?(?:from|to|over|off|away)\b|"
        r"(?:dropped|replaced|retired|abandoned|stopped using|got rid of|renamed) (?!it|this|that))"
        r"|(?:since|as of) [\w ]+?,? we(?:['’]re| are| use| run| have)\b|we(?:['’]re| are) (?:now )?on (?!it\b|"
        r"the same|track|schedule|fire|vacation|board)[^,]+ (?:since|now)\b"
        r"|we(?:['’]re| are) now on |we used to [^,]+,? (?:but )?(?:now|these days|nowadays)\b|we no longer |"
        r"we (?:don['’]?t|do not) \w+ .*any ?more|" + _THING + r"(?:moved|switched|migrated) (?:from|to) "
        r"|" + _THING + r"(?:is|are) (?:now |no longer )(?!working|broken|fine|ok|green|red|failing|passing))",
    ),
    form(
        "fact decisions: what the team does",
        r"we (?:all |always |never |only |don['’]?t |do not |mostly |usually |generally |currently |still |"
        r"also |have )*(?:go (?:with|for)|do(?= [^,]+,)|" + _WE_DO + r")\b "
        r"(?!the (?!same)|this|that |it\b|them|these|a (?:helper|loop|hack)|into)",
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
        r"stick (?:to|with)|agree (?:on|that)|standardi[sz]e on) |i decided (?:on|against|to use) |"
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

_TROUBLE = (
    r"\b(?:broken|fail(?:s|ed|ing|ures?)?|crash\w*|an? (?:\w+ )?error|errors? out|the error|bug|flaky|stuck|weird|"
    r"wrong|confus\w+|afraid|500s|hangs?|"
    r"time(?:s|d) out|missing|slow today|fine locally|not sure|does(?:n['’]t| not) work|odd|strange)\b"
)

ENGLISH = Language(
    titles={
        Topic.ABOUT: "About me",
        Topic.ANSWERS: "How to answer",
        Topic.WORKING: "Working style",
        Topic.CONVENTIONS: "Conventions",
        Topic.DECISIONS: "Decisions",
    },
    forms=_FORMS,
    vetoes=(
        Veto(
            "a third person",
            rx(
                r"^(?:(?:my|our|the|his|her|their|a|an|some|another|one of (?:my|our))(?: \w+)? "
                + _PERSON
                + r"\b|(?:he|she|they|it)\b|(?:his|her|their)\b"
                r"|the user\b|(?:people|everyone|somebody|someone|some folks|most people)\b)"
            ),
        ),
        Veto(
            "reported speech",
            rx(
                r"(?:^|,\s)(?!i\b|we\b|as i\b)[^,]*?\b(?:says|said|told|claims?|wrote|writes|reads|thinks|mentioned|"
                r"recommends?|suggests?|insists?|prints|according to|apparently)\b"
                r"|\b(?:i|we) (?:heard|read (?:that|somewhere|in)|was told|were told)\b"
            ),
        ),
        Veto(
            "a quotation",
            rx(r"[\"“«‘][^\"”»’]*\s[^\"”»’]*\s[^\"”»’]*[\"”»’]|^[\"“>]|(?:^|\s)'[^']+ [^']+ [^']+'(?:\s|$|[.,])"),
        ),
        Veto(
            "what the assistant said",
            rx(
                r"\byou (?:said|mentioned|claimed|told|invented|made|wrote|keep|suggested|assumed|just)\b|"
                r"\bi (?:never|did ?n['’]?t|did not) (?:say|said|mention|ask|tell)|^that['’]?s not what|"
                r"you made that up"
            ),
        ),
        Veto(
            "nothing decided",
            rx(
                r"\b(?:maybe(?! (?:an?|one|two|three|four|five|six|ten|\d+)\b)|perhaps|might|probably|i think|"
                r"i guess|i suppose|i wonder|i wish|i doubt|i hope|not sure|considering|thinking (?:about|of)|could|"
                r"what if|suppose|would|"
                r"want to try|at some point|looks like|seems?|i['’]d prefer|may be|undecided|plan(?:s|ning)? to|"
                r"hopefully|let['’]?s (?:see|say)|imagine|tempted)\b"
            ),
        ),
        Veto(
            "only for now",
            rx(
                r"\b(?:for now|for today|for tonight|today|tonight|tomorrow|this (?:time|once|week|morning|"
                r"afternoon|evening|session|minute)|only (?:this )?once|just (?:this )?once|just for|"
                r"for the moment|for a moment|temporar\w+|in the meantime|at the moment|right now|right away|"
                r"yesterday|until|while (?:i|we|you)|just now|one-off|once more|again)\b"
                r"|\b(?:in|for|on) this (?:pr|change|commit|branch|file|function|test|class|method|module|one|task|"
                r"case|diff|ticket|example|fix|patch|review|session|chat|run|refactor\w*|migration|release|sprint|"
                r"exercise|experiment|demo|step|"
                r"round|issue|bug|feature|request|message|question|line|block|query|script|notebook|thread)\b|"
                r"\bfor this\b(?! (?:repo|project|code ?base|team))"
                r"|\bthis one\b(?! (?:is|uses|has|runs))|my last|in \w+\(\)|go ahead"
            ),
        ),
        Veto("something is wrong", rx(_TROUBLE), frozenset({Act.FACT, Act.IDENTITY})),
    ),
    leads=rx(
        r"(?:(?:hi|hey|hello|morning|good (?:morning|evening|afternoon)|thanks|thank you|ok(?:ay)?|oh|right|alright|"
        r"great|cool|nice|yes|yeah|yep|no|well|so|also|and|but|btw|fyi|anyway|"
        r"by the way|(?:some |a bit of |ok(?:ay)?,? )?(?:context|background|about me|intro|setup|stack|small thing|"
        r"one thing|small note|quick note|heads up|(?:\w+ )?(?:\w+ )?things? about me|decision(?: made)?)|"
        r"for context|for (?:the )?background|for the record|in case it matters|as a side note|side note|"
        r"just so you know|to be clear|one more thing|another thing|quick one|first|"
        r"as i said|like i said|i told you|(?:before|while|after|when|once|until) (?:you|we|that|this|it|"
        r"i) [\w ]+(?=[:])|(?P<mend1>actually|sorry|wait))(?: there| all| again)?(?:[,.!:;]| [-–—])+\s*"
        r"|(?:btw|fyi|oh|so|also|ok|actually) (?=(?:we|i|our|the|use|never|always|please)\b)"
        r"|(?P<told>(?:please |and |also |ok |so )*(?:remember|keep in mind|bear in mind|note|be aware|know|"
        r"make a note|for your memory|save (?:this|that)|memori[sz]e)(?: this| that|,)?(?: that\b|:|,)+\s*"
        r"|(?:(?:one|another|next|new|house|general|my|our|hard|a|the|team|project|last|first|two|quick|"
        r"important)\s)*(?:more )?(?:rules?|conventions?|preferences?|polic(?:y|ies)|requirements?|constraints?|"
        r"decisions?|reminder|note)"
        r"(?: here| of mine| here is| is| we have| for (?:this|the) (?:repo|project|team))?:\s*)"
        r"|(?P<mend>(?:(?:small|one|quick|a|minor) )*(?:correction|update|change of plan|i was wrong|i misspoke|"
        r"i made a mistake)(?: (?:on|about|to|for|regarding) (?P<about>[^:,.]{2,40}))?[:,.]\s*))"
    ),
    cuts=rx(
        r",\s+(?:(?:and|but|so)\s+)?|;\s+|\s+[-–—]{1,2}\s+|\s+(?:and|but)\s+(?=(?:i|i'm|i’m|we|please|can you|"
        r"could you)\b)"
    ),
    questions=rx(
        r"^(?:(?:and|but|so|or|then|wait),? )?(?:what|why|how|where|who|whose|which|when (?:do|does|did|is|are|"
        r"will)|is|are|am|do|does|did|can|could|would|will|won['’]t|has|have|"
        r"should (?!we ever|this ever|i ever)|shall|was|were|isn['’]t|aren['’]t|doesn['’]t|didn['’]t|any (?:idea|"
        r"chance|reason))\b"
    ),
    requests=rx(
        r"(?:and |but |so |then |please |now )*(?:can|could|would|will) you\b|(?:and |so |then )*(?:please |now |"
        r"then |just )*(?:have a look|take a look|look|tell me|show me (?!a plan|the diff|[^,]+, (?:always|"
        r"every time))|explain|check|fix|add|read|"
        r"write (?:it|that|this|a|the|\S+\.\w)|run (?:it|the|them)|update|rewrite|go on|continue|see|find|help|"
        r"make sure|create|delete|remove|rename|implement|refactor|review|change|move|set|open|list|apply)\b"
    ),
    starts=rx(r"(?:i|i['’](?:m|ve)|we|we['’](?:re|ve)|our|my|please|call)\b"),
    apart=rx(
        r"(?:(?:and|but|so) )?(?:(?:this|that) one\b|i\b|i['’]\w+|you\b|he\b|she\b|we\b|we['’]\w+|thanks|thank you|"
        r"by the way|btw|right\b|ok\b|okay\b|you know|drives me|please\b|let['’]?s|can\b|could\b|does\b|is it)"
    ),
    here=rx(_HERE),
    everywhere=rx(
        _EVERYWHERE,
        r"|^(?:please |always |never )*(?:i |stop|use|prefer|write|keep|avoid|don['’]?t|do not|"
        r"no )\b.*\b(?:everywhere|anywhere)\b",
    ),
    changes=rx(
        r"(?:moved|switched|migrated|changed|went|upgraded|renamed) (?:\w+ ){0,2}?(?:from|off) (?P<old>.+?) (?:to|"
        r"onto) |replaced (?P<old2>.+?) (?:with|by) |"
        r"(?:dropped|retired|abandoned|stopped using|got rid of|no longer (?:use|on|run|support|ship|have)?|"
        r"instead of|rather than) ?(?P<old3>[^,.;]+)|any ?more\b|\bno longer\b|\bnow\b|\b(?:since|as of) (?:last|"
        r"this|yesterday|monday|tuesday|"
        r"wednesday|thursday|friday|january|february|march|april|may|june|july|august|september|october|november|"
        r"december|v?\d)"
    ),
    follows=rx(
        r"(?:please )?(?:keep (?:it|them|things) (?:that way|like that|so)|(?:keep|stick) to (?:that|this|it)|"
        r"do (?:that|it) (?:that way )?(?=.*(?:always|every|all))|"
        r"(?:that|this)(?:['’]s| is| goes| holds| applies| counts) (?:a |an |the |our |my )?(?:\w+ )?(?:rule|"
        r"convention|policy|style|standard|agreement|decision|house style|for (?:all|every)|in (?:all|every)|"
        r"true (?:for|in) (?:all|every))|"
        r"same (?:goes )?(?:in|for) (?:all|every)|(?:that|this) (?:goes|holds|applies) (?:for|to|in) (?:all|every))"
    ),
    forgets=rx(
        r"(?:please |ok,? |you can |now )*(?:forget (?:about )?(?!it\b|that\b[.!]?$|to\b|me\b|what i(?:['’]m|"
        r" am))(?P<what>.+)"
        r"|(?:don['’]?t|do not|stop) remember(?:ing)? (?!to\b|whether|if|when)(?P<what2>.+)|(?:ignore|disregard|"
        r"scratch|drop) (?P<what3>(?:what|everything|anything) i (?:said|told you).+|(?:the|my) (?:rule|note|"
        r"preference) .+)"
        r"|(?:remove|delete|erase|drop) (?P<what4>.+?) from (?:your |my |the )?(?:memory|notes)|"
        r"remove (?:from memory):? (?P<what5>.+)"
        r"|(?P<what6>(?:the|that|my) .+?) (?:no longer applies|does(?:n['’]t| not) apply any ?more|"
        r"is no longer (?:true|valid)|is obsolete))"
    ),
    withdraws=rx(
        r"(?:scratch that|strike that|ignore (?:that|my last)|forget (?:it|that)\b|disregard (?:that|my last)|"
        r"i take that back|never ?mind (?:that|what i))"
    ),
    owns=rx(
        r"\b(?:my|our|some|a few|these|two|three|four|five|the following|house|team|project|ground|general|basic|"
        r"more)\b[^:]*\b(?:rules?|conventions?|preferences?|decisions?|habits|guidelines|principles|things (?:to|"
        r"you should) (?:remember|know)|requirements)\b[^:]*:\s*$"
        r"|\b(?:remember|from now on|keep in mind|how (?:i|we) work|about me|going forward)\b[^:]*:\s*$"
    ),
    headless=NEVER,
    pastes=rx(
        r"(?:\b(?:logs?|output|trace(?:back)?|stack ?trace|snippet|error|message|config|file|diff|email|mail|code|"
        r"dump|table|prints?|reads|wrote|says|said|sent|ticket|comment|tutorial|thread|transcript|got|this|below|"
        r"following|here)\b[^:]*"
        r"|it)[:]\s*$|(?:pasting|pasted|copied)\b.*$"
    ),
    glue=rx(r"(?:use|using|with) " + _TOOL),
    replaces=rx(
        r"(?:please )?(?:replace|change|update|rename) [\"“'‘]?(?P<old>.+?)[\"”'’]? (?:with|to|by|"
        r"into) [\"“'‘]?(?P<new>.+?)[\"”'’]?[.!]?$"
    ),
)
