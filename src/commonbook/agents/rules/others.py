"""The common forms in Japanese, Spanish, German and French; less is understood, nothing is guessed."""

import re

from commonbook.agents.rules.language import NEVER, Language, Topic, Veto, form, rx
from commonbook.agents.rules.reasons import Reason

_SPLIT = rx(r",\s+|;\s+|、")


def _small(
    titles: tuple[str, str, str, str, str],
    *,
    identity: str,
    answers: str,
    rule: str,
    we: str,
    vetoes: str,
    questions: str,
    requests: str,
    leads: str,
    here: str,
    everywhere: str,
    changes: str,
    forgets: str,
    pastes: str,
    condition: str,
) -> Language:
    return Language(
        titles=dict(zip(Topic, titles, strict=True)),
        forms=(
            form("identity about: who the user is", identity),
            form("instruction answers: how to answer", answers),
            form("condition conventions: a condition for later", condition, whole=True),
            form("instruction conventions: a standing rule", rule),
            form("fact decisions: what the team does", we),
        ),
        vetoes=(Veto(Reason.OTHERS_OR_BRIEF, rx(vetoes)),),
        leads=rx(leads),
        cuts=_SPLIT,
        questions=rx(questions),
        requests=rx(requests),
        starts=NEVER,
        apart=rx(requests),
        here=rx(here),
        everywhere=rx(everywhere),
        changes=rx(changes),
        follows=NEVER,
        forgets=rx(forgets),
        withdraws=NEVER,
        owns=NEVER,
        headless=NEVER,
        hangs=NEVER,
        pastes=rx(pastes),
        glue=NEVER,
        replaces=NEVER,
    )


JAPANESE = _small(
    ("自分について", "答え方", "仕事の進め方", "取り決め", "決定"),
    identity=r"(?:私|僕|俺|わたし)は(?!.*(?:と思|かもしれ|つもり)).{2,}(?:です|をしています|しています|だ|"
    r"働いています|勤めています|歴\d+年)|.{2,12}と申します|.{1,12}と呼んで",
    answers=r"(?:これから|今後|以後|いつも|常に|毎回)は?、?.{0,12}(?:答え|回答|返事|返信|説明|話).{0,12}|"
    r".{0,8}(?:回答|返事|返信|説明)は(?:いつも|常に|必ず|すべて)?.{1,16}(?:お願いします|してください|で)$"
    r"|(?:今後|これから|以後)は?.{0,20}(?:日本語|英語)で.{0,12}",
    condition=r"(?:もし)?(?:今後|将来|いつか).{2,}(?:なら|たら|場合は?|れば)、.+",
    rule=r".{0,24}(?:必ず|絶対に|常に|いつも|決して|一律|すべて).{1,}(?:ください|こと|ます|ない|使う|する)$|(?:今後|"
    r"これから|以後)は?.{2,}(?:ください|こと|します)$"
    r"|.{2,30}(?:のまま|だけ).{1,30}(?:にして|したい|用意したい|残したい|お願いします)$|.{1,24}は(?:使わないで|禁止|"
    r"入れないで).*",
    we=r"(?:うちの|私たちの|我々の|弊社の|このプロジェクト|このリポジトリ|当プロジェクト|チーム).{1,40}(?:使います|"
    r"使っています|使う|採用しています|しています|動いています|置いています|あります|です|決めました|"
    r"決まりました)$",
    vetoes=r"^(?:上司|同僚|彼|彼女|友人|先生|社長|顧客|妹|姉|兄|弟)|今回|今日|とりあえず|一旦|いったん|今だけ|"
    r"かもしれ|と思い|らしい|そうです$|たぶん|「.{4,}」|と言って|検討",
    questions=r"[か]$|でしょうか|ますか|ですか|いい$|どう|なぜ|どこ|何(?!も)",
    requests=r"(?:実行|確認|修正|追加|説明|教え|見て|直し).{0,6}(?:ください|して|くれ)",
    leads=r"(?:こんにちは|おはよう(?:ございます)?|ちなみに|あと|それと|はい|"
    r"(?P<told>(?:覚えて(?:おいて)?(?:ください)?|メモ|注意))|(?P<mend>訂正))[、。：:！\s]+",
    here=r"(?:この|当)(?:プロジェクト|リポジトリ|レポ)",
    everywhere=r"(?:すべて|全部|全て|どの)の?(?:プロジェクト|リポジトリ)",
    changes=r"(?P<old>\S{1,20})から\S{1,20}(?:に|へ)(?:移行|変更|切り替え|乗り換え)|やめて|もう使(?:わない|"
    r"っていません)|に変えました",
    forgets=r"(?P<what>.+?)(?:は|を|のこと[はを])?忘れて(?:ください|いいです|くれ)?$",
    pastes=r"(?:ログ|出力|エラー|以下|下記|コード|メール|設定|次).{0,20}[：:]\s*$",
)

SPANISH = _small(
    ("Sobre mí", "Cómo responder", "Forma de trabajar", "Convenciones", "Decisiones"),
    identity=r"(?:yo )?(?:soy (?:una? )?(?!el problema|consciente|yo)(?:\w+)|me llamo |trabajo (?:en|como|de|para) |"
    r"vivo en |llevo \w+ (?:años|meses) |(?:programo|escribo) (?:sobre todo|principalmente)|ll[aá]mame )",
    answers=r"(?:por favor,? |a partir de ahora,? |de ahora en adelante,? |siempre )*(?:responde|contesta|"
    r"h[aá]blame|resp[oó]ndeme|cont[eé]stame)(?: siempre)? (?:en|con|de forma) ",
    condition=r"si (?:alg[uú]n d[ií]a|alguna vez|en el futuro)[^,]+, .+",
    rule=r"(?:(?:a partir de ahora|de ahora en adelante|en adelante),? |siempre (?!falla|igual)|nunca (?!funciona|"
    r"he|ha)|(?:usa|utiliza|prefiere) \S+(?: \S+)?,? (?:no|nunca|en lugar de|en vez de) |no uses (?=.*(?:este|"
    r"todos|nunca)))",
    we=r"(?:en este (?:proyecto|repositorio|repo),? )?(?:nosotros )?(?:siempre |nunca |no |ya no |solo )?(?:usamos|"
    r"utilizamos|desplegamos|publicamos|guardamos|etiquetamos|hemos (?:pasado|migrado|cambiado)|pasamos de|"
    r"migramos|decidimos) |nuestr[oa]s? .+? (?:es|son|est[aá]n?|corre|vive) ",
    vetoes=r"^(?:mi (?:jefe|jefa|colega|compa[nñ]er[oa]|herman[oa]|amig[oa]|cliente)|[eé]l|ella|ellos)\b|"
    r"\b(?:solo por hoy|por hoy|por ahora|esta vez|de momento|quiz[aá]s|tal vez|creo que|a lo mejor|hoy|"
    r"mañana|podr[ií]amos|dice|dijo)\b|[«\"“].+ .+[»\"”]",
    questions=r"^¿|^(?:qu[eé]|c[oó]mo|por qu[eé]|d[oó]nde|cu[aá]l|puedes|podr[ií]as)\b",
    requests=r"(?:por favor )?(?:ejecuta|añade|agrega|mira|revisa|arregla|explica|corrige|puedes|escribe un)\b",
    leads=r"(?:(?:hola|buenas|buenos d[ií]as|por cierto|adem[aá]s|gracias|(?P<told>recuerda que|ten en cuenta que|"
    r"una regla|regla|nota)|(?P<mend>correcci[oó]n))[,:!.\s]+)",
    here=r"(?:en )?este (?:proyecto|repositorio|repo)|\baqu[ií]\b",
    everywhere=r"(?:en )?todos (?:mis|los) (?:proyectos|repositorios|repos)|en cualquier proyecto",
    changes=r"(?:pasado|migrado|cambiado|pasamos|migramos) de (?P<old>.+?) a |ya no|en (?:lugar|"
    r"vez) de (?P<old2>[^,.]+)",
    forgets=r"(?:por favor,? )?olvida (?:lo de |lo que dije (?:de|sobre) )?(?P<what>.+)",
    pastes=r"(?:log|salida|error|correo|siguiente|mensaje|c[oó]digo)[^:]*:\s*$",
)

GERMAN = _small(
    ("Über mich", "Antwortstil", "Arbeitsweise", "Vereinbarungen", "Entscheidungen"),
    identity=r"ich (?:bin (?!mir|nicht sicher|gerade|dabei|dafür|dagegen|fertig|noch|da\b|auf|im\b|am\b|jetzt)|"
    r"heiße |arbeite (?:in|bei|als|mit|hauptsächlich) |wohne in |lebe in |schreibe (?:hauptsächlich|"
    r"meistens|meist) |programmiere (?:seit|hauptsächlich) )|nenn(?:e)? mich ",
    answers=r"(?:bitte )?(?:antworte?|sprich|schreib)(?: mir)?(?: bitte)?(?: (?:ab jetzt|ab sofort|künftig|"
    r"in zukunft|immer|stets|nur))* (?:auf|in|kurz|knapp) ",
    condition=r"(?:falls|wenn) wir (?:jemals|irgendwann|später|einmal)[^,]+, .+",
    rule=r"(?:(?:ab jetzt|ab sofort|künftig|in zukunft|von nun an),? |(?:bitte )?(?:verwende|benutze|nutze|"
    r"nimm) (?:immer|niemals|nie|stets|nur) |(?:bitte )?(?:verwende|benutze|nutze|nimm) \S+(?: \S+)?(?:, nicht|"
    r" statt| anstatt) |(?:immer|niemals) \w+en\b|(?:alle|jede[rs]?) .+ (?:muss|müssen|brauchen|braucht) )",
    we=r"(?:hier )?(?:wir|in diesem (?:projekt|repo) (?:verwenden|nutzen) wir) ?(?:verwenden|nutzen|benutzen|"
    r"deployen|veröffentlichen|speichern|taggen|setzen|sind (?:von|auf)|haben (?:von|uns (?:auf|für)))|"
    r"unser[e]? .+? (?:ist|läuft|liegt|sind|laufen|liegen) ",
    vetoes=r"^(?:(?:mein|meine|der|die|unser) (?:kolleg(?:e|in)|chef(?:in)?|schwester|bruder|kunde|kundin|"
    r"freund(?:in)?)|er|sie)\b|\b(?:nur heute|heute|morgen|vorerst|diesmal|erstmal|erst mal|vielleicht|"
    r"wahrscheinlich|ich glaube|ich denke|könnten|würde|sagt|sagte|kaputt|fehler)\b|[„\"“].+ .+[“\"”]",
    questions=r"^(?:was|wie|warum|wo|welche[rs]?|wann|kannst|könntest|soll(?:en|st)?|nutzen|verwenden|ist|sind|hast|"
    r"wer)\b",
    requests=r"(?:bitte )?(?:führe|füge|schau|prüfe|erkläre|behebe|korrigiere|lies|kannst du|zeig)\b",
    leads=r"(?:(?:hallo|hi|moin|guten (?:morgen|tag)|übrigens|außerdem|danke|(?P<told>merk dir(?:,? dass)?|"
    r"denk daran,? dass|beachte,? dass|regel|hinweis|noch eine regel)|(?P<mend>korrektur))[,:!.\s]+)",
    here=r"in (?:diesem|unserem) (?:projekt|repo(?:sitory)?)|\bhier\b",
    everywhere=r"in allen (?:meinen )?(?:projekten|repos|repositories)|überall",
    changes=r"von (?P<old>.+?) (?:auf|zu) .+ (?:umgestiegen|gewechselt|umgestellt|migriert)|nicht mehr|"
    r"statt (?P<old2>[^,.]+)",
    forgets=r"(?:bitte )?vergiss (?P<what>.+)",
    pastes=r"(?:log|ausgabe|fehler|mail|folgende\w*|meldung|code)[^:]*:\s*$",
)

FRENCH = _small(
    ("À propos de moi", "Façon de répondre", "Façon de travailler", "Conventions", "Décisions"),
    identity=r"(?:moi,? )?(?:je suis (?!sûr|d'accord|en train|perdu|désolé|prêt|bloqué|sur\b|à\b)|je m['’]appelle |"
    r"je travaille (?:à|chez|comme|en|avec|surtout) |j['’]habite |j['’]écris (?:surtout|principalement) |"
    r"appelle-moi )",
    answers=r"(?:(?:à partir de maintenant|désormais|dorénavant),? )?(?:s'il te plaît,? )?(?:réponds|"
    r"parle)(?:-moi)? (?:toujours |moi )?(?:en|de façon|de manière|brièvement) ?",
    condition=r"si (?:un jour|jamais|plus tard) (?:on|nous)[^,]+, .+",
    rule=r"(?:(?:à partir de maintenant|désormais|dorénavant),? |(?:utilise|emploie) (?:toujours|uniquement) |"
    r"n['’]\w+ jamais |ne \w+ jamais |(?:utilise|préfère) \S+(?: \S+)?(?:, pas| plutôt que| au lieu de) |"
    r"(?:tous|toutes|chaque) .+ (?:doit|doivent) )",
    we=r"(?:dans ce (?:projet|dépôt),? )?(?:on|nous) (?:n['’])?(?:utilise|utilisons|déploie|déployons|publie|stocke|"
    r"stockons|a (?:migré|remplacé|décidé)|avons (?:migré|remplacé|décidé)|est passés? de|sommes passés de)\b|"
    r"(?:notre|nos) .+? (?:est|sont|tourne|tournent) ",
    vetoes=r"^(?:(?:mon|ma|notre|le|la) (?:collègue|chef|patron(?:ne)?|sœur|frère|client(?:e)?|ami(?:e)?)|il|elle|"
    r"ils|elles)\b|\b(?:juste pour aujourd['’]hui|aujourd['’]hui|pour l['’]instant|cette fois|demain|"
    r"peut-être|je crois|je pense|on pourrait|dit|a dit|cassé)\b|[«\"“].+ .+[»\"”]",
    questions=r"^(?:qu['’e]|comment|pourquoi|où|quel|peux-tu|pourrais-tu|est-ce|utilisons-nous|faut-il)",
    requests=r"(?:s'il te plaît,? )?(?:relance|ajoute|regarde|vérifie|explique|corrige|lis|peux-tu|lance)\b",
    leads=r"(?:(?:bonjour|salut|au fait|merci|en plus|(?P<told>rappelle-toi que|souviens-toi que|note que|"
    r"retiens que|règle|une règle)|(?P<mend>correction))[,:!.\s]+)",
    here=r"(?:dans )?ce (?:projet|dépôt|repo)|\bici\b",
    everywhere=r"(?:dans )?tous (?:mes|les) (?:projets|dépôts|repos)|partout",
    changes=r"passés? de (?P<old>.+?) à |migré de (?P<old2>.+?) vers |ne .+ plus|au lieu de (?P<old3>[^,.]+)",
    forgets=r"oublie (?:ce que j['’]ai dit (?:sur|à propos de) )?(?P<what>.+)",
    pastes=r"(?:log|sortie|erreur|mail|suivant|message|code)[^:]*:\s*$",
)

_TELLTALE = {
    "es": re.compile(
        r"[¿¡ñ]|\b(?:el|los|las|una|usamos|soy|por|para|siempre|nunca|responde|este|trabajo|hoy|que|olvida)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"[äöüß]|\b(?:ich|wir|nicht|und|auf|immer|niemals|bitte|der|das|ist|mit|unser|verwende|antworte|nur)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"[àèùçêœ]|\b(?:je|nous|on|utilise|toujours|jamais|les|des|une|pas|suis|est|dans|réponds|ici|pour|oublie)\b|"
        r"\w['’](?:ai|est|utilise)\b",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"\b(?:the|i|we|is|are|use|always|never|in|and|to|of|please|our|it|you|not|my|on|for|a|with|this|from|keep)\b",
        re.IGNORECASE,
    ),
}


def latin_language(sentence: str) -> str:
    """``es``, ``de``, ``fr`` or ``en`` by the small words in it; ``en`` when in doubt."""
    counts = {code: len(pattern.findall(sentence)) for code, pattern in _TELLTALE.items()}
    best = max(counts, key=lambda code: (counts[code], code == "en"))
    return best if counts[best] > counts["en"] else "en"
