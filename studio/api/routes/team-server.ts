import type { Asker } from '../../play/agreed.ts';
import { broughtLines } from '../../play/consent.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { awayOf, beginPush, outgoing } from '../../session/push/by-itself.ts';
import { greet } from '../../session/push/send.ts';
import {
  checkedToken,
  forgetServer,
  keepServer,
  readServer,
  serverOrigin,
  theServer,
} from '../../session/push/server-file.ts';
import { type FetchedTask, fetchFiles, serverTaskList, takeTask } from '../../session/push/server-tasks.ts';
import type { TeamServer } from '../../session/push/wire.ts';
import { askerIn } from '../asker.ts';
import { sendingWishes } from '../studio.ts';
import { api, askedBy, tell } from './base.ts';

/** A studio of one machine that works with a team's server: its tasks come from there, its recordings go there. */

const GREET_MS = 20_000;

/** The token never leaves the studio. */
const shown = (server: TeamServer | null): { origin: string } | null => server && { origin: server.origin };

export const teamServerRoutes = {
  teamServer: {
    get: api.teamServer.get.handler(({ context }) => shown(readServer(context.home.config))),
    connect: api.teamServer.connect.handler(async ({ context, input: { address, token } }) => {
      const server = { origin: serverOrigin(address), token: checkedToken(token) };
      await greet(server, AbortSignal.timeout(GREET_MS));
      keepServer(context.home.config, server);
      return { origin: server.origin };
    }),
    forget: api.teamServer.forget.handler(({ context }) => {
      const known = shown(readServer(context.home.config));
      forgetServer(context.home.config);
      return known;
    }),
    tasks: api.teamServer.tasks.handler(async ({ context, input: { ws }, signal }) => {
      const { workspace } = await context.workspaces.get(ws);
      return serverTaskList(workspace, theServer(context.home.config), signal);
    }),
    take: api.teamServer.take.handler(async ({ context, input: { ws, task } }) => {
      const open = await context.workspaces.get(ws);
      const server = theServer(context.home.config);
      const taken = await takeTask(open.workspace, server, task, AbortSignal.timeout(GREET_MS));
      tell(open, 'tasks', 'software');
      const asker = askerIn(context, undefined);
      const job = taken.missing.length > 0 ? await beginFiles(open, server, taken, asker) : null;
      return { task: taken.id, job };
    }),
    outgoing: api.teamServer.outgoing.handler(async ({ context, input: { ws } }) => {
      const open = await context.workspaces.get(ws);
      const { origin } = theServer(context.home.config);
      return { origin, away: awayOf(open), recordings: await outgoing(open, origin) };
    }),
    push: api.teamServer.push.handler(async ({ context, input }) => {
      const open = await context.workspaces.get(input.ws);
      const server = theServer(context.home.config);
      const { version, settings } = context;
      const sender = { version, wishes: () => sendingWishes(settings.get()) };
      return beginPush(open, server, input.recording, sender, askedBy(context, 'teamServer.push', input));
    }),
  },
};

const beginFiles = (open: OpenWorkspace, server: TeamServer, taken: FetchedTask, asker: Asker) =>
  open.jobs.add('material', taken.id, async (tools) => {
    const files = await fetchFiles(open.workspace, server, taken, tools);
    tell(open, 'tasks');
    const brought = await broughtLines(open.workspace, [taken.id], asker);
    const programs = brought.length > 0 ? [`not run before you agree: ${brought.join(' ')}`] : [];
    return [`${files} of ${files}`, ...programs].join('; ');
  });
