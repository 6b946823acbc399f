import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isInPicture, pictureRect, stepPlace, toPicture } from '../../core/annotate/picture.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { OpenedPlay } from '../../schemas/api/play.ts';
import { client, fileUrl } from '../client/api.ts';
import { tr, trParts } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { kindWords } from '../workbench/kind.tsx';
import classes from './page.module.css';
import { PlayedPicture } from './picture.tsx';
import { MarkLabel } from './steps.tsx';
import { notPlayed, outcomeWords, type StepOutcome, tellingMoment } from './words.ts';

export type When = 'before' | 'after';
export type PlayView = 'both' | 'recorded' | 'played';

/** While somebody walks through the steps with a key held down, nothing is compared. */
const REST_MS = 150;
const AIMED = new Set(['click', 'drag', 'scroll', 'hover']);

/** The verdict of a step, with the recorded picture and that of the play, and where they differ. */
export function Sides(props: {
  ws: string;
  demonstration: OpenedRecording;
  play: OpenedPlay | null;
  mark: StepOutcome | null;
  at: number;
  when: When;
  view: PlayView;
  isPlaying: boolean;
  /** The stage as it looks now. */
  live: string | null;
  controls: ReactNode;
}): ReactNode {
  const { ws, demonstration, play, mark, at, when, view, isPlaying, live, controls } = props;
  const { row, steps, frames } = demonstration;
  const step = steps[at];
  const nth = play?.report?.steps.findIndex((one) => one.step === step?.id) ?? -1;
  const playedStep = play?.report?.steps[nth];
  const playedFrame = play?.pictures[nth]?.[when] ?? null;
  const [asked] = useDebouncedValue(`${play?.id} ${step?.id} ${when}`, REST_MS);
  const now = `${play?.id} ${step?.id} ${when}`;
  const found = useQuery({
    queryKey: ['of', ws, 'recordings', row.id, 'plays', play?.id, 'differences', step?.id, when],
    queryFn: ({ signal }) =>
      client.play.differences({ ws, played: play?.id ?? '', step: step?.id ?? '', when }, { signal }),
    enabled: playedFrame !== null && asked === now,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!step) return <p className={classes.quiet}>{tr('This recording has no steps.')}</p>;
  const place = when === 'before' ? step.before : step.after;
  const frame = frames[place]?.[0];
  const rect = pictureRect(demonstration, place) ?? { x: 0, y: 0, width: 1280, height: 720 };
  const point = AIMED.has(step.kind) && when === 'before' ? stepPlace(step.start) : null;
  const target = point && isInPicture(toPicture(point, rect), rect) ? toPicture(point, rect) : null;
  const shift = playedStep?.shift ?? { x: 0, y: 0 };
  const boxes = found.data ?? [];
  const names = pictureNames(at + 1, when);
  const differ =
    found.data === undefined
      ? ''
      : found.data === null
        ? tr('The two cannot be compared: their sizes differ.')
        : found.data.length === 0
          ? when === 'before' && tellingMoment(playedStep) === 'after'
            ? tr('The two look alike before the step; after it they do not.')
            : tr('The two look alike.')
          : tr('{parts, plural, one {# part of the screen looks} other {# parts of the screen look}} different.', {
              parts: found.data.length,
            });
  return (
    <>
      <div className={classes.bar}>
        <div className={classes.verdict} aria-live="polite">
          <strong>{tr('Step {number}: {action}', { number: at + 1, action: kindWords(step) })}</strong>{' '}
          {mark && <MarkLabel mark={mark} />}
          {mark && (
            <p className={classes.quiet}>
              {[
                outcomeWords(mark, playedStep),
                playedStep && tr('Waited {seconds} s.', { seconds: (playedStep.waited / 1000).toFixed(1) }),
                playedFrame !== null && differ,
              ]
                .filter(Boolean)
                .join(' ')}
            </p>
          )}
        </div>
        {controls}
        <span className={classes.quiet}>
          {trParts('{momentKey} moment {pictureKey} picture', {
            momentKey: <Kbd command="play.when" main />,
            pictureKey: <Kbd command="play.view" main />,
          })}
        </span>
      </div>
      <div className={classes.pictures}>
        {view !== 'played' && (
          <PlayedPicture
            title={tr('Recorded')}
            src={frame === undefined ? null : fileUrl.frame(ws, row.id, frame)}
            size={rect}
            boxes={boxes}
            target={target}
            words={[names.recorded, differ].filter(Boolean).join(' ')}
            without={tr('The recording has no picture of this moment.')}
          />
        )}
        {view !== 'recorded' && live !== null && (
          <PlayedPicture
            title={tr('On the stage now')}
            src={live}
            size={rect}
            boxes={[]}
            target={null}
            words={tr('The stage of the play, as it looks now')}
            without={null}
          />
        )}
        {view !== 'recorded' && live === null && (
          <PlayedPicture
            title={tr('Played')}
            src={play && playedFrame !== null ? fileUrl.frame(ws, play.id, playedFrame) : null}
            size={rect}
            boxes={boxes}
            target={target && { x: target.x + shift.x, y: target.y + shift.y }}
            words={[names.played, differ].filter(Boolean).join(' ')}
            without={withoutWords(isPlaying, play, mark, when)}
          />
        )}
      </div>
    </>
  );
}

/** What the two pictures show, for people who hear the page. */
function pictureNames(step: number, when: When): { recorded: string; played: string } {
  return when === 'before'
    ? {
        recorded: tr('Step {step}, before it, as it was recorded.', { step }),
        played: tr('Step {step}, before it, as it was played.', { step }),
      }
    : {
        recorded: tr('Step {step}, after it, as it was recorded.', { step }),
        played: tr('Step {step}, after it, as it was played.', { step }),
      };
}

function withoutWords(isPlaying: boolean, play: OpenedPlay | null, mark: StepOutcome | null, when: When): ReactNode {
  if (isPlaying) return tr('It is being played. Its pictures come when it has ended.');
  if (!play) {
    return (
      <span>
        {trParts(
          'Press {kbd} to play this recording on a display of its own. Each step is compared with what was recorded.',
          { kbd: <Kbd command="play.start" main /> },
        )}
      </span>
    );
  }
  if (mark === 'left out' || mark === 'not reached') return notPlayed(mark);
  if (when === 'after' && mark === 'missing') return tr('The step was not done: its target was not found.');
  return tr('This play has no picture of this moment.');
}
