import { Anchor, Button, Loader } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconDice5, IconX } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { CandidateShown } from '../../schemas/api/candidates.ts';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, ErrorPanel, PageHeader, QueryError, RowKeys, TableHead } from '../ui/parts.tsx';
import { AskCandidates } from './ask-candidates.tsx';
import classes from './candidates.module.css';

/** Answers of models to the steps of a recording, with what they are worth; people say of each whether it is right. */
export function CandidatesPage({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const [, go] = useLocation();
  const all = useQuery({
    queryKey: ['of', ws, 'recordings', 'candidates', recording],
    queryFn: ({ signal }) => client.candidates.of({ ws, recording, ...askerOf(ws) }, { signal }),
  });
  const [chosen, setChosen] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const list = all.data ?? [];
  const at = Math.max(0, Math.min(chosen, list.length - 1));
  const one = list[at];
  const say = useMutation({
    mutationFn: ({ candidate, right }: { candidate: string; right: boolean | null }) =>
      client.candidates.say({ ws, recording, candidate, ...(right !== null && { right }), ...askerOf(ws) }),
    onSettled: () => all.refetch(),
  });
  // The next one has the keys, as at drafts.
  const saying = (right: boolean | null): void => {
    if (!one) return;
    say.mutate({ candidate: one.id, right });
    if (right !== null) setChosen(Math.min(at + 1, list.length - 1));
  };
  const hasOne = one !== undefined;
  useHandlers('candidates', {
    'candidates.down': () => setChosen(at + 1),
    'candidates.up': () => setChosen(at - 1),
    'candidates.ask': () => setAsking(true),
    'candidates.right': { run: () => saying(true), enabled: hasOne },
    'candidates.wrong': { run: () => saying(false), enabled: hasOne },
    'candidates.back': { run: () => saying(null), enabled: hasOne },
    'candidates.large': { run: () => setLarge(!isLarge), enabled: hasOne },
    'candidates.recording': () => go(paths.annotate(ws, recording)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Candidates of steps')}
        above={
          <Anchor component={Link} href={paths.annotate(ws, recording)} size="xs">
            {recording}
          </Anchor>
        }
        about={tr('What models would do at each step, and what it is worth')}
        actions={
          <CommandButton icon={IconDice5} command="candidates.ask" onClick={() => setAsking(true)}>
            {tr('Ask for candidates')}
          </CommandButton>
        }
      />
      <div className={classes.body}>
        <QueryError of={all} what={tr('The candidates could not be read.')} />
        {say.error && <ErrorPanel error={say.error} what={tr('It was not kept.')} />}
        {all.isPending && <Loader size="sm" aria-label={tr('Reading the candidates')} role="status" />}
        {all.data && list.length === 0 && (
          <EmptyState icon={<IconDice5 size={22} />} title={tr('No candidates yet')}>
            {tr(
              'A model is asked several times what it would do at each step. The answers go out with their rewards as the parts candidates and pairs of ms-swift.',
            )}
          </EmptyState>
        )}
        {one && (
          <>
            <Rows list={list} at={at} onChoose={setChosen} />
            <section className={classes.one} aria-labelledby="candidate-one">
              <h2 id="candidate-one">{tr('Step {n, number}: {did}', { n: one.number, did: one.did })}</h2>
              <div className={classes.say}>
                <CommandButton
                  variant="default"
                  icon={IconCheck}
                  command="candidates.right"
                  onClick={() => saying(true)}
                >
                  {tr('Right')}
                </CommandButton>
                <CommandButton variant="default" icon={IconX} command="candidates.wrong" onClick={() => saying(false)}>
                  {tr('Wrong')}
                </CommandButton>
                <CommandButton
                  variant="default"
                  icon={IconArrowBackUp}
                  command="candidates.back"
                  onClick={() => saying(null)}
                >
                  {tr('Take it back')}
                </CommandButton>
                <Button variant="default" size="compact-sm" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
                  {tr('Large pictures')}
                </Button>
              </div>
              <div className={classes.beside} data-large={isLarge}>
                {one.frame === null ? (
                  <p>{tr('No picture was recorded.')}</p>
                ) : (
                  <img
                    src={FILE_ROUTES.frame(ws, recording, one.frame)}
                    alt={tr('The screen before the step')}
                    className={classes.picture}
                  />
                )}
                <div>
                  <pre className={classes.text}>{one.text}</pre>
                  <p className={classes.fine}>{rewardWords(one)}</p>
                  {one.judged && (
                    <p className={classes.fine}>
                      {one.judged.by}: {judgeWords(one.judged.right)}. {one.judged.why}
                    </p>
                  )}
                </div>
              </div>
            </section>
          </>
        )}
      </div>
      {isAsking && <AskCandidates ws={ws} recording={recording} onClose={() => setAsking(false)} />}
    </div>
  );
}

const rewardWords = ({ reward }: CandidateShown): string =>
  tr('Reward {reward}: how much of what it does the person did, too', { reward: reward.toFixed(2) });

const judgeWords = (right: boolean | null): string =>
  right === null ? tr('cannot be told') : right ? tr('right') : tr('wrong');

type RowsProps = { list: readonly CandidateShown[]; at: number; onChoose: (at: number) => void };

function Rows({ list, at, onChoose }: RowsProps): ReactNode {
  const columns = [tr('Step'), tr('Answer'), tr('Model'), tr('Reward'), tr('Judge'), tr('People')];
  return (
    <div>
      <h2 id="candidates-all">{tr('Candidates')}</h2>
      <RowKeys
        keys={[
          [tr('choose'), 'candidates.down', 'candidates.up'],
          [tr('right, wrong'), 'candidates.right', 'candidates.wrong'],
        ]}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by key */}
      <section className={classes.scroll} tabIndex={0} aria-labelledby="candidates-all">
        <table className={classes.table}>
          <TableHead columns={columns} />
          <tbody>
            {list.map(({ id, number, n, model, reward, judged, people, text }, place) => (
              <tr
                key={`${id} ${n}`}
                ref={place === at ? intoView : null}
                data-chosen={place === at}
                onClick={() => onChoose(place)}
              >
                <td>{number}</td>
                <th scope="row" aria-current={place === at ? 'true' : undefined}>
                  {text.trim().replaceAll(/\s+/g, ' ').slice(0, 120) || tr('(nothing)')}
                </th>
                <td>{model}</td>
                <td>{reward.toFixed(2)}</td>
                <td>{judged === null ? '–' : judgeWords(judged.right)}</td>
                <td>{people === null ? '–' : people.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const intoView = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' });
