import { z } from 'zod';
import { actionKindSchema } from '../actions.ts';
import {
  datasetFilterSchema,
  duplicateWishesSchema,
  proofSchema,
  splitRuleSchema,
  splitSchema,
  tagSchema,
} from '../dataset.ts';
import { datasetTermsSchema } from '../dataset-terms.ts';
import { DRAFT_ORIGINS } from '../draft-words.ts';
import { MISSING_KINDS } from '../missing.ts';
import { ERROR_IDS } from '../step-errors.ts';
import { RECORDING_STATES } from '../task-terms.ts';
import { commandField, commandForm, commandList } from './command.ts';
import { datasets, sourceSchema } from './datasets.ts';

/** `dataset` on the command line where it is not one call as it is: the filter is given by options. */

const { shape: filter } = datasetFilterSchema;
/** The data set's filter as options; lists may be repeated, or take several by commas. */
export const filterFields = {
  software: commandList(filter.software, 'of this software', '--app <ids>'),
  state: commandList(filter.state, `in this state: ${RECORDING_STATES.join(', ')}`, '--state <states>'),
  proof: commandList(
    filter.proof,
    `what \`verify\` said by the checks of today: ${proofSchema.options.join(', ')}`,
    '--proof <words>',
  ),
  agreement: commandField(
    filter.agreement,
    'agreement between annotators, such as 0.8- or 0.5-0.9',
    '--agreement <range>',
  ),
  steps: commandField(filter.steps, 'kept steps, such as 3-20, 5- or -10', '--steps <range>'),
  seconds: commandField(filter.seconds, 'length of the demonstration', '--seconds <range>'),
  kinds: commandList(filter.kinds, `with such a step: ${actionKindSchema.options.join(', ')}`, '--kind <kinds>'),
  resolutions: commandList(filter.resolutions, 'such as 1920x1080', '--resolution <sizes>'),
  people: commandList(filter.people, 'who demonstrated or annotated; none: nobody is named', '--person <names>'),
  judged: commandField(
    filter.judged,
    'share of kept steps that somebody judged, such as 1 or 0.5-',
    '--judged <range>',
  ),
  grounded: commandField(
    filter.grounded,
    'share of judged steps that were grounded, such as 0.9-',
    '--grounded <range>',
  ),
  errors: commandList(
    filter.errors,
    `with such an error: ${ERROR_IDS.join(', ')}; none: judged, and without any`,
    '--error <kinds>',
  ),
  unrecoverable: commandField(
    filter.unrecoverable,
    'errors that no later step makes good, such as 0',
    '--unrecoverable <range>',
  ),
  redundant: commandField(filter.redundant, 'steps that could have been left out, such as 0-2', '--redundant <range>'),
  missing: commandList(
    filter.missing,
    `with such a gap: ${MISSING_KINDS.join(', ')}; none: nothing is missing`,
    '--missing <kinds>',
  ),
  drafts: commandList(
    filter.drafts,
    `with words of models' drafts: ${DRAFT_ORIGINS.join(', ')}; none: without any`,
    '--drafts <words>',
  ),
  tags: commandList(filter.tags, 'with all of these tags', '--tag <tags>'),
  withoutTags: commandList(filter.withoutTags, 'with none of these tags', '--without-tag <tags>'),
  splits: commandList(filter.splits, 'in this split; none: in no split', '--split <splits>'),
  words: commandField(filter.words, 'each word is in the id, the goal or a tag', '--words <text>'),
  tasks: commandList(filter.tasks, 'of this task', '--task <ids>'),
};

const { shape: wishes } = duplicateWishesSchema;
const alike = {
  goals: commandField(wishes.goals, 'least similarity of goals, 0.3 to 1', '--goals <least>'),
  screens: commandField(
    wishes.screens,
    'most differing bits of 256, 0 to 32; no: leave screens out',
    '--screens <most>',
  ),
};
const { seed, again } = splitRuleSchema.shape;
const { name, changelog, recordings } = datasets.freeze['~orpc'].inputSchema!.shape;
const { licence, citation } = datasetTermsSchema.shape;

export const datasetForms = {
  rows: commandForm(
    'dataset rows',
    'list the recordings that fit',
    [
      ['dataset rows --workspace W --state approved --steps 3-20', 'short approved recordings'],
      ['dataset rows --workspace W --missing box,end-box', 'what still needs boxes'],
      ['dataset rows --workspace W --split none --json', 'what is in no split, for a script'],
    ],
    filterFields,
  ),
  tag: commandForm(
    'dataset tag',
    'add and remove tags of the recordings that fit',
    [['dataset tag --workspace W --app gimp --add pilot', 'tag all of GIMP']],
    {
      add: commandList(z.array(tagSchema).optional(), 'tags to add', '--add <tags>'),
      remove: commandList(z.array(z.string()).optional(), 'tags to remove', '--remove <tags>'),
      ...filterFields,
    },
  ),
  duplicates: commandForm(
    'dataset duplicates',
    'search near-duplicate tasks and screens',
    [['dataset duplicates --workspace W --screens no', 'tasks alone, in a moment']],
    { ...alike, ...filterFields },
  ),
  split: commandForm(
    'dataset split',
    'put tasks into splits, by hand or by a rule',
    [
      [
        'dataset split --workspace W --shares train=8,validation=1,test=1',
        'what has no split yet, each software by itself',
      ],
      ['dataset split --workspace W --into test --task PPT_1,PPT_2', 'these two by hand'],
    ],
    {
      into: commandField(splitSchema, 'by hand: this split; none: out of any', '--into <split>').optional(),
      shares: commandField(z.string(), 'by rule: such as train=8,validation=1,test=1', '--shares <list>').optional(),
      seed: commandField(seed, 'by rule: the same seed gives the same splits', '--seed <text>'),
      apart: commandField(z.boolean(), 'by rule: near-duplicate tasks may come into different splits').default(false),
      again: commandField(again, 'by rule: replace existing splits'),
      dryRun: commandField(z.boolean(), 'by rule: only report the result, change nothing').default(false),
      ...filterFields,
    },
  ),
  leaks: commandForm(
    'dataset leaks',
    'find tasks and screens that are in two splits, and templates whose instances are',
    [
      ['dataset leaks --workspace W', 'goals and screens; status 10 when something leaks'],
      [
        'dataset leaks --workspace W --version v1.0',
        'in the splits of a frozen version; its screens are not looked at',
      ],
    ],
    {
      ...alike,
      version: commandField(sourceSchema.options[0].shape.name, 'of a frozen version', '--version <name>').optional(),
      ...filterFields,
    },
  ),
  freeze: commandForm(
    'dataset freeze',
    'freeze the recordings that fit as a version',
    [
      ['dataset freeze --workspace W --name v1.0 --state approved --changelog "The first"', 'everything approved'],
      ['dataset freeze --workspace W --name v1.1 --state approved --missing none', 'and nothing missing in it'],
    ],
    {
      name: commandField(name, 'such as v1.0', '--name <name>'),
      changelog: commandField(changelog, 'its content, and what is new', '--changelog <text>'),
      recordings: commandField(
        recordings.unwrap(),
        'of a task with several recordings: every one, or the one whose work is furthest',
        '--recordings <which>',
      ).default('every'),
      again: commandField(z.boolean(), 'also when nothing changed since the newest version').default(false),
      ...filterFields,
    },
  ),
  terms: commandForm(
    'dataset terms',
    'show or set licence, citation and sources',
    [
      ['dataset terms --workspace W', 'what stands on the cards'],
      ['dataset terms --workspace W --licence CC-BY-4.0 --citation-file cite.bib', 'set two of them; the others stay'],
      [
        'dataset terms --workspace W --source "GIMP tutorials | https://example.org | CC-BY-4.0"',
        'the list of sources',
      ],
    ],
    {
      licence: commandField(
        licence.unwrap(),
        'an SPDX identifier such as CC-BY-4.0, or a name; "" removes it',
        '--licence <id>',
      ).optional(),
      citation: commandField(
        citation.unwrap(),
        'how others should cite it; "" removes it',
        '--citation <text>',
      ).optional(),
      citationFile: commandField(
        z.string(),
        'the same from a file, BibTeX for instance',
        '--citation-file <file>',
      ).optional(),
      sources: commandField(
        z.array(z.string()),
        'a source, as NAME | LINK | LICENCE; may be repeated, and replaces the list; "" empties it',
        '--source <text>',
      ).optional(),
    },
  ),
  stats: commandForm(
    'dataset stats',
    'the figures of the paper',
    [
      ['dataset stats --workspace W --state approved', 'of what is approved now'],
      ['dataset stats --workspace W --version v1.0 --json', 'of a version, with every value for plots'],
    ],
    {
      version: commandField(sourceSchema.options[0].shape.name, 'of a frozen version', '--version <name>').optional(),
      ...filterFields,
    },
  ),
};
