import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Configuration } from './configuration.ts';
import type { Problem } from './problem.ts';

/** The current configuration, and the result of the last attempt to reload it. */
export interface ReloadReport {
  /** Hash of the current configuration without its secrets; equal in all processes. */
  readonly hash: string;
  /** When it was applied. All times are milliseconds since the epoch. */
  readonly since: number;
  readonly successful: boolean;
  /** When the last attempt was made, and why: `start`, a signal, or a caller's word. */
  readonly at: number;
  readonly cause: string;
  /** Problems that kept the files from being applied, without values. */
  readonly problems: readonly Problem[];
  /** Keys whose change needs a restart. */
  readonly waiting: readonly string[];
  /** Warnings of the current configuration. */
  readonly warnings: readonly string[];
  /** Those of them that Home shows: protections that are off, and what config.yml lost when it was changed last. */
  readonly exposures: readonly string[];
  readonly lastSuccess: number;
  /** Attempts after the start. */
  readonly reloads: { readonly success: number; readonly failure: number };
}

/** Records the result of each reload. */
export interface ReloadRecord {
  apply(configuration: Configuration): void;
  succeed(cause: string, waiting: readonly string[]): void;
  fail(cause: string, problems: readonly Problem[]): void;
  read(): ReloadReport;
}

export function createReloadRecord(configuration: Configuration, clock: Clock): ReloadRecord {
  const start = clock.now();
  let lost: readonly string[] = [];
  const warningsOf = (changed: Configuration) => {
    // A change by a page, or of another file, says nothing of the text before.
    lost = changed.lost ?? lost;
    return {
      warnings: [...new Set([...lost, ...changed.warnings])],
      exposures: [...lost, ...changed.exposures],
    };
  };
  let report: ReloadReport = {
    hash: hashOf(configuration),
    since: start,
    successful: true,
    at: start,
    cause: 'start',
    problems: [],
    waiting: [],
    ...warningsOf(configuration),
    lastSuccess: start,
    reloads: { success: 0, failure: 0 },
  };
  return {
    apply: (changed) => {
      const hash = hashOf(changed);
      report = {
        ...report,
        ...warningsOf(changed),
        ...(hash !== report.hash && { hash, since: clock.now() }),
      };
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
    read: () => report,
  };
}

/** Sixteen hexadecimal digits, equal for equal configurations; secrets are left out. */
function hashOf({
  auth,
  proxy,
  fronts,
  recorder,
  store,
  warnings: _warnings,
  exposures: _exposures,
  lost: _lost,
  source: _source,
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
