import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamRight, TeamRole } from '../../../schemas/team-terms.ts';
import { acceptInvitation, invite } from '../../api/members/invitations.ts';
import { ACCOUNT } from '../../api/members/principal.ts';
import { makeToken } from '../../api/members/sessions.ts';
import { createStudio, type Studio } from '../../api/studio.ts';
import { listenTeam, type TeamListening } from '../../api/team/listen-team.ts';
import type { UploadLimits } from '../../api/uploads/uploads.ts';
import { sampleRecording, writeSample } from '../../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import type { OpenWorkspace } from '../open-workspace.ts';
import { type CutWire, cutWire } from './proxy-for-tests.ts';
import type { PushPatience } from './send.ts';

/** A team's server behind a wire that can be cut, and a machine with recordings that are to go there. */
export type TeamWithWire = {
  wire: CutWire;
  studio: Studio;
  open: OpenWorkspace;
  dir: string;
  origin: string;
  /** A machine's own workspace, with the recordings of these ids: `bytes` of video in each. */
  machine(ids: readonly string[], bytes?: number): Promise<Workspace>;
  token(role: TeamRole, scopes: readonly TeamRight[], days?: number): Promise<{ id: string; token: string }>;
  /** The server ends and begins anew, as after a kill. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

export const QUICK: PushPatience = { firstMs: 20, mostMs: 100, giveUpMs: 20_000 };

export async function teamWithWire(folder: string, limits: Partial<UploadLimits> = {}): Promise<TeamWithWire> {
  const wire = await cutWire();
  const pages = join(folder, 'pages');
  mkdirSync(pages, { recursive: true });
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Page</title>');
  const home = { config: join(folder, 'home'), data: join(folder, 'home') };
  const dir = join(folder, 'team');
  const origin = `http://127.0.0.1:${wire.port}`;
  const machines: Workspace[] = [];
  let people = 0;
  let running: { studio: Studio; open: OpenWorkspace; listening: TeamListening } | null = null;
  async function start() {
    const studio = createStudio({ version: '0.1.0', home, sample: join(folder, 'sample'), repair: false });
    const { id } = await studio.workspaces.open(dir, { create: true });
    const open = await studio.workspaces.get(id);
    const url = new URL(origin);
    const listening = await listenTeam({ studio, open, url, pages, port: 0, recheckMs: 50, uploadLimits: limits });
    wire.to(listening.port);
    running = { studio, open, listening };
  }
  async function stop() {
    await running?.listening.close();
    await running?.studio.close();
    running = null;
  }
  await start();
  return {
    wire,
    get studio() {
      return running!.studio;
    },
    get open() {
      return running!.open;
    },
    dir,
    origin,
    async machine(ids, bytes = 300_000) {
      const place = join(folder, `machine-${machines.length}`);
      const workspace = openWorkspace(place, { create: true });
      machines.push(workspace);
      for (const id of ids) {
        const made = writeSample(workspace.recordingsDir, sampleRecording({ id }), [
          { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
          { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
        ]);
        // In pieces: of a bench it is gigabytes.
        writeFileSync(join(made, 'screen.mkv'), '');
        for (let left = bytes; left > 0; left -= 8 << 20)
          writeFileSync(join(made, 'screen.mkv'), randomBytes(Math.min(left, 8 << 20)), { flag: 'a' });
      }
      await workspace.syncIndex();
      return workspace;
    },
    async token(role, scopes, days = 1) {
      const { store } = running!.open.workspace;
      const name = `${role} ${++people}`;
      const email = `p${people}@lab.org`;
      const { link } = await invite(store, ACCOUNT, { email, role, name, days: 7 });
      const code = new URL(link).hash.slice(1);
      const id = await acceptInvitation(store, { code, name, password: 'four words that are long' });
      const { secret } = await makeToken(store, ACCOUNT, { member: email, name: 'push', scopes, days });
      return { id, token: secret };
    },
    async restart() {
      await stop();
      await start();
    },
    async close() {
      await stop();
      await wire.close();
      for (const workspace of machines) await workspace.close();
    },
  };
}
