import { Loader } from '@mantine/core';
import { IconArrowLeft, IconRoute } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { VerificationStage } from '../../schemas/composition-terms.ts';
import type { VerificationAct } from '../../schemas/composition-verification.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePersonId } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { toError } from '../ui/errors.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { PrintedTables } from '../ui/printed-tables.tsx';
import { tellDone, useUndoKey } from '../ui/toast.ts';
import { WhoAreYou } from '../ui/who-are-you.tsx';
import classes from './verify.module.css';
import { VerifyForm } from './verify-form.tsx';
import { SideBySide, Stages, VerifyHistory } from './verify-parts.tsx';
import { stageName, standingWords } from './verify-words.ts';

/** A composition is verified here: its three stages, the work of who is here, and what everybody handed in side by side. */
export function VerifyPage({ ws, composition: id }: { ws: string; composition: string }): ReactNode {
  const [, go] = useLocation();
  const person = usePersonId(ws);
  const cache = useQueryClient();
  const key = ['of', ws, 'recordings', 'compositions', id, 'verification', person];
  const asked = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      client.compositions.verification({ ws, composition: id, ...(person !== null && { person }) }, { signal }),
  });
  const [failed, setFailed] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const shown = asked.data;
  const mine = shown?.mine ?? null;
  const whyNot = (stage: VerificationStage): string | null =>
    shown?.claims.find((one) => one.stage === stage)?.why ?? null;

  const send = async (act: VerificationAct): Promise<boolean> => {
    if (person === null) return false;
    setBusy(true);
    try {
      const event = crypto.randomUUID();
      const answer = await client.compositions.verify({ ws, composition: id, person, event, act });
      await cache.cancelQueries({ queryKey: key });
      cache.setQueryData(key, answer);
      setFailed(null);
      // Other pages may show it later: the next key is meant for this page.
      void cache.invalidateQueries({ queryKey: ['of', ws] });
      return true;
    } catch (error) {
      setFailed(error);
      if (toError(error).code === 'CONFLICT') void asked.refetch();
      return false;
    } finally {
      setBusy(false);
    }
  };
  const claim = async (stage: VerificationStage): Promise<void> => {
    if (!(await send({ type: 'claim', stage }))) return;
    const undo = async (): Promise<void> => {
      if (!(await send({ type: 'release' }))) throw new Error(tr('It was not given back.'));
    };
    tellDone(tr('You have it in hand: {stage}', { stage: stageName(stage) }), undo, 'verify');
  };
  const toFields = (): void => form.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea')?.focus();
  const claimable = (stage: VerificationStage) => ({
    run: () => void claim(stage),
    enabled: person !== null && shown !== undefined && !busy && whyNot(stage) === null,
  });
  useUndoKey('verify');
  useHandlers('verify', {
    'verify.design': claimable('design'),
    'verify.independent': claimable('independent'),
    'verify.blind': claimable('blind'),
    'verify.release': { run: () => void send({ type: 'release' }), enabled: mine !== null && !busy },
    'verify.fields': { run: toFields, enabled: mine !== null },
    'verify.open': { run: () => go(paths.composition(ws, id)), enabled: mine?.stage !== 'blind' },
    'verify.back': () => go(paths.verification(ws)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={shown ? tr('Verify: {title}', { title: shown.title }) : id}
        above={
          <Link href={paths.verification(ws)} className={classes.upper}>
            <IconArrowLeft size={13} aria-hidden /> {tr('To verify')}
          </Link>
        }
        about={shown && standingWords(shown.standing)}
        actions={
          <>
            {mine && (
              <CommandButton variant="default" command="verify.release" onClick={() => void send({ type: 'release' })}>
                {tr('Give it back')}
              </CommandButton>
            )}
            {mine?.stage !== 'blind' && (
              <CommandButton variant="default" icon={IconRoute} command="verify.open" href={paths.composition(ws, id)}>
                {tr('Open the composition')}
              </CommandButton>
            )}
          </>
        }
      />
      <div className={classes.body}>
        <QueryError of={asked} what={tr('The verification could not be read.')} />
        {asked.isPending && <Loader size="sm" aria-label={tr('Reading the verification')} role="status" />}
        {failed !== null && <ErrorPanel error={failed} what={tr('Nothing was changed.')} compact />}
        {person === null && (
          <WhoAreYou onChoose={() => askWho()}>
            {tr('Each stage is done by other people, so the studio has to know who works here.')}
          </WhoAreYou>
        )}
        {shown && (
          <>
            <Stages shown={shown} busy={busy} mayClaim={person !== null} onClaim={(stage) => void claim(stage)} />
            {shown.isClosed && !mine && (
              <p className={classes.told}>
                {tr('No more is shown here until you open the composition, so that you can still do it blind.')}
              </p>
            )}
            {mine && !mine.isCurrent && (
              <p className={classes.told} role="alert">
                {tr('The composition was changed since you took this. Take it again to go on with what it is now.')}
              </p>
            )}
            {mine && person !== null && (
              <VerifyForm
                key={`${mine.stage} ${shown.version}`}
                ws={ws}
                person={person}
                shown={shown}
                busy={busy}
                form={form}
                onSend={send}
              />
            )}
            <SideBySide ws={ws} shown={shown} />
            <PrintedTables heading={tr('As the papers print it')} tables={shown.tables} />
            <VerifyHistory history={shown.history} />
          </>
        )}
      </div>
    </div>
  );
}
