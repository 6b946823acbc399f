import { type Action, reduceResultSchema } from '../../schemas/actions.ts';
import type { ScriptedAct } from '../../studio/models/model-server-for-tests.ts';
import { studioMust } from './cli.ts';

/** The steps of a demonstration as a model says them that knows it. */
export async function scriptedActs(recording: string, workspace: string): Promise<ScriptedAct[][]> {
  const { json } = await studioMust(['actions', recording, '--json', '--workspace', workspace]);
  return reduceResultSchema.parse(json).actions.map((action) => [scripted(action)]);
}

function scripted({ kind, start, end, text, keys, count, button, scroll }: Action): ScriptedAct {
  if (kind === 'click')
    return {
      do: 'click',
      x: start.x!,
      y: start.y!,
      count: count ?? 1,
      ...(button === 'right' && { button }),
    };
  if (kind === 'scroll') return { do: 'scroll', x: start.x!, y: start.y!, dy: scroll?.dy ?? 0 };
  if (kind === 'drag')
    return {
      do: 'drag',
      path: [
        [start.x!, start.y!],
        [end.x!, end.y!],
      ],
    };
  if (kind === 'type') return { do: 'type', text: text ?? '' };
  return { do: 'keys', keys: keys ?? [] };
}
