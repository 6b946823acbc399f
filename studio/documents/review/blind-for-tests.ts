import { nameElement, setGoal, setTitle } from '../../../core/annotate/edit.ts';
import type { TestServer } from '../../api/server-for-tests.ts';
import { addClicks } from '../clicks-for-tests.ts';
import { teamOf } from './people-for-tests.ts';

/** Each is the text of another field of Ada's own annotation. */
export const SECRETS = ['Zinnia element', 'Quagga title', 'Xylem goal', 'Vortex comment'] as const;

/** A workspace in which Ada annotates the recording `shared` blind; Ben has not begun, so all of it is kept from him. */
export async function blindRecording(server: TestServer, dir: string) {
  const { id: ws } = await server.client.workspaces.open({ dir, create: true });
  const team = teamOf(server, ws);
  const add = async (name: string) => (await server.client.people.add({ ws, name, email: null })).id;
  const [ada, ben] = [await add('Ada'), await add('Ben')];
  const policy = { replicas: 2, replicaShare: 1, checkShare: 0, seed: 1, reviewAdjudicated: false };
  await server.client.review.setPolicy({ ws, policy: { ...policy, demonstratorMayReview: false } });
  const { workspace } = await server.studio.workspaces.get(ws);
  addClicks(workspace, 'shared');
  await workspace.syncIndex();
  const own = `shared~${ada}`;
  const [step] = await team.steps('shared');
  const [element, title, goal, comment] = SECRETS;
  await team.write(ada, 'shared', (records, [first]) => nameElement(records, first!, element, 'hand'), own);
  await team.write(ada, 'shared', (records) => setGoal(records, goal), own);
  await team.write(
    ada,
    'shared',
    (records) => {
      const subtask = [...records.values()].find(({ kind }) => kind === 'subtask');
      return setTitle(records, subtask!.id, title);
    },
    own,
  );
  const pin = { action: step!.id, role: null, place: null, t: null };
  await team.send(ada, 'shared', { type: 'comment', thread: null, pin, text: comment });
  await team.submit(ada, 'shared').catch(() => undefined); // Whether it can be submitted yet is another matter.
  return { ws, ada, ben, own, action: step!.id };
}
