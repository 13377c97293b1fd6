import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import * as v from 'valibot';
import { auditFilter, createAuditRecords, type AuditFilter, type AuditRecord } from '../audit/audit-query.ts';
import { loadConfiguration } from '../config/load.ts';
import { activityPath, openActivity } from '../store/store.ts';
import { auditLine, auditTable } from './audit-report.ts';
import { print, type CommandContext } from './context.ts';

interface AuditOptions {
  readonly json?: true;
  readonly follow?: true;
  readonly [filter: string]: string | true | undefined;
}

export function auditCommand({ environment, root }: CommandContext): Command {
  return new Command('audit')
    .description('shows who did what, the newest last')
    .option('--event <events>', 'such as login_failed; several by commas')
    .option('--user <name>', 'who did it')
    .option('--address <address>', 'from where')
    .option('--result <result>', 'success or failure')
    .option('--since <time>', 'an ISO time, local without a zone, or how long ago: 30m, 2h, 7d')
    .option('--until <time>', 'likewise')
    .option('--limit <number>', 'of the newest, 1 to 500', '100')
    .option('--json', 'prints one JSON object a line')
    .option('--follow', 'goes on with what comes, until it is interrupted')
    .action(async ({ json, follow, ...options }: AuditOptions) => {
      const filter = filterOf(options);
      const { directory } = loadConfiguration(environment, root);
      const path = activityPath(directory);
      if (!existsSync(path)) throw new Error(`there is no ${path}: nothing was recorded yet`);
      const activity = await openActivity(path, 5_000);
      try {
        const { find } = createAuditRecords(activity);
        const show = (records: readonly AuditRecord[]) => {
          if (json === true) for (const record of records) print(JSON.stringify(record));
          else for (const line of auditTable(records)) print(line);
        };
        const found = (await find(filter)).toReversed();
        show(found);
        let last = Math.max(0, ...found.map(({ id }) => id));
        if (follow !== true) return;
        for (;;) {
          await wait(1_000);
          const { until: _, ...open } = filter;
          const more = (await find({ ...open, after: last, limit: 500 })).toReversed();
          for (const record of more) print(json === true ? JSON.stringify(record) : auditLine(record));
          last = Math.max(last, ...more.map(({ id }) => id));
        }
      } finally {
        await activity.destroy();
      }
    });
}

/** @throws Error that names the option */
function filterOf(options: Readonly<Record<string, unknown>>): AuditFilter {
  const parsed = v.safeParse(auditFilter(Date.now), options);
  if (!parsed.success) {
    const [{ path, message }] = parsed.issues;
    throw new Error(`--${String(path?.[0].key)}: ${message}`);
  }
  const { event: events, ...filter } = parsed.output;
  return { ...filter, events };
}
