"""
Reads exports with the converters of ms-swift and LLaMA-Factory as they are in their repositories: `trainers.py FOLDER EXPORTS`,
where FOLDER holds both checkouts and EXPORTS a folder for each export. Prints what each converter made of it, as JSON.
Of both only the modules that read data are loaded; what they import of torch and transformers, and do not use, is a stand-in here.
"""

import json
import logging
import os
import sys
import tempfile
import types
from contextlib import nullcontext
from types import SimpleNamespace

import datasets

datasets.disable_progress_bars()


def package(name, path=None, **members):
    """A package whose own __init__ is not run."""
    module = types.ModuleType(name)
    module.__path__ = [path] if path else []
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module
    return module


def llamafactory(root):
    source = os.path.join(root, "LLaMA-Factory", "src", "llamafactory")
    package("llamafactory", source)
    package("llamafactory.data", os.path.join(source, "data"))
    package("llamafactory.extras", os.path.join(source, "extras"))
    package("llamafactory.extras.misc", use_modelscope=lambda: False, use_openmind=lambda: False)
    package("peft")
    package("peft.utils", SAFETENSORS_WEIGHTS_NAME="", WEIGHTS_NAME="")
    package("transformers")
    package("transformers.utils", SAFE_WEIGHTS_INDEX_NAME="", SAFE_WEIGHTS_NAME="", WEIGHTS_INDEX_NAME="", WEIGHTS_NAME="")
    from llamafactory.data.converter import align_dataset
    from llamafactory.data.parser import get_dataset_list

    # `datasets` asks for it where it is loaded.
    del sys.modules["transformers"]

    def read(folder):
        names = list(json.load(open(os.path.join(folder, "dataset_info.json"))))
        rows = []
        for attr in get_dataset_list(names, folder):
            file = os.path.join(folder, attr.dataset_name)
            data = datasets.load_dataset("json", data_files=[file], split="train")
            args = SimpleNamespace(media_dir=folder, streaming=False, preprocessing_num_workers=None, overwrite_cache=True)
            training = SimpleNamespace(local_process_index=0)
            rows += list(align_dataset(data, attr, args, training))
        return {
            "rows": len(rows),
            # A row that the converter does not take has no prompt.
            "refused": sum(not row["_prompt"] or not row["_response"] for row in rows),
            "turns": sum(len(row["_prompt"]) + len(row["_response"]) for row in rows),
            "marks": sum(turn["content"].count("<image>") for row in rows for turn in row["_prompt"] + row["_response"]),
            "pictures": sum(os.path.isfile(image) for row in rows for image in row["_images"] or []),
            "tools": sum(bool(row["_tools"]) for row in rows),
            "called": sum(turn["role"] in ("function", "observation") for row in rows for turn in row["_prompt"] + row["_response"]),
            "last": [row["_response"][-1]["content"] for row in rows if row["_response"]],
        }

    return read


def swift(root):
    source = os.path.join(root, "ms-swift", "swift")
    package("swift", source)
    package("swift.dataset", os.path.join(source, "dataset"))
    package("swift.dataset.utils", sample_dataset=lambda data, *_: data)
    package("swift.template", os.path.join(source, "template"), history_to_messages=None, MaxLengthError=ValueError)
    package(
        "swift.utils",
        get_logger=lambda: logging.getLogger("swift"),
        is_dist=lambda: False,
        is_master=lambda: True,
        safe_ddp_context=lambda *_: nullcontext(),
    )
    package("swift.template.utils", Messages=list, Tool=dict, get_last_user_round=None, messages_to_history=None)
    for name in ("modelscope", "modelscope.hub", "modelscope.hub.utils"):
        package(name)
    package("modelscope.hub.utils.utils", get_cache_dir=tempfile.mkdtemp)
    from swift.dataset.preprocessor import AutoPreprocessor

    def read(folder):
        data = datasets.load_dataset("json", data_files=[os.path.join(folder, "messages.jsonl")], split="train")
        made = list(AutoPreprocessor()(data, strict=True, load_from_cache_file=False))
        pictures = [image["path"] for row in made for image in row["images"] or []]
        return {
            "rows": len(data),
            "refused": len(data) - len(made),
            "turns": sum(len(row["messages"]) for row in made),
            "marks": sum(turn["content"].count("<image>") for row in made for turn in row["messages"]),
            "pictures": sum(os.path.isfile(os.path.join(folder, path)) for path in pictures),
            "tools": sum(bool(row.get("tools")) for row in made),
            "called": sum(turn["role"] in ("tool_call", "tool_response") for row in made for turn in row["messages"]),
            "last": [row["messages"][-1]["content"] for row in made],
        }

    return read


if __name__ == "__main__":
    readers = {"llamafactory": llamafactory(sys.argv[1]), "ms-swift": swift(sys.argv[1])}
    found = {}
    for name in sorted(os.listdir(sys.argv[2])):
        reader = readers[next(one for one in readers if name.startswith(one))]
        found[name] = reader(os.path.join(sys.argv[2], name))
    print(json.dumps(found))
