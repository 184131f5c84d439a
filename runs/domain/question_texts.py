"""What to ask a publisher about each setting, in English and in Dutch. A test holds that every setting has both."""

from runs.domain.units import DomainError

ASKS: dict[str, tuple[str, str]] = {
    "accelerator": ("Which accelerator was it, by its full name?", "Welke accelerator was het, met de volledige naam?"),
    "node_gpus": ("How many GPUs did the node have?", "Hoeveel GPU’s had de node?"),
    "active_gpus": (
        "On how many GPUs did the model run?",
        "Op hoeveel GPU’s draaide het model?",
    ),
    "active_gpu_indices": ("On which GPUs of the node did it run?", "Op welke GPU’s van de node draaide het?"),
    "node": ("On which node was it run?", "Op welke node is het gedraaid?"),
    "cpu": ("Which CPUs did the node have?", "Welke CPU’s had de node?"),
    "ram": ("How much RAM did the node have?", "Hoeveel RAM had de node?"),
    "image": ("What was the digest of the container image?", "Wat was de digest van het containerimage?"),
    "max_sequence_length": ("What was the maximum sequence length?", "Wat was de maximale sequentielengte?"),
    "kv_pool_tokens": ("How many tokens did the KV pool hold?", "Hoeveel tokens konden er in de KV-pool?"),
    "client_version": ("Which version of the client was it?", "Welke versie van de client was het?"),
    "client_image": ("Which image did the client come from?", "Uit welk image kwam de client?"),
    "date": ("On what day was it measured?", "Op welke dag is er gemeten?"),
    "power_cap_w": (
        "What power cap was in force per GPU during the run, and how was it read off?",
        "Welke vermogenslimiet gold per GPU tijdens de run, en hoe is die uitgelezen?",
    ),
    "power_scope": (
        "What does the power you state cover: the GPUs, the node, or everything at the wall?",
        "Wat omvat het genoemde vermogen: de GPU’s, de node, of alles aan het stopcontact?",
    ),
    "model": ("Which model was it, by its exact name?", "Welk model was het, met de exacte naam?"),
    "precision": (
        "In what precision or quantisation were weights, KV cache and activations?",
        "In welke precisie of kwantisatie waren gewichten, KV-cache en activaties?",
    ),
    "runtime": ("Which runtime was it?", "Welke runtime was het?"),
    "runtime_version": (
        "Which version or commit of the runtime was it?",
        "Welke versie of commit van de runtime was het?",
    ),
    "tensor_parallel": ("What was the tensor parallelism?", "Wat was de tensorparallelliteit?"),
    "expert_parallel": ("What was the expert parallelism?", "Wat was de expertparallelliteit?"),
    "data_parallel": ("What was the data parallelism?", "Wat was de dataparallelliteit?"),
    "context_parallel": ("What was the context parallelism?", "Wat was de contextparallelliteit?"),
    "cpu_offload": ("Was anything computed or kept on the CPUs?", "Werd er iets op de CPU’s berekend of bewaard?"),
    "prefix_caching": ("Was prefix caching on or off?", "Stond prefixcaching aan of uit?"),
    "chunked_prefill_tokens": ("How large was a prefill chunk?", "Hoe groot was een prefillchunk?"),
    "speculative_method": (
        "Was speculative decoding used, and with what method?",
        "Werd speculative decoding gebruikt, en met welke methode?",
    ),
    "draft_model": ("Which draft model was used?", "Welk draftmodel werd gebruikt?"),
    "draft_count": ("How many tokens were drafted at a time?", "Hoeveel tokens werden er tegelijk voorgesteld?"),
    "draft_acceptance": (
        "Was the acceptance of drafts real, or was it set (synthetic)?",
        "Was de acceptatie van voorgestelde tokens echt, of was die ingesteld (synthetisch)?",
    ),
    "temperature": (
        "At what sampling temperature were the requests run; was it sent by the client or the server’s default?",
        "Bij welke samplingtemperatuur liepen de verzoeken; stuurde de client die mee of was het de serverstandaard?",
    ),
    "top_p": ("With which top-p were tokens drawn?", "Met welke top-p werden tokens getrokken?"),
    "top_k": ("With which top-k were tokens drawn?", "Met welke top-k werden tokens getrokken?"),
    "seed": ("With which seed did the client run?", "Met welke seed liep de client?"),
    "dataset": ("Which dataset were the prompts taken from?", "Uit welke dataset kwamen de prompts?"),
    "prompts": ("Were the prompts real text or random tokens?", "Waren de prompts echte tekst of willekeurige tokens?"),
    "isl": ("How many input tokens exactly did a request have?", "Hoeveel invoertokens had een verzoek precies?"),
    "osl": ("How many output tokens exactly did a request have?", "Hoeveel uitvoertokens had een verzoek precies?"),
    "num_prompts": ("How many requests were run in all?", "Hoeveel verzoeken zijn er in totaal gedaan?"),
    "concurrency": ("How many requests ran at once at most?", "Hoeveel verzoeken liepen er hoogstens tegelijk?"),
    "request_rate": (
        "At what rate were requests sent, or were they sent all at once?",
        "In welk tempo werden verzoeken verstuurd, of werden ze allemaal tegelijk verstuurd?",
    ),
    "ignore_eos": (
        "Was the end-of-sequence token ignored, so that every answer had the full length?",
        "Werd het eindtoken genegeerd, zodat elk antwoord de volle lengte had?",
    ),
    "client": ("With which benchmark client was it measured?", "Met welke benchmarkclient is er gemeten?"),
}  # fmt: skip


def ask(setting: str, language: str) -> str:
    """The question about a setting in ``en`` or ``nl``. Raises DomainError for a setting that nobody asks about."""
    if setting not in ASKS:
        raise DomainError(f"there is no question about {setting}")
    return ASKS[setting][1 if language == "nl" else 0]
