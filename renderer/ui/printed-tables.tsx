import type { ReactNode } from 'react';
import type { PrintedTable } from '../../schemas/api/compositions.ts';
import classes from './printed-tables.module.css';
import { SideScroll } from './side-scroll.tsx';

/** PrintedTables as the command line prints them, in the papers' words. */
export function PrintedTables(props: { heading: string; tables: readonly PrintedTable[]; open?: boolean }): ReactNode {
  const { heading, tables, open = false } = props;
  if (tables.length === 0) return null;
  return (
    <details className={classes.section} open={open}>
      <summary>
        <h2>{heading}</h2>
      </summary>
      {tables.map(({ title, rows: [head = [], ...rows] }) => (
        <SideScroll key={title} label={title} lang="en">
          <table className={classes.printed}>
            <caption>{title}</caption>
            <thead>
              <tr>
                {head.map((cell, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a table's columns are named by their places
                  <th key={n} scope="col">
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: and its rows
                <tr key={n}>
                  {row.map((cell, m) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: and their cells
                    <td key={m}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </SideScroll>
      ))}
    </details>
  );
}
