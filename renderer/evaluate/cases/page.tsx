import { Button } from '@mantine/core';
import { IconArrowLeft, IconDownload, IconZoomCancel } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { CaseFilter, Run } from '../../../schemas/api/evaluate.ts';
import { fileUrl } from '../../client/api.ts';
import { paths } from '../../client/paths.ts';
import { tr, trParts } from '../../language/tr.ts';
import { Kbd } from '../../ui/keys/kbd.tsx';
import { useHandlers } from '../../ui/keys/use-commands.ts';
import { EmptyState, PageHeader, QueryError } from '../../ui/parts.tsx';
import { useAddress } from '../../ui/use-address.ts';
import { CASES_A_PAGE, evaluateQueries } from '../queries.ts';
import { casesOfParts, partsOfCases } from './address.ts';
import { CaseView } from './case-view.tsx';
import classes from './cases.module.css';
import { EVERY_CASE, Filters, narrowsCases } from './filters.tsx';
import { CaseList } from './list.tsx';

/** Every case of one run: found by filters, leafed through by keys, beside the same case of another model. */
export function CasesPage({ ws, run: id }: { ws: string; run: string }): ReactNode {
  const runs = useQuery(evaluateQueries.runs(ws));
  const run = runs.data?.find((one) => one.id === id);
  if (runs.error) {
    return (
      <div className={classes.page}>
        <PageHeader title={tr('Cases')} />
        <QueryError of={runs} what={tr('The runs could not be read.')} />
      </div>
    );
  }
  if (runs.data && !run) {
    return (
      <EmptyState
        icon={<IconZoomCancel size={22} />}
        title={tr('There is no such run')}
        wholePage
        actions={
          <Button component={Link} href={paths.evaluate(ws)}>
            {tr('Go to the leaderboard')}
          </Button>
        }
      >
        {tr('It may have been removed; its predictions can be loaded again.')}
      </EmptyState>
    );
  }
  if (!run) return <PageHeader title={tr('Cases')} about={tr('Loading …')} />;
  const rivals = (runs.data ?? []).filter((one) => one.set === run.set && one.id !== run.id);
  return <Cases ws={ws} run={run} rivals={rivals} />;
}

function Cases({ ws, run, rivals }: { ws: string; run: Run; rivals: readonly Run[] }): ReactNode {
  const [, go] = useLocation();
  const [filter, setFilter] = useState<CaseFilter>(EVERY_CASE);
  const [at, setAt] = useState(0);
  const [rival, setRival] = useState<string | null>(null);
  useAddress({ ...partsOfCases(filter), case: at > 0 ? String(at + 1) : null, against: rival }, (parts) => {
    setFilter(casesOfParts(parts));
    setAt(Math.max(0, Math.floor(Number(parts.case ?? 1)) - 1) || 0);
    setRival(parts.against ?? null);
  });
  const search = useRef<HTMLInputElement>(null);
  const page = Math.floor(at / CASES_A_PAGE);
  const found = useQuery({
    ...evaluateQueries.cases(ws, run.id, filter, page),
    placeholderData: keepPreviousData,
  });
  const total = found.data?.total ?? 0;
  const scored = found.isPlaceholderData ? undefined : found.data?.cases[at - page * CASES_A_PAGE];
  // While the next page is on its way, the case that was shown stays.
  const last = useRef(scored);
  if (scored) last.current = scored;
  const shown = scored ?? (found.isPlaceholderData ? last.current : undefined);
  const other = rivals.find((one) => one.id === rival) ?? null;
  useEffect(() => {
    // An address may name a case that is not among these.
    if (found.data && !found.isPlaceholderData && total > 0 && at >= total) setAt(total - 1);
  }, [found.data, found.isPlaceholderData, total, at]);
  const change = (part: Partial<CaseFilter>): void => {
    setFilter({ ...filter, ...part });
    setAt(0);
  };
  const nextRival = (): void => {
    const place = rivals.findIndex((one) => one.id === rival);
    setRival(rivals[place + 1]?.id ?? null);
  };
  useHandlers('cases', {
    'cases.next': { run: () => setAt(Math.min(at + 1, total - 1)), enabled: at < total - 1 },
    'cases.previous': { run: () => setAt(at - 1), enabled: at > 0 },
    'cases.wrong': () => change({ only: filter.only === 'wrong' ? 'all' : 'wrong' }),
    'cases.order': () => change({ order: filter.order === 'worst' ? 'file' : 'worst' }),
    'cases.search': () => search.current?.focus(),
    'cases.clear': { run: () => change(EVERY_CASE), enabled: narrowsCases(filter) },
    'cases.compare': { run: nextRival, enabled: rivals.length > 0 },
    'cases.back': () => go(paths.evaluate(ws)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={run.name}
        windowTitle={tr('Cases of {name}', { name: run.name })}
        above={
          <Link href={paths.evaluate(ws)} className={classes.back}>
            <IconArrowLeft size={14} aria-hidden /> {tr('Leaderboard')} <Kbd command="cases.back" />
          </Link>
        }
        about={
          found.data
            ? narrowsCases(filter)
              ? tr('{total, number} of {all, plural, one {# case} other {# cases}}', { total, all: found.data.all })
              : tr('{all, plural, one {# case} other {# cases}}', { all: found.data.all })
            : tr('Loading the cases …')
        }
        actions={
          <>
            <Download ws={ws} run={run} file="cases.jsonl" label={tr('Cases (JSONL)')} />
            <Download ws={ws} run={run} file="result.json" label={tr('Result (JSON)')} />
          </>
        }
      />
      <Filters
        filter={filter}
        kinds={found.data?.kinds ?? []}
        software={found.data?.software ?? []}
        rivals={rivals}
        rival={rival}
        search={search}
        onChange={change}
        onRival={setRival}
        onWalk={(step) => setAt(Math.max(0, Math.min(at + step, total - 1)))}
      />
      <QueryError of={found} what={tr('The cases could not be read.')} />
      {found.data && total === 0 && !found.isPlaceholderData && (
        <EmptyState icon={<IconZoomCancel size={22} />} title={tr('No matching cases')}>
          {trParts('Use other choices; {kbd} shows all again.', { kbd: <Kbd command="cases.clear" main /> })}
        </EmptyState>
      )}
      {found.data && total > 0 && (
        <div className={classes.body}>
          <CaseList
            cases={found.data.cases}
            from={found.isPlaceholderData ? null : page * CASES_A_PAGE}
            total={total}
            at={at}
            onChoose={setAt}
          />
          {shown && <CaseView key={shown.id} ws={ws} run={run} scored={shown} other={other} />}
        </div>
      )}
    </div>
  );
}

function Download({ ws, run, file, label }: { ws: string; run: Run; file: string; label: string }): ReactNode {
  return (
    <Button
      component="a"
      variant="default"
      href={fileUrl.run(ws, run.id, file)}
      download={`${run.name}-${file}`}
      leftSection={<IconDownload size={15} aria-hidden />}
    >
      {label}
    </Button>
  );
}
