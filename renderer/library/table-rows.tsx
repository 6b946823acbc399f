import { Checkbox } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import type { TableRow, TaskTable } from '../../schemas/api/task-table.ts';
import { tr } from '../language/tr.ts';
import classes from './table-dialog.module.css';

const ROW_PX = 46;

const ACTS: Readonly<Record<TableRow['act'], string>> = {
  make: tr('new'),
  update: tr('changed'),
  skip: tr('unchanged row'),
  fault: tr('fault'),
};

/** What comes of each row: those with faults say which column and why. */
export function TableRows({ table }: { table: TaskTable }): ReactNode {
  const { made, updated, skipped, faults } = table;
  const [only, setOnly] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const rows = only && faults > 0 ? table.rows.filter(({ act }) => act === 'fault') : table.rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  return (
    <>
      <p className={classes.counts} role="status">
        <span>{tr('{made, number} new', { made })}</span>
        <span>{tr('{updated, number} changed', { updated })}</span>
        <span>{tr('{skipped, number} left as they are', { skipped })}</span>
        <span className={faults > 0 ? classes.bad : undefined}>{tr('{faults, number} with faults', { faults })}</span>
        {faults > 0 && (
          <Checkbox
            size="xs"
            label={tr('Show faults only')}
            checked={only}
            onChange={(event) => setOnly(event.currentTarget.checked)}
          />
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by keys as well */}
      <section ref={box} className={classes.rows} tabIndex={0} aria-label={tr('Rows of the table')}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!;
            return (
              <div
                key={row.line}
                className={classes.row}
                data-act={row.act}
                style={{ position: 'absolute', top: start, left: 0, right: 0 }}
              >
                <span className={classes.line}>{row.line}</span>
                <span>{ACTS[row.act]}</span>
                <span>{row.task ?? row.software ?? ''}</span>
                <span className={classes.words}>
                  <span title={row.goal}>{row.goal || (row.act === 'fault' ? '–' : tr('No goal yet'))}</span>
                  {row.faults.map(({ column, message }) => (
                    <span key={`${column} ${message}`} className={classes.fault} title={message}>
                      {column === null ? message : `${column}: ${message}`}
                    </span>
                  ))}
                  {row.sameAs !== null && <span>{tr('The same as line {line}', { line: row.sameAs })}</span>}
                </span>
              </div>
            );
          })}
        </div>
      </section>
    </>
  );
}
