import type { FormatInfo, FormatName } from '../../../core/export/formats.ts';
import { FORMATS, findFormat } from '../../../core/export/formats.ts';
import { didYouMean } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { openAtif } from './atif.ts';
import type { CardHead } from './card.ts';
import { configsOf } from './card-configs.ts';
import { videoguiCard } from './card-videogui.ts';
import { openLlamaFactory, openMsSwift } from './chat.ts';
import { openGroundcua, openVideocua } from './cua-suite.ts';
import { openCuaVerifierBench } from './cua-verifier.ts';
import { openCoco, openImagefolder, openScreenspot, openScreenspotPro } from './grounding.ts';
import { openLerobot } from './lerobot.ts';
import { openOsworld } from './osworld.ts';
import { openAgentnet, openAgentnetBench, openOpencua } from './trajectories.ts';
import { openVideogui } from './videogui.ts';
import { openWebdataset } from './webdataset.ts';
import type { OpenWriter, WriterResult } from './writer.ts';

/** The writer of each format. A format is whole when it stands in core/export/formats.ts, here and in validate.ts. */
export const WRITERS: Readonly<Record<FormatName, OpenWriter>> = {
  videogui: openVideogui,
  agentnet: openAgentnet,
  opencua: openOpencua,
  agentnetbench: openAgentnetBench,
  atif: openAtif,
  osworld: openOsworld,
  'ms-swift': openMsSwift,
  llamafactory: openLlamaFactory,
  screenspot: openScreenspot,
  'screenspot-pro': openScreenspotPro,
  coco: openCoco,
  imagefolder: openImagefolder,
  webdataset: openWebdataset,
  'cua-verifier-bench': openCuaVerifierBench,
  lerobot: openLerobot,
  videocua: openVideocua,
  groundcua: openGroundcua,
};

/** Throws UNKNOWN_FORMAT with those that there are. */
export function formatOf(name: string): FormatInfo & { name: FormatName } {
  const format = findFormat(name);
  if (format) return format;
  const known = FORMATS.map((each) => each.name);
  const near = didYouMean(name, known);
  throw new StudioError('UNKNOWN_FORMAT', `The format "${name}" is not known.${near} Known: ${known.join(', ')}.`, {
    format: name,
  });
}

/** A format with its choices made. */
export type FormatRequest = {
  format: FormatInfo & { name: FormatName };
  parts: readonly string[];
  options: Readonly<Record<string, string>>;
};

/**
 * Fills in what was not chosen. Throws USAGE when a part or an option is none of the format's, or a value none of the
 * option's.
 */
export function requestOf(
  name: string,
  chosen: { parts?: readonly string[] | undefined; options?: Readonly<Record<string, string>> } = {},
): FormatRequest {
  const format = formatOf(name);
  const given = chosen.options ?? {};
  for (const option of Object.keys(given)) {
    if (!format.options.some((each) => each.name === option)) {
      const known = format.options.map((each) => each.name).join(', ') || 'none';
      throw usage(`${format.name} has no option "${option}". It has: ${known}.`, { format: name, option });
    }
  }
  const options = format.options.map(({ name: option, values, default: fallback }) => {
    const value = given[option] ?? fallback;
    if (values.some((each) => each.name === value)) return [option, value] as const;
    const known = values.map((each) => each.name).join(', ');
    throw usage(`${option} of ${format.name} cannot be "${value}". It is one of ${known}.`, { format: name, option });
  });
  const parts = [...new Set(chosen.parts ?? format.defaultParts)].sort();
  for (const part of parts) {
    if (!format.parts.some((each) => each.name === part)) {
      const known = format.parts.map((each) => each.name).join(', ');
      const what = known ? `It has: ${known}.` : 'It is written as a whole.';
      throw usage(`${format.name} has no part "${part}". ${what}`, { format: name, part });
    }
  }
  return { format, parts, options: Object.fromEntries(options) };
}

function usage(message: string, details: Record<string, unknown>): StudioError {
  return new StudioError('USAGE', message, details);
}

/** How to load each format, on its card. */
const ABOUT: Readonly<Record<Exclude<FormatName, 'videogui'>, readonly string[]>> = {
  agentnet: ['`agentnet.jsonl` has a task a line, `images/` the screenshots. Coordinates in the code are 0 to 1.'],
  opencua: [
    '`opencua.jsonl` has a trajectory a line, `images/` the screenshots. Coordinates are 0 to 1; `pixel_bbox` is in pixels.',
  ],
  agentnetbench: [
    'For the evaluator of AgentNetBench: `python run.py --data data --image_dir data/images …`. Coordinates are 0 to 1.',
  ],
  atif: [
    '`trajectories/` has a run a task, for whatever reads ATIF 1.7; its pictures are in `trajectories/images/`, named from there.',
    '`runs.jsonl` lists the runs. Places in calls are pixels of the screen before the step: the observation before it (of the',
    'first, the last picture of the user’s message), and `extra.trajectory_studio.screen_before`. What a person did says `llm_call_count` 0.',
  ],
  osworld: [
    'For OSWorld’s `show_result.py --result_dir .` (model `human`): a run a folder, `traj.jsonl` its steps, each with the screen after it.',
    '`runs.jsonl` lists the runs. `action` is PyAutoGUI in px of the screen before (`step_0` before the first); `result.txt` is 1.0 where',
    'playing proved the task, 0.0 where it did not, and is not there where nobody tried. `trajectory_studio` says what was meant.',
  ],
  'ms-swift': [
    '`swift sft --dataset messages.jsonl` (or `trajectory.jsonl`, `grounding.jsonl`), from this folder: image paths begin',
    'here. Boxes are pixels (`bbox_type` real); ms-swift fits them to the model. `candidates.jsonl` is for `swift rlhf --rlhf_type grpo`:',
    '`reward` (the checks’ graded score; of a step how far it is what the person did), `reward_success`, `reward_judges` and',
    '`reward_people` come to your reward function with `solution`, what was answered. `pairs.jsonl` is for `swift rlhf --rlhf_type dpo` (also orpo, cpo, simpo, rm with `margin`).',
  ],
  llamafactory: [
    '`llamafactory-cli train … --dataset_dir . --dataset trajectory_studio`, of a split `trajectory_studio_train`: the names are',
    'in dataset_info.json; image paths begin here.',
  ],
  screenspot: [
    '`screenspot_desktop.json` lists the elements, `screenspot_imgs/` has the pictures.',
    '`bbox` is left, top, WIDTH, HEIGHT in pixels. `data_type` is null: nobody said what is text and what an icon.',
    'SeeClick’s evaluation counts whatever is not "text" as an icon: read its sum over both, not the two by themselves.',
  ],
  'screenspot-pro': [
    '`annotations/` has a file an application and system, `images/` the pictures.',
    '`bbox` is left, top, RIGHT, BOTTOM in pixels.',
  ],
  coco: [
    '`annotations/instances.json` for pycocotools, `images/` has the pictures.',
    '`bbox` is left, top, width, height in pixels. Only elements that people acted on have boxes, not all that are seen.',
  ],
  imagefolder: ['`load_dataset(".")`. Boxes are left, top, width, height in pixels.'],
  webdataset: [
    'For `webdataset.WebDataset("shard-{000000..000000}.tar").decode("pil").to_tuple("png;jpg", "json")`, with the last shard’s number.',
    'A step is a sample: the screen before it, `.after` the screen after it where that was asked for, and `json` what was done.',
    'Boxes are left, top, width, height in pixels.',
  ],
  'cua-verifier-bench': [
    'Two configs in the columns of microsoft/CUAVerifierBench (arXiv 2604.06240), joined on `task_id`: `trajectories` has a row a trajectory,',
    '`annotations` a row a trajectory and person who reviewed it. `load_dataset(".", "trajectories")`, `load_dataset(".", "annotations")`.',
    '',
    '**`uv_rubric_score` and `uv_outcome_success` are the word of models that this workspace asked as judges, not of Microsoft’s Universal',
    'Verifier**; `trajectory_studio` and `gpt_eval_json` name them, and both columns are null where none was asked, or the panel was unsure.',
    '`mm_is_success` and `verifier_is_success` are null: those verifiers are not here. Labels of people are null where nobody reviewed.',
    'Reviewers are never shown a judge’s verdict before they say theirs, so the columns `informed_*` are empty. They are `Judge1`, `Judge2`, …',
    'without their names, the same person the same number.',
    '',
    'Line n of `web_surfer_log` is done on screenshot n, places are its pixels; the last screenshot is the one after everything. `other` is',
    'an action that the words of `computer_use` cannot say. A desktop has no address: `init_url` and `url` are empty. `trajectory_studio` is',
    'JSON of what else is known: run or demonstration, agent, model, checks, proof, whose each step is.',
  ],
  lerobot: [
    'For `LeRobotDataset(repo_id, root=…)`, this folder being its root. A task is an episode, a frame a step: the screen before it',
    'and what was done there; `recorded_at` says when. `action` is x, y, end_x, end_y as shares of the frame (-1 where the step has',
    'none), scroll_x, scroll_y; `action.code` the whole step. Narrations and calls are in `language_events`, subtasks in',
    '`language_persistent`.',
  ],
  videocua: [
    'For CUA-Suite’s `convert_videocua.py --data_dir data`. A task’s `video/video.mp4` shows the screen before each step for a second;',
    '`timestamp` and places are those of the video, `trajectory_studio` says what was meant and when it was done.',
  ],
  groundcua: [
    '`images/` has the screens, `data/` the elements that people acted on, `instructions.json` what was asked for. `bbox` is left, top,',
    'RIGHT, BOTTOM in pixels. `category` is null: nobody sorted them. Only elements that were acted on have boxes, not all that are seen.',
  ],
};

/** How conversations say what is done, and in what their places count. */
const ANSWERS: Readonly<Record<string, string>> = {
  code: 'Answers end in PyAutoGUI code, whose places are 0 to 1.',
  anthropic:
    'Answers call the tools of `computer_toolset_20260801`, a line a call; places are pixels of the picture of their turn.',
  openai: 'Answers are a `computer_call` with its `actions`; places are pixels of the picture of their turn.',
  'ui-tars':
    'Answers are `Thought:` and `Action:` of UI-TARS 1.5; places are pixels of the picture of their turn, before any resizing.',
  'ui-tars-2':
    'Answers call by `<seed:tool_call>` of UI-TARS 2; places are pixels of the picture of their turn, before any resizing.',
  qwen: 'Answers call `computer_use` by `<tool_call>`; places are 0 to 1000 of the picture of their turn, as Qwen3-VL counts.',
  tools:
    'Steps are calls of the tool `computer` in `tools` (`thought`, `intent`, `actions` in OpenAI’s words), in turns of their own; places are pixels of the picture of their turn.',
};
const answerLines = ({ answer }: Readonly<Record<string, string>>): string[] =>
  answer === undefined ? [] : [ANSWERS[answer] ?? ''];

/** `counts`: what was written, by file; `about`: what its writer says of it; `folders`: those of splits, where there are any. */
export function cardOf(
  { format, options }: FormatRequest,
  { counts, about = [] }: Pick<WriterResult, 'counts' | 'about'>,
  folders: readonly string[] = [],
): CardHead {
  if (format.name === 'videogui') return videoguiCard(counts, folders);
  return {
    name: format.title,
    heading: `Recorded demonstrations as ${format.title}`,
    ...configsOf(format.name, counts, folders),
    about: [format.purpose, '', ...ABOUT[format.name], ...answerLines(options), ...about, ''],
  };
}
