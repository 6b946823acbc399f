import type { ReactNode } from 'react';
import type { CompositionShown, EventShown, LawShown } from '../../schemas/api/compositions.ts';
import type { RanEvent } from '../../schemas/composition-run.ts';
import { tr } from '../language/tr.ts';
import { TableHead } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import { eventOfLaw } from './law-words.ts';
import { Laws } from './laws.tsx';
import classes from './page.module.css';
import { happeningWords, timesOf } from './words.ts';

/** A table of the events of a scenario's day: when each comes and what it brings, and when it came in the run that is shown. */
export function Events(props: {
  composition: Pick<CompositionShown, 'begins' | 'events'>;
  laws: readonly LawShown[];
  /** The events of the run that is shown; null: no run is. */
  ran: readonly RanEvent[] | null;
}): ReactNode {
  const { composition, laws, ran } = props;
  const { begins, events } = composition;
  if (events.length === 0) return null;
  const columns = [tr('Event'), tr('When'), tr('What happens'), ...(ran === null ? [] : [tr('In the run')])];
  return (
    <div className={classes.section}>
      <h2 id="composition-events">{tr('What happens by itself')}</h2>
      {begins !== null && <p className={classes.fine}>{tr('The first day is {day}.', { day: begins })}</p>}
      <SideScroll labelledBy="composition-events">
        <table className={classes.line}>
          <TableHead columns={columns} />
          <tbody>
            {events.map((event) => (
              <tr key={event.id}>
                <th scope="row">
                  <span className={classes.member}>{event.id}</span>
                  <Laws laws={laws.filter((law) => eventOfLaw(law) === event.id)} />
                </th>
                <td>
                  {whenWords(event)}
                  {event.stage !== null && (
                    <span className={classes.fine}> · {tr('on the stage {stage}', { stage: event.stage })}</span>
                  )}
                </td>
                <td className={classes.text}>
                  <ul className={classes.joins}>
                    {event.happens.map((one, n) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be alike
                      <li key={n}>{happeningWords(one)}</li>
                    ))}
                  </ul>
                  {event.happens.length > 1 && <p className={classes.fine}>{tr('one of them, drawn by the seed')}</p>}
                </td>
                {ran !== null && (
                  <td className={classes.result}>
                    <Came event={ran.find(({ id }) => id === event.id)} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </SideScroll>
    </div>
  );
}

function whenWords({ after, window }: EventShown): string {
  if (after !== null) return tr('after {task}', { task: after });
  if (window?.to == null) return timesOf(window);
  return tr('a minute of {times}', { times: timesOf(window) });
}

function Came({ event }: { event: RanEvent | undefined }): ReactNode {
  if (!event) return <span className={classes.fine}>{tr('It did not come.')}</span>;
  const { at, before, after, failed } = event;
  const time = at?.slice(11, 16) ?? '';
  const place =
    before !== null ? tr('before {task}', { task: before }) : after !== null ? tr('after {task}', { task: after }) : '';
  return (
    <>
      <span>{[time, place].filter((part) => part !== '').join(', ')}</span>
      {failed !== null && <p className={classes.why}>{tr('It could not happen: {why}', { why: failed })}</p>}
    </>
  );
}
