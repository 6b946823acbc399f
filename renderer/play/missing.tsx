import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PlayReady } from '../../schemas/api/play.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import classes from './page.module.css';

/** What is in the way of a play, and what to do. */
export function PlayMissing(props: { ws: string; task: string; missing: PlayReady['missing'] }): ReactNode {
  const { ws, task, missing } = props;
  return (
    <section className={classes.missing} aria-labelledby="missing-title">
      <h2 id="missing-title">{tr('This cannot be played yet')}</h2>
      <ul>
        {missing.map(({ what, message }) => (
          <li key={message}>
            {message}{' '}
            {(what === 'recipe' || what === 'program') && (
              <Anchor component={Link} href={paths.task(ws, task)} size="sm" underline="always">
                {what === 'recipe' ? tr('Write the recipe') : tr('Change the recipe')}
              </Anchor>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
