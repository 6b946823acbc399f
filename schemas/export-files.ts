import { z } from 'zod';
import { exportManifestSchema } from './export.ts';
import {
  chatLineSchema,
  datasetInfoSchema,
  swiftGroundingLineSchema,
  swiftTrajectoryLineSchema,
} from './export-chat.ts';
import {
  cocoSchema,
  imagefolderLineSchema,
  screenspotItemSchema,
  screenspotProItemSchema,
} from './export-grounding.ts';
import { agentnetBenchSchema, agentnetLineSchema, opencuaLineSchema } from './export-trajectories.ts';

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

export const EXPORT_FILES: readonly ExportFile[] = [
  { name: 'manifest', format: EVERY_FORMAT, file: /^manifest\.json$/, lines: false, schema: exportManifestSchema },
  { name: 'agentnet', format: 'agentnet', file: /^agentnet\.jsonl$/, lines: true, schema: agentnetLineSchema },
  { name: 'opencua', format: 'opencua', file: /^opencua\.jsonl$/, lines: true, schema: opencuaLineSchema },
  {
    name: 'agentnetbench',
    format: 'agentnetbench',
    file: /^data\/[^/]+\.json$/,
    lines: false,
    schema: agentnetBenchSchema,
  },
  { name: 'ms-swift-messages', format: 'ms-swift', file: /^messages\.jsonl$/, lines: true, schema: chatLineSchema },
  {
    name: 'ms-swift-trajectory',
    format: 'ms-swift',
    file: /^trajectory\.jsonl$/,
    lines: true,
    schema: swiftTrajectoryLineSchema,
  },
  {
    name: 'ms-swift-grounding',
    format: 'ms-swift',
    file: /^grounding\.jsonl$/,
    lines: true,
    schema: swiftGroundingLineSchema,
  },
  { name: 'llamafactory', format: 'llamafactory', file: /^trajectories\.jsonl$/, lines: true, schema: chatLineSchema },
  {
    name: 'llamafactory-dataset-info',
    format: 'llamafactory',
    file: /^dataset_info\.json$/,
    lines: false,
    schema: datasetInfoSchema,
  },
  {
    name: 'screenspot',
    format: 'screenspot',
    file: /^screenspot_desktop\.json$/,
    lines: false,
    schema: z.array(screenspotItemSchema),
  },
  {
    name: 'screenspot-pro',
    format: 'screenspot-pro',
    file: /^annotations\/[^/]+\.json$/,
    lines: false,
    schema: z.array(screenspotProItemSchema),
  },
  { name: 'coco', format: 'coco', file: /^annotations\/instances\.json$/, lines: false, schema: cocoSchema },
  {
    name: 'imagefolder',
    format: 'imagefolder',
    // A row of Parquet, as JSON.
    file: /^[a-z][a-z0-9_-]*\/metadata\.parquet$/,
    lines: true,
    schema: imagefolderLineSchema,
  },
];

/** A published JSON Schema, draft 2020-12, as text: the same bytes each time. */
export function jsonSchemaText({ name, schema, lines }: ExportFile): string {
  const title = lines ? `A line of ${name}` : name;
  return `${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`;
}
