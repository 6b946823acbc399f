import { NumberInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { CompositionShown, InstancesMade } from '../../schemas/api/compositions.ts';
import { COMPOSITION_LIMITS } from '../../schemas/limits.ts';
import { client } from '../client/api.ts';
import { askerOf, queries } from '../client/queries.ts';
import { JobForm } from '../jobs/job-form.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { tellDone } from '../ui/toast.ts';
import classes from './page.module.css';
import { variesWords } from './words.ts';

/** Asks how many instances, and by which seed, and has them made; what was left out stays in sight. */
export function MakeInstances(props: {
  ws: string;
  composition: Pick<CompositionShown, 'id' | 'given'>;
  /** The next seed by which none is here yet. */
  freshSeed: number;
  /** The job that is begun; the page follows it, also when this is closed before it is done. */
  onBegun: (job: string) => void;
  made: InstancesMade | null;
  onClose: () => void;
}): ReactNode {
  const { ws, composition, freshSeed, onBegun, made, onClose } = props;
  const { id, given } = composition;
  const [count, setCount] = useState<string | number>(5);
  const [seed, setSeed] = useState<string | number>(freshSeed);
  const start = async () => {
    const begun = await client.compositions.makeInstances({
      ws,
      ...askerOf(ws),
      composition: id,
      count: Number(count),
      seed: Number(seed),
    });
    onBegun(begun.id);
    return begun;
  };
  const fits = (value: string | number, least: number, most: number): boolean =>
    value !== '' && Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most;
  return (
    <Dialog opened onClose={onClose} title={tr('Make instances')} size="md">
      <JobForm
        ws={ws}
        ready={fits(count, 1, COMPOSITION_LIMITS.instances) && fits(seed, 0, COMPOSITION_LIMITS.seed)}
        start={start}
        go={tr('Make them')}
        failed={tr('No instance was made.')}
        asked={`${count} ${seed}`}
        onClose={onClose}
      >
        <ul className={classes.joins}>
          {given.map(
            ({ name, value, varies }) =>
              varies !== null && (
                <li key={name}>
                  <b>{name}</b> {variesWords(varies)} <span className={classes.fine}>({value})</span>
                </li>
              ),
          )}
        </ul>
        <NumberInput
          label={tr('How many by this seed')}
          description={tr('Those that are here already are among them, and stay as they are.')}
          min={1}
          max={COMPOSITION_LIMITS.instances}
          allowDecimal={false}
          value={count}
          onChange={setCount}
          data-autofocus
        />
        <NumberInput
          label={tr('Seed')}
          description={tr('The same seed draws the same values again.')}
          min={0}
          max={COMPOSITION_LIMITS.seed}
          allowDecimal={false}
          value={seed}
          onChange={setSeed}
        />
        {made && made.leftOut.length > 0 && <LeftOut leftOut={made.leftOut} />}
      </JobForm>
    </Dialog>
  );
}

/** The result of the job, once it is done; a message tells it and can take it back. */
export function useMade(ws: string, id: string, job: string | null): InstancesMade | null {
  const cache = useQueryClient();
  const state = useQuery({ ...queries.jobs(ws), enabled: job !== null }).data?.find((one) => one.id === job)?.state;
  const result = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', id, 'made', job],
    queryFn: ({ signal }) => client.jobs.result({ ws, job: job ?? '' }, { signal }),
    enabled: state === 'done',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const made = isMade(result.data) ? result.data : null;
  useEffect(() => {
    if (made === null || made.made.length === 0) return;
    const isStale = async (): Promise<void> => {
      await cache.invalidateQueries({ queryKey: ['of', ws, 'recordings', 'compositions'], predicate: isNoResult });
    };
    void isStale();
    const instances = made.made.map((one) => ({ id: one.id, version: one.version, tasks: one.tasks }));
    const undo = async (): Promise<void> => {
      await client.compositions.removeInstances({ ws, ...askerOf(ws), composition: id, instances });
      await isStale();
    };
    const n = made.made.length;
    tellDone(tr('{n, plural, one {# instance was} other {# instances were}} made.', { n }), undo, 'composition');
  }, [made, cache, ws, id]);
  return made;
}

/** A job's result is not made anew by what it changed. */
const isNoResult = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => !queryKey.includes('made');

/** The job of compositions.makeInstances has no other result. */
const isMade = (result: unknown): result is InstancesMade =>
  typeof result === 'object' && result !== null && 'made' in result && 'leftOut' in result;

function LeftOut({ leftOut }: Pick<InstancesMade, 'leftOut'>): ReactNode {
  return (
    <section aria-label={tr('Left out')}>
      <p className={classes.told}>
        {tr(
          '{n, plural, one {One set of values was} other {# sets of values were}} left out, since a law would be broken:',
          {
            n: leftOut.length,
          },
        )}
      </p>
      <ul className={classes.joins}>
        {leftOut.slice(0, MOST_LEFT_OUT).map(({ values, why }) => (
          <li key={JSON.stringify(values)}>
            <b>{valuesOf(values)}</b>: {why}
          </li>
        ))}
      </ul>
      {leftOut.length > MOST_LEFT_OUT && (
        <p className={classes.fine}>{tr('The first {n, number} are shown.', { n: MOST_LEFT_OUT })}</p>
      )}
    </section>
  );
}

const MOST_LEFT_OUT = 8;

const valuesOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
