import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHourglass } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { VerificationShown } from '../../schemas/api/composition-verification.ts';
import type { VerificationStage } from '../../schemas/composition-terms.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { Time } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './verify.module.css';
import { historyWords, stageAbout, stageName, stageStateWords } from './verify-words.ts';

/** The three stages: where each stands, who did it, and whether the one who is here can take it. */
export function Stages(props: {
  shown: VerificationShown;
  busy: boolean;
  mayClaim: boolean;
  onClaim: (stage: VerificationStage) => void;
}): ReactNode {
  const { shown, busy, mayClaim, onClaim } = props;
  return (
    <ol className={classes.stages} aria-label={tr('Stages of the verification')}>
      {shown.standing.stages.map((one) => {
        const { stage, state, done, inHand } = one;
        const why = shown.claims.find((claim) => claim.stage === stage)?.why ?? null;
        const isMine = shown.mine?.stage === stage;
        return (
          <li key={stage} data-state={state} data-mine={isMine || undefined}>
            <h2>{stageName(stage)}</h2>
            <p className={classes.state}>
              {state === 'done' ? (
                <IconCheck size={14} aria-hidden />
              ) : state === 'differs' ? (
                <IconAlertTriangle size={14} aria-hidden />
              ) : (
                <IconHourglass size={14} aria-hidden />
              )}
              {isMine ? tr('You have it in hand') : stageStateWords(one)}
            </p>
            <p className={classes.fine}>{stageAbout(stage)}</p>
            {done.length > 0 && <p className={classes.fine}>{tr('Done by {names}', { names: done.join(', ') })}</p>}
            {inHand.length > 0 && (
              <p className={classes.fine}>{tr('In hand of {names}', { names: inHand.join(', ') })}</p>
            )}
            {mayClaim && !isMine && why === null && (
              <Button
                size="compact-sm"
                disabled={busy}
                onClick={() => onClaim(stage)}
                rightSection={<Kbd command={`verify.${stage}`} />}
              >
                {tr('Take it')}
              </Button>
            )}
            {mayClaim && !isMine && why !== null && state !== 'done' && state !== 'waits' && (
              <p className={classes.fine}>{why}</p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Answers of everybody beside the true ones, a column for each that was handed in. */
export function SideBySide({ ws, shown }: { ws: string; shown: VerificationShown }): ReactNode {
  const { truth, handed } = shown;
  if (handed.length === 0) return null;
  return (
    <section className={classes.section}>
      <h2>{tr('Side by side')}</h2>
      <SideScroll label={tr('Side by side')}>
        <table className={classes.answers}>
          <thead>
            <tr>
              <th scope="col">{tr('Answer')}</th>
              {truth.length > 0 && <th scope="col">{tr('True')}</th>}
              {handed.map(({ name, stage, platform, at }) => (
                <th scope="col" key={at}>
                  {name}
                  <span className={classes.fine}>
                    {[stageName(stage), platform].filter((one) => one !== '').join(' · ')}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rowsOf(shown).map(({ member, output, value }) => (
              <tr key={`${member} ${output}`}>
                <th scope="row">
                  {member}.{output}
                </th>
                {truth.length > 0 && <td>{value}</td>}
                {handed.map(({ judged, at, recordings }) => {
                  const found = judged.find((one) => one.member === member && one.output === output);
                  const recording = recordings.find((one) => one.member === member)?.recording;
                  return (
                    <td key={at} data-matches={found?.matches}>
                      {found && (
                        <span className={classes.answer}>
                          {found.matches ? (
                            <IconCheck size={13} role="img" aria-label={tr('Matches')} />
                          ) : (
                            <IconAlertTriangle size={13} role="img" aria-label={tr('Differs')} />
                          )}
                          {found.text === '' ? (found.matches ? '' : tr('nothing')) : found.text}
                        </span>
                      )}
                      {recording !== undefined && (
                        <Link href={paths.annotate(ws, recording)} className={classes.recording}>
                          {recording}
                        </Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
            <tr>
              <th scope="row">{tr('Seconds')}</th>
              {truth.length > 0 && <td />}
              {handed.map(({ at, seconds }) => (
                <td key={at}>{tr('{seconds, number}', { seconds: Math.round(seconds) })}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </SideScroll>
    </section>
  );
}

/** A true answer a row; where those are kept, what was handed in. */
function rowsOf({ truth, handed }: VerificationShown): { member: string; output: string; value: string }[] {
  if (truth.length > 0) return truth;
  const all = handed.flatMap(({ judged }) =>
    judged.flatMap(({ member, output }) => (output === null ? [] : [{ member, output, value: '' }])),
  );
  return all.filter(
    (one, n) => all.findIndex(({ member, output }) => member === one.member && output === one.output) === n,
  );
}

export function VerifyHistory({ history }: { history: VerificationShown['history'] }): ReactNode {
  if (history.length === 0) return null;
  return (
    <details className={classes.section}>
      <summary>
        <h2>{tr('History')}</h2>
      </summary>
      <ol className={classes.history}>
        {history.map((one) => (
          <li key={one.n}>
            <Time iso={one.at} /> <b>{one.name}</b> {historyWords(one)}
            {one.isOld && <span className={classes.fine}> {tr('(of another version)')}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
