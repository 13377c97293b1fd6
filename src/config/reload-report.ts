import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Configuration } from './configuration.ts';
import type { Problem } from './problem.ts';

/** The current configuration, and how the last attempt to read it anew ended. */
export interface ReloadReport {
  /** Of the current configuration, whoever applied it; without its secrets. */
  readonly hash: string;
  /** When it was applied, in milliseconds since the epoch as all times here. */
  readonly since: number;
  readonly successful: boolean;
  /** When the last attempt was, and what it was made for: `start`, a signal, or what a caller said. */
  readonly at: number;
  readonly cause: string;
  /** Problems of the files, when they could not be taken over. They repeat no values. */
  readonly problems: readonly Problem[];
  /** Keys whose change waits for a restart. */
  readonly waiting: readonly string[];
  /** What is worth a second look in it. */
  readonly warnings: readonly string[];
  readonly lastSuccess: number;
  /** Attempts after the start. */
  readonly reloads: { readonly success: number; readonly failure: number };
}

/** Where those who read the files and those who apply them write down what became of it. */
export interface ReloadRecord {
  apply(configuration: Configuration): void;
  succeed(cause: string, waiting: readonly string[]): void;
  fail(cause: string, problems: readonly Problem[]): void;
  /** Takes over what another process has written down. */
  follow(report: ReloadReport): void;
  read(): ReloadReport;
}

export function createReloadRecord(configuration: Configuration, clock: Clock): ReloadRecord {
  const start = clock.now();
  let report: ReloadReport = {
    hash: hashOf(configuration),
    since: start,
    successful: true,
    at: start,
    cause: 'start',
    problems: [],
    waiting: [],
    warnings: configuration.warnings,
    lastSuccess: start,
    reloads: { success: 0, failure: 0 },
  };
  return {
    apply: (changed) => {
      const hash = hashOf(changed);
      const { warnings } = changed;
      report = { ...report, warnings, ...(hash !== report.hash && { hash, since: clock.now() }) };
    },
    succeed: (cause, waiting) => {
      const at = clock.now();
      const reloads = { ...report.reloads, success: report.reloads.success + 1 };
      report = { ...report, successful: true, at, cause, problems: [], waiting, lastSuccess: at, reloads };
    },
    fail: (cause, problems) => {
      const reloads = { ...report.reloads, failure: report.reloads.failure + 1 };
      report = { ...report, successful: false, at: clock.now(), cause, problems, reloads };
    },
    follow: (followed) => {
      report = followed;
    },
    read: () => report,
  };
}

/** Sixteen hexadecimal digits that are the same for the same configuration; no secret has a part in them. */
function hashOf({
  auth,
  proxy,
  fronts,
  recorder,
  store,
  warnings: _warnings,
  ...configuration
}: Configuration): string {
  const { clientSecret: ___, ...openOidc } = auth.oidc ?? { clientSecret: '' };
  const { authSecret: _, ...openProxy } = proxy;
  const { authSecret: __, ...openRecorder } = recorder;
  const open = {
    ...configuration,
    auth: { ...auth, oidc: auth.oidc && openOidc },
    proxy: openProxy,
    fronts: fronts.trusted,
    recorder: openRecorder,
    isShared: store.url !== undefined,
  };
  const text = JSON.stringify(open, (_key, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
