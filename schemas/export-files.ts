import { z } from 'zod';
import { exportManifestSchema } from './export.ts';
import { atifRunSchema, atifSchema } from './export-atif.ts';
import {
  chatLineSchema,
  datasetInfoSchema,
  swiftCandidateLineSchema,
  swiftGroundingLineSchema,
  swiftPairLineSchema,
  swiftTrajectoryLineSchema,
} from './export-chat.ts';
import { groundcuaElementSchema, groundcuaInstructionSchema, videocuaLogSchema } from './export-cua-suite.ts';
import { verifierAnnotationSchema, verifierTrajectorySchema } from './export-cua-verifier.ts';
import {
  cocoSchema,
  imagefolderLineSchema,
  screenspotItemSchema,
  screenspotProItemSchema,
  webdatasetSampleSchema,
} from './export-grounding.ts';
import { lerobotInfoSchema, lerobotRowSchema, lerobotStatsSchema } from './export-lerobot.ts';
import { osworldRunSchema, osworldStepSchema } from './export-osworld.ts';
import { agentnetBenchSchema, agentnetLineSchema, opencuaLineSchema } from './export-trajectories.ts';
import {
  videoguiActionLineSchema,
  videoguiHighPlanLineSchema,
  videoguiMidPlanLineSchema,
  videoguiTaskLineSchema,
} from './export-videogui.ts';

/** A kind of file in an export: its schema is of the whole file, or of a line where the file is JSON Lines. */
type ExportFile = {
  /** The published schema's name: `<name>.schema.json`. */
  name: string;
  format: string;
  /** Where such files are in an export of the format. */
  file: RegExp;
  lines: boolean;
  schema: z.ZodType;
};

const EVERY_FORMAT = '*';

/** Rows of the list: a kind whose schema is of the whole file, or of each line. */
const made =
  (lines: boolean) =>
  (name: string, format: string, file: RegExp, schema: z.ZodType): ExportFile => ({
    name,
    format,
    file: name === 'manifest' || name === 'imagefolder' ? file : inSplits(file),
    lines,
    schema,
  });
/** Each split of a data set may have a folder of its own, with the format's files in it. */
const SPLIT_FOLDER = '(?:[a-z][a-z0-9_-]*/)?';
const inSplits = (file: RegExp): RegExp => new RegExp(file.source.replace('^', `^${SPLIT_FOLDER}`));
const whole = made(false);
const lines = made(true);

export const EXPORT_FILES: readonly ExportFile[] = [
  whole('manifest', EVERY_FORMAT, /^manifest\.json$/, exportManifestSchema),
  lines('videogui-task', 'videogui', /^videogui-jsonl\/task\.jsonl$/, videoguiTaskLineSchema),
  lines('videogui-high_plan', 'videogui', /^videogui-jsonl\/high_plan\.jsonl$/, videoguiHighPlanLineSchema),
  lines('videogui-mid_plan', 'videogui', /^videogui-jsonl\/mid_plan\.jsonl$/, videoguiMidPlanLineSchema),
  lines('videogui-action', 'videogui', /^videogui-jsonl\/action\.jsonl$/, videoguiActionLineSchema),
  lines('agentnet', 'agentnet', /^agentnet\.jsonl$/, agentnetLineSchema),
  lines('opencua', 'opencua', /^opencua\.jsonl$/, opencuaLineSchema),
  whole('agentnetbench', 'agentnetbench', /^data\/[^/]+\.json$/, agentnetBenchSchema),
  lines('atif-runs', 'atif', /^runs\.jsonl$/, atifRunSchema),
  whole('atif', 'atif', /^trajectories\/[^/]+\.json$/, atifSchema),
  lines('osworld-runs', 'osworld', /^runs\.jsonl$/, osworldRunSchema),
  lines('osworld', 'osworld', /^pyautogui\/screenshot\/human\/[^/]+\/[^/]+\/traj\.jsonl$/, osworldStepSchema),
  lines('ms-swift-messages', 'ms-swift', /^messages\.jsonl$/, chatLineSchema),
  lines('ms-swift-trajectory', 'ms-swift', /^trajectory\.jsonl$/, swiftTrajectoryLineSchema),
  lines('ms-swift-grounding', 'ms-swift', /^grounding\.jsonl$/, swiftGroundingLineSchema),
  lines('ms-swift-candidates', 'ms-swift', /^candidates\.jsonl$/, swiftCandidateLineSchema),
  lines('ms-swift-pairs', 'ms-swift', /^pairs\.jsonl$/, swiftPairLineSchema),
  lines('llamafactory', 'llamafactory', /^trajectories\.jsonl$/, chatLineSchema),
  whole('llamafactory-dataset-info', 'llamafactory', /^dataset_info\.json$/, datasetInfoSchema),
  whole('screenspot', 'screenspot', /^screenspot_desktop\.json$/, z.array(screenspotItemSchema)),
  whole('screenspot-pro', 'screenspot-pro', /^annotations\/[^/]+\.json$/, z.array(screenspotProItemSchema)),
  whole('coco', 'coco', /^annotations\/instances\.json$/, cocoSchema),
  whole('lerobot-info', 'lerobot', /^meta\/info\.json$/, lerobotInfoSchema),
  whole('lerobot-stats', 'lerobot', /^meta\/stats\.json$/, lerobotStatsSchema),
  whole('videocua', 'videocua', /^data\/[^/]+\/[^/]+\/action_log\.json$/, videocuaLogSchema),
  whole('groundcua', 'groundcua', /^data\/[^/]+\/[^/]+\.json$/, z.array(groundcuaElementSchema)),
  whole('groundcua-instructions', 'groundcua', /^instructions\.json$/, z.array(groundcuaInstructionSchema)),
  // Rows of Parquet, as JSON.
  lines('lerobot', 'lerobot', /^data\/chunk-\d{3}\/file-\d{3}\.parquet$/, lerobotRowSchema),
  lines(
    'cua-verifier-bench-trajectories',
    'cua-verifier-bench',
    /^trajectories\/[^/]+\.parquet$/,
    verifierTrajectorySchema,
  ),
  lines(
    'cua-verifier-bench-annotations',
    'cua-verifier-bench',
    /^annotations\/[^/]+\.parquet$/,
    verifierAnnotationSchema,
  ),
  // A sample's .json, of each in the shard.
  lines('webdataset', 'webdataset', /^shard-\d{6}\.tar$/, webdatasetSampleSchema),
  lines('imagefolder', 'imagefolder', /^[a-z][a-z0-9_-]*\/metadata\.parquet$/, imagefolderLineSchema),
];

/** A published JSON Schema, draft 2020-12, as text: the same bytes each time. */
export function jsonSchemaText({ name, schema, lines }: ExportFile): string {
  const title = lines ? `A line of ${name}` : name;
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`;
}
