import { plural } from '../../../../core/words.ts';
import type { Proof } from './proof.ts';
import type { Compared, Expected } from './steps.ts';

/** The proof as one page of text, to read and to send. */

const WRAP = 100;

export function proofText(proof: Proof): string {
  const { system, result, failure, complaints } = proof;
  const head = [
    `Trajectory Studio ${proof.program}: what this machine records (doctor --prove, ${proof.at})`,
    `${system.platform} ${system.release} ${system.arch}, Node ${system.node}; displays: ${system.displays.join(', ') || 'none'}`,
    '',
  ];
  const body = result ? resultLines(result) : [`NOT PROVED  ${failure ?? 'nothing was recorded'}`];
  return [...head, ...body, '', ...weakLines(complaints)].join('\n');
}

/** Everything that was performed came back, and the check of the clock says so too. */
export function isProved({ result }: Proof): boolean {
  if (result === null || result.actions.of === 0) return false;
  return result.actions.exact === result.actions.of && result.sync?.verdict === 'ok';
}

function resultLines(result: NonNullable<Proof['result']>): string[] {
  const { actions, texts, sync, frames, cost, capture, injection, seconds } = result;
  const line = (name: string, text: string): string => `${name.padEnd(12)}${text}`;
  const onTime =
    frames.looks > 0 ? `${percent(1 - frames.late / frames.looks)} of ${frames.looks} looks on time` : 'not counted';
  const cores = cost.cores === null ? 'not measured' : `${cost.cores.toFixed(2)} cores (without the encoder)`;
  return [
    line(
      'actions',
      actions.of > 0 ? `${actions.exact} of ${actions.of} exact, made by ${injection}` : 'none were made: not proved',
    ),
    ...actions.wrong.flatMap((one) => [`            wrong: ${comparedText(one)}`]),
    ...texts.map(({ layout, exact, of, characters }) =>
      line('text', `${layout}: ${exact} of ${plural(of, 'text')} exact (${plural(characters, 'character')})`),
    ),
    line('sync', sync ? sync.message : 'not checked'),
    line(
      'frames',
      `${frames.taken} in ${seconds.toFixed(0)} s at ${frames.fps} a second, ${frames.dropped} dropped; ${onTime}`,
    ),
    line('cost', `${cores}; ${(cost.bytesPerSecond / 1000).toFixed(0)} kB of video a second`),
    line(
      'pictures',
      `${capture.lossless ? 'every pixel as it was shown' : 'NOT lossless'} (${capture.grabber}, ${capture.mode}, ${capture.encoder})`,
    ),
  ];
}

function weakLines(complaints: Proof['complaints']): string[] {
  if (complaints.length === 0) return ['Nothing is missing here that the recorder asks for.'];
  return [
    'Not possible here, or weaker:',
    ...complaints.flatMap(({ what, fix }) => [...wrap(`- ${what}`), ...(fix ? wrap(`  ${fix}`) : [])]),
  ];
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(/(?<=\S) /)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > WRAP) lines.push(`  ${word}`);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

function comparedText(compared: Compared | string): string {
  if (typeof compared === 'string') return compared;
  const { step, wanted, found } = compared;
  if (wanted === null) return `before input ${step + 1}, ${actionText(found)} came back though nobody did it`;
  return `input ${step + 1}, ${actionText(wanted)}, came back as ${found ? actionText(found) : 'nothing'}`;
}

function actionText(action: Expected | null): string {
  if (!action) return 'nothing';
  const { kind, count, modifiers, button, start, end, keys, text, scroll } = action;
  const held = modifiers.length > 0 ? `${modifiers.join('+')}+` : '';
  const at = start ? ` at ${start.x},${start.y}` : '';
  if (kind === 'click') return `${held}${button} click x${count}${at}`;
  if (kind === 'drag') return `${held}${button} drag${at} to ${end?.x},${end?.y}`;
  if (kind === 'scroll') return `${held}scroll of ${scroll?.dx},${scroll?.dy}${at}`;
  if (kind === 'press') return `${keys?.join('+')} x${count}`;
  return `${kind} ${JSON.stringify(text)}`;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
