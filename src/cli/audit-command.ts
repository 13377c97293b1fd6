import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import * as v from 'valibot';
import { auditEvents } from '../audit/audit-events.ts';
import {
  type AuditFilter,
  type AuditRecord,
  auditFilter,
  auditQuery,
  createAuditRecords,
} from '../audit/audit-query.ts';
import { systemClock } from '../clock.ts';
import { loadConfiguration } from '../config/load.ts';
import { activityPath } from '../store/sqlite/open-store.ts';
import type { CommandContext } from './frame/command.ts';
import { isOutputTaken, localTime, print } from './frame/output.ts';
import { keepingOf, onActivity } from './frame/on-store.ts';

interface AuditOptions {
  readonly json?: true;
  readonly follow?: true;
  readonly [filter: string]: string | true | undefined;
}

export function auditCommand({ environment, root }: CommandContext): Command {
  return new Command('audit')
    .description('shows who did what, the newest last')
    .option('--event <events>', 'such as login_failed; several by commas')
    .option('--search <text>', 'a part of who, from where, on what or why; letter case does not count')
    .option('--user <name>', 'who did it, or a part of the name')
    .option('--address <address>', 'from where, or a part of it')
    .option('--result <result>', 'success or failure')
    .option(
      '--since <time>',
      'an ISO time, without an offset in the time zone of Postern, or how long ago: 30m, 2h, 7d',
    )
    .option('--until <time>', 'likewise')
    .option('--limit <number>', 'of the newest, 1 to 500', '100')
    .option('--json', 'prints one JSON object per line')
    .option('--follow', 'prints new records as they come, until interrupted')
    .action(async ({ json, follow, ...options }: AuditOptions) => {
      const loaded = loadConfiguration(environment, root, 'ignored');
      const filter = filterOf(options, loaded.configuration.timezone);
      const keeping = keepingOf(loaded);
      const path = activityPath(keeping.directory);
      if (keeping.storeUrl === undefined && !existsSync(path))
        throw new Error(`there is no ${path}: nothing was recorded yet`);
      await onActivity(keeping, async (activity) => {
        const { find } = createAuditRecords(activity);
        const found = (await find(filter)).toReversed();
        const lines = json === true ? found.map((record) => JSON.stringify(record)) : auditTable(found);
        for (const line of lines) print(line);
        if (follow !== true) return;
        let last = Math.max(0, ...found.map(({ id }) => id));
        while (isOutputTaken()) {
          await wait(1_000);
          const { until: _, ...open } = filter;
          const more = (await find({ ...open, after: last, limit: 500 })).toReversed();
          for (const record of more) print(json === true ? JSON.stringify(record) : auditLine(record));
          last = Math.max(last, ...more.map(({ id }) => id));
        }
      });
    });
}

/** @throws Error that names the option */
function filterOf(options: Readonly<Record<string, unknown>>, zone: string): AuditFilter {
  const parsed = v.safeParse(auditQuery, options);
  if (!parsed.success) {
    const [{ path, message }] = parsed.issues;
    throw new Error(`--${String(path?.[0].key)}: ${message}`);
  }
  return auditFilter(parsed.output, systemClock.now(), zone);
}

const longestEvent = Math.max(...Object.keys(auditEvents).map(({ length }) => length));

const columns: ReadonlyArray<readonly [title: string, width: number, of: (record: AuditRecord) => string]> = [
  ['TIME', 25, ({ time }) => localTime(Date.parse(time))],
  ['EVENT', longestEvent, ({ event }) => event],
  ['RESULT', 7, ({ result }) => result],
  ['WHO', 12, ({ user, source }) => user ?? (source === 'system' ? '(system)' : '-')],
  ['FROM', 15, ({ address, source }) => address ?? (source === 'cli' ? '(command)' : '-')],
  ['ON', 24, ({ object }) => object ?? '-'],
  ['REASON', 18, ({ reason }) => reason ?? '-'],
  ['DECISION', 10, ({ decision }) => decision ?? '-'],
  ['DETAIL', 0, ({ detail }) => detailText(detail)],
];

/** @returns the lines of a table, with its title */
function auditTable(records: readonly AuditRecord[]): string[] {
  const titles = columns.map(([title, width]) => title.padEnd(width)).join('  ');
  return [titles.trimEnd(), ...records.map(auditLine)];
}

function auditLine(record: AuditRecord): string {
  return columns
    .map(([, width, of]) => of(record).padEnd(width))
    .join('  ')
    .trimEnd();
}

function detailText(detail: AuditRecord['detail']): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ');
}
