import { z } from 'zod';
import { placesOfActs, readActs } from '../../../../../core/evaluate/reading/tool-acts.ts';
import { TOOL_ROLES } from '../../../../../core/export/chat/messages.ts';
import { COMPUTER_TOOL } from '../../../../../core/export/chat/words.ts';
import { parseShallow } from '../../../../../core/json-depth.ts';
import { plural } from '../../../../../core/words.ts';
import {
  type ChatLine,
  type ChatMessage,
  chatLineSchema,
  datasetInfoSchema,
  type SwiftCandidateLine,
  swiftCandidateLineSchema,
  swiftGroundingLineSchema,
  swiftPairLineSchema,
  swiftTrajectoryLineSchema,
} from '../../../../../schemas/export-chat.ts';
import { checkCode } from '../calls.ts';
import type { PlaceReport } from '../problems.ts';
import { type CheckedFolder, checkUnused, eachLine, readJson } from '../reading.ts';

export async function checkMsSwift(check: CheckedFolder): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const has = (part: string) => check.manifest?.parts.includes(part) ?? check.has(`${part}.jsonl`);
  if (has('messages')) counts['messages.jsonl'] = await checkConversations(check, 'messages.jsonl');
  if (has('trajectory')) counts['trajectory.jsonl'] = await checkTraces(check);
  if (has('grounding')) counts['grounding.jsonl'] = await checkGrounding(check);
  if (has('candidates')) counts['candidates.jsonl'] = await checkCandidates(check);
  if (has('pairs')) counts['pairs.jsonl'] = await checkPairs(check);
  checkUnused(check, 'images');
  return { ...counts, images: check.pictures.count() };
}

export async function checkLlamaFactory(check: CheckedFolder): Promise<Record<string, number>> {
  const file = TRAJECTORIES;
  if (check.split === null) await checkDatasetInfo(check, []);
  const lines = await checkConversations(check, file);
  checkUnused(check, 'images');
  return { [file]: lines, images: check.pictures.count() };
}

const TRAJECTORIES = 'trajectories.jsonl';

/** dataset_info.json names the one file, or that of each split. */
export async function checkDatasetInfo(check: CheckedFolder, splits: readonly string[]): Promise<void> {
  const name = 'dataset_info.json';
  const info = await readJson(check, name, datasetInfoSchema);
  if (!info) return;
  const files = splits.length === 0 ? [TRAJECTORIES] : splits.map((split) => `${split}/${TRAJECTORIES}`);
  for (const [entry, { file_name }] of Object.entries(info)) {
    if (!files.includes(file_name)) {
      check.report('REFERENCE_WRONG', name, entry, `${file_name} is not ${files.join(' or ')}`);
    } else if (splits.length > 0 && !entry.endsWith(`_${file_name.slice(0, file_name.indexOf('/'))}`)) {
      check.report('REFERENCE_WRONG', name, entry, `${file_name} is another split's`);
    }
  }
  if (Object.keys(info).length === 0) check.report('REFERENCE_WRONG', name, '', 'it names no data set');
}

const checkConversations = (check: CheckedFolder, file: string): Promise<number> =>
  eachLine(check, file, chatLineSchema, (line, place) => checkConversation(check, file, line, place));

/** A conversation whose answers end in code for the picture of their turn. */
async function checkConversation(check: CheckedFolder, file: string, line: Talked, place: PlaceReport): Promise<void> {
  const asked = check.manifest?.options.answer ?? 'code';
  // Candidates and pairs end in an assistant's answer.
  const way = asked === 'tools' && /^(?:candidates|pairs)\./.test(file) ? 'openai' : asked;
  const roles = way === 'tools' ? TOOL_ROLES[file === TRAJECTORIES ? 'llamafactory' : 'ms-swift'] : null;
  checkTurns(line.messages, place, roles);
  if (way === 'tools' && !hasTool(line.tools)) place('CODE_BAD', `tools names no tool "${COMPUTER_TOOL}"`);
  checkMarks(line, place);
  const answers = line.messages.filter(({ role }) => role === 'assistant' || role === roles?.call);
  for (const [turn, image] of line.images.entries()) {
    const size = await check.pictures.look(ownPath(check, file, image), place);
    const answer = answers[turn]?.content;
    if (answer === undefined) continue;
    const at: PlaceReport = (code, message) => place(code, `turn ${turn + 1}: ${message}`);
    const code = codeOf(answer);
    if (way !== 'code') checkActs(answer, way, { size, isLast: turn === answers.length - 1 }, at);
    else if (code === '') at('CODE_BAD', 'the answer does not end in "Code:" and its lines');
    else checkCode(code, size, at);
  }
  if (answers.length !== line.images.length) {
    place('TURNS_WRONG', `${plural(answers.length, 'answer')} for ${plural(line.images.length, 'picture')}`);
  }
}

function hasTool(tools: string | undefined): boolean {
  const named = z.array(z.looseObject({ function: z.looseObject({ name: z.literal(COMPUTER_TOOL) }) })).min(1);
  try {
    return named.safeParse(parseShallow(tools ?? '')).success;
  } catch {
    return false;
  }
}

type Talked = Pick<ChatLine, 'messages' | 'images' | 'tools'>;

type Asked = Pick<SwiftCandidateLine, 'messages' | 'images'>;

/** A run's conversation has no turn of a system's: `checkTurns` tells one by its place. */
const ofRun = ({ messages, images }: Asked): Talked => ({
  images,
  messages: messages.map(({ role, content }) => ({ role: role === 'system' ? 'tool_response' : role, content })),
});

/** The answer to one step, in the model's own words: the question, one picture, and what was answered. */
async function checkAnswer(check: CheckedFolder, { messages, images }: Asked, place: PlaceReport): Promise<void> {
  const roles = messages.map(({ role }) => role).join();
  if (roles !== 'system,user,assistant') place('TURNS_WRONG', `the turns are ${roles}, not system, user, assistant`);
  checkMarks({ messages: ofRun({ messages, images }).messages, images }, place);
  for (const image of images) await check.pictures.look(image, place);
}

/** `solution` is the last answer, which GRPO takes out; candidates of one run have its one reward. */
function checkCandidates(check: CheckedFolder): Promise<number> {
  const rewards = new Map<string, number>();
  return eachLine(check, 'candidates.jsonl', swiftCandidateLineSchema, async (line, place) => {
    if (line.model !== undefined) await checkAnswer(check, line, place);
    else await checkConversation(check, 'candidates.jsonl', ofRun(line), place);
    if (line.solution !== line.messages.at(-1)?.content) place('REFERENCE_WRONG', 'solution is not the last answer');
    const before = rewards.get(line.candidate) ?? line.reward;
    if (before !== line.reward)
      place('FIGURE_WRONG', `its reward is ${line.reward}, on another line of this run ${before}`);
    rewards.set(line.candidate, line.reward);
  });
}

function checkPairs(check: CheckedFolder): Promise<number> {
  return eachLine(check, 'pairs.jsonl', swiftPairLineSchema, async (line, place) => {
    const rejected = { messages: line.rejected_messages, images: line.rejected_images };
    for (const one of [line, rejected])
      if (line.model !== undefined) await checkAnswer(check, one, place);
      else await checkConversation(check, 'pairs.jsonl', ofRun(one), place);
    if (JSON.stringify(line.messages) === JSON.stringify(line.rejected_messages))
      place('REFERENCE_WRONG', 'what was rejected is what was chosen');
  });
}

/** Names of tools in these words, and whether their places are px. */
const WAYS: Readonly<Record<string, { begins: RegExp; scale: number | null }>> = {
  anthropic: { begins: /^\{"type":"tool_use",/m, scale: null },
  openai: { begins: /^\{"type":"computer_call",/m, scale: null },
  'ui-tars': { begins: /^Action: \w+\(/m, scale: null },
  'ui-tars-2': { begins: /^<seed:tool_call><function=\w+>/m, scale: null },
  qwen: { begins: /^<tool_call>$/m, scale: 1000 },
  tools: { begins: /^\{"name":"computer",/, scale: null },
};

type Turn = { size: { width: number; height: number } | null; isLast: boolean };

/** The actions of the tool's call as OpenAI's, which they are; '' where it is none. */
function computerCallOf(answer: string): string {
  const called = z.strictObject({
    name: z.literal(COMPUTER_TOOL),
    arguments: z.strictObject({
      thought: z.string().optional(),
      intent: z.string().optional(),
      actions: z.array(z.looseObject({})).min(1),
    }),
  });
  try {
    const { success, data } = called.safeParse(parseShallow(answer));
    return success ? JSON.stringify({ type: 'computer_call', actions: data.arguments.actions }) : '';
  } catch {
    return '';
  }
}

/** The answer's calls, read as `evaluate` and `perform` read a model's. */
function checkActs(answer: string, way: string, { size, isLast }: Turn, at: PlaceReport): void {
  const words = WAYS[way];
  const begins = words ? answer.search(words.begins) : -1;
  // Anthropic and OpenAI say the end in words alone.
  if (words && begins < 0 && isLast && answer === 'The task is done.') return;
  if (!words || begins < 0) return void at('CODE_BAD', `the answer has no call in the words of ${way}`);
  const call = way === 'tools' ? computerCallOf(answer) : answer.slice(begins);
  const isEnd = isLast && /"terminate"|\bfinished\b/.test(call);
  const read = readActs(call.replace(/^Action: /, ''));
  if ((!read || read.acts.length === 0) && !isEnd) return void at('CODE_BAD', 'its call cannot be read');
  for (const other of read?.others ?? []) at('CODE_BAD', `the call ${other} is none of ${way}`);
  const [right, bottom] = words.scale === null ? [size?.width, size?.height] : [words.scale + 1, words.scale + 1];
  for (const [x, y] of placesOfActs(read?.acts ?? []).flat())
    if (x! < 0 || y! < 0 || (right !== undefined && x! >= right) || (bottom !== undefined && y! >= bottom))
      at('POSITION_OUTSIDE', `the place ${x}, ${y} lies outside of the picture`);
}

/** LLaMA-Factory's paths begin at the top of the export, where dataset_info.json is. */
function ownPath({ split }: CheckedFolder, file: string, image: string): string {
  const below = split !== null && file === TRAJECTORIES ? `${split}/` : '';
  return image.startsWith(below) ? image.slice(below.length) : `${below}: ${image}`;
}

const CODE = 'Code:\n';

/** What follows the line "Code:" that begins the answer, else the last such line; '' where nothing does. */
function codeOf(answer: string): string {
  if (answer.startsWith(CODE)) return answer.slice(CODE.length);
  const at = answer.lastIndexOf(`\n${CODE}`, answer.length - CODE.length - 2);
  return at < 0 ? '' : answer.slice(at + 1 + CODE.length);
}

type Roles = (typeof TOOL_ROLES)['ms-swift'];

/**
 * A user, an assistant, and so on: LLaMA-Factory drops other conversations without a word. With a tool the first is the user's, what
 * follows shows what a call did, and only the end may be an assistant's.
 */
function checkTurns(messages: readonly ChatMessage[], place: PlaceReport, tool: Roles | null = null): void {
  const isRight = (role: ChatMessage['role'], index: number): boolean => {
    if (tool === null || index === 0) return role === (index % 2 === 0 ? 'user' : 'assistant');
    if (index % 2 === 0) return role === tool.seen;
    return role === tool.call || (role === 'assistant' && index === messages.length - 1);
  };
  const wrong = messages.findIndex(({ role }, index) => !isRight(role, index));
  if (wrong >= 0) place('TURNS_WRONG', `message ${wrong} is the ${messages[wrong]!.role}'s`);
  if (messages.length % 2 !== 0)
    place('TURNS_WRONG', `${plural(messages.length, 'message')}: the number should be even`);
}

function countMarks(messages: readonly ChatMessage[], mark: string): number {
  return messages.reduce((sum, { content }) => sum + content.split(mark).length - 1, 0);
}

function checkMarks({ messages, images }: Talked, place: PlaceReport): void {
  const marks = countMarks(messages, '<image>');
  if (marks !== images.length) place('MARKS_WRONG', `${marks} <image> for ${plural(images.length, 'picture')}`);
  for (const mark of ['<video>', '<audio>']) {
    if (countMarks(messages, mark) > 0) place('MARKS_WRONG', `${mark} stands for nothing`);
  }
}

function checkTraces(check: CheckedFolder): Promise<number> {
  return eachLine(check, 'trajectory.jsonl', swiftTrajectoryLineSchema, async (line, place) => {
    checkTurns(line.messages, place);
    checkMarks(line, place);
    for (const image of line.images) await check.pictures.look(image, place);
    const trace = line.messages.at(-1)?.content ?? '';
    const numbers = [...trace.matchAll(/^=== Step(\d+) ===$/gm)].map((match) => Number(match[1]));
    if (numbers.length === 0 || numbers.some((number, index) => number !== index + 1)) {
      place('RANK_GAP', `steps are ${numbers.join(', ') || 'none'}, they should count from 1`);
    }
    const blocks = [...trace.matchAll(/^<think>$/gm)].length;
    const closed = [...trace.matchAll(/^<\/think>$/gm)].length;
    if (blocks !== numbers.length || closed !== blocks) {
      place('ORDER_WRONG', `${plural(blocks, 'think block')} opened and ${closed} closed in ${numbers.length} steps`);
    }
  });
}

function checkGrounding(check: CheckedFolder): Promise<number> {
  return eachLine(check, 'grounding.jsonl', swiftGroundingLineSchema, async (line, place) => {
    checkTurns(line.messages, place);
    checkMarks(line, place);
    for (const [mark, list] of [
      ['<ref-object>', line.objects.ref],
      ['<bbox>', line.objects.bbox],
    ] as const) {
      const marks = countMarks(line.messages, mark);
      if (marks !== list.length) place('MARKS_WRONG', `${marks} ${mark} for ${plural(list.length, 'object')}`);
    }
    const size = await check.pictures.look(line.images[0]!, place);
    for (const box of line.objects.bbox) {
      const [left, top, right, bottom] = box;
      if (left >= right || top >= bottom || (size && (right > size.width || bottom > size.height))) {
        place('BOX_OUTSIDE', `bbox ${box.join(', ')} does not lie in the picture as left, top, right, bottom`);
      }
    }
  });
}
