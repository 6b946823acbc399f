import path from 'node:path';
import { draftAnswer } from '../../core/agents/draft/draft-for-tests.ts';
import { startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { studioMust } from './cli.ts';

/** Drafts of a scripted model for a recording, made by the command as anybody makes them. */

export type ScriptedDrafts = {
  what: readonly string[];
  /** The text of a field of a step; null: the model cannot tell. */
  text: (field: string, step: number) => string | null;
  /** Why the second model doubts a draft of these words; null: it does not. Absent: there is no second model. */
  doubt?: (text: string, step: number) => string | null;
};

export async function draftFor(recordings: string, recording: string, script: ScriptedDrafts): Promise<void> {
  const { what, text, doubt } = script;
  const server = await startModelServer(({ texts }) => {
    const all = texts.join('\n');
    const isAsked = all.includes('Say which of these drafts');
    return { kind: 'answer', text: isAsked && doubt ? doubts(all, doubt) : draftAnswer(texts, text) };
  });
  try {
    const line = ['draft', recording, '--workspace', path.dirname(recordings), '--what', what.join(','), '--yes'];
    const models = ['--endpoint', server.url, '--model', 'scripted', ...(doubt ? ['--reflect', 'reader'] : [])];
    await studioMust([...line, ...models, '--json']);
  } finally {
    await server.close();
  }
}

function doubts(all: string, doubt: NonNullable<ScriptedDrafts['doubt']>): string {
  const code = /"code": "([0-9a-f]+)"/.exec(all)?.[1] ?? '';
  const listed = [...all.matchAll(/^(\d+)\. \w+ of step (\d+): ("(?:[^"\\]|\\.)*")/gm)];
  const found = listed.flatMap(([, number, step, quoted]) => {
    const why = doubt(JSON.parse(quoted ?? '""') as string, Number(step));
    return why === null ? [] : [{ draft: Number(number), why }];
  });
  return JSON.stringify({ code, doubts: found });
}
