"""
Reads an export with LeRobot's own LeRobotDataset: `trainers_lerobot.py FOLDER EXPORT`, FOLDER as for trainers.py, with LeRobot's
sources in lerobot. Every frame is asked for, with the one before and after it as training does (delta_timestamps), and its picture
decoded from the video. Prints what came of it, as JSON.
Of LeRobot only the modules that read data are loaded; what they import of others and do not use (draccus, torchvision, processors,
the encoder's options) is a stand-in here. So is one that reads JSON, where Python is older than its syntax (3.12).
"""

import hashlib
import json
import os
import sys

import datasets
import torch  # noqa: F401
from trainers import package

FOLDER, EXPORT = sys.argv[1:3]
SOURCE = os.path.join(FOLDER, "lerobot", "src", "lerobot")
SCREEN = "observation.images.screen"
datasets.disable_progress_bars()


def read(file):
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)


package("lerobot", SOURCE, __version__="0")
for part in ("datasets", "utils", "configs"):
    package(f"lerobot.{part}", os.path.join(SOURCE, part))
package("draccus")
package("draccus.choice_types", ChoiceRegistry=object)
package("torchvision", transforms=None)
package("lerobot.processor", RelativeActionsProcessorStep=object)
package("lerobot.datasets.pyav_utils", write_u16_plane=None, get_pix_fmt_channels=None)
if sys.version_info < (3, 12):
    package("lerobot.utils.io_utils", load_json=read, write_json=None)
from lerobot.configs import types as kinds, video  # noqa: E402

for module in (kinds, video):
    for key, value in vars(module).items():
        if not key.startswith("_"):
            setattr(sys.modules["lerobot.configs"], key, value)
from lerobot.datasets.lerobot_dataset import LeRobotDataset  # noqa: E402

# A copy that Hugging Face has would be asked for where the one here is not whole: without a network that fails.
data = LeRobotDataset(
    "me/desktop",
    root=EXPORT,
    video_backend="pyav",
    return_uint8=True,
    delta_timestamps={"action": [-1.0, 0.0, 1.0]},
)
frames = []
for number in range(len(data)):
    item = data[number]
    picture = item[SCREEN].permute(1, 2, 0).contiguous().numpy()
    frames.append(
        {
            "task": item["task"],
            "task_id": item["task_id"],
            "kind": item["action.kind"],
            "place": [round(value, 4) for value in item["action"][1].tolist()[:2]],
            "padded": item["action_is_pad"].tolist(),
            "size": list(picture.shape),
            "picture": hashlib.sha256(picture.tobytes()).hexdigest(),
            "calls": [call["function"]["name"] for row in item["language_events"] for call in row["tool_calls"] or []],
            "styles": [row["style"] for row in item["language_persistent"]],
        }
    )
print(
    json.dumps(
        {
            "episodes": data.num_episodes,
            "rows": len(data),
            "tools": [tool["function"]["name"] for tool in data.meta.tools],
            "stats": sorted(data.meta.stats),
            "means": len(data.meta.stats[SCREEN]["mean"].flatten()),
            "frames": frames,
        }
    )
)
