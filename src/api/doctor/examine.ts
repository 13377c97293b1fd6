import { printable } from '../../language/printable.ts';
import type { Clock } from '../../clock.ts';
import type { Configuration } from '../../config/configuration.ts';
import { CannotExamine, type Finding, skipped } from './check.ts';
import { config, store } from './front/configuration-checks.ts';
import { directChecks, tls } from './front/direct-checks.ts';
import {
  type DoctorOptions,
  type Examination,
  type FilesOfGate,
  type FrontCheck,
  NothingListens,
  type ProbeContext,
  reachFront,
} from './front/examination.ts';
import { inWords, isSuccess } from './front/exchange.ts';
import { proxyHeaders } from './front/proxy-checks.ts';
import { recorderDirect } from './front/recorder-ports.ts';
import { recorderCameras, recorderRoles } from './front/recorder-checks.ts';
import { cookieRefresh, cookieSecure, forwardedFor, logout, session } from './front/session-checks.ts';
import { beginSession } from './front/session.ts';
import { mediaGuarded } from './front/media-checks.ts';
import { originalUrl, traversal } from './front/path-checks.ts';
import { narrowedLists, upstreamIdentity } from './front/upstream-checks.ts';
import { aliases, authorizationReachable, loginRequired, spoofedIdentity } from './front/visitor-checks.ts';
import { discovery } from './provider/discovery.ts';
import { type ProviderCheck, type ReachedProvider, reachProvider } from './provider/provider-examination.ts';
import { clock, keys, redirect, secret } from './provider/registration-checks.ts';
import { signIns } from './provider/sign-in-checks.ts';
import { claims, groups, sessions } from './provider/user-checks.ts';

/** A finding with its check. */
export interface ReportRow extends Finding {
  readonly probe: string;
}

/**
 * Runs the checks of a live front that the options allow. Changes nothing, except that a session begins and ends.
 * @throws CannotExamine when the front cannot be reached or rejects the credentials
 */
export async function examineFront(
  options: DoctorOptions,
  context: ProbeContext,
): Promise<readonly ReportRow[]> {
  const reached = await reachFront(options, context).catch(async (error: unknown) => {
    if (!(error instanceof NothingListens) || options.config === undefined) throw error;
    // The reason may be there.
    const rows = await examineFiles({ options, context });
    if (!rows.some(({ result }) => result === 'FAULT'))
      throw new CannotExamine(
        `${error.message}; ${options.config} and its store have no fault: start Postern and the front`,
      );
    return {
      rows: [...rows, { probe: tls.name, ...skipped(`${error.message}: start Postern once that is mended`) }],
    };
  });
  if ('rows' in reached) return reached.rows;
  const examination = { ...reached, session: await beginSession(reached) };
  return runAll(frontChecks, (check) => runOnFront(check, examination));
}

/** Runs the checks that need no front: those of the file of `--config` and of its store. */
export function examineFiles(files: FilesOfGate): Promise<readonly ReportRow[]> {
  return runAll([config, store], (check) => check.run(files));
}

async function runOnFront(check: FrontCheck, examination: Examination): Promise<readonly Finding[]> {
  const { session, profile } = examination;
  if (check.needs === undefined) return check.run(examination);
  if (check.needs === 'guard') {
    return isSuccess(profile)
      ? [skipped(`GET /api/profile is ${inWords(profile)} for everyone: see login-required`)]
      : check.run(examination);
  }
  if ('missing' in session) return [skipped(session.missing)];
  if (check.needs === 'session' && !isSuccess(session.profile))
    return [skipped('the session does not hold: see session')];
  return check.run({ ...examination, session });
}

/**
 * Runs the checks of the provider of `auth.oidc` that need no login. Changes nothing there.
 * @throws CannotExamine without a provider in the configuration
 */
export async function examineProvider(
  configuration: Configuration,
  clock: Clock,
  signIns?: ReachedProvider['signIns'],
): Promise<readonly ReportRow[]> {
  const reached = await reachProvider(configuration, clock, signIns);
  return runAll(providerChecks, (check) => runOnProvider(check, reached));
}

async function runOnProvider(check: ProviderCheck, reached: ReachedProvider): Promise<readonly Finding[]> {
  if (check.needs === undefined) return check.run(reached);
  const { metadata } = reached;
  if (metadata === undefined) return [skipped('see oidc-discovery: the provider was not found')];
  return check.run({ ...reached, metadata });
}

/** One after the other: the logout ends the session that others need. */
async function runAll<C extends { readonly name: string }>(
  checks: readonly C[],
  run: (check: C) => Promise<readonly Finding[]>,
): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const check of checks)
    for (const finding of await run(check)) rows.push({ probe: check.name, ...finding });
  return rows;
}

/*
 * Every check of the command. The checks of the gate's own state are in gate-checks.ts, which the API uses.
 */

/** Checks of a live front, for `postern doctor`, in order: the last ones sign out, and end the session that others need. */
export const frontChecks: readonly FrontCheck[] = [
  tls,
  loginRequired,
  spoofedIdentity,
  aliases,
  proxyHeaders,
  originalUrl,
  traversal,
  mediaGuarded,
  authorizationReachable,
  ...directChecks,
  recorderDirect,
  session,
  cookieSecure,
  cookieRefresh,
  upstreamIdentity,
  narrowedLists,
  recorderRoles,
  recorderCameras,
  logout,
  forwardedFor,
  config,
  store,
];

/** Checks of the provider of `auth.oidc`, for `postern doctor --oidc`: discovery comes first, since the others need it. */
export const providerChecks: readonly ProviderCheck[] = [
  discovery,
  keys,
  clock,
  redirect,
  secret,
  claims,
  groups,
  sessions,
  signIns,
];

/** Widest width of each column; longer text pushes the rest of its line aside. */
const columns = { result: 7, probe: 25, sent: 60, expected: 38, seen: 60 } as const;
const names = Object.keys(columns) as ReadonlyArray<keyof typeof columns>;

/** The table for a terminal: aligned, followed by what to change for each kind of fault. */
export function tableOf(rows: readonly ReportRow[]): string {
  const cells = rows.map((row) => names.map((name) => printable(row[name])));
  const widths = names.map((name, place) => {
    const longest = Math.max(name.length, ...cells.map((line) => line[place]?.length ?? 0));
    return Math.min(longest, columns[name]);
  });
  const lines = [aligned(names, widths)];
  for (const [index, row] of rows.entries()) {
    const { result, probe, seen, change } = row;
    const isShort = result === 'skipped';
    lines.push(aligned(isShort ? [result, probe, printable(seen)] : (cells[index] ?? []), widths));
    if (change !== undefined && rows[index + 1]?.change !== change) {
      lines.push(`${' '.repeat((widths[0] ?? 0) + 2)}change: ${printable(change)}`);
    }
  }
  return `${firstOf(rows)}${lines.join('\n')}\n\n${summaryOf(rows)}`;
}

/** One fault can cause the others. */
function firstOf(rows: readonly ReportRow[]): string {
  const first = rows.find(({ result }) => result === 'FAULT');
  if (first === undefined) return '';
  const { probe, change, seen } = first;
  return `First: ${printable(change ?? seen)} (${probe})\n\n`;
}

function aligned(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, place) => cell.padEnd(widths[place] ?? 0))
    .join('  ')
    .trimEnd();
}

function summaryOf(rows: readonly ReportRow[]): string {
  const probesWith = (result: ReportRow['result']) => [
    ...new Set(rows.filter((row) => row.result === result).map(({ probe }) => probe)),
  ];
  const [faulty, skipped] = [probesWith('FAULT'), probesWith('skipped')];
  const found = faulty.length === 0 ? 'no fault' : `faults found by ${faulty.join(', ')}`;
  return skipped.length === 0 ? found : `${found}; skipped, in whole or in part: ${skipped.join(', ')}`;
}

/** `faults` is the number of rows with one. */
export function jsonReport(rows: readonly ReportRow[]): string {
  const faults = rows.filter(({ result }) => result === 'FAULT').length;
  return JSON.stringify({ faults, rows }, undefined, 2);
}
