import { isMap, isScalar, type Document } from 'yaml';
import { configurationSchema } from './schema.ts';

/** Keys whose text may contain `#` anywhere. */
const secrets: ReadonlySet<string> = new Set(['auth_secret', 'client_secret', 'secret', 'token', 'url']);

/**
 * Finds keys whose value YAML reads as a comment, such as `accent: #1f6f5e`, and secrets that end at a comment. A comment of an
 * operator has a blank behind its `#`, or stands on its own line.
 * @returns warnings, without values
 */
export function swallowedValues(document: Document, text: string): readonly string[] {
  const warnings: string[] = [];
  const restOfLine = (offset: number) => text.slice(offset).split(/\r?\n/, 1)[0] ?? '';
  const look = (map: unknown, path: string): void => {
    if (!isMap(map)) return;
    for (const { key, value } of map.items) {
      if (
        !isScalar(key) ||
        typeof key.value !== 'string' ||
        (path === '' && !Object.hasOwn(configurationSchema.entries, key.value))
      )
        continue;
      const place = path === '' ? key.value : `${path}.${key.value}`;
      if (isEmpty(value) && /^\s*:[ \t]+#[^\s#!]/.test(restOfLine(key.range?.[1] ?? text.length)))
        warnings.push(
          `${place} has no value: YAML reads what begins with # as a comment. Put it in quotation marks`,
        );
      else if (secrets.has(key.value) && endsAtComment(value, restOfLine))
        warnings.push(
          `${place} ends before a #, which begins a comment in YAML. Put the whole secret in quotation marks`,
        );
      else look(value, place);
    }
  };
  look(document.contents, '');
  return warnings;
}

function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null);
}

function endsAtComment(value: unknown, restOfLine: (offset: number) => string): boolean {
  if (!isScalar(value) || value.type !== 'PLAIN' || value.range === null || value.range === undefined)
    return false;
  return /^[ \t]+#[^\s#!]/.test(restOfLine(value.range[1]));
}
