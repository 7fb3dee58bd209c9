"""How people say lasting things in English."""

from commonbook.agents.rules.language import Act, Form, Language, Topic, Veto, rx

_STANDING = r"always|never|ever|from now on|going forward|from here on|as a rule|every time|whenever"
_HERE = r"(?:in|for|across|throughout) (?:this|the|our) (?:repo(?:sitory)?|project|code ?base|package|workspace)|\bhere\b|this (?:repo|project)"
_EVERYWHERE = (
    r"(?:in|for|across|on) (?:all|every|any|each)(?: of)?(?: my| our)? (?:repos?|repositor(?:y|ies)|projects?|code ?bases?|docs|machines?)"
    r"|(?:in|across) my (?:repos|repositories|projects)\b|everywhere i work|in general|no matter (?:which|what) (?:repo|project)|(?:all|any of) my (?:repos|projects|docs)"
)
_PERSON = (
    r"(?:co-?workers?|colleagues?|teammates?|boss|manager|(?:team |tech )?leads?|cto|ceo|client|customer|sister|brother|mother|mom|mum|father|dad|wife|"
    r"husband|partner|friends?|flatmates?|roommates?|kids?|son|daughter|intern|contractor|consultant|vendor|professor|supervisor|advisor|teacher|"
    r"predecessor|reviewers?|designers?|contact|old company|cousin|uncle|aunt|neighbou?r)"
)
_NOT_A_THING = (
    r"(?!(?:it|this|that|these|those|there|they|he|she|you|i|we|who|what|which|someone|somebody|nobody|everyone|let|please|if|when|and|but|or|so|"
    r"because|since|not|no|yes|maybe|only|just|now|then|also|the (?:bug|error|problem|issue|results?|output|first|second|other|last|next|"
    r"function|method|value|one|whole|question|answer|user|log|line|trace))\b)"
)
_THING = _NOT_A_THING + r"(?:[\w./+#'’-]+ ){1,6}?"
_TOOL = r"(?!(?:a|an|the|this|that|these|those|it|them|its|his|her|another|some|both|one|your|my)\b)"
_WE_DO = (
    r"use|run|deploy|ship|tag|release|store|host|build|test|target|support|follow|write|name|pin|rely on|stick (?:to|with)|log|squash|rebase|merge|"
    r"branch|version|prefer|require|avoid|publish|document|format|lint|cache|encrypt|back ?up|review|freeze|cut|keep (?!\w+ing)|put|call|"
    r"agreed (?:on|to|that)|decided (?:on|to|against|that)|settled on|chose|picked|went with|standardi[sz]ed on|speak|serve|generate|work (?:in|with)"
)
_STATES = (
    r"(?:lives?|sits?|resides?) (?:in|under|on|at|behind|inside|next)|runs? (?:on (?!my)|in|under|inside|at|through|via|behind|against|every|nightly|only)|"
    r"listens? on|comes? (?:only |straight )?from|goes? (?:to|through|into|via|under|out)|gets? (?:deployed|tagged|released|built|wiped|merged)|"
    r"stays? (?:on|in|at|under|below)|starts? with|ends? with|defaults? to|belongs? (?:in|to|under)|depends? on|"
    r"(?:is|are) (?:always|never|only|all|usually|stored|kept|hosted|pinned|deployed|built|wiped|generated|named|called|versioned|released|signed|"
    r"written|run|managed|tracked|owned|backed|encrypted|not allowed|forbidden|off limits|read-only|lower ?case|upper ?case|frozen)\b(?! empty| the same| nil| null| true| false)"
)
_SETTING = (
    r"(?:the |our |default |main |minimum |maximum |max |min |target |test |code |file |commit |branch |date |line |release |production |prod |staging )*"
    r"(?:format|branch|version|port|length|indent(?:ation)?|license|licence|coverage|timeout|limit|locale|currency|time ?zone|database|db|queue|cache|"
    r"registry|bucket|ci|linter|formatter|runner|package manager|stack|framework|convention|style|naming|encoding|protocol|deadline|budget|platform|"
    r"environment|hardware|regions?)"
)
_TONGUE = r"(?-i:[A-Z])[a-z]+(?:ese|ish|an|ch|ic|ew|i)?"
_BASE = r"(?:use|prefer|write|put|name|format|document|follow|stick to|avoid|don['’]?t|do not|no|only|run|ask|add|commit|target)"
_PLURALS = (
    r"(?:commit messages?|commits|comments?|docs?|docstrings?|tests?|branch names|names|identifiers|variables?|messages|pull requests|prs?|"
    r"functions|files|diffs|changes|logs?|types?|type hints|changelog entries|release notes)"
)

_FORMS = (
    Form(
        "who the user is",
        Act.IDENTITY,
        Topic.ABOUT,
        rx(
            r"(?:i(?:['’]?m| am) (?:(?:an? (?!bit|little|fan of th|step|loss)|the (?:only|sole|main) )\w|(?:\w+ly |pretty |quite |very |still |completely |also )?new to "
            r"(?!this|that|the )|based (?:in|out of)|from (?-i:[A-Z])|originally|colou?r[- ]?blind|left-handed|dyslexic|deaf|blind|"
            r"(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)(?=$|[,.;]| and\b| from\b)(?<!OK)(?<!Done)(?<!Sorry)(?<!Not))"
            r"|(?-i:[A-Z]\w+) here(?=$|[,.;])|my name(?:['’]?s| is) |(?:you can |please |just )?call me (?!back|when|if|with|once|out|on))"
        ),
    ),
    Form(
        "what the user does",
        Act.IDENTITY,
        Topic.ABOUT,
        rx(
            r"(?:i (?:work|live|teach|study) (?!around|through|it|with this|on (?:it|this|that)\b)"
            r"|i (?:mostly |mainly |usually |normally |primarily |typically )(?:work|write|code|do|use|program|build|speak|read)\b"
            r"|i (?:also )?do (?:mostly |mainly |some )?(?!that|this|it|not|the)[\w /-]{2,40}?(?:work|development|engineering|dev|research|consulting|design|ops|science|support)\b"
            r"|i (?:run|lead|manage|head) (?:the|a|an|our) [\w -]*(?:team|group|department|lab|company|shop|business|studio|club)\b"
            r"|i(?:['’]ve| have) (?:been )?(?:done|written|used|worked|coded|coding|writing|doing|programming|using|working|a background|a degree|\d+ years)\b"
            r"(?=.*\b(?:years?|months?|decades?|since|background|degree)\b)"
            r"|i use " + _TOOL + r"[\w.+#-]+(?:,? (?:and |on |for |with |as )?[\w.+#-]+){0,6}$"
            r"|i (?:never|always) (?:use|write|touch|commit|read|work|want|deploy|run) (?!this|that|it)"
            r"|i (?:don['’]?t|do not) (?:speak|read|know|write) (?!what|why|how|if|where|whether|this|that|it\b|the\b)"
            r"|my (?:native|first|main|primary|preferred|home|day|strongest) ?(?:language|job|editor|shell|os|platform|background) is "
            r"|my (?:time ?zone|pronouns?|editor|shell|os|background|job|day job|timezone)(?: is| are) (?!slow|broken))"
        ),
    ),
    Form(
        "who works on the project",
        Act.FACT,
        Topic.DECISIONS,
        rx(
            r"i(?:['’]m| am)? (?:maintain|own|maintaining|the maintainer of|building|wrote) (?=.*\b(?:alone|myself|solo|only|by myself|on the side|at night|evenings|spare)\b)"
        ),
    ),
    Form(
        "how to answer",
        Act.INSTRUCTION,
        Topic.ANSWERS,
        rx(
            r"(?:(?:please|always|just|only|from now on|going forward|in (?:the )?future),? )*(?:(?:answer|reply|respond|talk|speak|write) (?:to me |back |me )?(?:only |always )?in (?!this|the|a file|order)"
            r"|(?:keep|make) (?:your |all |the |any )?(?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages) "
            r"|(?:explain|describe) (?:things|stuff|everything|concepts)|show me (?:a plan|the plan|the diff|diffs|the command) before you"
            r"|(?:be|stay) (?:brief|concise|terse|blunt|direct)(?=.*\b(?:always|answers?|repl|with me)\b)|no (?:emojis?|recaps?|preambles?|apologies|flattery|small talk|filler)"
            r"|(?:don['’]?t|do not|stop|skip|avoid|never) (?:apologi[sz]\w+|us(?:e|ing) emojis?|flatter\w*|recap\w*|summari[sz]\w+|repeat\w* my)"
            r"|(?:short|brief|concise|terse|direct|detailed|long) (?:answers|replies|explanations)|ask (?:me )?before you\b)"
        ),
    ),
    Form(
        "a standing rule",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            r"(?:please )?(?:(?:always|never) (?!mind|the\b|an?\b|this|that|it\b|works?\b|fails|gets?\b|seen|had|said|heard|empty|once|again)\w"
            r"|(?:from now on|going forward|from here on|in future|in the future|as a rule),? (?!i['’ ])"
            r"|(?:don['’]?t|do not) ever |(?:whenever|every time|each time|before|after) you (?!touch anything|start|go|answer|get|continue|do that)[^,]+, (?!can|could|please tell)"
            r"|(?!if|when)[\w ,'’]+ from now on$)"
        ),
    ),
    Form(
        "use one, not the other",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            r"(?:please |so |and )?(?:only )?(?:use|prefer|write|choose) "
            + _TOOL
            + r"[\w.+#@/ -]{1,40}?(?:,? (?:and )?(?:not|never) |,? (?:over|instead of|rather than) )"
        ),
    ),
    Form(
        "an instruction with its place",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            r"(?:please )?"
            + _BASE
            + r" (?=.*(?:"
            + _EVERYWHERE
            + r"|\banywhere\b|in (?:this|our) (?:repo|project|code ?base)\b|\bever\b))"
        ),
    ),
    Form(
        "please, for all of a kind",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            r"please (?:only )?(?:write|keep|format|name|put|prefix|start) (?:all |our |your )?"
            + _PLURALS
            + r" (?!for\b|to\b|that\b|now|first|again)"
        ),
    ),
    Form(
        "none without",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            r"(?:no (?:new |more |extra )?[\w ]{2,30}(?:without|unless)\b|(?:one|a single|max(?:imum)?|at most) [\w ]+ per (?:file|commit|pr|class|module|pull request))"
        ),
    ),
    Form(
        "what the user prefers",
        Act.PREFERENCE,
        Topic.WORKING,
        rx(
            r"(?:i|we) (?:really |strongly |much |generally |always )?prefer (?!this|that|it|the (?:first|second|other|last|old|new)|to leave|not to answer)"
        ),
    ),
    Form(
        "what the user likes everywhere",
        Act.PREFERENCE,
        Topic.WORKING,
        rx(
            r"i (?:really |strongly )?(?:like|love|hate|dislike|can['’]?t stand|don['’]?t like|do not like|want) (?!this|that|it\b|where|how|what)(?=.*(?:"
            + _EVERYWHERE
            + r"|"
            + _STANDING
            + "))"
        ),
    ),
    Form(
        "a rule for every one",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            r"(?:every|each|all) (?:[\w./-]+ ){1,4}?(?:needs?|gets?|has|have|must|goes?|requires?|carry|carries|starts?|ends?|should) (?!to be fixed|failed|broken)"
        ),
    ),
    Form(
        "what must be",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(
            _THING
            + r"(?:must(?: not|n['’]t)?|ha(?:s|ve) to|may (?:not|never|only)|should (?:always|never|only)|can(?:not|['’]t) ever|(?:is|are) not allowed to|shall) (?!have been|be (?:a|the) bug|wait)\w"
        ),
    ),
    Form(
        "a condition for later",
        Act.CONDITION,
        Topic.CONVENTIONS,
        rx(
            r"(?:(?:if|when|once|should) (?:we|this|i|it|the \w+|anyone|somebody) (?:ever|one day|someday|eventually|later)\b"
            r"|(?:when|once|as soon as) (?:we|this project) (?:go|move|migrate|get|have|ship|release|open|switch|support|reach|hit|are|start|grow)\b"
            r"(?=.*(?:must|need|has to|have to|should|never|always|no |get |gets )))[^,]+,",
        ),
        whole=True,
    ),
    Form(
        "a change",
        Act.CHANGE,
        Topic.DECISIONS,
        rx(
            r"(?:we(?:['’]ve| have)? (?:now |just |recently |finally |already |since )*(?:(?:moved|switched|migrated|upgraded|went) (?:\w+ )?(?:from|to|over|off|away)\b|"
            r"(?:dropped|replaced|retired|abandoned|stopped using|got rid of|renamed) (?!it|this|that))"
            r"|(?:since|as of) [\w ]+?,? we(?:['’]re| are| use| run| have)\b|we(?:['’]re| are) (?:now )?on (?!it\b|the same|track|schedule|fire|vacation|board)[^,]+ (?:since|now)\b"
            r"|we(?:['’]re| are) now on |we no longer |we (?:don['’]?t|do not) \w+ .*any ?more|"
            + _THING
            + r"(?:moved|switched|migrated) (?:from|to) "
            r"|" + _THING + r"(?:is|are) (?:now |no longer )(?!working|broken|fine|ok|green|red|failing|passing))"
        ),
    ),
    Form(
        "what the team does",
        Act.FACT,
        Topic.DECISIONS,
        rx(
            r"we (?:all |always |never |only |don['’]?t |do not |mostly |usually |generally |currently |still |also |have )*(?:"
            + _WE_DO
            + r")\b "
            r"(?!the (?!same)|this|that |it\b|them|these|a (?:helper|loop|hack)|into)"
        ),
    ),
    Form(
        "our own things",
        Act.FACT,
        Topic.DECISIONS,
        rx(
            r"our (?:[\w./-]+ ){1,5}?(?:is|are|runs?|lives?|uses?|goes?|sits?|needs?|targets?|supports?|starts?|comes?) (?!\w+ing\b|not working|broken|down|slow|too|so\b|red\b|late)"
        ),
    ),
    Form("where or what a thing is", Act.FACT, Topic.DECISIONS, rx(_THING, r"(?:", _STATES, r")")),
    Form(
        "is this, never that",
        Act.FACT,
        Topic.DECISIONS,
        rx(_THING, r"(?:is|are|uses?|gets?) (?!not\b)[^.]+?,? (?:never|not|no longer) (?!sure|yet|working|a bug|the)"),
    ),
    Form(
        "a setting of the project",
        Act.FACT,
        Topic.DECISIONS,
        rx(_SETTING, r" (?:is|are) (?!not\b|wrong|off\b|too|missing|broken|set\b|it|there|unclear)"),
    ),
    Form(
        "stays that way",
        Act.INSTRUCTION,
        Topic.CONVENTIONS,
        rx(r"(?:please )?(?:keep (?:it|them) (?:that way|like that|so)|(?:keep|stick) to (?:that|this|it))"),
        wide=True,
    ),
)

_TROUBLE = (
    r"\b(?:broken|fail(?:s|ed|ing|ures?)?|crash\w*|an? (?:\w+ )?error|errors? out|the error|bug|flaky|stuck|weird|wrong|confus\w+|afraid|500s|hangs?|"
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
                r"(?:^|,\s)(?!i\b|we\b|as i\b)[^,]*?\b(?:says?|said|told|claims?|wrote|writes|reads|thinks|mentioned|recommends?|suggests?|insists?|prints|according to|apparently)\b"
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
                r"\byou (?:said|mentioned|claimed|told|invented|made|wrote|keep|suggested|assumed|just)\b|\bi (?:never|did ?n['’]?t|did not) (?:say|said|mention|ask|tell)|^that['’]?s not what|you made that up"
            ),
        ),
        Veto(
            "nothing decided",
            rx(
                r"\b(?:maybe(?! (?:an?|one|two|three|four|five|six|ten|\d+)\b)|perhaps|might|probably|i think|i guess|i suppose|i wonder|i wish|i doubt|i hope|not sure|considering|thinking (?:about|of)|could|what if|suppose|would|"
                r"want to try|at some point|looks like|seems?|i['’]d prefer|may be|undecided|plan(?:s|ning)? to|hopefully|let['’]?s (?:see|say)|imagine|tempted)\b"
            ),
        ),
        Veto(
            "only for now",
            rx(
                r"\b(?:for now|for today|for tonight|today|tonight|tomorrow|this (?:time|once|week|morning|afternoon|evening|session|minute)|only (?:this )?once|just (?:this )?once|just for|"
                r"for the moment|for a moment|temporar\w+|in the meantime|at the moment|right now|right away|yesterday|until|while (?:i|we|you)|just now|one-off|once more|again)\b"
                r"|\b(?:in|for|on) this (?:pr|change|commit|branch|file|function|test|class|method|module|one|task|case|diff|ticket|example|fix|patch|review|session|chat|run)\b"
                r"|\bthis one\b(?! (?:is|uses|has|runs))|my last|in \w+\(\)|go ahead"
            ),
        ),
        Veto("something is wrong", rx(_TROUBLE), frozenset({Act.FACT, Act.IDENTITY})),
    ),
    leads=rx(
        r"(?:(?:hi|hey|hello|morning|good (?:morning|evening|afternoon)|thanks|thank you|ok(?:ay)?|oh|right|alright|great|cool|nice|yes|yeah|yep|no|well|so|also|and|but|btw|fyi|anyway|"
        r"by the way|for context|for (?:the )?background|for the record|in case it matters|as a side note|side note|just so you know|to be clear|one more thing|another thing|quick one|first|"
        r"as i said|like i said|i told you|(?:before|while|after|when|once|until) (?:you|we|that|this|it|i) [\w ]+(?=[:])|(?P<mend1>actually|sorry|wait))(?: there| all| again)?(?:[,.!:;]| [-–—])+\s*"
        r"|(?:btw|fyi|oh|so|also|ok|actually) (?=(?:we|i|our|the|use|never|always|please)\b)"
        r"|(?P<told>(?:please |and |also )*(?:remember|keep in mind|bear in mind|note|be aware|know|make a note|for your memory|save (?:this|that)|memori[sz]e)(?: this| that|,)?(?: that\b|:|,)+\s*"
        r"|(?:(?:one|another|next|new|house|general|my|our|hard|a|the|team|project|last|first|two|quick|important)\s)*(?:more )?(?:rules?|conventions?|preferences?|polic(?:y|ies)|requirements?|constraints?|decisions?|reminder|note)"
        r"(?: here| of mine| for (?:this|the) (?:repo|project|team))?:\s*)"
        r"|(?P<mend>(?:(?:small|one|quick|a|minor) )*(?:correction|update|change of plan|i was wrong|i misspoke)(?: (?:on|about|to|for|regarding) (?P<about>[^:,.]{2,40}))?[:,.]\s*))"
    ),
    cuts=rx(
        r",\s+(?:(?:and|but|so)\s+(?=(?:i|we|our|please|can|could|my)\b))?|;\s+|\s+[-–—]{1,2}\s+|\s+(?:and|but)\s+(?=(?:i|i'm|i’m|we|please|can you|could you)\b)"
    ),
    questions=rx(
        r"^(?:(?:and|but|so|or|then|wait),? )?(?:what|why|how|where|who|whose|which|when (?:do|does|did|is|are|will)|is|are|am|do|does|did|can|could|would|will|won['’]t|has|have|"
        r"should (?!we ever|this ever|i ever)|shall|was|were|isn['’]t|aren['’]t|doesn['’]t|didn['’]t|any (?:idea|chance|reason))\b"
    ),
    requests=rx(
        r"(?:and |but |so |then |please |now )*(?:can|could|would|will) you\b|(?:and |so |then )*(?:please |now |then |just )*(?:have a look|take a look|look|tell me|show me (?!a plan|the diff)|explain|check|fix|add|read|"
        r"write (?:it|that|this|a|the|\S+\.\w)|run (?:it|the|them)|update|rewrite|go on|continue|see|find|help|make sure|create|delete|remove|rename|implement|refactor|review|change|move|set|open|list|apply)\b"
    ),
    starts=rx(r"(?:i|i['’](?:m|ve)|we|we['’](?:re|ve)|our|my|please|call)\b"),
    apart=rx(
        r"(?:(?:and|but|so) )?(?:(?:this|that) one\b|i\b|i['’]\w+|you\b|he\b|she\b|we\b|we['’]\w+|thanks|thank you|by the way|btw|right\b|ok\b|okay\b|you know|drives me|please\b|let['’]?s|can\b|could\b|does\b|is it)"
    ),
    here=rx(_HERE),
    everywhere=rx(
        _EVERYWHERE,
        r"|^(?:please |always |never )*(?:i |use|prefer|write|keep|avoid|don['’]?t|do not|no )\b.*\b(?:everywhere|anywhere)\b",
    ),
    changes=rx(
        r"(?:moved|switched|migrated|changed|went|upgraded|renamed) (?:\w+ ){0,2}?(?:from|off) (?P<old>.+?) (?:to|onto) |replaced (?P<old2>.+?) (?:with|by) |"
        r"(?:dropped|retired|abandoned|stopped using|got rid of|no longer (?:use|on|run|support|ship|have)?|instead of|rather than) ?(?P<old3>[^,.;]+)|any ?more\b|\bno longer\b|\bnow\b|\b(?:since|as of) (?:last|this|yesterday|monday|tuesday|"
        r"wednesday|thursday|friday|january|february|march|april|may|june|july|august|september|october|november|december|v?\d)"
    ),
    follows=rx(
        r"(?:please )?(?:keep (?:it|them|things) (?:that way|like that|so)|(?:keep|stick) to (?:that|this|it)|do (?:that|it) (?:that way )?(?=.*(?:always|every|all))|"
        r"(?:that|this)(?:['’]s| is| goes| holds| applies| counts) (?:a |an |the |our |my )?(?:\w+ )?(?:rule|convention|policy|style|standard|agreement|decision|house style|for (?:all|every)|in (?:all|every)|true (?:for|in) (?:all|every))|"
        r"same (?:goes )?(?:in|for) (?:all|every)|(?:that|this) (?:goes|holds|applies) (?:for|to|in) (?:all|every))"
    ),
    forgets=rx(
        r"(?:please |ok,? |you can |now )*(?:forget (?:about )?(?!it\b|that\b[.!]?$|to\b|me\b|what i(?:['’]m| am))(?P<what>.+)"
        r"|(?:don['’]?t|do not|stop) remember(?:ing)? (?!to\b|whether|if|when)(?P<what2>.+)|(?:ignore|disregard|scratch|drop) (?P<what3>(?:what|everything|anything) i (?:said|told you).+|(?:the|my) (?:rule|note|preference) .+)"
        r"|(?:remove|delete|erase|drop) (?P<what4>.+?) from (?:your |my |the )?(?:memory|notes)|remove (?:from memory):? (?P<what5>.+)"
        r"|(?P<what6>(?:the|that|my) .+?) (?:no longer applies|does(?:n['’]t| not) apply any ?more|is no longer (?:true|valid)|is obsolete))"
    ),
    withdraws=rx(
        r"(?:scratch that|strike that|ignore (?:that|my last)|forget (?:it|that)\b|disregard (?:that|my last)|i take that back|never ?mind (?:that|what i))"
    ),
    pastes=rx(
        r"(?:\b(?:logs?|output|trace(?:back)?|stack ?trace|snippet|error|message|config|file|diff|email|mail|code|dump|table|prints?|reads|wrote|says|said|sent|ticket|comment|tutorial|thread|transcript|got|this|below|following|here)\b[^:]*"
        r"|it)[:]\s*$|(?:pasting|pasted|copied)\b.*$"
    ),
    glue=rx(r"(?:use|using|with) " + _TOOL),
    replaces=rx(
        r"(?:please )?(?:replace|change|update|rename) [\"“'‘]?(?P<old>.+?)[\"”'’]? (?:with|to|by|into) [\"“'‘]?(?P<new>.+?)[\"”'’]?[.!]?$"
    ),
)
