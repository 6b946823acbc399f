import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import { usePageTitle } from '../ui/parts.tsx';
import classes from './team.module.css';

/** The frame of the pages before somebody is signed in: nothing of a workspace is told there. */
export function DoorPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  usePageTitle(title);
  return (
    <main className={classes.door}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src="/icon.svg" alt="" width={26} height={26} />
          <span>{tr('Trajectory Studio')}</span>
        </div>
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
