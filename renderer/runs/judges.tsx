import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { JudgementShown, PanelShown } from '../../schemas/api/judges.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { QueryError, TableHead } from '../ui/parts.tsx';
import { SideScroll } from '../ui/side-scroll.tsx';
import classes from './page.module.css';
import { verdictWords } from './words.ts';

/** What models say of one run, criterion by criterion. Nothing where none was asked. */
export function JudgesOf({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const judgements = useQuery({
    queryKey: ['of', ws, 'recordings', 'judges', recording],
    queryFn: ({ signal }) => client.judges.of({ ws, recording }, { signal }),
  });
  if (!judgements.error && (judgements.data ?? []).length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="judges-of">
      <h2 id="judges-of">{tr('What judges say of it')}</h2>
      <p className={classes.fine}>{tr('Models say this. It proves nothing, and counts nowhere.')}</p>
      <QueryError of={judgements} what={tr('The judgements could not be read.')} />
      {judgements.data?.map((one) => (
        <Judgement key={`${one.at} ${panelWords(one.panel)}`} of={one} />
      ))}
    </section>
  );
}

function Judgement({ of: { panel, verdict, own, judges, refused } }: { of: JudgementShown }): ReactNode {
  return (
    <>
      <p>
        <strong>{verdictWords(verdict)}</strong> · {panelWords(panel)}
        {!own && ` · ${tr('said elsewhere, not judged in this workspace')}`}
      </p>
      <ul className={classes.checks}>
        {judges.map(({ judge: { model, prompt }, opinion }) => (
          <li key={`${model} ${prompt}`}>
            {tr('{model}, wording {n, number}', { model, n: prompt })}:{' '}
            <strong>{opinion ? verdictWords(opinion.outcome) : tr('no answer that could be read')}</strong>{' '}
            {opinion?.why}
            {opinion && (
              <ul>
                {opinion.criteria.map(({ about, text, met, why }, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and two may say the same
                  <li key={n}>
                    {met === null ? tr('cannot be told') : met ? tr('met') : tr('not met')} ·{' '}
                    {about === 'outcome' ? tr('outcome') : tr('way')}: {text} – {why}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <p className={classes.fine}>
          {tr('{n, plural, one {# answer was refused:} other {# answers were refused:}}', { n: refused.length })}{' '}
          {[...new Set(refused)].join('; ')}
        </p>
      )}
    </>
  );
}

/** What each panel is worth in this workspace. Nothing where none was asked. */
export function JudgesWorth({ ws }: { ws: string }): ReactNode {
  const all = useQuery({
    queryKey: ['of', ws, 'recordings', 'judges'],
    queryFn: ({ signal }) => client.judges.list({ ws }, { signal }),
  });
  const panels = all.data?.panels ?? [];
  if (!all.error && panels.length === 0) return null;
  const columns = [
    tr('Judges'),
    tr('Judged'),
    tr('With a label'),
    tr('Precision'),
    tr('NPV'),
    tr('Unsure'),
    tr('Kappa with the labels'),
    tr('Kappa among the judges'),
  ];
  return (
    <div className={classes.section}>
      <h2 id="judges-worth">{tr('What the judges are worth here')}</h2>
      <QueryError of={all} what={tr('The judgements could not be read.')} />
      <SideScroll labelledBy="judges-worth">
        <table className={classes.table}>
          <TableHead columns={columns} />
          <tbody>
            {panels.map((one) => (
              <PanelRow key={panelWords(one.panel)} of={one} />
            ))}
          </tbody>
        </table>
      </SideScroll>
    </div>
  );
}

type Figures = NonNullable<PanelShown['card']['figures']>;

function PanelRow({ of: { panel, card } }: { of: PanelShown }): ReactNode {
  const { judged, labels, figures, among } = card;
  return (
    <tr>
      <th scope="row">{panelWords(panel)}</th>
      <td>{judged}</td>
      <td>{labels.all}</td>
      {figures ? (
        <>
          <td>{shareWords(figures.precision)}</td>
          <td>{shareWords(figures.npv)}</td>
          <td>{figures.unsure}</td>
          <td>{kappaWords(figures.kappa)}</td>
        </>
      ) : (
        <td colSpan={4}>
          {tr('Nothing can be said: that takes {needed, number} recordings with a label.', { needed: labels.needed })}
        </td>
      )}
      <td>{among ? kappaWords(among) : '–'}</td>
    </tr>
  );
}

const panelWords = ({ models, prompts, origin }: PanelShown['panel']): string =>
  `${models.join(', ')} × ${prompts} · ${origin}`;

const percent = (value: number): string => (100 * value).toFixed(1);

function shareWords(share: Figures['precision']): string {
  if (!share) return 'n 0';
  const { value, low, high, n } = share;
  return tr('{value} % ({low} – {high} %), n {n, number}', {
    value: percent(value),
    low: percent(low),
    high: percent(high),
    n,
  });
}

function kappaWords({ value, low, high }: Figures['kappa']): string {
  if (value === null) return '–';
  return low === null || high === null
    ? value.toFixed(2)
    : `${value.toFixed(2)} (${low.toFixed(2)} – ${high.toFixed(2)})`;
}
