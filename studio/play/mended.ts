import type { Piece } from '../../core/play/pieces.ts';
import { keysOfText } from '../../core/play/written.ts';
import { withheldWords } from '../../core/withheld-words.ts';
import type { Action } from '../../schemas/actions.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { readDocumentLog } from '../store/documents.ts';
import type { Workspace } from '../store/workspace.ts';

/** Steps whose keys were withheld are played by the texts that people gave them (PL39). */

/** The texts that people gave steps when they annotated them, by step: those of withheld keys are played by them. */
export async function mendedTexts(
  { store }: Pick<Workspace, 'store'>,
  recording: string,
): Promise<ReadonlyMap<string, string>> {
  const document = await readDocumentLog(store, recording);
  const texts = new Map<string, string>();
  for (const record of document?.records.values() ?? [])
    if (record.kind === 'label' && record.text) texts.set(record.action, record.text);
  return texts;
}

/** Why a recording cannot be played: the first step of which nobody knows what was typed; null where there is none. */
export function whyNotKnown(
  id: string,
  actions: readonly Action[],
  mended: ReadonlyMap<string, string>,
): string | null {
  const unknown = actions.findIndex((action) => action.withheld && !mended.has(action.id));
  if (unknown < 0) return null;
  const { withheldKeys = 1, withheldWhy = [] } = actions[unknown] ?? {};
  const words = withheldWords([{ keys: withheldKeys, why: withheldWhy[0] }]);
  return `Step ${unknown + 1} of ${id} is not known (${words}), so it cannot be played. Give it its text where the recording is annotated ("Corrected text" of that step): then it is typed.`;
}

/** Steps whose keys were withheld, with the keys of the texts that people gave them. Throws BAD_FILE where the layout lacks one. */
export function withMended(
  pieces: readonly Piece[],
  {
    actions,
    events,
    mended,
  }: { actions: readonly Action[]; events: readonly RawEvent[]; mended: ReadonlyMap<string, string> },
  id: string,
): Piece[] {
  return pieces.map((piece, n) => {
    const action = actions[n];
    const text = action?.withheld ? mended.get(action.id) : undefined;
    if (!action || text === undefined) return piece;
    const layout = events.findLast((event) => event.type === 'layout' && event.t <= action.start.t);
    const { events: keys, missing } = keysOfText(text, action, layout?.type === 'layout' ? layout.layout : usLayout());
    if (missing.length === 0) return { ...piece, events: [...piece.events, ...keys] };
    throw new StudioError(
      'BAD_FILE',
      `The text of step ${n + 1} of ${id} has characters that the recorded keyboard cannot type (${missing.slice(0, 5).join(' ')}). Correct the text where the recording is annotated.`,
      { recording: id, step: action.id },
    );
  });
}
