import { randomUUID } from 'node:crypto';
import { openSession } from '../../session/open-workspace.ts';

/**
 * A process that reviews without end until it is killed (kill.test.ts): it claims, decides on every step, and puts it back.
 * Before each act it says its id on its standard output, and after the answer the event's number. Arguments: the
 * workspace, the recording, the person.
 */
const [, , dir = '', recording = '', person = ''] = process.argv;
const { documents, reviews } = (await openSession(dir, { create: false })).unchecked;
const { steps } = await documents.openRecording(recording);
const { version } = await documents.get(recording);

async function send(act: Parameters<typeof reviews.send>[3]): Promise<void> {
  const id = randomUUID();
  process.stdout.write(`sent ${id}\n`);
  const { event } = await reviews.send(recording, person, id, act);
  process.stdout.write(`done ${id} ${event.n}\n`);
}

// A recording that a killed reviewer had taken up is still theirs.
if ((await reviews.get(recording, person)).claim === null) await send({ type: 'claim' });
for (;;) {
  for (const { id: action } of steps) {
    const item = { kind: 'step', action } as const;
    await send({ type: 'decide', item, version, verdict: 'accept', reason: null, comment: '' });
  }
  await send({ type: 'release' });
  await send({ type: 'claim' });
}
