import { type ReactNode, useMemo } from 'react';
import type { Difference } from '../../schemas/api/review-models.ts';
import { StepThreads } from '../comments/step-threads.tsx';
import { figureText } from '../figures/figures.ts';
import { tr } from '../language/tr.ts';
import { KeyButton } from '../workbench/parts.tsx';
import { useWork } from '../workbench/store.ts';
import { SIDE_KEYS } from './commands.ts';
import classes from './compare.module.css';
import { takenWords } from './list.tsx';
import { type ComparedSide, documentKind, letterOf, whereOf } from './sides.ts';
import { hasSay } from './standing.ts';
import { type ComparisonRow, useAdjudicates, useCompare, useComparing } from './store.ts';
import { Swatch } from './swatch.tsx';
import { Third } from './third.tsx';
import { markWords, type WordPiece } from './words.ts';

/** Kinds whose values are words: what differs in them is marked. */
const IN_WORDS = new Set<Difference['kind']>(['element', 'narration', 'text', 'drag', 'title', 'goal', 'thought']);
/** Longer ones are shown and marked as far as this. */
const MOST_LETTERS = 4000;

/** More letters than this may not fit their card. */
const LONG = 220;

/** A side's value as it is shown. */
function shownText({ kind }: Difference, text: string): string {
  const value = kind === 'removal' && text !== 'kept' ? tr('removed, {text}', { text }) : text;
  return value.slice(0, MOST_LETTERS);
}

/** The meaning of a side that says nothing. */
function nothingOf({ kind }: Difference): string {
  if (kind === 'subtask') return tr('begins no subtask here');
  if (kind === 'box') return tr('no box');
  return kind === 'title' ? tr('no title') : tr('nothing');
}

/** The values of the difference in hand side by side, and for who adjudicates the way to take one or to write another. */
export function Values({
  row,
  nameOf,
}: {
  row: ComparisonRow | null;
  nameOf: (side: ComparedSide) => string;
}): ReactNode {
  const sides = useCompare((state) => state.sides);
  const adjudicates = useAdjudicates();
  if (!row) {
    return (
      <div className={classes.values}>
        <p className={classes.nothing}>{tr('Choose a difference with the arrows to see what each says.')}</p>
        <StepThreads flush />
      </div>
    );
  }
  const { difference, standing } = row;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also where it holds nothing to be focused */}
      <section className={classes.values} aria-label={tr('Values')} tabIndex={0}>
        <header className={classes.valuesHead}>
          <h2 className={classes.valuesTitle}>
            {documentKind(difference)} <span className={classes.quiet}>{whereOf(difference)}</span>
          </h2>
          <span className={classes.quiet}>
            {tr('agreement {agreement}', { agreement: figureText(difference.agreement) })}
          </span>
        </header>
        <Sides row={row} sides={sides} nameOf={nameOf} />
        {(adjudicates || standing.state !== 'open') && <Third row={row} sides={sides} writable={adjudicates} />}
        <StepThreads flush />
      </section>
      {adjudicates && <Settle row={row} sides={sides} />}
    </>
  );
}

function Sides({
  row,
  sides,
  nameOf,
}: {
  row: ComparisonRow;
  sides: readonly ComparedSide[];
  nameOf: (side: ComparedSide) => string;
}): ReactNode {
  const { difference, standing } = row;
  const { actions } = useComparing();
  const adjudicates = useAdjudicates();
  const texts = useMemo(() => difference.sides.map(({ text }) => shownText(difference, text)), [difference]);
  const pieces = useMemo(
    () =>
      IN_WORDS.has(difference.kind) ? markWords(texts) : texts.map((text): WordPiece[] => [{ text, differs: false }]),
    [difference, texts],
  );
  return (
    <ul className={classes.cards} aria-label={tr('What each says')}>
      {sides.map((side) => {
        const { place } = side;
        const key = SIDE_KEYS[place];
        const says = hasSay(difference, side);
        const taken = standing.state !== 'open' && standing.side === side.document;
        return (
          <li
            key={side.document}
            className={classes.card}
            data-taken={taken && standing.state === 'settled'}
            data-testid={`side-${letterOf(place)}`}
          >
            <div className={classes.cardHead}>
              <Swatch place={place} />
              <span className={classes.who} title={nameOf(side)}>
                {nameOf(side)}
              </span>
              {adjudicates && key !== undefined && (
                <KeyButton
                  command={`compare.side${key}`}
                  label={tr('Take {place}', { place: letterOf(place) })}
                  disabled={!says}
                  pressed={taken}
                  onClick={() => actions.take(place)}
                />
              )}
            </div>
            <p
              className={classes.value}
              // A long text scrolls, also by key.
              {...((texts[place]?.length ?? 0) > LONG && { tabIndex: 0 })}
            >
              {says ? (
                <Words pieces={pieces[place] ?? []} nothing={nothingOf(difference)} />
              ) : (
                <em>{tr('has removed this step and says nothing of it')}</em>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** Words that differ are marked by a line under them as well as by colour, and as `mark` for those who hear the page. */
function Words({ pieces, nothing }: { pieces: readonly WordPiece[]; nothing: string }): ReactNode {
  if (pieces.every(({ text }) => text === '')) return <em>{nothing}</em>;
  let at = 0;
  return pieces.map(({ text, differs }) => {
    const key = at;
    at += text.length;
    return differs ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
  });
}

function Settle({ row, sides }: { row: ComparisonRow; sides: readonly ComparedSide[] }): ReactNode {
  const { actions } = useComparing();
  const { standing } = row;
  const waiting = useWork((state) => (state.review?.waiting ?? 0) > 0 || state.sync.pending.queue.length > 0);
  const { state, matches } = standing;
  const match = sides.find(({ document }) => document === matches[0]);
  const settled = { taken: takenWords(standing, sides) };
  const words =
    state === 'open'
      ? tr('Open.')
      : state === 'written'
        ? match === undefined
          ? tr('A third value is written but not settled yet: Enter settles it.')
          : tr('What {place} says is written but not settled yet: Enter settles it.', { place: letterOf(match.place) })
        : state === 'changed'
          ? tr('The value was changed since it was settled. Enter settles it as it stands.')
          : waiting
            ? tr('Settled: {taken}, storing …', settled)
            : tr('Settled: {taken}.', settled);
  return (
    <section className={classes.settle} aria-label={tr('Settle')}>
      <p className={classes.quiet} role="status" data-testid="standing">
        {words}
      </p>
      <div className={classes.buttons}>
        <KeyButton
          command="compare.settle"
          label={state === 'settled' ? tr('Next') : tr('Settle as it stands')}
          variant={state === 'written' || state === 'changed' ? 'filled' : 'default'}
          disabled={state === 'open'}
          onClick={actions.settle}
        />
        <KeyButton
          command="compare.takeBack"
          label={tr('Undo decision')}
          disabled={state === 'open'}
          onClick={actions.takeBack}
        />
        <KeyButton command="compare.next" label={tr('Next unsettled')} onClick={actions.next} />
      </div>
    </section>
  );
}
