import type { AuditEvent } from './audit-events.ts';
import type { ReloadReport } from '../config/reload-report.ts';

type Detail = string | number | boolean | readonly string[] | undefined;

/** An event, without any secret. A missing text is unknown or does not apply. */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** Who did it. */
  readonly user?: string | undefined;
  readonly role?: string | undefined;
  /** How the user was identified: the source of the identity, `password`, `cli` or `system`. */
  readonly source?: string | undefined;
  /** The client's address. */
  readonly address?: string | undefined;
  /** The target: a user, a role, a path. */
  readonly object?: string | undefined;
  readonly reason?: string | undefined;
  /** Id of the decision. */
  readonly decision?: string | undefined;
  readonly detail?: Readonly<Record<string, Detail>> | undefined;
}

/** Characters of each text; longer ones are cut. The columns of the table are as wide. */
const widths = {
  user: 256,
  role: 64,
  source: 16,
  address: 64,
  object: 512,
  reason: 64,
  decision: 64,
} as const;

const widthsByName = Object.entries(widths) as ReadonlyArray<[keyof typeof widths, number]>;

const longestDetail = 256;
const mostNames = 100;

/** @returns the entry cut to the widths of its columns, without control characters for terminals */
export function boundEntry(entry: AuditEntry): AuditEntry {
  const texts: { -readonly [Name in keyof typeof widths]?: string } = {};
  for (const [name, width] of widthsByName) {
    const text = entry[name];
    if (text !== undefined && text !== '') texts[name] = plainText(text, width);
  }
  return { event: entry.event, ...texts, detail: entry.detail && boundDetail(entry.detail) };
}

function boundDetail(detail: NonNullable<AuditEntry['detail']>): NonNullable<AuditEntry['detail']> {
  const bound = (value: Detail): Detail => {
    if (typeof value === 'string') return plainText(value, longestDetail);
    if (typeof value !== 'object') return value;
    const names = value.slice(0, mostNames).map((name) => plainText(name, longestDetail));
    return value.length > mostNames ? [...names, `… and ${value.length - mostNames} more`] : names;
  };
  return Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, bound(value)]));
}

// Nearly every text: refusals come in floods.
const usual = /^[\x20-\x7e]*$/;

// Control and format characters (terminal escapes, bidirectional overrides, invisible ones), lone surrogates, and separators
// that some programs read as line breaks.
const unplain = /[\p{C}\p{Zl}\p{Zp}]/u;
const unplainAll = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * @param most UTF-16 units of the result at most
 * @returns the text with invisible characters escaped, as `\u{1b}`
 */
export function plainText(text: string, most: number): string {
  if (text.length <= most && usual.test(text)) return text;
  const start = text.slice(0, most).toWellFormed();
  const plain = unplain.test(start) ? start.replace(unplainAll, writtenOut) : start;
  const isCut = text.length > most || plain.length > most;
  return isCut ? `${plain.slice(0, most - 1).toWellFormed()}…` : plain;
}

function writtenOut(character: string): string {
  return String.raw`\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** The path of a request target as sent, without the authority, which may contain a password, and without the query. */
export function pathOf(target: string | undefined): string | undefined {
  return target
    ?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
    .replace(/(?:[?#;]|%(?:25)*(?:3f|23|3b)).*$/is, '');
}

/** Names the place of each problem, never its value, which may be a secret. */
export function reloadEntry({
  cause,
  successful,
  problems,
  waiting,
  hash,
}: Pick<ReloadReport, 'cause' | 'successful' | 'problems' | 'waiting' | 'hash'>): AuditEntry {
  const system = { source: 'system' } as const;
  if (successful) return { event: 'configuration_reloaded', ...system, detail: { cause, hash, waiting } };
  const paths = problems.map(({ path }) => path);
  return {
    event: 'configuration_refused',
    ...system,
    detail: { cause, hash, problems: problems.length, paths },
  };
}

export function startedEntry({ hash }: Pick<ReloadReport, 'hash'>): AuditEntry {
  return { event: 'started', source: 'system', detail: { hash } };
}
