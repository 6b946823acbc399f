import type { Atif, AtifPart, AtifStep } from '../../schemas/export-atif.ts';
import { isRecord } from '../evaluate/reading/records.ts';
import { type AnswerActs, readActs } from '../evaluate/reading/tool-acts.ts';
import { append } from '../lists.ts';
import { plural } from '../words.ts';
import { programActs } from './program-acts.ts';

/**
 * A run of ATIF as steps at a screen. An agent's step is one when it acts on the screen (its calls are read as answers of models
 * are, M34) or when a picture shows what came of it; steps without a screen stay in the run's own file.
 */
export type RunStep = {
  /** Its step_id. */
  step: number;
  /** Place in `pictures` of the screen before and after; null when there is none. */
  before: number | null;
  after: number | null;
  acts: AnswerActs | null;
  message: string | null;
  thought: string | null;
  observation: string | null;
};

export type ScreenRun = {
  goal: string;
  /** The paths of its pictures in the order in which they are shown. */
  pictures: string[];
  steps: RunStep[];
  /** Steps of the agent without a screen. */
  unseen: number;
};

/** Calls that look and do nothing. */
const LOOKS = /^(?:screenshot|take_screenshot|get_screenshot|zoom|cursor_position|observe|get_app_state)$/i;

export function screenRun({ steps }: Atif): ScreenRun {
  const pictures: string[] = [];
  const found: RunStep[] = [];
  let shown: number | null = null;
  let open: RunStep | null = null;
  let unseen = 0;
  const show = (parts: readonly AtifPart[], own: RunStep | null): void => {
    for (const part of parts) {
      if (part.type !== 'image') continue;
      shown = pictures.push(part.source.path) - 1;
      // The last of its own observation; of what comes later the first.
      if (own) own.after = shown;
      else if (open && open.after === null) open.after = shown;
    }
  };
  for (const step of steps) {
    show(partsOf(step.message), null);
    const [looked, seen] = seenOf(step);
    show(looked, null);
    const own = step.source === 'agent' ? screenStep(step, seen, shown) : null;
    if (own) {
      found.push(own);
      open = own;
    } else if (step.source === 'agent') unseen++;
    show(seen, own);
  }
  const said = steps.find(({ source, message }) => source === 'user' && textOf(partsOf(message)) !== null);
  return { goal: (said && textOf(partsOf(said.message))) ?? '', pictures, steps: found, unseen };
}

/** What was looked at before its calls did anything, and what they brought. */
function seenOf(step: AtifStep): [before: AtifPart[], after: AtifPart[]] {
  const calls = step.tool_calls ?? [];
  const acting = calls.findIndex((call) => !LOOKS.test(nameOf(call)));
  const before = new Set(calls.slice(0, Math.max(0, acting)).map((call) => call.tool_call_id));
  const parts: [AtifPart[], AtifPart[]] = [[], []];
  for (const { source_call_id: id, content } of step.observation?.results ?? [])
    append(parts[id != null && before.has(id) ? 0 : 1], partsOf(content));
  return parts;
}

function screenStep(step: AtifStep, seen: readonly AtifPart[], before: number | null): RunStep | null {
  const calls = step.tool_calls ?? [];
  const acts = actsOf(calls);
  const looks = calls.length > 0 && calls.every((call) => LOOKS.test(nameOf(call)));
  const shows = calls.length > 0 && seen.some(({ type }) => type === 'image');
  if (!(acts !== null && acts.acts.length > 0) && (looks || !shows)) return null;
  return {
    step: step.step_id,
    before,
    after: null,
    acts,
    message: textOf(partsOf(step.message)) ?? wordsOf(calls),
    thought: step.reasoning_content?.trim() || null,
    observation: textOf(seen),
  };
}

type Calls = NonNullable<AtifStep['tool_calls']>;

/** `mcp__computer__computer` is `computer`; one tool for everything says in `action` what it does. */
function nameOf({ function_name: name, arguments: args }: Calls[number]): string {
  const [list] = Array.isArray(args.actions) && args.actions.length === 1 ? args.actions : [];
  const action = args.action ?? args.type ?? (isRecord(list) ? list.type : undefined);
  return typeof action === 'string' ? action : (name.split(/__|\./).at(-1) ?? name);
}

function actsOf(calls: Calls): AnswerActs | null {
  const programs = calls.map(programOf);
  // Programs and calls in one step have no order that both tell.
  if (calls.length > 0 && programs.every((program) => program !== null)) return programActs(programs.join('\n'));
  const asAnswer = calls.map(({ function_name: name, arguments: args }) =>
    Array.isArray(args.actions)
      ? { type: 'computer_call', actions: args.actions }
      : { name: name.split(/__|\./).at(-1), arguments: args },
  );
  return calls.length === 0 ? null : readActs(asAnswer);
}

/** Names under which tools take a program. */
const CODE = ['code', 'command', 'script', 'program', 'action', 'python'] as const;

/** The code of PyAutoGUI that a call brings; null where it brings none. */
function programOf({ arguments: args }: Calls[number]): string | null {
  const found = CODE.map((name) => args[name]).find(
    (value) => typeof value === 'string' && /\bpyautogui\s{0,9}\./.test(value),
  );
  return typeof found === 'string' ? found : null;
}

const wordsOf = (calls: Calls): string | null =>
  calls.length === 0 ? null : calls.map(({ function_name: name }) => name).join(', ');

const partsOf = (content: AtifStep['message'] | null | undefined): readonly AtifPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);

function textOf(parts: readonly AtifPart[]): string | null {
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text.trim()] : []));
  return texts.length === 0 ? null : texts.join('\n\n');
}

/** What a run without a screen is, for who wants to import it. */
export function withoutScreen({ unseen, steps, pictures }: ScreenRun): string {
  const all = plural(unseen + steps.length, 'step');
  const why =
    pictures.length === 0
      ? `it shows no screen: of ${all} of the agent none has a picture, so there is nothing to look at here`
      : `none of its ${all} of the agent acts on a screen`;
  return `${why}. A viewer of ATIF shows it`;
}
