import { randomUUID } from 'node:crypto';
import { type Records, toRecords } from '../../../core/annotate/document.ts';
import { confirm, nameElement } from '../../../core/annotate/edit.ts';
import { takeSide } from '../../../core/review/compare.ts';
import type { Change } from '../../../schemas/annotation.ts';
import type { ReviewState } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import type { TestServer } from '../../api/server-for-tests.ts';

/** People who work through the API as the pages do, for tests. */

export type Team = ReturnType<typeof teamOf>;

export function teamOf({ client }: Pick<TestServer, 'client'>, ws: string) {
  const send = (person: string, recording: string, act: ReviewAct, id: string = randomUUID()) =>
    client.review.send({ ws, recording, person, id, act });
  const state = (person: string, recording: string): Promise<ReviewState> =>
    client.review.get({ ws, recording, person });

  async function read(person: string, recording: string, document?: string) {
    const found = await client.annotation.get({ ws, recording, person, ...(document && { document }) });
    return { ...found, records: toRecords(found.records) };
  }
  const steps = async (recording: string) => (await client.recordings.open({ ws, recording })).steps;

  async function write(
    person: string,
    recording: string,
    change: (records: Records, actions: string[]) => Change[],
    document?: string,
  ) {
    const { records } = await read(person, recording, document);
    const changes = change(
      records,
      (await steps(recording)).map(({ id }) => id),
    );
    const transaction = { id: randomUUID(), label: 'Change', changes };
    return client.annotation.apply({ ws, recording, person, transaction, ...(document && { document }) });
  }

  /** Names and confirms every step and submits it, in whatever document is theirs. */
  async function annotate(person: string, recording: string, name: (at: number) => string) {
    const { own } = await state(person, recording);
    const document = own ?? recording;
    const actions = (await steps(recording)).map(({ id }) => id);
    for (const [at, action] of actions.entries()) {
      await write(person, recording, (records) => nameElement(records, action, name(at), 'hand'), document);
      await write(person, recording, (records) => confirm(records, action, true), document);
    }
    return submit(person, recording);
  }

  async function submit(person: string, recording: string) {
    const { own } = await state(person, recording);
    const { version } = await read(person, recording, own ?? recording);
    return send(person, recording, { type: 'submit', document: own ?? recording, version });
  }

  async function decide(
    person: string,
    recording: string,
    action: string,
    verdict: 'accept' | 'fixed' | 'reject' | null,
    comment = '',
  ) {
    const { version } = await read(person, recording);
    const reason = verdict === 'reject' ? 'wrong-element' : null;
    return send(person, recording, {
      type: 'decide',
      item: { kind: 'step', action },
      version,
      verdict,
      reason,
      comment,
    });
  }

  async function verdict(person: string, recording: string, said: 'approve' | 'reject') {
    const { version } = await read(person, recording);
    // The page's dialog has the reasons of what was rejected ticked beforehand.
    const reasons = said === 'reject' ? (['wrong-element'] as const) : [];
    return send(person, recording, { type: 'verdict', verdict: said, version, reasons: [...reasons], comment: '' });
  }

  /** Accepts what is not decided yet; gives how many that were. */
  async function acceptRest(person: string, recording: string): Promise<number> {
    const { decisions } = await state(person, recording);
    const valid = new Set(
      decisions
        .filter(({ stale, verdict: said }) => !stale && said !== 'reject')
        .map(({ item }) => ('action' in item ? item.action : '')),
    );
    const open = (await steps(recording)).filter(({ id }) => !valid.has(id));
    for (const { id } of open) await decide(person, recording, id, 'accept');
    return open.length;
  }

  /** Settles every difference by the side of the first document. */
  async function settleAll(person: string, recording: string): Promise<number> {
    const { differences } = await client.review.compare({ ws, recording, person });
    const all = await steps(recording);
    for (const difference of differences) {
      const side = difference.sides[0]!.document;
      const { records } = await read(person, recording);
      const changes = takeSide(records, all, difference, side);
      const transaction = changes.length > 0 ? randomUUID() : null;
      if (transaction !== null) {
        const label = 'Take a side';
        await client.annotation.apply({ ws, recording, person, transaction: { id: transaction, label, changes } });
      }
      await send(person, recording, { type: 'settle', difference: difference.id, side, transaction });
    }
    return differences.length;
  }

  return { send, state, read, steps, write, annotate, submit, decide, verdict, acceptRest, settleAll };
}

/** The code and the message that work is refused with. */
export async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StudioError) return { code: error.code, message: error.message };
    if (error instanceof Error && 'code' in error) return { code: String(error.code), message: error.message };
    throw error;
  }
  return { code: 'DONE', message: 'Nothing was refused.' };
}
