import { IconChecklist } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePerson, usePersonId } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, PageHeader, QueryError, RowKeys, TableHead } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import { WhoAreYou } from '../ui/who-are-you.tsx';
import classes from './page.module.css';
import { stageName } from './verify-words.ts';

/** Compositions that the chosen person can verify, the next one first. */
export function VerificationQueuePage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const person = usePersonId(ws);
  const name = usePerson(ws)?.name;
  const queue = useQuery({
    queryKey: ['of', ws, 'recordings', 'compositions', '', 'queue', person],
    queryFn: ({ signal }) => client.compositions.queue({ ws, person: person ?? '' }, { signal }),
    enabled: person !== null,
  });
  const [chosen, setChosen] = useState(0);
  const items = queue.data ?? [];
  const at = Math.max(0, Math.min(chosen, items.length - 1));
  const item = items[at];
  useHandlers('verification', {
    'verification.down': () => setChosen(Math.min(at + 1, items.length - 1)),
    'verification.up': () => setChosen(Math.max(0, at - 1)),
    'verification.open': {
      run: () => item && go(paths.verify(ws, item.composition)),
      enabled: item !== undefined,
    },
    'verification.back': () => go(paths.compositions(ws)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('To verify')}
        about={
          person === null
            ? tr('No name chosen')
            : tr('{name}: {n, plural, one {# item} other {# items}}', { name: name ?? '', n: items.length })
        }
      />
      <div className={classes.body}>
        <QueryError of={queue} what={tr('The queue could not be read.')} />
        {person === null && (
          <WhoAreYou onChoose={() => askWho()}>
            {tr('Each stage is done by other people, so the studio has to know who works here.')}
          </WhoAreYou>
        )}
        {queue.data && items.length === 0 && (
          <EmptyState
            icon={<IconChecklist size={22} />}
            title={tr('Nothing to verify')}
            actions={
              <CommandButton href={paths.compositions(ws)} variant="default" command="app.compositions">
                {tr('All compositions')}
              </CommandButton>
            }
          >
            {tr('A composition appears here when a stage of its verification is free for you.')}
          </EmptyState>
        )}
        {items.length > 0 && (
          <>
            <RowKeys
              keys={[
                [tr('choose'), 'verification.down', 'verification.up'],
                [tr('open it'), 'verification.open'],
              ]}
            />
            <SideScroll label={tr('To verify')}>
              <table className={classes.list}>
                <TableHead columns={[tr('Composition'), tr('Title'), tr('Stage'), tr('Platforms'), tr('In hand')]} />
                <tbody>
                  {items.map(({ composition, title, stage, platforms, mine }, n) => (
                    <tr key={`${composition} ${stage}`} data-chosen={n === at} onClick={() => setChosen(n)}>
                      <th scope="row">
                        <Link
                          href={paths.verify(ws, composition)}
                          className={classes.link}
                          aria-current={n === at ? 'true' : undefined}
                          onFocus={() => setChosen(n)}
                        >
                          {composition}
                        </Link>
                      </th>
                      <td className={classes.words}>{title}</td>
                      <td>{stageName(stage)}</td>
                      <td className={classes.words}>{platforms.join(', ')}</td>
                      <td>{mine ? tr('Yours') : ''}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </SideScroll>
          </>
        )}
      </div>
    </div>
  );
}
