import { type ReactNode, useEffect, useRef } from 'react';
import type { LiveRunState } from '../../schemas/api/runs.ts';
import { tr } from '../language/tr.ts';
import { duration } from '../ui/format.ts';
import classes from './page.module.css';
import { costText, handWords, lineWords } from './words.ts';

/** What the agent plans, thinks and does, and what a person does to the run; the newest is last, and in sight. */
export function LiveLines({ state }: { state: LiveRunState }): ReactNode {
  const { lines, rounds, steps, cost, limits, agent, note, phase, temperature } = state;
  const list = useRef<HTMLOListElement>(null);
  const newest = lines.at(-1)?.n ?? 0;
  useEffect(() => {
    if (newest > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  const isHuman = agent === 'human';
  return (
    <section className={classes.log} aria-labelledby="live-log">
      <h2 id="live-log">{isHuman ? tr('Your task') : tr('Plan, thoughts and actions')}</h2>
      {isHuman ? (
        <p className={classes.goal}>{state.goal || tr('No goal yet')}</p>
      ) : (
        <dl className={classes.figures}>
          <div>
            <dt>{tr('Requests')}</dt>
            <dd>
              {limits.rounds === null
                ? rounds
                : tr('{n, number} of {most, number}', { n: rounds, most: limits.rounds })}
            </dd>
          </div>
          <div>
            <dt>{tr('Steps')}</dt>
            <dd>{steps}</dd>
          </div>
          <div>
            <dt>{tr('Cost')}</dt>
            <dd>
              {limits.budget === null
                ? costText(cost)
                : tr('{cost} of {most}', { cost: costText(cost ?? 0), most: limits.budget })}
            </dd>
          </div>
          {temperature !== null && (
            <div>
              <dt>{tr('Temperature')}</dt>
              <dd>{temperature}</dd>
            </div>
          )}
        </dl>
      )}
      {phase === 'acting' && note !== '' && <p className={classes.note}>{note}</p>}
      {!isHuman && lines.length === 0 && <p className={classes.note}>{tr('The agent has said nothing yet.')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by key */}
      <ol ref={list} className={classes.lines} tabIndex={0} aria-label={tr('What has happened')}>
        {lines.map(({ n, ms, by, kind, text }) => (
          <li key={n} data-kind={kind} data-by={by}>
            <span className={classes.kind}>
              {by === 'person' ? tr('Person') : lineWords(kind)}{' '}
              <span className={classes.time}>{duration(ms * 1000)}</span>
            </span>
            <span className={classes.said}>{kind === 'hand' ? handWords(text) : text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
