import type { Command } from 'commander';
import type { AllJudgements, JudgementShown, PanelShown } from '../../../schemas/api/judges.ts';
import { allJudgements, judgementsIn } from '../../agents/judge/judgements.ts';
import { type CliContext, examples } from '../context.ts';
import { textTable } from '../table.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `judgements`: what models said, and what they are worth as judges here. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('judgements')
    .description('list what judges said of recordings, and what each panel of them is worth in this workspace')
    .argument('[recording]', 'only of this one, with the reasons')
    .action((recording: string | undefined, options: WorkspaceOption) => show(recording, options, context));
  workspaceOption(command);
  examples(command, [
    ['judgements --workspace W', 'all of them, with precision and NPV by what verify and reviews say'],
    ['judgements RUN --workspace W', 'one, criterion by criterion'],
    ['judgements --workspace W --json', 'the same as JSON'],
  ]);
}

async function show(
  recording: string | undefined,
  { workspace: dir }: WorkspaceOption,
  context: CliContext,
): Promise<void> {
  await inWorkspace(dir, async (workspace) => {
    if (recording !== undefined) {
      const entry = await workspace.resolveRecording(recording);
      const judgements = await judgementsIn(workspace, entry);
      const nothing = `No judge was asked about ${entry.id}. \`judge --help\` shows how.`;
      context.result({ judgements }, judgements.length > 0 ? judgements.map(oneText).join('\n\n') : nothing);
      return;
    }
    const all = await allJudgements(workspace);
    const isEmpty = all.rows.length === 0 && all.unreadable.length === 0;
    context.result(all, isEmpty ? 'No judge was asked yet. `judge --help` shows how.' : textOf(all));
  });
}

export const panelName = ({ models, prompts, origin }: PanelShown['panel']): string =>
  `${models.join(', ')} x ${prompts} at ${origin}`;

function oneText({ panel, verdict, own, replays, judges, refused }: JudgementShown): string {
  const told = own ? '' : ' (said elsewhere; this workspace did not judge it)';
  const log =
    replays === null
      ? 'judged by other rules'
      : replays
        ? 'its log leads to the same'
        : 'its log leads to something else';
  return [
    `${panelName(panel)}: ${verdict}${told}; ${log}`,
    ...judges.flatMap(({ judge: { model, prompt }, opinion }) => [
      `  ${model}, wording ${prompt}: ${opinion ? `${opinion.outcome}. ${opinion.why}` : 'no answer that could be read'}`,
      ...(opinion?.criteria ?? []).map(
        ({ about, text, met, why }) => `    ${met === null ? '?' : met ? 'yes' : 'no'}  ${about}: ${text} (${why})`,
      ),
    ]),
    ...refused.map((one) => `  refused: ${one}`),
  ].join('\n');
}

function textOf({ rows, panels, unreadable }: AllJudgements): string {
  const table = textTable(
    [
      ['RECORDING', 'TASK', 'KIND', 'THE JUDGES SAY', 'PANEL', 'WHEN'],
      ...rows.map(({ recording, task, kind, verdict, panel, own, at }) => [
        recording,
        task,
        kind,
        own ? verdict : `${verdict} (said elsewhere)`,
        panelName(panel),
        at.slice(0, 16).replace('T', ' '),
      ]),
    ],
    [],
  );
  return [
    table,
    ...panels.map(cardText),
    ...unreadable.map(({ recording, why }) => `${recording} could not be read: ${why}`),
  ].join('\n\n');
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
type Card = PanelShown['card'];
type Figures = NonNullable<Card['figures']>;

const shareText = (share: Figures['precision']): string =>
  share
    ? `${percent(share.value)} (95 %: ${percent(share.low)} to ${percent(share.high)}, n ${share.n})`
    : 'none (n 0)';

const kappaText = ({ value, low, high, n }: Figures['kappa']): string =>
  value === null
    ? `not defined (n ${n})`
    : `${value.toFixed(2)}${low === null || high === null ? '' : ` (95 %: ${low.toFixed(2)} to ${high.toFixed(2)})`}, n ${n}`;

function cardText({ panel, card: { judged, labels, figures, among } }: PanelShown): string {
  const { all, verify, review, needed } = labels;
  const from = `${all} labelled (${verify} by verify, ${review} by reviews)`;
  const lines = [`${panelName(panel)}: ${judged} judged, ${from}`];
  if (figures === null)
    lines.push(
      `  Nothing can be said of what it is worth: that takes ${needed} labelled recordings, and ${all} are there. \`judge --labelled\` judges those that have a label.`,
    );
  else
    lines.push(
      `  precision (says succeeded, and it did):  ${shareText(figures.precision)}`,
      `  NPV (says failed, and it did):           ${shareText(figures.npv)}`,
      `  unsure: ${figures.unsure} of ${all}; kappa with the labels: ${kappaText(figures.kappa)}`,
    );
  if (among !== null) lines.push(`  kappa among its judges: ${kappaText(among)}`);
  return lines.join('\n');
}
