import { z } from 'zod';

/** Rows of the formats of elements and boxes (ScreenSpot, ScreenSpot-Pro, COCO, imagefolder). JSON Schemas come from these. */

const text = z.string().min(1);
const px = z.int().min(0);
const length = z.int().positive();
const size = z.tuple([length, length]);
const fileName = z.string().regex(/^[A-Za-z0-9_-]+\.(png|jpe?g)$/);
const relativePath = z.string().regex(/^([A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+\.(png|jpe?g)$/);
const platform = z.enum(['linux', 'windows', 'macos']).nullable();
/** Null: nobody said which it is, and nothing here can tell. */
const uiType = z.enum(['text', 'icon']).nullable();

/** screenspot_desktop.json is a list of these. */
export const screenspotItemSchema = z.strictObject({
  img_filename: fileName,
  /** Left, top, WIDTH, HEIGHT, px. */
  bbox: z.tuple([px, px, length, length]),
  instruction: text,
  data_type: uiType,
  data_source: platform,
});
export type ScreenspotItem = z.infer<typeof screenspotItemSchema>;

/** annotations/<application>_<platform>.json is a list of these. */
export const screenspotProItemSchema = z.strictObject({
  id: text,
  /** In the folder images/. */
  img_filename: relativePath,
  /** Left, top, RIGHT, BOTTOM, px. */
  bbox: z.tuple([px, px, length, length]),
  instruction: text,
  instruction_cn: text.nullable(),
  application: text,
  platform,
  group: text.nullable(),
  ui_type: uiType,
  img_size: size,
});
export type ScreenspotProItem = z.infer<typeof screenspotProItemSchema>;

export const cocoImageSchema = z.strictObject({
  id: z.int().min(1),
  file_name: fileName,
  width: length,
  height: length,
});
const cocoAnnotationSchema = z.strictObject({
  id: z.int().min(1),
  image_id: z.int().min(1),
  category_id: z.int().min(1),
  /** Left, top, width, height, px. */
  bbox: z.tuple([px, px, length, length]),
  area: length,
  iscrowd: z.literal(0),
  /** One polygon: the box's four corners. */
  segmentation: z.array(z.array(px).length(8)).length(1),
  attributes: z.strictObject({
    item: text,
    /** `end`: where a drag ends; a second annotation of the same item. */
    role: z.enum(['target', 'end']),
    element: text.nullable(),
    /** The name of a drag's beginning or end. */
    place: text.nullable(),
    action_type: text,
    narration: z.string(),
    purpose: text.nullable(),
    drag_kind: z.enum(['movement', 'resizing']).nullable(),
  }),
});
export type CocoAnnotation = z.infer<typeof cocoAnnotationSchema>;

/** annotations/instances.json. */
export const cocoSchema = z.strictObject({
  info: z.strictObject({ description: text, version: text, year: z.int(), date_created: text }),
  licenses: z.array(z.strictObject({ id: z.int(), name: text, url: z.string() })),
  images: z.array(cocoImageSchema),
  annotations: z.array(cocoAnnotationSchema),
  categories: z.array(z.strictObject({ id: z.int().min(1), name: text, supercategory: text })).min(1),
});
export type Coco = z.infer<typeof cocoSchema>;

const point = z.tuple([px, px]).nullable();

/** A row of <split>/metadata.parquet: every file has one explicit schema, so that the features of all splits are the same. */
export const imagefolderLineSchema = z.strictObject({
  /** The picture, from metadata.parquet's own place. */
  file_name: relativePath,
  /** With the option `after`: the picture after the step. */
  after_file_name: relativePath.optional(),
  task_id: text,
  app: text,
  goal: z.string(),
  subtask_id: z.int().min(1),
  /** Null where nobody gave it a title. */
  subtask: text.nullable(),
  action_id: z.int().min(1),
  action_type: text,
  narration: z.string(),
  element: text.nullable(),
  start_position: point,
  end_position: point,
  text: z.string().nullable(),
  keys: z.array(text),
  thought: text.nullable(),
  action_thought: text.nullable(),
  observation: text.nullable(),
  /** The words on a drag (videogui.txt A.1), null for other steps. */
  drag_start: text.nullable(),
  drag_end: text.nullable(),
  drag_purpose: text.nullable(),
  drag_kind: z.enum(['movement', 'resizing']).nullable(),
  /** The kind of the task, the same in all its rows. */
  task_kind: z.enum(['full', 'simple']),
  category: text.nullable(),
  platform: text.nullable(),
  source: text.nullable(),
  answer: text.nullable(),
  /** Whether the task's recording was played again and its checks hold. */
  proof: z.enum(['proven', 'failed', 'said', 'untried']),
  /** The form of the Hugging Face guide for object detection: boxes as left, top, width, height. */
  objects: z.strictObject({
    bbox: z.array(z.tuple([px, px, length, length])),
    /** Names of elements; of a drag's end, what the place is called. Empty without a name. */
    categories: z.array(z.string()),
    /** `end`: where a drag ends. */
    roles: z.array(z.enum(['target', 'end'])),
  }),
});
export type ImagefolderLine = z.infer<typeof imagefolderLineSchema>;

/** A step's .json in a shard of webdataset: what imagefolder says of it, whose pictures are files beside it. */
export const webdatasetSampleSchema = imagefolderLineSchema.omit({ file_name: true, after_file_name: true });
export type WebdatasetSample = z.infer<typeof webdatasetSampleSchema>;
