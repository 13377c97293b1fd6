import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { expect } from 'vitest';
import { configurationJsonSchema } from '../../../src/config/json-schema.ts';
import { withoutRecorderKeys } from '../../../src/config/recorder-keys.ts';
import { configurationSchema } from '../../../src/config/schema.ts';
import { tidySections, withoutRetiredSections } from '../../../src/config/sections.ts';
import { isPlainObject } from '../../../src/policy/json.ts';

/** Validates as editors do. */
const validate = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  keywords: ['patternErrorMessage'],
}).compile(configurationJsonSchema() as object);

/** @returns places and words of what an editor underlines */
export function underlined(document: unknown): readonly string[] {
  validate(document);
  return (validate.errors ?? []).map(wordsOf);
}

function wordsOf({ instancePath, message, params }: ErrorObject): string {
  const key = (params as { additionalProperty?: string }).additionalProperty;
  return `${instancePath} ${message}${key === undefined ? '' : `: ${key}`}`;
}

export function expectSchemaToAccept(document: unknown): void {
  expect(underlined(document), 'docs/config.schema.json refuses a valid file').toEqual([]);
}

/** A document that is faulty for its keys, types or forms is underlined; other faults only Postern finds. */
export function expectSchemaToRefuse(document: unknown): void {
  if (hasFaultOfForm(document))
    expect(underlined(document), 'docs/config.schema.json accepts a faulty file').not.toEqual([]);
}

function hasFaultOfForm(document: unknown): boolean {
  // A file without content is none for the gate, and a beginning for an editor.
  if (!isPlainObject(document)) return document !== null;
  const known = withoutRecorderKeys(withoutRetiredSections(document).document);
  const tidied = tidySections(known.document);
  const { issues = [] } = v.safeParse(configurationSchema, tidied.document);
  return tidied.problems.length > 0 || issues.some(isOfForm);
}

function isOfForm({ type, requirement, issues }: v.BaseIssue<unknown>): boolean {
  if (issues !== undefined) return issues.every(isOfForm);
  return type !== 'check' && !(requirement instanceof RegExp && requirement.flags !== '');
}
