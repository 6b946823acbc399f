import { smallestOf } from '../../../core/lists.ts';
import { TABLE_FIELDS, type TableField } from '../../../schemas/api/task-table.ts';

/** Headers of columns as people write them, in the pages' three languages, without blanks and signs. */
const HEADERS: Readonly<Record<TableField, readonly string[]>> = {
  id: ['id', 'taskid', 'tasknumber', 'number', 'no', 'nr', 'nummer', 'aufgabe id', 'aufgabenid', '编号', '任务编号'],
  software: [
    'software',
    'app',
    'application',
    'program',
    'programme',
    'tool',
    'programm',
    'anwendung',
    '软件',
    '应用',
    '程序',
  ],
  goal: [
    ...['goal', 'task', 'instruction', 'fulltask', 'fulltaskquery', 'taskgoal', 'taskdescription', 'query', 'prompt'],
    ...['highlevelinstruction', 'description', 'text', 'name', 'title', 'ziel', 'aufgabe', 'aufgabenstellung'],
    ...['anweisung', 'beschreibung', 'titel', '目标', '任务', '指令', '描述', '名称'],
  ],
  platform: ['platform', 'os', 'operatingsystem', 'system', 'plattform', 'betriebssystem', '平台', '操作系统'],
  sourceUrl: ['source', 'sourceurl', 'url', 'link', 'video', 'videourl', 'youtube', 'quelle', '来源', '链接'],
  notes: [
    'notes',
    'note',
    'comment',
    'comments',
    'remarks',
    'remark',
    'tags',
    'tag',
    'labels',
    'notizen',
    'bemerkung',
    '备注',
    '标签',
  ],
  answer: ['answer', 'expectedanswer', 'antwort', '答案'],
  kind: ['kind', 'type', 'tasktype', 'art', 'typ', '类型'],
  state: ['state', 'status', 'zustand', '状态'],
};

const plain = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Says more of the task than a single word of the header: an instruction of another level, a category. */
const NOTED = /instruction|level|category|difficulty|hint|anweisung|stufe|kategorie|schwierigkeit|级别|难度|分类/u;

/** The field of each column. The surest header of a field has it; of the others only notes may have several columns. */
export function guessColumns(headers: readonly string[]): (TableField | null)[] {
  const found = headers.map((): TableField | null => null);
  for (const field of TABLE_FIELDS) {
    const ranks = headers.map((header) => HEADERS[field].indexOf(plain(header)));
    const best = smallestOf(ranks.filter((rank) => rank >= 0));
    for (const [at, rank] of ranks.entries()) {
      if (rank < 0 || found[at] !== null) continue;
      const isFirst = rank === best && !found.includes(field);
      if (isFirst || field === 'notes') found[at] = field;
    }
  }
  return found.map((field, at) => field ?? (NOTED.test(plain(headers[at] ?? '')) ? 'notes' : null));
}
