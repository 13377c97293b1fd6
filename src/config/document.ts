import { isScalar, type ErrorCode, type YAMLMap, isMap, type Document } from 'yaml';
import { mapAt } from './configuration-file.ts';
import { expandedSize, parseYaml, secondMergeKey } from './yaml.ts';
import { ConfigurationError, type Problem } from './problem.ts';
import { configurationSchema } from './schema.ts';

/** Our own messages: the parser's repeat the text, which may contain a secret. */
const errorWords: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'a wrong indentation',
  DUPLICATE_KEY: 'a key that is not unique',
  MISSING_CHAR: 'a missing quote, bracket or comma',
  MULTIPLE_DOCS: 'several documents',
  TAB_AS_INDENT: 'a tab as indentation',
  TAG_RESOLVE_FAILED: 'a tag that is not known',
  UNEXPECTED_TOKEN: 'something that does not belong there',
};

interface ConfigurationDocument {
  readonly document: unknown;
  /** The text has no content at all: not even `{}`. */
  readonly isEmpty: boolean;
  /** Names of `auth.roles`, then those of `auth.role_access`, each in the order of the file. */
  readonly roleOrder: readonly string[];
  /** About values that YAML reads otherwise than they look. */
  readonly warnings: readonly string[];
}

/**
 * Reads the YAML of config.yml.
 * @param file path, for messages
 * @throws ConfigurationError with the line of every error
 */
export function parseConfigurationDocument(text: string, file: string): ConfigurationDocument {
  if (text.length > mostCharacters)
    throw new ConfigurationError([
      { path: file, found: 'more than 4 MB of text', allowed: 'a smaller file' },
    ]);
  const lineOf = lineNumbers(text);
  // The parser treats them as text; a power cut can leave a file full of NUL.
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (control !== null) {
    const found = 'a control character';
    throw new ConfigurationError([{ path: `${file} line ${lineOf(control.index)}`, found, allowed: 'YAML' }]);
  }
  const document = parseYaml(text);
  if (document.errors.length > 0) {
    // One slip confuses the parser several times.
    const problems = new Map<string, Problem>();
    for (const { pos, code } of document.errors) {
      const path = `${file} line ${lineOf(pos[0])}`;
      const found = errorWords[code] ?? 'a syntax error';
      problems.set(`${path} ${found}`, { path, found, allowed: 'YAML' });
    }
    const comment = commentInFlow.exec(text);
    if (comment !== null)
      problems.set('comment', {
        path: `${file} line ${lineOf(comment.index)}`,
        found: 'a comment where a value belongs',
        allowed: 'a value that begins with # in quotation marks',
      });
    throw new ConfigurationError([...problems.values()]);
  }
  const second = secondMergeKey(document);
  if (second !== undefined) {
    const found = 'a second merge key in one map';
    throw new ConfigurationError([
      { path: `${file} line ${lineOf(second)}`, found, allowed: 'one, with a list: "<<: [*one, *other]"' },
    ]);
  }
  try {
    if (expandedSize(document) > largestDocument) throw tooLarge(file);
  } catch (error) {
    throw error instanceof RangeError ? tooLarge(file) : error;
  }
  const warnings = swallowedValues(document, text);
  const roleOrder = ['roles', 'role_access'].flatMap((key) => keysOf(mapAt(document, ['auth', key])));
  try {
    const content: unknown = document.toJS({ maxAliasCount: -1 });
    const isEmpty = content === null || content === undefined;
    return { document: isEmpty ? {} : content, isEmpty, roleOrder, warnings };
  } catch {
    const found = 'an alias without its anchor, or a merge of what is no map';
    throw new ConfigurationError([{ path: file, found, allowed: 'YAML' }]);
  }
}

/** The whole text is read several times, and waits for each: thousands of cameras need a fraction of it. */
const mostCharacters = 4 * 2 ** 20;

/** @returns a function that numbers the line of an offset; offsets that follow each other cost nothing twice */
function lineNumbers(text: string): (offset: number) => number {
  let [line, counted] = [1, 0];
  return (offset) => {
    if (offset < counted) [line, counted] = [1, 0];
    for (let at = text.indexOf('\n', counted); at !== -1 && at < offset; at = text.indexOf('\n', counted)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  };
}

/** `{accent: #1f6f5e}`: the comment takes the closing bracket too. */
const commentInFlow = /^(?!\s*#).*?[{[,](?:[^#"'\n]*:)?[ \t]+(?=#[^\s#!].*[\]}])/m;

/** Values, with each alias replaced: thousands of cameras. */
const largestDocument = 500_000;

function tooLarge(path: string): ConfigurationError {
  const found = 'aliases that stand for more than 500,000 values, or for themselves';
  return new ConfigurationError([{ path, found, allowed: 'a smaller file' }]);
}

/** JavaScript objects put names that look like numbers first. */
function keysOf(map: YAMLMap | undefined): string[] {
  return map?.items.map(({ key }) => String(isScalar(key) ? key.value : key)) ?? [];
}

/** Keys whose text may contain `#` anywhere. */
const secrets: ReadonlySet<string> = new Set(['auth_secret', 'client_secret', 'secret', 'token', 'url']);

/**
 * Finds keys whose value YAML reads as a comment, such as `accent: #1f6f5e`, and secrets that end at a comment. A comment of an
 * operator has a blank behind its `#`, or stands on its own line.
 * @returns warnings, without values
 */
function swallowedValues(document: Document, text: string): readonly string[] {
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
