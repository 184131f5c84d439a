"""Installs aiperf into an environment of its own, with a small byte-level tokenizer so that it needs no network later.

Run as a script, ``install.py FOLDER VERSION``, by any Python; it prints what it does and is safe to repeat.
"""

import subprocess
import sys
import time
from pathlib import Path

TOKENIZER = """
import json, sys
from pathlib import Path
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
made = Tokenizer(models.BPE(vocab={char: number for number, char in enumerate(alphabet)}, merges=[]))
made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
made.decoder = decoders.ByteLevel()
made.save(str(folder / "tokenizer.json"))
config = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 131072, "eos_token": "!", "pad_token": "!"}
(folder / "tokenizer_config.json").write_text(json.dumps(config))
"""


def main(arguments: list[str]) -> int:
    folder, version = Path(arguments[0]), arguments[1]
    done, environment = folder / "aiperf.done", folder / "aiperf"
    if done.is_file() and done.read_text(encoding="ascii") == version:
        say(f"aiperf {version} is installed already")
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    done.unlink(missing_ok=True)
    began = time.monotonic()
    python = environment / "bin" / "python"
    steps = [
        ("Making an environment", [sys.executable, "-m", "venv", "--clear", str(environment)]),
        (f"Installing aiperf {version} from PyPI: about 90 s and 1.2 GB",
         [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off",
          f"aiperf=={version}"]),
        ("Making a byte-level tokenizer", [str(python), "-c", TOKENIZER, str(folder / "byte-tokenizer")]),
        ("Asking it for its version", [str(environment / "bin" / "aiperf"), "--version"]),
    ]  # fmt: skip
    for number, (words, command) in enumerate(steps, 1):
        say(f"[{number}/{len(steps)}] {words} ...")
        code = subprocess.run(command, check=False).returncode
        if code != 0:
            say(f"failed with code {code}; nothing is marked as installed")
            return 1
    done.write_text(version, encoding="ascii")
    say(f"aiperf {version} is installed ({time.monotonic() - began:.0f} s)")
    return 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
