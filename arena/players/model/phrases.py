"""How something is taken back, denied, shown only, or given a reason for, in both languages: as patterns."""

import re

from arena.players.model.naming import CHOOSES, NAMED

TAKEN_BACK = re.compile(
    r"不对(?!劲|称|跳|立)|算了|等等|等一下|改投|改票|改成|改为|改主意|改变主意|我改|收回|作废|以此为准|以下为准|开玩笑"
    r"|更正|纠正|修正|订正|[写打填选投搞弄]错|口误|笔误|手误|撤回|撤销|反悔|换成|换一个|换个|应为|才对"
    r"|\bwait\b(?!\s+(?:for|to|until|and)\b)|\bactually\b|\bchang(?:e|ed|ing)\s+my\s+(?:mind|vote|answer)"
    r"|\bscratch\s+that|\bcorrect(?:ion|ed|ing)\b|\bon\s+(?:second\s+thoughts?|reflection)"
    r"|\b(?:ignore|disregard|forget)\s+(?:that|this|the\s+above|it)\b"
    r"|\b(?:kidding|joking)\b|\bi\s+meant?\b|\brevis(?:ed|ion|ing)\b|\b(?:update[ds]?|edit(?:ed)?|amend(?:ed|ment)?)\s*:"
    r"|\btypo\b|\boops\b|\bwhoops\b|\bnever\s*mind\b|\bmy\s+(?:mistake|bad)\b|\b(?:misspoke|mistyped)\b"
    r"|\bwrong\s+(?:seat|player|number|one|vote|answer|target|choice)\b|\b(?:that|this)(?:'s|\s+is|\s+was)\s+wrong\b"
    r"|\bstrike\s+that|\brather\s+(?:not|than)\b|\bhold\s+on\b|\bjk\b|\bvoid\b|\breplace\b|\bswap\b|\bdisregard\b|\b(?:cancell?ed|withdrawn|invalid)\b"
    r"|\bt(?:ake|ook)\s+(?:it|that|this|my\s+vote)\s+back\b|\bwithdraw\s+(?:it|that|this|my)\b"
    r"|\b(?:cancel|ignore)\s+(?:it|that|this|my|the|all|everything)\b|\b(?:do\s+not|don't)\s+(?:use|count|take|submit)\b"
    r"|忽略|无视|撤票|取消|不算(?:数|$|[。,;!])|不作数|不是我(?:要|想|的)|(?:写|说|选|投)的?是?错的"
    r"|\b(?:just|only|merely)\s+(?:an?\s+)?(?:example|test|sample|draft|demo)|\b(?:example|test|sample)\s+only\b|\b(?:is|was)\s+an?\s+(?:example|test|sample|draft|demo|placeholder)\b"
    r"|(?:只是|仅是|仅为|仅供|不过是)(?:个|一个)?(?:示例|样例|例子|举例|测试|参考|格式|演示|草稿)|\bnot\s+my\s+(?:\w+\s+)?(?:vote|answer|choice|decision)\b"
    r"|\bmistake[ns]?\b|\breconsider|\bundo\b|\bretract|\bscrap\s+(?:that|this|it)|\bsooner\b|点错|等下|手滑|放弃|\bhypothetical|\brejected\b|等一等|再想想|放过|\bregret|\bre-?think|\bsecond\s+thought|后悔|重新(?:回答|考虑|选|想|来|投|作答)|搞混|看错|记错"
    rf"|{NAMED}\s*(?:[-=]+>|[→⇒⟶])\s*{NAMED}",
    re.IGNORECASE,
)
"""Words that take back what stands before them."""

HARMLESS = re.compile(
    r"\bno\s+(?:further|more|other|additional|need|problem|worries|doubt|surprise|hard\s+feelings)\b|\bnothing\s+(?:else|more)\b"
    r"|不需要|无需|不必|不客气|没问题|毫无疑问|不错|没有(?:其他|别的|更多)|特别|分别|非常",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"\b(?:no|not|nope|nah|never|none|neither|nor|nothing|cannot|other\s+than|except|unless|without|instead|rather|false|anyone\s+but|anybody\s+but)\b"
    r"|n't\b|[不没未勿莫无非别]|除.{0,6}外|除了|以外",
    re.IGNORECASE,
)
"""Words that say no to something. What, isn't understood: it may be what was decided."""

TURNS = re.compile(
    rf"(?:但|不过|其实|应该|不是|而是|还是|别|不要|\b(?:no|not|but|rather|really|instead|should|don't)\b)"
    rf".{{0,40}}?(?:{CHOOSES}\s*:?\s*{NAMED}|弃票|弃权|不投|\babstain|\bpass\b)"
    rf"|\b(?:no|not)\W+{NAMED}|(?:不是|而是){NAMED}",
    re.IGNORECASE,
)
"""A clause that sets a choice against the one before."""

NO = re.compile(r"(?:哦|啊|呃|抱歉|对不起|oh|uh|sorry)?\s*(?:不|不行|不对|我?错了|no|nope|nah|wrong)", re.IGNORECASE)
"""A clause that is nothing but such a no."""

NOBODY = re.compile(
    r"(?:我|还是|就|要|想|决定|选择|本轮|这轮)*(?:弃票|弃权|不投)了?"
    r"|(?:(?:i|i'll|i'd|will|would|rather|then|so|just|better|let\s+me|prefer\s+to|choose\s+to)\s*)*"
    r"(?:abstain|pass|skip|nobody|no\s+one)",
    re.IGNORECASE,
)
"""A clause that decides for nobody."""

REASON = re.compile(
    r"\W*(?:(?:我的)?(?:投票)?(?:理由|原因|说明|解释|分析|依据)|因为|(?:my\s+)?(?:reason(?:s|ing)?|explanation|rationale|justification|analysis)\b|because\b|since\b|why\b)",
    re.IGNORECASE,
)
"""How words begin that are a reason from there on."""

REFUSED = re.compile(
    r"\bi(?:\s+(?:must|have\s+to|will))?\s+(?:refuse|decline)\s*(?:[.,;!。]|$"
    r"|to\s+(?:play|answer|vote|take|respond|comply)\b(?!\s+(?:for|out)))"
    r"|\b(?:won't|will\s+not|can't|cannot|can\s+not|unable\s+to)\s+(?:play|answer|participate|comply|take\s+part|help|assist|continue|do\s+(?:that|this|so)"
    r"|vote(?!\s+(?:for|against|out))|act)\b"
    r"|(?:不能|不会|无法)(?:回答|参与|参加|作答|协助|帮助|提供|投票|继续)|我?拒绝(?:继续|回答|参与|参加|作答|游戏|投票|$|[。,;!])|不(?:参与|参加|想玩|玩了)",
    re.IGNORECASE,
)
"""Words that say that there will be no answer."""

UNDECIDED = re.compile(
    r"\b(?:can't|cannot|can\s+not)\s+decide\b|\b(?:haven't|have\s+not)\s+(?:yet\s+)?(?:decided|made\s+up)"
    r"|\bundecided\b|\bnot\s+(?:yet\s+)?decided\b|(?:没|没有|未)(?:想好|决定|考虑好)|无法决定",
    re.IGNORECASE,
)
"""Words that say that there is none yet; before an answer, they are of the past."""

SHOWN = re.compile(
    r"示例|样例|范例|举例|例子|例如|比如|譬如|模板|占位|假设|假如|如果|草稿|初稿|演示|测试|错误|错的|[让要叫]我|说过?要|反例|作废|旧的?答案|之前的答案"
    rf"|{NAMED}\s*(?:suggest|propose|said|says|told|want|wrote|说|建议|提议|让|叫|要)"
    r"|(?:不要|别|请勿|勿)(?:使用|采用|用|当真|理会|提交|算|看)|不(?:算|作)数|不是我的"
    r"|\b(?:examples?|drafts?|demo|test|wrong|incorrect|old|previous|former|looks?\s+like|told\s+me|asked\s+me|wants\s+me|sample|template|placeholder|dummy|hypothetical(?:ly)?|for\s+instance|e\.g)\b"
    r"|\b(?:format|output|object|json|reply|response|it)\s+(?:would|could|might)\s+(?:be|look|have)\b|\bif\s+i\b|\bsuppose\b"
    r"|\b(?:do\s+not|don't|never)\s+(?:use|take|count|read|submit|send|copy|write|answer)\b"
    r"|\bnot\s+(?:my|the|an?|this)\b(?!\s+(?:doubt|surprise|secret))",
    re.IGNORECASE,
)
"""Words that show what follows them, and don't mean it."""

WHY = re.compile(r"\b(?:because|since|as)\b|因为|由于|毕竟", re.IGNORECASE)
"""What begins a reason within a sentence."""

UNCHOSEN = re.compile(
    rf"(?:\b(?:not|never|no|cannot)\b|n't\b|[不没未勿莫别])\s*(?:[该应能要会想再]|be\b|to\b|a\b|an\b)*\s*(?:my\b|the\b|{CHOOSES}|voted\b|exiled\b)"
    r"|\b(?:should|must|ought)(?:n't|\s+not)\b|\bnot\s+(?:a\s+)?(?:were)?wol|\binnocent\b|不是狼|是好人",
    re.IGNORECASE,
)
"""How a sentence about a seat says that it is not the one."""
