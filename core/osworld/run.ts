import type { OsworldLine } from '../../schemas/osworld.ts';
import { isRecord } from '../evaluate/reading/records.ts';
import { type AnswerAct, type AnswerActs, readActs } from '../evaluate/reading/tool-acts.ts';
import type { RunStep } from '../import/atif.ts';
import { isNamedAct, namedActs } from '../import/named-acts.ts';
import { programActs } from '../import/program-acts.ts';
import { staysDown } from '../import/settled-acts.ts';
import { append } from '../lists.ts';
import { plural } from '../words.ts';

/**
 * A run of OSWorld as steps at a screen: each line says what was done and shows the screen after it. Lines between a press and its
 * release are one step. Programs are read as answers are (M7, M10), never run.
 */
export type OsworldRun = {
  steps: RunStep[];
  /** The lines of each step, from 1. */
  lines: { from: number; to: number }[];
  /** The names of its pictures in the order in which they are shown. */
  pictures: string[];
  /** The word by which it ended; null: it was stopped. */
  ended: 'DONE' | 'FAIL' | null;
  instruction: string | null;
  app: string | null;
  lost: string[];
};

type Lines = readonly OsworldLine[];
/** Lines that one press holds together. */
const MOST_TOGETHER = 100;

/** `first`: the picture before the first step; null: there is none. */
export function osworldRun(lines: Lines, first: string | null): OsworldRun {
  const run: OsworldRun = { steps: [], lines: [], pictures: [], ended: null, instruction: null, app: null, lost: [] };
  const indexOf = (name: string): number => run.pictures.push(name) - 1;
  let before = first === null ? null : indexOf(first);
  let between = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const { run: told } = line.trajectory_studio ?? {};
    run.instruction ??= told?.instruction || null;
    run.app ??= told?.app || null;
    if (line.action === undefined) {
      run.lost.push(`line ${at + 1}, which is no step: ${shortly(line)}`);
      continue;
    }
    const end = endOf(line.action);
    if (end !== null) {
      run.ended = end;
      continue;
    }
    const from = at;
    let acts = actsOf(lines.slice(from, at + 1));
    while (acts !== null && at - from < MOST_TOGETHER && staysDown(acts.acts) && goesOn(lines[at + 1])) {
      at++;
      between++;
      acts = actsOf(lines.slice(from, at + 1));
    }
    const own = lines.slice(from, at + 1);
    const shown = own.at(-1)!.screenshot_file ?? null;
    const after = shown === null ? null : indexOf(shown);
    run.lines.push({ from: from + 1, to: at + 1 });
    run.steps.push({ step: from + 1, before, after, acts, ...wordsOf(own) });
    before = after;
  }
  if (between > 0)
    run.lost.push(
      `${plural(between, 'screen')} between a press and its release: kept in attachments/ beside the others`,
    );
  return run;
}

const goesOn = (line: OsworldLine | undefined): boolean => line?.action !== undefined && endOf(line.action) === null;

function endOf(action: unknown): OsworldRun['ended'] {
  if (typeof action === 'string') {
    const word = action.trim().toUpperCase();
    return word === 'DONE' || word === 'FAIL' ? word : null;
  }
  return isRecord(action) ? (endOf(action.action_type) ?? endOf(action.action)) : null;
}

/** The acts of lines that belong together; null where their actions are none that is known. */
function actsOf(lines: Lines): AnswerActs | null {
  const programs = lines.map(({ action }) => programOf(action));
  if (programs.every((program) => program !== null)) return programActs(programs.join('\n'));
  const all = lines.map(({ action }) => actsOfAction(action, 3));
  if (all.some((one) => one === null)) return null;
  const known = all.filter((one) => one !== null);
  const scales = new Set(known.map(({ scale }) => scale));
  const [scale = null] = scales.size === 1 ? scales : [];
  const acts: AnswerAct[] = [];
  for (const one of known) append(acts, one.acts);
  return { form: known[0]!.form, scale, acts, others: known.flatMap(({ others }) => others) };
}

const ACTIONS = 'computer_13';

function actsOfAction(action: unknown, depth: number): AnswerActs | null {
  const program = programOf(action);
  if (program !== null) return programActs(program);
  if (typeof action === 'string') {
    if (/^\s*WAIT\s*$/i.test(action)) return plain([{ do: 'wait', ms: 1000 }]);
    return { ...plain([]), others: [action.trim().slice(0, 60) || 'an action without words'] };
  }
  if (!isRecord(action)) return null;
  const type = typeof action.action_type === 'string' ? action.action_type.toUpperCase() : '';
  if (isNamedAct(type)) {
    const made = namedActs(type, isRecord(action.parameters) ? action.parameters : action);
    return typeof made === 'string' ? { ...plain([]), others: [made] } : plain(made);
  }
  if (typeof action.name === 'string' && isRecord(action.input))
    return readActs([{ name: action.name.split(/__|\./).at(-1), arguments: action.input }]);
  const inner = depth > 0 && (isRecord(action.action) || typeof action.action === 'string') ? action.action : null;
  return readActs(action) ?? (inner === null ? null : actsOfAction(inner, depth - 1));
}

const plain = (acts: AnswerAct[]): AnswerActs => ({ form: ACTIONS, scale: 'pixels', acts, others: [] });

/** The code of PyAutoGUI in an action: itself, or what an agent keeps beside its own call. */
function programOf(action: unknown): string | null {
  const texts = isRecord(action) ? [action.command, action.action, action.code] : [action];
  const found = texts.find((one) => typeof one === 'string' && /\bpyautogui\s{0,9}\./.test(one));
  return typeof found === 'string' ? found : null;
}

/** What was said at the lines of a step: our own words where they are of ours, else the agent's whole answer as its thought. */
function wordsOf(lines: Lines): Pick<RunStep, 'message' | 'thought' | 'observation'> {
  const ours = lines.find(({ trajectory_studio: own }) => own !== undefined)?.trajectory_studio;
  if (ours) {
    const { narration, thought, observation } = ours;
    return { message: narration || null, thought: thought || null, observation: observation || null };
  }
  const said = [...new Set(lines.flatMap(({ response }) => textOf(response) ?? []))];
  return { message: null, thought: said.join('\n\n') || null, observation: null };
}

function textOf(response: unknown): string | null {
  if (typeof response === 'string') return response.trim() || null;
  if (Array.isArray(response))
    return (
      response
        .slice(0, 1000)
        .flatMap((one) => textOf(one) ?? [])
        .join('\n\n') || null
    );
  if (!isRecord(response)) return null;
  for (const name of ['text', 'content', 'thought', 'thinking', 'reasoning', 'response']) {
    const { [name]: value } = response;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

const shortly = (value: unknown): string => JSON.stringify(value).slice(0, 200);
