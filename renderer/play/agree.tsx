import { Button, Group, Loader } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commandLine } from '../../core/play/asked.ts';
import type { AskedSetup } from '../../schemas/consent.ts';
import { client } from '../client/api.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import classes from './page.module.css';

/** Asks before somebody else's recipe or checks run: what they start, put there and look at. The safe answer has the focus. */
export function AgreeDialog(props: { ws: string; task: string; onAgreed: () => void; onClose: () => void }): ReactNode {
  const { ws, task, onAgreed, onClose } = props;
  const asked = useQuery({
    queryKey: ['of', ws, 'tasks', task, 'asked', askerOf(ws).person ?? null],
    queryFn: ({ signal }) => client.setup.asked({ ws, task, ...askerOf(ws) }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const agree = useMutation({
    mutationFn: (hashes: string[]) => client.setup.agree({ ws, task, hashes, ...askerOf(ws) }),
    onSuccess: onAgreed,
  });
  return (
    <Dialog opened onClose={onClose} title={tr('Run what somebody else made?')} size="lg">
      <div className={classes.asked}>
        <p>
          {tr(
            'You did not write this, or it was changed since you agreed to it. It runs on this machine, on a display of its own. Your answer is remembered until it changes.',
          )}
        </p>
        <QueryError of={asked} compact />
        {asked.isPending && <Loader size="sm" aria-label={tr('Reading the recipe')} role="status" />}
        {asked.data?.map((one) => (one.kind === 'recipe' ? recipe(one) : checks(one)))}
      </div>
      {agree.error && <ErrorPanel error={agree.error} compact />}
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {tr('Cancel')}
        </Button>
        <Button
          disabled={!asked.data}
          loading={agree.isPending}
          onClick={() => agree.mutate((asked.data ?? []).map(({ hash }) => hash))}
        >
          {tr('Agree and run')}
        </Button>
      </Group>
    </Dialog>
  );
}

const recipe = ({ hash, programs, files, network, ownServers }: AskedSetup): ReactNode => (
  <section key={hash} aria-labelledby="asked-recipe">
    <h3 id="asked-recipe">{tr('The recipe starts')}</h3>
    <ul>
      {programs.map((one, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same program may be started twice
        <li key={n}>
          <code>{commandLine(one)}</code>
        </li>
      ))}
      {programs.length === 0 && <li>{tr('No program')}</li>}
      <li>{network ? tr('Its programs may use the network') : tr('No network')}</li>
      {ownServers === true && (
        <li>{tr('With it they reach the servers on this machine, too: slirp4netns is missing')}</li>
      )}
    </ul>
    {files.length > 0 && (
      <>
        <h3>{tr('Files, put into the home first')}</h3>
        <ul>
          {files.map(({ to, from, text, as }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two archives may be unpacked in one folder
            <li key={n}>
              <code>~/{to}</code> {putWords(from, as)}
              {text !== null && <pre>{text}</pre>}
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);

function putWords(name: string | null, as: AskedSetup['files'][number]['as']): string {
  if (as === 'folder') return tr('an empty folder');
  if (name === null) return tr('a text of the recipe');
  return as === 'unpacked' ? tr('what the archive {name} holds', { name }) : tr('the file {name}', { name });
}

const checks = ({ hash, checks: looked }: AskedSetup): ReactNode => (
  <section key={hash} aria-labelledby="asked-checks">
    <h3 id="asked-checks">{tr('The checks look at')}</h3>
    <ul>
      {looked.map(({ id, kind, at }) => (
        <li key={id}>
          <strong>{id}</strong> <code>{`${kind}: ${at}`}</code>
        </li>
      ))}
    </ul>
  </section>
);
