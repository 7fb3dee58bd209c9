"""How people say lasting things in English."""

from commonbook.agents.rules.english_forms import EVERYWHERE, FORMS, HERE, PERSON, TOOL
from commonbook.agents.rules.language import NEVER, Act, Language, Topic, Veto, rx
from commonbook.agents.rules.reasons import Reason

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
    forms=FORMS,
    vetoes=(
        Veto(
            Reason.THIRD_PERSON,
            rx(
                r"^(?:(?:my|our|the|his|her|their|a|an|some|another|one of (?:my|our))(?: \w+)? "
                + PERSON
                + r"\b|(?:he|she|they|it)\b|(?:his|her|their)\b"
                r"|the user\b|(?:people|everyone|somebody|someone|some folks|most people)\b)"
            ),
        ),
        Veto(
            Reason.ASSISTANT,
            rx(
                r"\byou (?:said|mentioned|claimed|told|invented|made|wrote|keep|suggested|assumed)\b|"
                r"(?<!what )\byou just\b|"
                r"\bi (?:never|did ?n['’]?t|did not) (?:say|said|mention|ask|tell)|^that['’]?s not what|"
                r"you made that up"
            ),
        ),
        Veto(
            Reason.REPORTED,
            rx(
                r"(?:^|,\s)(?!i\b|we\b|as i\b)[^,]*?\b(?:says|said|told|claims?|wrote|writes|reads|thinks|mentioned|"
                r"recommends?|suggests?|insists?|prints|according to|apparently)\b"
                r"|\b(?:i|we) (?:heard|read (?:that|somewhere|in)|was told|were told)\b"
            ),
        ),
        Veto(
            Reason.QUOTATION,
            rx(r"[\"“«‘][^\"”»’]*\s[^\"”»’]*\s[^\"”»’]*[\"”»’]|^[\"“>]|(?:^|\s)'[^']+ [^']+ [^']+'(?:\s|$|[.,])"),
        ),
        Veto(
            Reason.SECRET,
            rx(
                r"\b(?:(?-i:PINs?)|pin (?:code|number)|pass(?:code|phrase|word)|(?:door|access|entry|gate|alarm|"
                r"unlock|security) code)"
                r"(?! (?:policy|length|rules?|hash\w*|fields?|resets?|manager)\b)\b[^,.;]*?(?=[^\s,.;]*\d)[^\s,.;]{3,}"
            ),
        ),
        Veto(
            Reason.UNDECIDED,
            rx(
                r"(?<!you['’]re )(?<!you are )\bnot sure\b|\b(?:maybe(?! (?:an?|one|two|three|four|five|six|ten|"
                r"\d+)\b)|perhaps|might|probably|i think|"
                r"i guess|i suppose|i wonder|i wish|i doubt|i hope|considering|thinking (?:about|of)|could|"
                r"what if|suppose|would|"
                r"want to try|at some point|looks like|seems?|i['’]d prefer|may be(?! (?:up to|as long|longer|"
                r"shorter|at most|in )\b)|undecided|plan(?:s|ning)? to|"
                r"hopefully|let['’]?s (?:see|say)|imagine|tempted)\b"
            ),
        ),
        Veto(
            Reason.FOR_NOW,
            rx(
                r"\b(?:for now|for today|for tonight|today|tonight|tomorrow|this (?:time|once|week|morning|"
                r"afternoon|evening|session|minute)|only (?:this )?once|just (?:this )?once|just for|"
                r"for the moment|for a moment|temporar\w+|in the meantime|at the moment|right now|right away|"
                r"yesterday|until(?! (?:v\d|version \d|release \d|\d+\.\d))|while (?:i|we|you)|just now|one-off|"
                r"once more|again)\b"
                r"|\b(?:in|for|on) this (?:pr|change|commit|branch|file|function|test|class|method|module|one|task|"
                r"case|diff|ticket|example|fix|patch|review|session|chat|run|refactor\w*|migration|release|sprint|"
                r"exercise|experiment|demo|step|"
                r"round|issue|bug|feature|request|message|question|line|block|query|script|notebook|thread)\b|"
                r"\bfor this\b(?! (?:repo|project|code ?base|team))"
                r"|\bthis one\b(?! (?:is|uses|has|runs))|my last|in \w+\(\)|go ahead"
            ),
        ),
        Veto(Reason.TROUBLE, rx(_TROUBLE), frozenset({Act.FACT, Act.IDENTITY})),
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
        r"|(?P<mend>(?:(?:small|one|quick|a|minor) )*(?:correction|update|change of plan|i was wrong(?: earlier|"
        r" before| there)?|i misspoke|"
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
    here=rx(HERE),
    everywhere=rx(
        EVERYWHERE,
        r"|^(?:please |always |never )*(?:i |stop|use|prefer|write|keep|avoid|don['’]?t|do not|"
        r"no )\b.*\b(?:everywhere|anywhere)\b",
    ),
    changes=rx(
        r"(?:moved|switched|migrated|changed|went|upgraded|renamed) (?:\w+ ){0,2}?(?:from|off) (?P<old>.+?) (?:to|"
        r"onto) |replaced (?P<old2>.+?) (?:with|by) |"
        r"(?:don['’]?t|do not|not) (?:use|using|run|have|support|ship|live in|work (?:at|for|in|with)|deploy (?:to|"
        r"with|on)|"
        r"on) (?P<old4>[^,.;]+?) any ?more|"
        r"(?:dropped|retired|abandoned|stopped using|got rid of|no longer (?:use|on|run|support|ship|have)?|"
        r"instead of|rather than) ?(?P<old3>[^,.;]+)|any ?more\b|\bno longer\b|(?<!from )\bnow\b|\b(?:since|as of) (?:last|"
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
        r"(?:please |ok,? |you (?:can|may|should) |(?:can|could|would|will) you |i(?:['’]d| would) like you to |now |"
        r"just |"
        r"also )*(?:forget (?:about )?(?:(?:that|this) )?(?!it\b|that\b|this\b|to\b|me\b|please\b|what i(?:['’]m|"
        r" am)|$)"
        r"(?P<what>.+)"
        r"|(?:don['’]?t|do not|stop) remember(?:ing)? (?!to\b|whether|if|when)(?P<what2>.+)|(?:ignore|disregard|"
        r"scratch|drop) (?P<what3>(?:what|everything|anything) i (?:said|told you).+|(?:the|my) (?:rule|note|"
        r"preference) .+)"
        r"|(?:remove|delete|erase|drop) (?P<what4>.+?) from (?:your |my |the )?(?:memory|notes)|"
        r"remove (?:from memory):? (?P<what5>.+)"
        r"|(?P<what6>(?:the|that|my) .+?) (?:no longer applies|does(?:n['’]t| not) apply any ?more|"
        r"is no longer (?:true|valid)|is obsolete))"
    ),
    withdraws=rx(
        r"(?:scratch that|strike that|ignore (?:that|my last)|forget (?:about )?(?:it|that|this)(?=$|[,.;!?]|"
        r" (?:please|again|then|for now)\b)|disregard (?:that|my last)|"
        r"i take that back|never ?mind (?:that|what i))"
    ),
    owns=rx(
        r"\b(?:my|our|some|a few|these|two|three|four|five|the following|house|team|project|ground|general|basic|"
        r"more)\b[^:]*\b(?:rules?|conventions?|preferences?|decisions?|habits|guidelines|principles|things (?:to|"
        r"you should) (?:remember|know)|requirements)\b[^:]*:\s*$"
        r"|\b(?:remember|from now on|keep in mind|how (?:i|we) work|about me|going forward)\b[^:]*:\s*$"
    ),
    headless=NEVER,
    hangs=NEVER,
    pastes=rx(
        r"(?:\b(?:logs?|output|trace(?:back)?|stack ?trace|snippet|error|message|config|file|diff|email|mail|code|"
        r"dump|table|prints?|reads|wrote|says|said|sent|ticket|comment|tutorial|thread|transcript|got|this|below|"
        r"following|here)\b[^:]*"
        r"|it)[:]\s*$|(?:pasting|pasted|copied)\b.*$"
    ),
    glue=rx(
        r"(?:use|using|with) " + TOOL,
        r"|(?:when(?:ever)?|before|after|while|on|in|for) (?!(?:i|we|you|it|he|she|they|this|that|these|those|the|my|"
        r"your)\b)",
    ),
    replaces=rx(
        r"(?:please )?(?:replace|change|update|rename) [\"“'‘]?(?P<old>.+?)[\"”'’]? (?:with|to|by|"
        r"into) [\"“'‘]?(?P<new>.+?)[\"”'’]?[.!]?$"
    ),
)
