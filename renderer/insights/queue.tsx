import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Dashboard } from '../../schemas/api/review-models.ts';
import { paths } from '../client/paths.ts';
import { type AgreementKind, nameOfPerson, scaleStart, valueWords } from '../figures/figures.ts';
import { tr, trParts } from '../language/tr.ts';
import { Clamp, RowKeys } from '../ui/parts.tsx';
import { StateLabel } from '../ui/states.tsx';
import classes from './insights.module.css';
import { FigureCells, FigureHeads, NumberCell, NumberHead, ScrolledTable, Section } from './parts.tsx';

/** Rows that are there at first; more are asked for. */
const AT_ONCE = 25;

type QueueState = { at: number; shown: number; by: (n: number) => void; more: () => void };

/** Which row is chosen, and how many are there. */
export function useQueue(length: number): QueueState {
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState(AT_ONCE);
  const bound = Math.max(Math.min(at, length - 1), 0);
  return {
    at: bound,
    shown,
    by: (n) => {
      const next = Math.max(Math.min(bound + n, length - 1), 0);
      setAt(next);
      if (next >= shown) setShown(next + AT_ONCE);
    },
    more: () => setShown(shown + 100),
  };
}

/** Recordings that two or more annotated, the lowest agreement first: what is worth a look. */
export function Queue(props: {
  ws: string;
  rows: Dashboard['recordings'];
  kind: AgreementKind;
  queue: QueueState;
  software: Dashboard['software'];
}): ReactNode {
  const { ws, rows, kind, queue, software } = props;
  const start = scaleStart(rows.map(({ agreement }) => agreement[kind]));
  const body = useRef<HTMLTableSectionElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // Not when the page opens: its top is what one came to see.
    if (!first.current) body.current?.children[queue.at]?.scrollIntoView({ block: 'nearest' });
    first.current = false;
  }, [queue.at]);
  return (
    <Section
      id="queue"
      heading={
        <>
          {tr('Lowest agreement first')} <span className={classes.note}>{nameOfPerson(kind)}</span>
          <RowKeys
            keys={[
              [tr('choose'), 'insights.down', 'insights.up'],
              [tr('compare'), 'insights.open'],
            ]}
          />
        </>
      }
    >
      <ScrolledTable wide>
        <thead>
          <tr>
            <th scope="col">{tr('Task')}</th>
            <th scope="col">{tr('Recording')}</th>
            <th scope="col">{tr('Software')}</th>
            <th scope="col">{tr('State')}</th>
            <NumberHead>{tr('People')}</NumberHead>
            <NumberHead>{tr('Differences')}</NumberHead>
            <FigureHeads start={start} />
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.slice(0, queue.shown).map((row, index) => (
            <tr key={row.recording} data-chosen={index === queue.at} aria-current={index === queue.at || undefined}>
              <th scope="row">
                <Clamp>{row.task}</Clamp>
              </th>
              <td>
                <Link href={paths.compare(ws, row.recording)} className={classes.link}>
                  {trParts('{recording}<hidden> of {task}: compare</hidden>', {
                    recording: <Clamp>{row.recording}</Clamp>,
                    task: row.task,
                    hidden: (inside) => <span className="visually-hidden">{inside}</span>,
                  })}
                </Link>
              </td>
              <td>
                <Clamp>{software.find(({ id }) => id === row.software)?.name ?? row.software}</Clamp>
              </td>
              <td>
                <StateLabel state={row.state} />
              </td>
              <NumberCell n={row.documents} />
              <NumberCell n={row.differences} />
              <FigureCells figure={row.agreement[kind]} start={start} plotted={valueWords(kind).scale !== 'actions'} />
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      {rows.length > queue.shown && (
        <Button variant="subtle" onClick={queue.more} className={classes.more}>
          {tr('Show more ({left, number} left)', { left: rows.length - queue.shown })}
        </Button>
      )}
    </Section>
  );
}
