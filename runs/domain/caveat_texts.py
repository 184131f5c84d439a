"""The sentence of every caveat, in English and in Dutch.

``{name}`` is filled from the caveat's parameters by the edge, which prints numbers in the reader's locale; ``{settings}``
is the list of the settings that caused it, by their names. A test holds that every rule has both languages.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class CaveatText:
    """A caveat in two languages: a short title and a full sentence each."""

    en: str
    nl: str
    title_en: str
    title_nl: str


def _t(title_en: str, en: str, title_nl: str, nl: str) -> CaveatText:
    return CaveatText(en, nl, title_en, title_nl)


TEXTS: dict[str, CaveatText] = {
    "simulated-run": _t(
        "Simulated",
        "Not a measurement: the run was made against a simulator, or with stand-ins for the tools that read GPUs. It shows how a run arrives and nothing about any hardware.",
        "Gesimuleerd",
        "Geen meting: de run is gemaakt tegen een simulator, of met vervangers van de hulpmiddelen die GPU's uitlezen. Hij laat zien hoe een run binnenkomt en zegt niets over hardware.",
    ),
    "cap-not-stated": _t(
        "Power cap not stated",
        "The power cap per GPU is not stated: at what power setting these figures were taken is unknown.",
        "Vermogenslimiet niet vermeld",
        "De vermogenslimiet per GPU is niet vermeld: bij welke instelling deze cijfers zijn gemeten is onbekend.",
    ),
    "temperature-not-stated": _t(
        "Sampling temperature not stated",
        "The sampling temperature is not stated. Greedy and sampled decoding differ in speed, most of all with speculative decoding.",
        "Samplingtemperatuur niet vermeld",
        "De samplingtemperatuur is niet vermeld. Greedy en gesampled decoderen verschillen in snelheid, vooral met speculative decoding.",
    ),
    "temperature-inferred": _t(
        "Sampling temperature inferred",
        "The sampling temperature ({value}) is inferred, not stated.",
        "Samplingtemperatuur afgeleid",
        "De samplingtemperatuur ({value}) is afgeleid, niet vermeld.",
    ),
    "speculation-not-stated": _t(
        "Speculative decoding not stated",
        "Whether speculative decoding was on, and how, is not stated.",
        "Speculative decoding niet vermeld",
        "Of speculative decoding aan stond, en hoe, is niet vermeld.",
    ),
    "draft-count-not-stated": _t(
        "Draft count not stated",
        "Speculative decoding was on; how many tokens were drafted is not stated.",
        "Aantal drafts niet vermeld",
        "Speculative decoding stond aan; hoeveel tokens werden voorgesteld is niet vermeld.",
    ),
    "synthetic-acceptance": _t(
        "Synthetic draft acceptance",
        "Draft acceptance was synthetic: set by hand, not earned by a draft model.",
        "Synthetische draftacceptatie",
        "De draftacceptatie was synthetisch: met de hand ingesteld, niet door een draftmodel behaald.",
    ),
    "greedy-random-drafting": _t(
        "Random prompts with greedy drafting",
        "Random prompts at temperature 0 tend to continue in loops that are easy to draft: speculative decoding looks better than on real text.",
        "Willekeurige prompts met greedy drafts",
        "Willekeurige prompts bij temperatuur 0 lopen vaak uit op herhaling die makkelijk te voorspellen is: speculative decoding lijkt beter dan op echte tekst.",
    ),
    "client-not-stated": _t(
        "Client not stated",
        "The benchmark client is not stated: how the times were taken is unknown.",
        "Client niet vermeld",
        "De benchmarkclient is niet vermeld: hoe de tijden zijn gemeten is onbekend.",
    ),
    "prefix-caching-not-stated": _t(
        "Prefix caching not stated",
        "Whether prefix caching was on is not stated.",
        "Prefixcaching niet vermeld",
        "Of prefixcaching aan stond is niet vermeld.",
    ),
    "eos-not-stated": _t(
        "EOS handling not stated",
        "Whether EOS was ignored is not stated: outputs may have ended early.",
        "Omgang met EOS niet vermeld",
        "Of EOS werd genegeerd is niet vermeld: uitvoer kan eerder zijn gestopt.",
    ),
    "precision-not-stated": _t(
        "Precision not stated",
        "The precision or quantisation of the weights is not stated.",
        "Precisie niet vermeld",
        "De precisie of kwantisatie van de gewichten is niet vermeld.",
    ),
    "parallelism-not-stated": _t(
        "Parallelism not fully stated",
        "Not stated: {settings}.",
        "Parallellisme niet volledig vermeld",
        "Niet vermeld: {settings}.",
    ),
    "nominal-lengths": _t(
        "Lengths by name only",
        "ISL and OSL are known by name ({names}); the exact lengths are not stated.",
        "Lengtes alleen bij naam",
        "ISL en OSL zijn bij naam bekend ({names}); de exacte lengtes zijn niet vermeld.",
    ),
    "disputed": _t(
        "Disputed settings",
        "Two sources differ about {settings}; both are kept.",
        "Betwiste instellingen",
        "Twee bronnen verschillen over {settings}; beide zijn bewaard.",
    ),
    "failed-requests": _t(
        "Failed requests",
        "{failed} of {attempted} requests failed. Throughput and latency count successful requests only.",
        "Mislukte verzoeken",
        "{failed} van {attempted} verzoeken mislukten. Doorvoer en wachttijd tellen alleen geslaagde verzoeken.",
    ),
    "historical": _t(
        "Historical",
        "Measured before a change that matters: historical, not current.",
        "Historisch",
        "Gemeten vóór een wijziging die ertoe doet: historisch, niet actueel.",
    ),
    "superseded": _t(
        "Superseded",
        "A newer build or run replaces this figure; it stays true of the old one.",
        "Vervangen",
        "Een nieuwere build of run vervangt dit cijfer; voor de oude blijft het gelden.",
    ),
    "corrected": _t(
        "Corrected",
        "This figure was corrected after it was first given; the old value stays readable in the history.",
        "Gecorrigeerd",
        "Dit cijfer is na de eerste opgave gecorrigeerd; de oude waarde blijft leesbaar in de geschiedenis.",
    ),
    "withdrawn": _t(
        "Withdrawn",
        "Withdrawn: no longer valid, and in no ratio.",
        "Ingetrokken",
        "Ingetrokken: niet meer geldig, en in geen enkele verhouding.",
    ),
    "estimated": _t(
        "Estimated",
        "An estimate extrapolated from other tests: neither measurement nor promise, and in no ratio.",
        "Geschat",
        "Een schatting, geëxtrapoleerd uit andere tests: geen meting en geen belofte, en in geen enkele verhouding.",
    ),
    "assumed-power": _t(
        "Assumed wattage",
        "Rests on an assumed {watts} W per GPU ({reason}). Dividing by an assumption measures no relative energy efficiency.",
        "Aangenomen vermogen",
        "Berust op een aangenomen {watts} W per GPU ({reason}). Delen door een aanname meet geen relatieve energie-efficiëntie.",
    ),
    "power-scope-gpus": _t(
        "Power of the GPUs only",
        "The watts cover the GPUs only: no host, network, cooling or supply losses.",
        "Alleen GPU-vermogen",
        "Het vermogen omvat alleen de GPUs: geen host, netwerk, koeling of voedingsverliezen.",
    ),
    "pue-on-gpus-only": _t(
        "PUE over the GPUs only",
        "The PUE of {pue} multiplies the watts of the GPUs only: host and network are still not counted.",
        "PUE over alleen de GPUs",
        "De PUE van {pue} vermenigvuldigt alleen het vermogen van de GPUs: host en netwerk zijn nog steeds niet meegeteld.",
    ),
    "idle-power-not-stated": _t(
        "Idle power not stated",
        "At a utilisation of {utilisation} the idle power of the GPUs counts, and it is not stated: no cost is given, and none guessed.",
        "Rustvermogen niet vermeld",
        "Bij een benutting van {utilisation} telt het rustvermogen van de GPUs, en dat is niet vermeld: er is geen bedrag, ook geen geschat.",
    ),
    "power-not-checkable": _t(
        "Published power, not checkable",
        "A published power figure: no log is here to recompute it from.",
        "Gepubliceerd vermogen, niet te controleren",
        "Een gepubliceerd vermogenscijfer: er is hier geen log om het uit na te rekenen.",
    ),
    "power-not-valid": _t(
        "Power log with objections",
        "The power log does not fully carry these figures: {reasons}.",
        "Vermogenslog met bezwaren",
        "De vermogenslog draagt deze cijfers niet volledig: {reasons}.",
    ),
    "power-window-inferred": _t(
        "Benchmark window inferred",
        "The benchmark window is inferred, within about {seconds} s: it was not written down while the run took place.",
        "Meetvenster afgeleid",
        "Het meetvenster is afgeleid, op ongeveer {seconds} s na: het is tijdens de run niet vastgelegd.",
    ),
    "idle-gpus-not-counted": _t(
        "Idle GPUs not counted",
        "{idle} of the node's {node} GPUs took no part; their power is not in these figures.",
        "Ongebruikte GPUs niet meegeteld",
        "{idle} van de {node} GPUs van de node deden niet mee; hun vermogen zit niet in deze cijfers.",
    ),
    "node-not-splittable": _t(
        "A node may not be rentable in part",
        "{active} of {node} GPUs are billed here. Where a node is rented whole, leaving GPUs idle lowers no bill: see the figures for the whole node.",
        "Een node is mogelijk niet deels te huur",
        "Hier worden {active} van {node} GPUs gerekend. Wordt een node als geheel verhuurd, dan verlaagt stilstand de rekening niet: zie de cijfers voor de hele node.",
    ),
    "snapshot-no-mean": _t(
        "A snapshot, not a mean",
        "One moment's reading: it says nothing about the mean over the run.",
        "Een momentopname, geen gemiddelde",
        "Een aflezing op één moment: zij zegt niets over het gemiddelde over de run.",
    ),
    "repeats-not-stated": _t(
        "Repeats not stated",
        "How many runs stand behind these figures is not stated.",
        "Aantal herhalingen niet vermeld",
        "Hoeveel runs achter deze cijfers staan is niet vermeld.",
    ),
    "accuracy-not-validated": _t(
        "Accuracy not validated",
        "No valid evaluation covers this very configuration: that the output is right at this speed is not shown.",
        "Nauwkeurigheid niet gevalideerd",
        "Geen geldige evaluatie dekt precies deze configuratie: dat de uitvoer bij deze snelheid klopt is niet aangetoond.",
    ),
    "house-by-document": _t(
        "By document only",
        "{party} ({relation}) reports these figures; the result files behind them are not here.",
        "Alleen uit een document",
        "{party} ({relation}) geeft deze cijfers op; de resultaatbestanden erachter zijn hier niet.",
    ),
    "published-by-document": _t(
        "Published figure",
        "Published by {party} ({relation}); the result files behind these figures are not here.",
        "Gepubliceerd cijfer",
        "Gepubliceerd door {party} ({relation}); de resultaatbestanden achter deze cijfers zijn hier niet.",
    ),
    "read-via": _t(
        "Read via a third party",
        "Read in {via}, not in the maker's own publication.",
        "Gelezen via een derde",
        "Gelezen in {via}, niet in de eigen publicatie van de maker.",
    ),
    "noted": _t("Statement kept with the figure", "{text}", "Verklaring bij het cijfer", "{text}"),
    "cannot-follow": _t(
        "Printed figure cannot follow",
        "The printed {printed} cannot follow from its printed inputs: {formula} gives {computed}.",
        "Gedrukt cijfer kan niet volgen",
        "De gedrukte waarde {printed} kan niet volgen uit de gedrukte invoer: {formula} geeft {computed}.",
    ),
    "agrees-within-rounding": _t(
        "Agrees within rounding",
        "Printed as {printed}; {formula} gives {computed}. Both agree within the printed rounding.",
        "Klopt binnen de afronding",
        "Gedrukt als {printed}; {formula} geeft {computed}. Beide kloppen binnen de gedrukte afronding.",
    ),
    "total-output-mismatch": _t(
        "Total and output throughput disagree",
        "Total throughput is {total} tok/s, but the output throughput and the lengths of the requests give {expected} tok/s.",
        "Totale en uitvoerdoorvoer spreken elkaar tegen",
        "De totale doorvoer is {total} tok/s, maar de uitvoerdoorvoer en de lengtes van de verzoeken geven {expected} tok/s.",
    ),
    "above-concurrency": _t(
        "More in flight than the limit",
        "By Little's law {measured} requests were in flight on average, above the limit of {limit}.",
        "Meer onderweg dan de limiet",
        "Volgens de wet van Little waren gemiddeld {measured} verzoeken onderweg, boven de limiet van {limit}.",
    ),
    "tokens-mismatch": _t(
        "Tokens and throughput disagree",
        "The file gives {throughput} output tok/s, but its tokens over its duration give {expected} tok/s.",
        "Tokens en doorvoer spreken elkaar tegen",
        "Het bestand geeft {throughput} uitvoer-tok/s, maar de tokens over de duur geven {expected} tok/s.",
    ),
    "gpu-count-differs": _t(
        "Other number of GPUs",
        "{mine} active GPUs against {theirs}: per GPU the difference is {gpu_ratio} %, but for the whole node it is {node_ratio} %.",
        "Ander aantal GPUs",
        "{mine} actieve GPUs tegenover {theirs}: per GPU is het verschil {gpu_ratio} %, maar voor de hele node {node_ratio} %.",
    ),
    "gpu-count-differs-plain": _t(
        "Other number of GPUs",
        "{mine} active GPUs against {theirs}: a figure per GPU hides what the whole node delivers.",
        "Ander aantal GPUs",
        "{mine} actieve GPUs tegenover {theirs}: een cijfer per GPU verhult wat de hele node levert.",
    ),
    "cap-differs": _t(
        "Other power cap",
        "Power cap {mine} W per GPU against {theirs} W.",
        "Andere vermogenslimiet",
        "Vermogenslimiet {mine} W per GPU tegenover {theirs} W.",
    ),
    "temperature-differs": _t(
        "Other sampling temperature",
        "Sampling temperature {mine} against {theirs}.",
        "Andere samplingtemperatuur",
        "Samplingtemperatuur {mine} tegenover {theirs}.",
    ),
    "speculation-differs": _t(
        "Other speculative decoding",
        "Speculative decoding differs: {settings}.",
        "Andere speculative decoding",
        "Speculative decoding verschilt: {settings}.",
    ),
    "client-differs": _t(
        "Other client",
        "Timed by {mine} against {theirs}.",
        "Andere client",
        "Gemeten met {mine} tegenover {theirs}.",
    ),
    "prefix-caching-differs": _t(
        "Other prefix caching",
        "Prefix caching {mine} against {theirs}.",
        "Andere prefixcaching",
        "Prefixcaching {mine} tegenover {theirs}.",
    ),
    "eos-differs": _t(
        "Other EOS handling",
        "Ignore EOS {mine} against {theirs}.",
        "Andere omgang met EOS",
        "EOS negeren {mine} tegenover {theirs}.",
    ),
    "precision-differs": _t(
        "Other precision",
        "Precision {mine} against {theirs}.",
        "Andere precisie",
        "Precisie {mine} tegenover {theirs}.",
    ),
    "parallelism-differs": _t(
        "Other parallelism",
        "Parallelism differs: {settings}.",
        "Ander parallellisme",
        "Het parallellisme verschilt: {settings}.",
    ),
    "node-differs": _t(
        "Other node", "Run on {mine} against {theirs}.", "Andere node", "Gedraaid op {mine} tegenover {theirs}."
    ),
    "date-differs": _t(
        "Other date", "Run on {mine} against {theirs}.", "Andere datum", "Gedraaid op {mine} tegenover {theirs}."
    ),
    "accelerator-differs": _t(
        "Other accelerator",
        "{mine} against {theirs}.",
        "Andere accelerator",
        "{mine} tegenover {theirs}.",
    ),
    "power-scope-differs": _t(
        "Watts cover different things",
        "The watts cover {mine} against {theirs}.",
        "Vermogen omvat iets anders",
        "Het vermogen omvat {mine} tegenover {theirs}.",
    ),
    "definition-differs": _t(
        "Defined differently",
        "The two sides do not mean the same quantity by this name: see how each defines it.",
        "Anders gedefinieerd",
        "Beide kanten bedoelen met deze naam niet dezelfde grootheid: zie hoe elk haar definieert.",
    ),
    "separate-nodes": _t(
        "Separate runs on separate nodes",
        "Separate runs by different parties on different nodes: no controlled comparison of software on one machine.",
        "Afzonderlijke runs op verschillende nodes",
        "Afzonderlijke runs van verschillende partijen op verschillende nodes: geen gecontroleerde softwarevergelijking op één machine.",
    ),
    "one-against-mean": _t(
        "One run against a mean",
        "A mean of several runs stands against a single run ({mine} against {theirs}).",
        "Eén run tegenover een gemiddelde",
        "Een gemiddelde van meerdere runs staat tegenover één run ({mine} tegenover {theirs}).",
    ),
    "latency-worse": _t(
        "Latency is worse",
        "Throughput is higher, but users wait longer: {names} is worse.",
        "Wachttijd is slechter",
        "De doorvoer is hoger, maar gebruikers wachten langer: {names} is slechter.",
    ),
    "latency-better": _t(
        "Latency is better",
        "Throughput is lower, but {names} is better.",
        "Wachttijd is beter",
        "De doorvoer is lager, maar {names} is beter.",
    ),
}
