import type { ExportTask } from '../export/model.ts';
import { append } from '../lists.ts';
import { plural } from '../words.ts';
import { actLines } from './acts.ts';
import type { SkillInput } from './inputs.ts';
import { shortDescription } from './rules.ts';
import { hiding, type SkillPlan, type SkillStep } from './steps.ts';

/** SKILL.md and references/steps.md as texts. */

export type SkillFacts = {
  name: string;
  task: ExportTask;
  inputs: readonly SkillInput[];
  plan: SkillPlan;
  /** The ids of the recordings that it was learnt from, the first one shown. */
  recordings: readonly string[];
  /** The task's checks in words; empty when it has none. */
  checks: readonly string[];
  hasRecipe: boolean;
  /** Picture files by the step's place from 1: before, after. */
  pictures: ReadonlyMap<number, { before?: string; after?: string }>;
  /** Why pictures, or files of the task, are not in it; a sentence each. */
  withheld: readonly string[];
};

/** One line of a table or a list: no line ends, no bars. */
const line = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');

const PROOF: Readonly<Record<string, string>> = {
  proven: 'Proven: played again from the recipe, the demonstration passed these checks.',
  failed: 'Not proven: it was played again, and did not pass these checks each time.',
  said: 'Not proven here: somebody else says that it is.',
};

export function skillDocument(facts: SkillFacts): string {
  const { name, task, inputs, plan, recordings, checks } = facts;
  const hide = hiding(inputs);
  const goal = line(hide(task.goal)) || name;
  const description = shortDescription(
    `${goal.replace(/[.。]?$/, '.')} In ${task.app.name}${task.platform ? ` on ${task.platform}` : ''}. Use when this task is to be done there${
      inputs.length > 0 ? ` with another ${inputs.map((one) => one.name).join(', ')}` : ''
    }.`,
  );
  const front = [
    '---',
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    `compatibility: ${JSON.stringify(`${task.app.name}${task.platform ? `, ${task.platform}` : ''}; a screen, a mouse and a keyboard`.slice(0, 500))}`,
    'metadata:',
    `  task: ${JSON.stringify(task.id)}`,
    `  recordings: ${JSON.stringify(recordings.join(' '))}`,
    `  proof: ${JSON.stringify(task.proof ?? 'untried')}`,
    '---',
  ];
  const learnt =
    recordings.length > 1
      ? `Learnt from ${plural(recordings.length, 'recording')} of the task: what differed between them is an input, what did not is a constant.`
      : 'Learnt from one recording: inputs are texts of the goal, dates, numbers and files. A second recording tells more.';
  return [
    ...front,
    '',
    `# ${goal}`,
    '',
    `What is meant by each step is below; [references/steps.md](references/steps.md) has its target, how and where it is done, and its pictures. ${learnt}`,
    '',
    ...inputLines(inputs),
    '## Steps',
    '',
    ...stepLines(plan.steps),
    '',
    '## Success',
    '',
    ...(checks.length > 0
      ? [...checks.map((check) => `- ${line(hide(check))}`), '', 'As a file: [checks.json](checks.json).']
      : ['The task has no checks: nobody wrote down how to tell that it is done.']),
    '',
    checks.length === 0 ? 'Not proven.' : (PROOF[task.proof ?? ''] ?? 'Not proven: nobody has played it again.'),
    ...(facts.hasRecipe ? ['', 'How its programs and files are set up: [recipe.json](recipe.json).'] : []),
    ...facts.withheld.flatMap((why) => ['', why]),
    ...leftOutLines(plan),
    '',
  ].join('\n');
}

function inputLines(inputs: readonly SkillInput[]): string[] {
  if (inputs.length === 0) return ['## Inputs', '', 'None was found: every value below is a constant.', ''];
  return [
    '## Inputs',
    '',
    '| input | kind | in the recordings |',
    '| --- | --- | --- |',
    ...inputs.map(({ name, kind, examples }) =>
      kind === 'secret'
        ? `| \`{SECRET:${name}}\` | secret | not told: ask for it, and never write it down |`
        : `| \`{${name}}\` | ${kind} | ${examples.map(exampleWords).join(', ')} |`,
    ),
    '',
  ];
}

/** A value as it is; as a text of JSON where a line of a table cannot hold it, or a comma would part it from the next. */
function exampleWords(value: string | null): string {
  if (value === null) return '-';
  const plain = value.trim();
  return line(plain).replaceAll('\\|', '|') === plain && !/^["-]$|^"|,/.test(plain)
    ? line(plain)
    : line(JSON.stringify(plain));
}

/** In SKILL.md, whose body stays short: the first of very many. */
const MOST_SHOWN = 300;

function stepLines(steps: readonly SkillStep[]): string[] {
  const lines: string[] = [];
  let subtask = 0;
  for (const [at, step] of steps.slice(0, MOST_SHOWN).entries()) {
    if (step.subtask.id !== subtask) {
      subtask = step.subtask.id;
      if (step.subtask.title.trim()) append(lines, [...(at > 0 ? [''] : []), `**${line(step.subtask.title)}**`, '']);
    }
    lines.push(`${at + 1}. ${line(step.words)}`);
  }
  if (steps.length > MOST_SHOWN) lines.push('', `${steps.length - MOST_SHOWN} further steps: references/steps.md.`);
  return lines;
}

function leftOutLines({ leftOut }: SkillPlan): string[] {
  if (leftOut.length === 0) return [];
  return [
    '',
    '## Left out',
    '',
    ...leftOut.slice(0, 50).map(({ steps, why }) => `- ${steps.map(line).join('; ')}: ${why}.`),
  ];
}

/** Of references/steps.md, for whoever does the steps by it. */
const HOW_TO_READ = [
  'Of each step: its target, what the hand does, where that was in the picture before it (px from its top left), and the value that is',
  'put in, as a text of JSON with an input’s name in braces where another value may stand. Find the target by its name; where it has none, or it is not',
  'there, by what the picture shows around the place. A window may have moved. A drag moves along its way in small steps, or programs see none. Wait until the screen rests before the next step.',
].join('\n');

export function stepsDocument({ plan, pictures }: SkillFacts): string {
  const sections = plan.steps.map((step, at) => {
    const shown = pictures.get(at + 1) ?? {};
    return [
      `## Step ${at + 1}`,
      '',
      line(step.words),
      '',
      `- Target: ${targetWords(step)}`,
      ...actLines(step.exported),
      ...(step.exact === null ? [] : [`- Value: ${step.exact}`]),
      ...(step.exact === null && step.value !== null ? [`- Choose: ${line(step.value)}`] : []),
      ...(shown.before ? [`- Before: ![before](../${shown.before})`] : []),
      ...(shown.after ? [`- After: ![after](../${shown.after})`] : []),
      '',
    ].join('\n');
  });
  return `# Steps\n\n${HOW_TO_READ}\n\n${sections.join('\n')}`;
}

function targetWords({ target }: SkillStep): string {
  if (target === null) return 'none: it goes to what has the keyboard';
  const { name, window } = target;
  const what = name === null ? 'unnamed, see its picture' : `"${line(name)}"`;
  return `${what}${window ? `, in the window "${line(window)}"` : ''}`;
}
