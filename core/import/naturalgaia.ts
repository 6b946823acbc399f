import type { NaturalgaiaEntry } from '../../schemas/import.ts';

/** One step of a trajectory: the tuple (state, reasoning, action, next state, observation) of naturalgaia.txt 4.3. */
export type NaturalGaiaStep = {
  /** Its number there; null when it has none. */
  number: number | null;
  /** Place in `images` of the screen before and after; null when there is none. */
  before: number | null;
  after: number | null;
  thought: string | null;
  actionThought: string | null;
  action: string | null;
  observation: string | null;
};

export type NaturalGaiaTrajectory = {
  /** The instruction. */
  goal: string;
  /** Without its `<answer>` tag; null when there is none. */
  solution: string | null;
  /** The names of its pictures, in the order of the file. */
  images: string[];
  steps: NaturalGaiaStep[];
  /** Everything that did not fit, in words. */
  problems: string[];
};

const STEP = /^={2,}\s*Step\s*(\d+)\s*={2,}\s*$/gim;
/**
 * Headings as printed, `****Thought****`, and as people write them, `**Thought**`. No two runs of blanks stand side by side:
 * how they share a long run would be tried in every way.
 */
const STARRED =
  /^[ \t]*\*{2,4}[ \t]*(Action Thought|Thought|Action|Observation)[ \t]*(?::[ \t]*)?\*{2,4}[ \t]*(?::[ \t]*)?$/gim;
/** Where nothing is starred, a name and a colon at the beginning of a line. */
const PLAIN = /^[ \t]*(Action Thought|Thought|Action|Observation)[ \t]*:[ \t]*/gim;
/** Marks that an export of ours took out of a person's text, because loaders replace them. */
const TAKEN_OUT = /&lt;(\/?)(image|video|audio|bbox|ref-object|think|Observation|answer)&gt;/g;
/** `<image>`, and the printed form, where a file's name stands in it. */
const IMAGE = /<\s*(image[^<>\n]{0,300}?)\s{0,20}>/gi;
const BLOCK = /<\/?\s*(?:think|observation)\s*>/gi;

/**
 * Reads a trajectory of naturalgaia.txt, appendix E: `=== StepN ===`, a think block (image, Thought, Action Thought,
 * Action), an Observation block (image, Observation). Lenient in spelling; what cannot be placed is told, never guessed.
 */
export function readTrajectory({ messages, images, solution }: NaturalgaiaEntry): NaturalGaiaTrajectory {
  const problems: string[] = [];
  const goal =
    messages
      .find(({ role }) => role === 'user')
      ?.content.replace(/\s+/g, ' ')
      .trim() ?? '';
  if (goal === '') problems.push('no message of the user says what is to be reached');
  const trace = messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => content.replace(/\r\n?/g, '\n'))
    .join('\n');
  const shown = imageCounter(images, problems);
  const steps = partsOf(trace).map(({ number, text }) => stepOf(number, text, shown));
  if (steps.length === 0) problems.push('the assistant\'s messages hold no "=== StepN ==="');
  return { goal, solution: answerOf(solution), images, steps, problems };
}

function partsOf(trace: string): { number: number; text: string }[] {
  const heads = [...trace.matchAll(STEP)];
  return heads.map((head, index) => ({
    number: Number(head[1]),
    text: trace.slice(head.index + head[0].length, heads[index + 1]?.index ?? trace.length),
  }));
}

type ShowImage = (mark: string) => number | null;

/** A mark with a name is that image; bare marks go through the images in order. */
function imageCounter(images: readonly string[], problems: string[]): ShowImage {
  const byName = new Map(images.map((name, index) => [plainName(name), index]));
  let next = 0;
  return (mark) => {
    if (/^image$/i.test(mark)) {
      if (next < images.length) return next++;
      problems.push(`more images are shown than the ${images.length} that are listed`);
      return null;
    }
    const found = byName.get(plainName(mark));
    if (found === undefined) problems.push(`the image "${mark.slice(0, 100)}" is shown but not listed`);
    return found ?? null;
  };
}

/** The paper prints `image_17-44-23_1_2.jpg` also as `image17-44-23_1_2.jpg`. */
const plainName = (name: string): string => (name.split(/[\\/]/).at(-1) ?? '').replace(/[\s_]/g, '').toLowerCase();

function stepOf(number: number, text: string, show: ShowImage): NaturalGaiaStep {
  const observed = text.search(/<\s*observation\s*>/i);
  const [think, after] = observed < 0 ? [text, ''] : [text.slice(0, observed), text.slice(observed)];
  const said = { ...sectionsOf(think), ...sectionsOf(after) };
  return {
    number,
    before: firstImage(think, show),
    after: firstImage(after, show),
    thought: said.thought ?? null,
    actionThought: said['action thought'] ?? null,
    action: said.action ?? null,
    observation: said.observation ?? null,
  };
}

function firstImage(text: string, show: ShowImage): number | null {
  const marks = [...text.matchAll(IMAGE)].map((match) => show(match[1]!));
  return marks[0] ?? null;
}

function sectionsOf(text: string): Record<string, string> {
  const starred = [...text.matchAll(STARRED)];
  const heads = starred.length > 0 ? starred : [...text.matchAll(PLAIN)];
  const sections: Record<string, string> = {};
  for (const [index, head] of heads.entries()) {
    const name = head[1]!.toLowerCase();
    const body = text.slice(head.index + head[0].length, heads[index + 1]?.index ?? text.length);
    const plain = body.replace(BLOCK, '').replace(IMAGE, '').trim();
    if (plain !== '' && !Object.hasOwn(sections, name)) sections[name] = restored(plain);
  }
  return sections;
}

const restored = (text: string): string => text.replace(TAKEN_OUT, '<$1$2>');

function answerOf(solution: string | null | undefined): string | null {
  if (solution == null) return null;
  const begin = solution.search(/<answer>/i);
  const rest = begin < 0 ? '' : solution.slice(begin + '<answer>'.length);
  const end = rest.search(/<\/answer>/i);
  const answer = end < 0 ? solution : rest.slice(0, end);
  return answer.trim() === '' ? null : restored(answer.trim());
}
