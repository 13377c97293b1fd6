import { isDeepStrictEqual } from 'node:util';
import type { CustomRoles } from '../policy/grant.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Timers } from './timers.ts';
import type { Recorder, RecorderConnection } from './connect-recorder.ts';
import { createNews } from './news.ts';
import { readProfileAnswer, type Told } from './profile-answer.ts';
import type { RecorderRole } from './recorder-role.ts';

/** What is verified: these roles at this recorder. */
interface VerifiedSubject {
  /** Undefined: nobody is asked, and no role is verified. */
  readonly recorder: Recorder | undefined;
  readonly roles: CustomRoles;
  /** Milliseconds between two rounds. An answer is good for two of them. */
  readonly interval: number;
}

/**
 * Asks the recorder, again and again, which cameras it gives each custom role. A role is verified while the last answer is fresh
 * and names no camera that the role does not have in the gate at this moment.
 */
export interface RoleVerification {
  /** Goes on with this. What another recorder has answered counts no longer; a round begins at once. */
  verify(identity: VerifiedSubject): void;
  isVerified(role: string): boolean;
  roleAtRecorder(role: string): RecorderRole;
  /** Something says that the recorder may be another than it was: asks again, a second after the last round at the earliest. */
  askAgain(): void;
  close(): void;
}

export interface RoleVerificationOptions {
  readonly connect: (recorder: Recorder) => RecorderConnection;
  readonly timers: Timers;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

// Milliseconds. The first two are the contract with operators: docs/custom-roles.md.
const patience = 2_000;
const afterFailure = 1_000;

const askedAtOnce = 4;

type Heard = Told & { readonly until: number };

export function createRoleVerification(options: RoleVerificationOptions): RoleVerification {
  const { connect, timers, logger } = options;
  let identity: VerifiedSubject = { recorder: undefined, roles: new Map(), interval: 0 };
  let connection: RecorderConnection | undefined;
  const heard = new Map<string, Heard>();
  /** Until when each role is verified: all that a decision looks at. */
  let verified: ReadonlyMap<string, number> = new Map();
  const tellNews = createNews(logger);

  const roleAtRecorder = (role: string): RecorderRole => {
    const told = heard.get(role);
    if (told === undefined) return { state: 'unverified', reason: 'not_asked' };
    if ('fault' in told) return { state: 'unverified', reason: told.fault };
    if (!isWithin(role, told.cameras)) return { state: 'unverified', reason: 'more_cameras' };
    return timers.elapsed() < told.until ? { state: 'verified' } : { state: 'unverified', reason: 'expired' };
  };
  const isWithin = (role: string, cameras: ReadonlySet<string>) =>
    cameras.isSubsetOf(identity.roles.get(role) ?? new Set());

  const compare = () => {
    const fresh = new Map<string, number>();
    for (const [role, told] of heard)
      if ('cameras' in told && isWithin(role, told.cameras)) fresh.set(role, told.until);
    verified = fresh;
  };

  const ask = async (asked: RecorderConnection, role: string): Promise<Heard> => {
    const until = timers.elapsed() + 2 * identity.interval;
    const late = new AbortController();
    const callOff = timers.after(patience, () => late.abort());
    try {
      return { ...readProfileAnswer(await asked.askProfile(role, late.signal)), until };
    } catch (error) {
      const detail = late.signal.aborted ? `nothing within ${patience / 1_000} s` : errorText(error);
      return { fault: 'no_answer', detail, until };
    } finally {
      callOff();
    }
  };

  /** @returns whether every role is verified that was to be asked about; undefined: the recorder is another one by now */
  const round = async (asked: RecorderConnection): Promise<boolean | undefined> => {
    const all = [...identity.roles.keys()];
    const waiting = [...all];
    while (waiting.length > 0) {
      const roles = waiting.splice(0, askedAtOnce);
      const answers = await Promise.all(roles.map((role) => ask(asked, role)));
      if (asked !== connection) return undefined;
      roles.forEach((role, i) => heard.set(role, answers[i] as Heard));
      // The others would hear nothing either, each after its time.
      const silence = answers.find((answer) => 'fault' in answer && answer.fault === 'no_answer');
      if (silence !== undefined) for (const role of waiting.splice(0)) heard.set(role, silence);
      for (const role of all) if (!identity.roles.has(role)) heard.delete(role);
      compare();
    }
    tell();
    return all.every((role) => verified.has(role) || !identity.roles.has(role));
  };

  const tell = () => {
    const findings = [...identity.roles.keys()].map((role) => {
      const told = heard.get(role);
      return {
        role,
        found: roleAtRecorder(role),
        detail: told && 'detail' in told ? told.detail : undefined,
      };
    });
    tellNews(findings);
  };

  let isRunning = false;
  let isWanted = false;
  let failures = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let callOffNext = () => {};

  const plan = (delay: number) => {
    callOffNext();
    due = timers.elapsed() + delay;
    callOffNext = timers.after(delay, () => void run());
  };
  const run = async () => {
    due = Number.POSITIVE_INFINITY;
    const asked = connection;
    if (asked === undefined || identity.roles.size === 0) return;
    isRunning = true;
    const isGood = await round(asked);
    isRunning = false;
    endedAt = timers.elapsed();
    if (connection === undefined) return;
    failures = isGood === false ? failures + 1 : 0;
    const regular =
      isGood === false
        ? Math.min(identity.interval, afterFailure * 2 ** Math.min(failures - 1, 20))
        : identity.interval;
    const early = isGood === false ? Math.min(afterFailure, regular) : 0;
    plan(isWanted || isGood === undefined ? early : regular);
    isWanted = false;
  };
  /** @param gap milliseconds that have to be between the last round and this one */
  const askSoon = (gap: number) => {
    if (isRunning) {
      isWanted = true;
      return;
    }
    const delay = Math.max(0, endedAt + gap - timers.elapsed());
    if (timers.elapsed() + delay < due) plan(delay);
  };

  return {
    verify: (wanted) => {
      if (!isDeepStrictEqual(wanted.recorder, identity.recorder)) {
        connection?.close();
        connection = wanted.recorder && connect(wanted.recorder);
        heard.clear();
      }
      identity = wanted;
      for (const role of heard.keys()) if (!wanted.roles.has(role)) heard.delete(role);
      compare();
      tell();
      if (connection !== undefined && wanted.roles.size > 0) askSoon(failures > 0 ? afterFailure : 0);
    },
    isVerified: (role) => timers.elapsed() < (verified.get(role) ?? Number.NEGATIVE_INFINITY),
    roleAtRecorder,
    askAgain: () => {
      if (connection !== undefined && identity.roles.size > 0) askSoon(afterFailure);
    },
    close: () => {
      callOffNext();
      connection?.close();
      connection = undefined;
    },
  };
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
