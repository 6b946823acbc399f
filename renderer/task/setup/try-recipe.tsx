import { Button, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { commandLine } from '../../../core/play/asked.ts';
import type { TriedRecipe } from '../../../schemas/api/setup.ts';
import type { AskedSetup } from '../../../schemas/consent.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { client, toError } from '../../client/api.ts';
import { askerOf } from '../../client/queries.ts';
import { tr } from '../../language/tr.ts';
import { ErrorPanel } from '../../ui/parts.tsx';
import classes from './setup.module.css';

export type RecipeTrial = {
  isRunning: boolean;
  start: () => void;
  /** Stops it; its stage goes away. */
  stop: () => void;
  /** How it went, while there is something to say. */
  shown: ReactNode;
};

/** What somebody else made is asked about first. */
type Outcome = { asked: readonly AskedSetup[] } | { tried: TriedRecipe };

/** Tries a recipe before it is stored: on a stage of its own, of which a picture is shown, or why there is none. */
export function useRecipeTrial(ws: string, task: string, recipe: Recipe): RecipeTrial {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const trial = useMutation({
    mutationFn: async (agreed: readonly AskedSetup[]): Promise<Outcome> => {
      running.current?.abort();
      const control = new AbortController();
      running.current = control;
      const { signal } = control;
      if (agreed.length > 0)
        await client.setup.agree({ ws, task, hashes: agreed.map(({ hash }) => hash), ...askerOf(ws) }, { signal });
      try {
        return { tried: await client.setup.tryRecipe({ ws, task, recipe, ...askerOf(ws) }, { signal }) };
      } catch (error) {
        if (toError(error).code !== 'NOT_AGREED') throw error;
        const asked = await client.setup.asked({ ws, task, ...askerOf(ws) }, { signal });
        return { asked: asked.filter(({ kind }) => kind === 'recipe') };
      }
    },
  });
  return {
    isRunning: trial.isPending,
    start: () => trial.mutate([]),
    stop() {
      running.current?.abort();
      trial.reset();
    },
    shown: trial.isPending ? (
      <p className={classes.note} role="status">
        <Loader size={14} aria-hidden /> {tr('Setting a stage up. It takes some seconds …')}
      </p>
    ) : trial.error ? (
      <ErrorPanel error={trial.error} what={tr('No stage could be set up so.')} compact />
    ) : trial.data && 'asked' in trial.data ? (
      <Ask asked={trial.data.asked} onAgree={trial.mutate} />
    ) : trial.data ? (
      <Tried {...trial.data.tried} />
    ) : null,
  };
}

function Ask({ asked, onAgree }: { asked: readonly AskedSetup[]; onAgree: (asked: readonly AskedSetup[]) => void }) {
  return (
    <div className={classes.asked} role="alert">
      <p>{tr('Somebody else made the recipe that is stored. It starts:')}</p>
      <ul>
        {asked.flatMap(({ hash, programs }) =>
          programs.map((one, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be started twice
            <li key={`${hash} ${n}`}>
              <code>{commandLine(one)}</code>
            </li>
          )),
        )}
      </ul>
      <Button size="compact-sm" variant="default" onClick={() => onAgree(asked)}>
        {tr('Agree and try it')}
      </Button>
    </div>
  );
}

function Tried({ took, width, height, picture, titles, notes }: TriedRecipe): ReactNode {
  const windows = titles.filter((title) => title !== '');
  const words = tr('Set up in {seconds} s, {width} × {height}.', { seconds: (took / 1000).toFixed(1), width, height });
  return (
    <section className={classes.tried} aria-label={tr('The stage that was tried')}>
      <p className={classes.outcome} data-good role="status">
        {words}{' '}
        {windows.length === 0 ? tr('No window is open.') : tr('Windows: {titles}', { titles: windows.join(' · ') })}
      </p>
      {notes.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
      {picture === null ? (
        <p className={classes.note}>{tr('Its screen could not be looked at.')}</p>
      ) : (
        <img src={picture} width={width} height={height} alt={tr('The stage, as the recipe sets it up')} />
      )}
    </section>
  );
}
