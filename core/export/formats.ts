/** The formats that an export can be written in, for the command line and the pages alike. */

type FormatChoice = { name: string; what: string };

/** A choice that changes what is written: one of `values`. */
type FormatOption = { name: string; what: string; values: readonly FormatChoice[]; default: string };

export type FormatInfo = {
  name: string;
  title: string;
  /** Its purpose, in a sentence. */
  purpose: string;
  /** Parts that can be chosen; empty when there is only one. */
  parts: readonly FormatChoice[];
  defaultParts: readonly string[];
  options: readonly FormatOption[];
};

const choice = (name: string, what: string): FormatChoice => ({ name, what });

const SCREEN_AFTER: FormatOption = {
  name: 'after',
  what: 'the screen after a step as a second picture',
  values: [choice('no', 'only the screen before'), choice('yes', 'both; steps without one are left out')],
  default: 'no',
};

const SAMPLES: FormatOption = {
  name: 'samples',
  what: 'what one conversation holds',
  values: [choice('task', 'a task, a turn a step'), choice('step', 'a step, with the steps so far in words')],
  default: 'task',
};

/** Its names are those of core/export/chat/words.ts. */
const ANSWER: FormatOption = {
  name: 'answer',
  what: 'in which words conversations say what is done',
  values: [
    choice('code', 'PyAutoGUI code, places from 0 to 1'),
    choice('anthropic', 'tools of Anthropic’s computer toolset, places in pixels'),
    choice('openai', 'actions of OpenAI’s computer tool, places in pixels'),
    choice('ui-tars', 'calls of UI-TARS 1.5, places in pixels'),
    choice('ui-tars-2', 'calls of UI-TARS 2, places in pixels'),
    choice('qwen', 'tool calls of Qwen3-VL, places from 0 to 1000'),
    choice('tools', 'turns of tool calls as ShareGPT has them, places in pixels'),
  ],
  default: 'code',
};

const INSTRUCTION: FormatOption = {
  name: 'instruction',
  what: 'what the question asks for',
  values: [choice('narration', 'the step in words'), choice('element', 'the element’s name')],
  default: 'narration',
};

const FILM: FormatOption = {
  name: 'video',
  what: 'how its videos are encoded',
  values: [choice('plain', 'H.264 that every player shows'), choice('exact', 'H.264 that keeps every pixel')],
  default: 'plain',
};

export const FORMATS = [
  {
    name: 'videogui',
    title: 'VideoGUI',
    purpose: 'The benchmark of instructional videos: high plan, mid plan and action, as Parquet for Hugging Face.',
    parts: [
      choice('parquet', 'the three data sets'),
      choice('jsonl', 'the same as JSON Lines, with what Parquet has no place for'),
      choice('raw', 'the raw log with videos, as the authors keep it'),
    ],
    defaultParts: ['parquet'],
    options: [
      {
        name: 'scrollSign',
        what: 'the sign of scroll_value',
        values: [choice('up-positive', 'positive = up'), choice('down-positive', 'positive = down')],
        default: 'up-positive',
      },
    ],
  },
  {
    name: 'agentnet',
    title: 'AgentNet JSON Lines',
    purpose: 'Training trajectories as OpenCUA publishes them: a task a line, PyAutoGUI code a step.',
    parts: [],
    defaultParts: [],
    options: [],
  },
  {
    name: 'opencua',
    title: 'OpenCUA standardized trajectories',
    purpose: 'The form that OpenCUA’s data processor reads: observations and actions in turn.',
    parts: [],
    defaultParts: [],
    options: [],
  },
  {
    name: 'agentnetbench',
    title: 'AgentNetBench',
    purpose: 'Offline evaluation of an agent’s next action: a file a task, with the boxes that count as right.',
    parts: [],
    defaultParts: [],
    options: [],
  },
  {
    name: 'atif',
    title: 'ATIF',
    purpose:
      'Runs as viewers and evaluators of agents read them (Agent Trajectory Interchange Format 1.7): a file a task.',
    parts: [],
    defaultParts: [],
    options: [],
  },
  {
    name: 'osworld',
    title: 'OSWorld',
    purpose: 'Runs as OSWorld keeps them: a folder a task with its steps, screens, recording and result.',
    parts: [],
    defaultParts: [],
    options: [],
  },
  {
    name: 'ms-swift',
    title: 'ms-swift',
    purpose: 'Fine-tuning with ms-swift: conversations, the trajectory form of NaturalGAIA, grounding.',
    parts: [
      choice('messages', 'conversations, the screen and the next step in turn'),
      choice('trajectory', 'the whole trace as one answer, with thoughts and observations'),
      choice('grounding', 'where is the element, with boxes that ms-swift fits to the model'),
      choice('candidates', 'runs, or answers to steps, with their rewards, for GRPO'),
      choice('pairs', 'a better and a worse run of a task, or answer to a step, for DPO'),
    ],
    defaultParts: ['messages', 'trajectory', 'grounding'],
    options: [SAMPLES, ANSWER],
  },
  {
    name: 'llamafactory',
    title: 'LLaMA-Factory',
    purpose: 'Fine-tuning with LLaMA-Factory: conversations in ShareGPT form and their dataset_info.json.',
    parts: [],
    defaultParts: [],
    options: [SAMPLES, ANSWER],
  },
  {
    name: 'screenspot',
    title: 'ScreenSpot',
    purpose: 'Grounding: an instruction and the element’s box as left, top, width, height.',
    parts: [],
    defaultParts: [],
    options: [INSTRUCTION],
  },
  {
    name: 'screenspot-pro',
    title: 'ScreenSpot-Pro',
    purpose: 'Grounding in professional software: boxes as left, top, right, bottom, a file an application.',
    parts: [],
    defaultParts: [],
    options: [INSTRUCTION],
  },
  {
    name: 'coco',
    title: 'COCO',
    purpose: 'Object detection: pictures, boxes and categories in one JSON file.',
    parts: [],
    defaultParts: [],
    options: [
      {
        name: 'categories',
        what: 'what boxes are sorted by',
        values: [choice('one', 'all are elements'), choice('action', 'by what was done to them')],
        default: 'one',
      },
    ],
  },
  {
    name: 'imagefolder',
    title: 'Hugging Face imagefolder',
    purpose: 'Pictures with metadata.parquet, for load_dataset.',
    parts: [],
    defaultParts: [],
    options: [
      SCREEN_AFTER,
      {
        name: 'splits',
        what: 'what becomes of the data set’s splits',
        values: [choice('yes', 'a folder each'), choice('no', 'all in train/')],
        default: 'yes',
      },
    ],
  },
  {
    name: 'webdataset',
    title: 'WebDataset',
    purpose: 'Training from a stream: shards as .tar, a step a sample, its picture beside what was done as JSON.',
    parts: [],
    defaultParts: [],
    options: [SCREEN_AFTER],
  },
  {
    name: 'cua-verifier-bench',
    title: 'CUAVerifierBench',
    purpose: 'Evaluating judges of agents: trajectories beside what judges and people who reviewed say of them.',
    parts: [],
    defaultParts: [],
    options: [
      {
        name: 'comments',
        what: 'what people wrote in their reviews',
        values: [
          choice('yes', 'goes out as they wrote it; their names never do'),
          choice('no', 'stays here, only their judgements go out'),
        ],
        default: 'yes',
      },
    ],
  },
  {
    name: 'lerobot',
    title: 'LeRobot',
    purpose: 'Training policies with LeRobot (LeRobotDataset 3.0): an episode a task, a frame a step, with videos.',
    parts: [],
    defaultParts: [],
    options: [FILM],
  },
  {
    name: 'videocua',
    title: 'VideoCUA',
    purpose: 'Action logs with videos, as CUA-Suite’s pipeline reads them: a folder a task.',
    parts: [],
    defaultParts: [],
    options: [FILM],
  },
  {
    name: 'groundcua',
    title: 'GroundCUA',
    purpose: 'Grounding as CUA-Suite keeps it: screens with the boxes of their elements, and instructions.',
    parts: [],
    defaultParts: [],
    options: [],
  },
] as const satisfies readonly FormatInfo[];

export type FormatName = (typeof FORMATS)[number]['name'];

/** A format by its name; undefined when there is none. */
export function findFormat(name: string): (FormatInfo & { name: FormatName }) | undefined {
  return FORMATS.find((format) => format.name === name);
}
