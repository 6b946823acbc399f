import { setTimeout as sleep } from 'node:timers/promises';
import { SETTLED } from '../../core/play/at-rest.ts';
import { inLine, typedInto } from '../../core/play/beside.ts';
import type { Eyes } from '../../core/play/eyes.ts';
import type { InHand } from '../../core/play/in-hand.ts';
import { lookAfter, towardsNext } from '../../core/play/look-after.ts';
import { lookBefore, shiftAtStart } from '../../core/play/look-before.ts';
import { advance, commandOf, newPlayer, tookOf } from '../../core/play/player.ts';
import { NOWHERE } from '../../core/play/sight.ts';
import { openTitles } from '../../native/index.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { PlayedStep } from '../../schemas/play.ts';
import { type ActOptions, act, approach } from './act.ts';
import { openOwnHands } from './display-process.ts';
import { takeInHand } from './in-hand.ts';
import { type FromPlayer, type PlayOrder, WRITTEN_BEFORE_MS } from './protocol.ts';
import { readTimes } from './read-times.ts';
import { seekElements } from './seek-element.ts';
import { screenAtRest } from './stage/at-rest.ts';

/** Does what the player wishes (core/play/player.ts) with hands and eyes, and reports each step. Throws when the display cannot be used. */
export async function perform(
  order: PlayOrder,
  tell: (message: FromPlayer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { parts, restless, pace, patienceMs } = order;
  const hands = await openOwnHands();
  const eyes = await openEyes(hands, { pace, signal }, order.clock);
  const clock = (): number => Number((process.hrtime.bigint() - BigInt(order.startNs)) / 1000n);
  const seen: Required<PlayedStep>['seen'][] = [];
  const played = (): PlayedStep[] => player.played.map((step, n) => ({ ...step, ...(seen[n] && { seen: seen[n] }) }));
  const steps = parts.map(({ step, at, gapMs, settleMs, laterMs }) => ({
    id: step,
    aimed: at !== null,
    gapMs,
    settleMs,
    laterMs,
  }));
  const [first] = parts;
  const began = performance.now();
  let inHand = first ? await takeInHand(first, restless) : null;
  let following = null as InHand | null;
  let player = newPlayer(steps, { pace, patienceMs }, began, inHand ? shiftAtStart(eyes, inHand) : NOWHERE);
  let told = -1;
  /** Squares that were let pass in a window until it goes (PL44). */
  let beside: { blocks: ReadonlySet<number>; until: number } | null = null;
  let took = 0;
  try {
    for (;;) {
      if (signal.aborted) player = advance(player, { type: 'stop', now: performance.now(), why: 'it was stopped' });
      const command = commandOf(player);
      if (command.do === 'end') break;
      const { at } = command;
      const part = parts[at];
      if (!part) break;
      if (inHand?.part !== part) inHand = following?.part === part ? following : await takeInHand(part, restless);
      if (told < at) {
        told = at;
        inHand.typed = typedInto(parts, at);
        if (beside?.until === at) inHand.beside = beside.blocks;
        if (beside && at < beside.until && part.types)
          inHand.inLine = inLine(beside.blocks, inHand.effect, inHand.before.width);
        seen[at] = { before: null, after: null };
        await tell({ type: 'began', at, of: parts.length, step: part.step });
      }
      const count = player.played.length;
      if ('notBefore' in command) await sleep(Math.max(0, command.notBefore - performance.now()));
      if (command.do === 'act') {
        inHand.actedAt = Date.now();
        await act(hands, inHand, command.shift, { pace, signal });
        player = advance(player, { type: 'acted', now: performance.now() });
      } else if (command.do === 'rest') {
        const { file: _, ...rect } = part.after;
        await screenAtRest(hands, rect, { ...SETTLED, atMostMs: command.atMostMs });
        player = advance(player, { type: 'rested', now: performance.now() });
      } else if (command.when === 'before') {
        const sight = await lookBefore(eyes, inHand, command.shift);
        seen[at] = { before: clock(), after: null };
        player = advance(player, { type: 'before', now: performance.now(), sight });
      } else {
        let sight = await lookAfter(eyes, inHand, command.shift, command.laterFrom);
        if (inHand.typed && inHand.letPass.size > 0) beside = { blocks: inHand.letPass, until: inHand.typed.last };
        const next = parts[at + 1];
        if (sight.same && next) {
          following = following?.part === next ? following : await takeInHand(next, restless);
          sight = { ...sight, ...towardsNext(inHand, following, command.shift) };
        }
        seen[at] = { before: seen[at]?.before ?? null, after: clock() };
        player = advance(player, { type: 'after', now: performance.now(), sight });
      }
      const last = played().at(-1);
      if (player.played.length > count && last) await tell({ type: 'played', step: last });
    }
    took = tookOf(player, performance.now());
  } finally {
    hands.releaseAll();
    await eyes.close();
  }
  await tell({ type: 'ended', steps: played(), stopped: player.stopped, took });
  hands.close();
}

type OpenEyes = Eyes & { close(): Promise<void> };

/** The eyes of this process's display and of this machine's clock. `clock`: that of the stage's programs. */
async function openEyes(hands: Hands, options: ActOptions, clock: PlayOrder['clock']): Promise<OpenEyes> {
  const [seeker, times] = [seekElements(), readTimes()];
  return {
    now: () => performance.now(),
    date: () => Date.now(),
    wait: (ms) => sleep(ms),
    answered: (atMostMs) => hands.answered(atMostMs),
    look: ({ x, y, width, height }) => hands.look({ x, y, width, height }),
    pointer: () => hands.pointer(),
    move: (x, y) => hands.move(x, y),
    approach: (inHand, shift) => approach(hands, inHand, shift, options),
    seeker,
    times,
    since: Date.now() - WRITTEN_BEFORE_MS,
    clock,
    // Reasons say less without them.
    windows: await openTitles().catch(() => null),
    async close() {
      seeker.close();
      await times.close();
    },
  };
}
