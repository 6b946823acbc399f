import { Drawer, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../client/api.ts';
import { usePersonName } from '../../client/person.ts';
import { tr } from '../../language/tr.ts';
import { QueryError, Time } from '../../ui/parts.tsx';
import { useWork, useWorkStore } from '../store.ts';
import classes from './form.module.css';
import { historyEntry } from './history-words.ts';

/** Who changed what of the step in hand, when; newest first. */
export function HistoryDrawer(): ReactNode {
  const store = useWorkStore();
  const opened = useWork((state) => state.open === 'history');
  const at = useWork((state) => (state.open === 'history' ? state.at : -1));
  return (
    <Drawer
      opened={opened}
      onClose={() => store.setState({ open: null })}
      position="right"
      size="md"
      title={opened ? tr('History of step {number}', { number: at + 1 }) : ''}
      closeButtonProps={{ 'aria-label': tr('Close') }}
      transitionProps={{ duration: 0 }}
    >
      {opened && <History />}
    </Drawer>
  );
}

function History(): ReactNode {
  const ws = useWork((state) => state.ws);
  const recording = useWork((state) => state.opened.row.id);
  const document = useWork((state) => state.document);
  const person = useWork((state) => state.person);
  const nameOf = usePersonName(ws);
  const action = useWork((state) => state.doc.steps[state.at]?.step.id);
  const steps = useWork((state) => state.doc.steps);
  const stepName = (id: string): string => {
    const at = steps.findIndex(({ step }) => step.id === id);
    return at < 0 ? id : tr('Step {number}', { number: at + 1 });
  };
  const version = useWork((state) => state.sync.pending.version);
  const history = useQuery({
    queryKey: ['of', ws, 'history', document, person, action, version],
    queryFn: ({ signal }) =>
      client.annotation.history(
        {
          ws,
          recording,
          document,
          limit: 200,
          ...(action !== undefined && { action }),
          ...(person !== null && { person }),
        },
        { signal },
      ),
  });
  return (
    <>
      {history.isPending && <Loader size="sm" aria-label={tr('Loading')} role="status" />}
      <QueryError of={history} />
      {history.data?.length === 0 && <p className={classes.quiet}>{tr('Nothing was said of this step yet.')}</p>}
      <ol className={classes.history}>
        {history.data?.map((stored) => {
          const { title, lines } = historyEntry(stored, action ?? null, stepName);
          return (
            <li key={stored.id} className={classes.entry}>
              <span className={classes.entryHead}>
                <strong>{title}</strong>
                <span className={classes.quiet}>
                  {nameOf(stored.person)} · <Time iso={stored.at} />
                </span>
              </span>
              {lines.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </li>
          );
        })}
      </ol>
    </>
  );
}
