/**
 * Bytes that a reviewer's page gets for each decision, over a recording that was annotated whole: with the state that changed
 * alone, as the page asks, and with the whole state, as a script that does not say `since` gets it.
 *
 *     node test/bench/wire.bench.ts [--steps 500] [--json]
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import { flag, machine, machineLine, mean, progress, report } from '../support/bench.ts';
import { makeRecording } from '../support/studio-recording.ts';
import { act, addPeople, annotateAndHandIn } from '../support/studio-review.ts';
import { startServer, studioHome } from '../support/studio-server.ts';

const STEPS = Number(flag('steps') ?? 500);

const home = studioHome();
const dir = home.dir('workspace');
const server = await startServer({ home: home.home });
try {
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  const [annotator = '', reviewer = ''] = await addPeople(server, ws, 'Annotator', 'Reviewer');
  const size = { width: 640, height: 360 };
  const parent = path.join(dir, 'recordings');
  const made = await makeRecording(parent, { id: 'reviewed', steps: STEPS, pictures: 'plain', ...size });
  const place = { server, ws, recording: made.id };
  progress('annotating');
  await annotateAndHandIn(place, annotator, made);
  await act(place, reviewer, { type: 'claim' });
  const { steps } = await server.api.recordings.open({ ws, recording: made.id });
  const { version } = await server.api.annotation.get({ ws, recording: made.id, person: reviewer });

  progress('deciding');
  const whole: number[] = [];
  const parts: number[] = [];
  let tag = '';
  const state = async (since: string | undefined): Promise<{ state: ReviewState; bytes: number }> => {
    const text = await (await server.ask(address(since))).text();
    // Checked by the contract's own schema before it left.
    return { state: JSON.parse(text) as ReviewState, bytes: Buffer.byteLength(text) };
  };
  const address = (since: string | undefined): string => {
    const query = new URLSearchParams({ person: reviewer, ...(since !== undefined && { since }) });
    return `/api/workspaces/${ws}/recordings/${made.id}/review?${query}`;
  };
  for (const { id: action } of steps) {
    const item = { kind: 'step', action } as const;
    const decide = { type: 'decide', item, version, verdict: 'accept', reason: null, comment: '' } as const;
    const { recording } = place;
    await server.api.review.send({ ws, recording, person: reviewer, id: randomUUID(), act: decide });
    whole.push((await state(undefined)).bytes);
    const part = await state(tag);
    parts.push(part.bytes);
    tag = part.state.tag ?? '';
  }
  const about = await machine();
  const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  // The first part is the whole: nothing was known before it.
  const [, ...later] = parts;
  report(
    { bench: 'wire', machine: about, steps: steps.length, whole, parts },
    [
      `The answer to each of ${steps.length} decisions of a review: ${machineLine(about)}`,
      `  the whole state     mean ${kb(mean(whole))}, the last ${kb(whole.at(-1) ?? 0)}`,
      `  what changed        mean ${kb(mean(later))}, the last ${kb(later.at(-1) ?? 0)}`,
      `  whole / changed: ${(mean(whole) / mean(later)).toFixed(0)}; twice a decision, with its answer and by the stream`,
    ].join('\n'),
  );
} finally {
  await server.stop();
  home.remove();
}
