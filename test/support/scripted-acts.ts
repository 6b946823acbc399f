import { type Action, reduceResultSchema } from '../../schemas/actions.ts';
import type { ScriptedAct } from '../../studio/models/model-server-for-tests.ts';
import { studioMust } from './cli.ts';

/** The steps of a demonstration as a model says them that knows it. */
export async function scriptedActs(recording: string, workspace: string): Promise<ScriptedAct[][]> {
  const { json } = await studioMust(['actions', recording, '--json', '--workspace', workspace]);
  return reduceResultSchema.parse(json).actions.map(scripted);
}

function scripted({ kind, start, end, path, text, keys, count, button, modifiers, scroll }: Action): ScriptedAct[] {
  const held = modifiers.length > 0 && { held: modifiers };
  const at = { x: start.x!, y: start.y! }; // What is done with the pointer has a place.
  if (kind === 'click')
    return [{ do: 'click', ...at, count, ...((button === 'right' || button === 'middle') && { button }), ...held }];
  if (kind === 'scroll') return [{ do: 'scroll', ...at, dy: scroll?.dy ?? 0 }];
  if (kind === 'drag') {
    const between = (path ?? []).slice(1, -1).map(([x, y]) => [x, y] as const);
    return [{ do: 'drag', path: [[at.x, at.y], ...between, [end.x!, end.y!]], ...held }];
  }
  if (kind === 'type') return [{ do: 'type', text: text ?? '' }];
  return Array.from({ length: count }, () => ({ do: 'keys', keys: keys ?? [] }));
}
