import { randomUUID } from 'node:crypto';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement, splitSubtask } from '../../core/annotate/edit.ts';
import { openWorkspace } from '../store/workspace.ts';
import { openDocuments } from './documents.ts';
import { reviewGate } from './review/gate.ts';

/**
 * A process that annotates without end until it is killed (kill.test.ts): it says a line on its standard output for each
 * transaction that was answered. Arguments: the workspace, the recording.
 */
const [, , dir = '', recording = ''] = process.argv;
const documents = openDocuments(openWorkspace(dir, { create: false }), reviewGate());
const { steps } = await documents.openRecording(recording);

for (let round = 0; ; round++) {
  const records = toRecords((await documents.get(recording)).records);
  // Many records at once: a torn one would show.
  const changes = steps.flatMap(({ id }) => nameElement(records, id, `name ${round}`, 'hand'));
  if (round === 0) changes.push(...splitSubtask(records, steps, steps[1]!.id, 'split', ''));
  const { version } = await documents.apply(recording, { id: randomUUID(), label: `Round ${round}`, changes }, 'me');
  process.stdout.write(`${version}\n`);
  if (round % 5 === 4) process.stdout.write(`${(await documents.undo(recording, 'me'))!.version}\n`);
}
