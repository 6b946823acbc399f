import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  AGENT_LOG_SCHEMA,
  type AgentHead,
  type AgentLine,
  type AgentVideo,
  agentVersion,
} from '../../schemas/agents.ts';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import { openModel } from '../models/model.ts';
import {
  type ModelAsked,
  type ModelServer,
  type ScriptedAct,
  type ScriptedAnswer,
  startModelServer,
} from '../models/model-server-for-tests.ts';
import { readAgentLog } from '../recordings/agent-log.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { type Drive, drive, type RunOutcome } from './drive.ts';
import { FAKE_SCREEN, type FakeDisplay, fakeDisplay } from './fake-display-for-tests.ts';
import { openHand } from './hand.ts';
import { beginLog } from './log.ts';

/** Runs of scripted models on a display in memory, as `drive` does them. */

export const STEPS: readonly (readonly ScriptedAct[])[] = [
  [{ do: 'click', x: 40, y: 21 }],
  [{ do: 'type', text: 'Hi' }],
  [{ do: 'keys', keys: ['ctrl', 's'] }],
];
/** Of the demonstration of STEPS: a window begins at each screen before a step, and at the end. */
const FILM = new Map([...STEPS, null].map((_, n) => [String(n + 1).padStart(64, 'f'), Buffer.from(`window ${n + 1}`)]));
const VIDEO: AgentVideo = {
  recording: 'shown',
  task: 'Write Hi',
  frames: FILM.size,
  window: 4,
  reflects: true,
  windows: [...FILM.keys()].map((sha256) => ({ sha256, width: 4, height: 2 })),
};
const headWith = (more: Partial<AgentHead>, server: ModelServer): AgentHead =>
  agentHeadForTests({
    endpoint: server.url,
    screen: FAKE_SCREEN,
    ...(more.agent === 'video-guided' && { video: VIDEO }),
    ...more,
  });

export type Ran = { ended: RunOutcome; folder: string; lines: AgentLine[]; display: FakeDisplay };

export type Runs = {
  runOn(
    answer: (asked: ModelAsked, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
    more?: Partial<AgentHead>,
    also?: Partial<Drive>,
  ): Promise<Ran>;
  /** Of the newest run. */
  server(): ModelServer;
  /** After each test, and after all of them. */
  close(): Promise<void>;
  clean(): void;
};

export function scriptedRuns(): Runs {
  const folders = temporaryFolders();
  let server: ModelServer | null = null;

  async function runOn(
    answer: (asked: ModelAsked, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
    more: Partial<AgentHead> = {},
    also: Partial<Drive> = {},
  ): Promise<Ran> {
    await server?.close();
    const serving = await startModelServer(answer, FAKE_SCREEN);
    server = serving;
    const folder = join(folders.make(), 'run');
    mkdirSync(folder);
    const head = headWith(more, serving);
    const log = await beginLog(folder);
    const display = fakeDisplay();
    const pictures = new Map<string, Buffer>(FILM);
    const never = new AbortController().signal;
    const stop = also.stop ?? never;
    const deadline = also.deadline ?? never;
    const { protocol, endpoint, model: name } = head;
    const model = openModel(
      {
        endpoint,
        protocol,
        model: name,
        tool: null,
        maxTokens: null,
        key: null,
        rate: null,
        timeoutMs: 2000,
        tries: 2,
        backoffMs: 1,
        signal: AbortSignal.any([stop, deadline]),
      },
      (sha256) => pictures.get(sha256)!.toString('base64'),
    );
    let t = 0;
    await log.write({
      type: 'begun',
      schema: AGENT_LOG_SCHEMA,
      version: agentVersion(head, { shared: false }),
      recording: 'run-1',
      at: new Date().toISOString(),
      head,
    });
    const run: Drive = {
      head,
      display,
      model,
      log,
      folder,
      now: () => ++t,
      pictures,
      replay: null,
      hand: openHand(),
      patienceMs: 100,
      stop,
      deadline,
      progress: () => undefined,
      ...also,
    };
    const ended = await drive(run);
    await log.close();
    return {
      ended,
      folder,
      lines: readAgentLog(folder) ?? [],
      display: (also.display as FakeDisplay | undefined) ?? display,
    };
  }

  return {
    runOn,
    server() {
      if (!server) throw new Error('no run has begun');
      return server;
    },
    async close() {
      await server?.close();
      server = null;
    },
    clean: () => folders.clean(),
  };
}
