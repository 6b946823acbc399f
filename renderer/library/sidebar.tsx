import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SoftwareInfo } from '../../schemas/api/models.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { byName } from './filter.ts';
import classes from './page.module.css';

/** Unused software that is not worth folding away. */
const FEW = 3;

/** The workspace's software, with how many tasks each has; choosing one shows only its tasks. */
export function SoftwareSidebar(props: {
  software: readonly SoftwareInfo[];
  counts: ReadonlyMap<string, number>;
  total: number;
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onAdd: () => void;
}): ReactNode {
  const { counts, total, chosen, onChoose, onAdd } = props;
  const [unfolded, setUnfolded] = useState(false);
  const software = byName(props.software);
  const inUse = software.filter(({ id }) => (counts.get(id) ?? 0) > 0 || id === chosen);
  const unused = software.length - inUse.length;
  // A new workspace shows what it knows; one in use shows what is used.
  const folds = inUse.length > 0 && unused > FEW;
  return (
    <aside className={classes.sidebar} aria-label={tr('Software')}>
      <h2 className={classes.sidebarTitle}>{tr('Software')}</h2>
      <ul className={classes.softwareList}>
        <Choice name={tr('All')} count={total} current={chosen === null} onChoose={() => onChoose(null)} />
        {(folds && !unfolded ? inUse : software).map(({ id, name, prefix }) => (
          <Choice
            key={id}
            name={name}
            hint={prefix}
            count={counts.get(id) ?? 0}
            current={chosen === id}
            onChoose={() => onChoose(id)}
          />
        ))}
      </ul>
      {folds && (
        <button type="button" className={classes.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? tr('Hide software without tasks') : tr('{unused} more without tasks', { unused })}
        </button>
      )}
      <CommandButton
        variant="subtle"
        color="gray"
        justify="space-between"
        px={8}
        command="library.software"
        onClick={onAdd}
      >
        <IconPlus size={14} aria-hidden className={classes.addIcon} />
        {tr('Add software')}
      </CommandButton>
    </aside>
  );
}

function Choice(props: {
  name: string;
  hint?: string;
  count: number;
  current: boolean;
  onChoose: () => void;
}): ReactNode {
  return (
    <li>
      <button
        type="button"
        className={classes.software}
        aria-pressed={props.current}
        onClick={props.onChoose}
        title={props.hint ? `${props.name} (${props.hint}_…)` : props.name}
      >
        <span className={classes.softwareName}>{props.name}</span>
        {/* A new workspace has two dozen programs: a column of zeros says nothing. */}
        {props.count > 0 && <span className={classes.count}>{props.count.toLocaleString(shownLanguage())}</span>}
      </button>
    </li>
  );
}
