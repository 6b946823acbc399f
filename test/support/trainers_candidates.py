"""
Reads candidates.jsonl and pairs.jsonl with ms-swift's own code: `trainers_candidates.py FOLDER EXPORT`, FOLDER as for trainers.py.
Rows go through the converter of data sets, and from there into the inputs of a template, as GRPO and DPO take them. Prints what came
of them as JSON.
"""

import json
import os
import sys

import datasets
import trainers

trainers.swift(sys.argv[1])
from swift.dataset.preprocessor import AutoPreprocessor  # noqa: E402
from swift.template.template_inputs import TemplateInputs  # noqa: E402

EXPORT = sys.argv[2]


def rows(name):
    data = datasets.load_dataset("json", data_files=[os.path.join(EXPORT, name)], split="train")
    made = list(AutoPreprocessor()(data, strict=True, load_from_cache_file=False))
    assert len(made) == len(data), f"{len(data) - len(made)} rows of {name} were refused"
    return made


def side(inputs):
    """A conversation as the template gets it: what the system says, pictures that are there, marks, turns, the last answer."""
    pictures = [image["path"] if isinstance(image, dict) else image for image in inputs.images]
    return {
        "system": inputs.system,
        "turns": len(inputs.messages),
        "marks": sum(message["content"].count("<image>") for message in inputs.messages),
        "pictures": sum(os.path.isfile(os.path.join(EXPORT, picture)) for picture in pictures),
        "last": inputs.messages[-1]["content"],
    }


candidates = [
    {
        **side(TemplateInputs.from_dict(dict(row)).chosen),
        # All other columns: they are what a reward function is given.
        "given": {key: value for key, value in row.items() if key not in ("messages", "images")},
    }
    for row in rows("candidates.jsonl")
]
pairs = []
for row in rows("pairs.jsonl"):
    inputs = TemplateInputs.from_dict(dict(row))
    pairs.append({"chosen": side(inputs.chosen), "rejected": side(inputs.rejected), "margin": inputs.chosen.margin})
print(json.dumps({"candidates": candidates, "pairs": pairs}))
