import type { ReactNode } from 'react';
import type { Dashboard } from '../../schemas/api/review-models.ts';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import { percent } from '../ui/format.ts';
import { Clamp } from '../ui/parts.tsx';
import { STATE_NAMES, StateLabel } from '../ui/states.tsx';
import classes from './insights.module.css';
import { NumberHead, ScrolledTable, Section } from './parts.tsx';

type Counts = Dashboard['states'];
const totalOf = (counts: Counts): number => RECORDING_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);

/** How many recordings are in which state, of all software and of each. */
export function States({ data }: { data: Dashboard }): ReactNode {
  const software = data.software.filter(({ total }) => total > 0);
  return (
    <Section id="states" heading={tr('Recordings by state')}>
      <ScrolledTable wide>
        <thead>
          <tr>
            <th scope="col">{tr('Software')}</th>
            <th scope="col" className={classes.bar}>
              {tr('States, share approved')}
            </th>
            {RECORDING_STATES.map((state) => (
              <NumberHead key={state}>
                <span className={classes.state}>
                  <StateLabel state={state} />
                </span>
              </NumberHead>
            ))}
            <NumberHead>{tr('All')}</NumberHead>
          </tr>
        </thead>
        <tbody>
          <Row name={tr('All software')} counts={data.states} whole />
          {software.length > 1 && software.map((one) => <Row key={one.id} name={one.name} counts={one.states} />)}
        </tbody>
      </ScrolledTable>
    </Section>
  );
}

function Row({ name, counts, whole }: { name: string; counts: Counts; whole?: boolean }): ReactNode {
  const total = totalOf(counts);
  return (
    <tr data-whole={whole}>
      <th scope="row">
        <Clamp>{name}</Clamp>
      </th>
      <td className={classes.bar}>
        <Stack counts={counts} total={total} />
        <span className="tabular">{percent(total === 0 ? 0 : (counts.approved ?? 0) / total)}</span>
      </td>
      {RECORDING_STATES.map((state) => (
        <td key={state} className={classes.number} data-none={!counts[state]}>
          {(counts[state] ?? 0).toLocaleString(shownLanguage())}
        </td>
      ))}
      <td className={classes.number}>
        <strong>{total.toLocaleString(shownLanguage())}</strong>
      </td>
    </tr>
  );
}

/** The states' shares as one bar, the furthest first. Not read out: the numbers stand beside it. */
function Stack({ counts, total }: { counts: Counts; total: number }): ReactNode {
  return (
    <span className={classes.stack} aria-hidden="true">
      {RECORDING_STATES.toReversed().map((state) => {
        const count = counts[state] ?? 0;
        if (count === 0) return null;
        return (
          <span
            key={state}
            className={classes.part}
            data-state={state}
            style={{ flexGrow: count / total }}
            title={`${STATE_NAMES[state]}: ${count.toLocaleString(shownLanguage())}`}
          />
        );
      })}
    </span>
  );
}
