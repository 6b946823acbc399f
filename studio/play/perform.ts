import { setTimeout as sleep } from 'node:timers/promises';
import { advance, commandOf, newPlayer, type Player, type Shift } from '../../core/play/player.ts';
import { openTitles } from '../../native/index.ts';
import type { Hands } from '../../native/platform/hands.ts';
import type { PlayedStep } from '../../schemas/play.ts';
import { act } from './act.ts';
import { openOwnHands } from './display-process.ts';
import { type InHand, takeInHand } from './in-hand.ts';
import { doubtOf, followersOf, isFollowed, lookAfter, lookBefore, shiftAtStart } from './look.ts';
import { type FromPlayer, type PlayOrder, WRITTEN_BEFORE_MS } from './protocol.ts';
import { readTimes } from './read-times.ts';
import { seekElements } from './seek-element.ts';
import { screenAtRest } from './stage/at-rest.ts';

/** The screen is at rest when nothing changed for this long, looked at so often, ms. */
const STILL_MS = 300;
const LOOK_MS = 60;
/** Changes that follow a step by themselves are waited for at most so long, ms. */
const FOLLOW_MS = 1000;

/** Plays the parts with hands and eyes, and reports each step. Throws when the display cannot be used. */
export async function perform(
  order: PlayOrder,
  tell: (message: FromPlayer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const hands = await openOwnHands();
  const since = Date.now() - WRITTEN_BEFORE_MS;
  // Reasons say less without them.
  const windows = await openTitles().catch(() => null);
  const eyes = { hands, seeker: seekElements(), times: readTimes(), since, windows };
  const { parts, restless, pace, patienceMs } = order;
  const clock = (): number => Number((process.hrtime.bigint() - BigInt(order.startNs)) / 1000n);
  const seen: Required<PlayedStep>['seen'][] = [];
  const played = (): PlayedStep[] => player.played.map((step, n) => ({ ...step, ...(seen[n] && { seen: seen[n] }) }));
  const steps = parts.map(({ step, at, gapMs, settleMs }) => ({ id: step, aimed: at !== null, gapMs, settleMs }));
  const began = performance.now();
  let took = 0;
  /** When the last step was seen to look as in the demonstration, ms; 0: it was not yet. */
  let lastSeen = 0;
  let player = newPlayer(steps, { pace, patienceMs }, began);
  let inHand = null as InHand | null;
  let following = null as InHand | null;
  let lastShift: Shift = { x: 0, y: 0 };
  try {
    for (;;) {
      const now = performance.now();
      if (signal.aborted) player = advance(player, { type: 'stop', now, why: 'it was stopped' });
      const command = commandOf(player, now);
      if (command.do === 'end') break;
      const part = parts[command.at];
      if (!part) break;
      if (inHand?.part !== part) {
        inHand = following?.part === part ? following : await takeInHand(part, restless);
        if (command.at === 0) lastShift = shiftAtStart(eyes, inHand);
        seen[command.at] = { before: null, after: null };
        await tell({ type: 'began', at: command.at, of: parts.length, step: part.step });
      }
      const count = player.played.length;
      if (command.do === 'act') {
        inHand.actedAt = Date.now();
        await act(hands, inHand, command.shift, { pace, signal });
        inHand.laterFrom = performance.now() + Math.min(part.laterMs, patienceMs);
        inHand.followedBy = performance.now() + Math.min(parts[command.at + 1]?.gapMs ?? 0, FOLLOW_MS);
        lastShift = command.shift;
        player = advance(player, { type: 'acted', now: performance.now() });
      } else if (command.when === 'before') {
        await sleep(Math.max(0, command.notBefore - performance.now()));
        const sight = await lookBefore(eyes, inHand, lastShift, { pace, signal });
        seen[command.at] = { before: clock(), after: null };
        player = advance(player, { type: 'before', now: performance.now(), sight });
      } else {
        await sleep(Math.max(0, command.notBefore - performance.now()));
        let sight = await lookAfter(eyes, inHand, lastShift);
        const next = parts[command.at + 1];
        if (sight.same && !next && !lastSeen) {
          // A message may still come, such as that the file could not be written: the last step is judged after it.
          lastSeen = performance.now();
          await settle(hands, inHand, patienceMs);
          sight = await lookAfter(eyes, inHand, lastShift);
        } else if (sight.same && next) {
          if (following?.part !== next) {
            following = await takeInHand(next, restless);
            inHand.followers = followersOf(inHand, next);
          }
          if (pace === 'ready' && performance.now() < inHand.followedBy && !isFollowed(inHand, lastShift)) {
            await sleep(LOOK_MS);
            continue;
          }
          sight = { ...sight, ...doubtOf(inHand, following, lastShift) };
        }
        seen[command.at] = { before: seen[command.at]?.before ?? null, after: clock() };
        player = advance(player, { type: 'after', now: performance.now(), sight });
      }
      const last = played().at(-1);
      if (player.played.length > count && last) await tell({ type: 'played', step: last });
    }
    took = Math.round((lastSeen || performance.now()) - began);
  } finally {
    hands.releaseAll();
    eyes.seeker.close();
    await eyes.times.close();
  }
  await tell({ type: 'ended', steps: played(), stopped: stoppedOf(player), took });
  hands.close();
}

/**
 * Until what the last step set off is over, as long as the demonstration took for it and until the screen is at rest: a program
 * may still be writing its file, at which the checks look next.
 */
async function settle(hands: Hands, { part, laterFrom }: InHand, patienceMs: number): Promise<void> {
  await sleep(Math.max(0, laterFrom - performance.now()));
  const { file: _, ...rect } = part.after;
  await screenAtRest(hands, rect, { stillMs: STILL_MS, lookMs: LOOK_MS, atMostMs: patienceMs });
}

const stoppedOf = ({ stopped }: Player): { step: string; why: string } | null => stopped;
