import { isDeepStrictEqual } from 'node:util';
import { noCameras, type CamerasByRole } from '../policy/grant.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Timers } from '../clock.ts';
import type { Recorder, RecorderConnection } from './connect-recorder.ts';
import {
  readProfileAnswer,
  type Told,
  type RecorderRole,
  unverifiedReasons,
  type UnverifiedReason,
} from './role-answers.ts';
import type { RoleManagement } from './role-management.ts';
import { createRounds, type Pauses } from './rounds.ts';
import { reasonOf, askWithTimeout } from './recorder-client.ts';

/** The roles to verify, and the recorder to ask. */
interface VerifiedSubject {
  /** Absent when no recorder is asked, and so no role is verified. */
  readonly recorder: Recorder | undefined;
  readonly roles: CamerasByRole;
  /** Milliseconds between two rounds. An answer is valid for two of them. */
  readonly interval: number;
  /** Writes the roles to the recorder before it is asked about them. Omit it to write none. */
  readonly management?: RoleManagement | undefined;
}

/**
 * Asks the recorder at intervals which cameras it gives each custom role. A role is verified while the last answer is fresh
 * and names no camera that the role does not have in the gate now.
 */
export interface RoleVerification {
  /** Verifies this from now on, starting at once. Answers of another recorder no longer count. */
  verify(identity: VerifiedSubject): void;
  isVerified(role: string): boolean;
  roleAtRecorder(role: string): RecorderRole;
  /** The roles that are verified now; the same text as long as they are the same. */
  verified(): string;
  /** The recorder may have changed: asks again, a second after the last round at the earliest. */
  askAgain(): void;
  /** Retries on request, also what failed. @returns settles when the recorder has answered, or will not */
  tryAgain(): Promise<void>;
  close(): void;
}

interface RoleVerificationOptions {
  readonly connect: (recorder: Recorder) => RecorderConnection;
  readonly timers: Timers;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

// Milliseconds.
const timeoutMs = 2_000;
const afterFailure = 1_000;

const askedAtOnce = 4;

type Heard = Told & { readonly until: number; readonly isSilence: boolean };

export function createRoleVerification(options: RoleVerificationOptions): RoleVerification {
  const { connect, timers, logger } = options;
  let identity: VerifiedSubject = { recorder: undefined, roles: new Map(), interval: 0 };
  let connection: RecorderConnection | undefined;
  const heard = new Map<string, Heard>();
  /** Until when each role is verified: decisions read nothing else. */
  let verified: ReadonlyMap<string, number> = new Map();
  const logNews = logChanges(logger);

  const faultOf = (role: string) => identity.management?.faultOf(role, identity.roles.get(role) ?? noCameras);
  const roleAtRecorder = (role: string): RecorderRole => {
    const fault = faultOf(role);
    if (fault !== undefined) return { state: 'unverified', reason: fault };
    const told = heard.get(role);
    if (told === undefined) return { state: 'unverified', reason: 'not_asked' };
    if ('fault' in told) return { state: 'unverified', reason: told.fault };
    if (!isWithin(role, told.cameras)) return { state: 'unverified', reason: 'more_cameras' };
    return timers.elapsed() < told.until ? { state: 'verified' } : { state: 'unverified', reason: 'expired' };
  };
  const isWithin = (role: string, cameras: ReadonlySet<string>) =>
    cameras.isSubsetOf(identity.roles.get(role) ?? noCameras);

  const compare = () => {
    const fresh = new Map<string, number>();
    for (const [role, told] of heard)
      if ('cameras' in told && isWithin(role, told.cameras) && faultOf(role) === undefined)
        fresh.set(role, told.until);
    verified = fresh;
  };

  const ask = async (asked: RecorderConnection, role: string): Promise<Heard> => {
    const until = timers.elapsed() + 2 * identity.interval;
    const told = await askWithTimeout(timers, timeoutMs, (signal) => asked.askProfile(role, signal));
    return 'silence' in told
      ? { fault: reasonOf(told.silence), detail: told.silence, until, isSilence: true }
      : { ...readProfileAnswer(told.answer), until, isSilence: false };
  };

  /** @returns as `RoleManagement.bringAbout`, for the current roles */
  const manage = async (asked: RecorderConnection): Promise<boolean | undefined> => {
    const managed = identity;
    const { management, recorder } = managed;
    if (management === undefined || recorder === undefined) return true;
    const wanted = { ...managed, recorder: nameOf(recorder) };
    const isCurrent = () => identity === managed && asked === connection;
    // The store logs its own failures; without it nothing is written.
    const isGood = await management.bringAbout(asked, wanted, isCurrent).catch(() => false);
    compare();
    return isGood;
  };

  /** @returns whether every role that could be asked about is verified, or `undefined` if there is more to do or another recorder to ask */
  const round = async (asked: RecorderConnection): Promise<boolean | undefined> => {
    const begun = identity;
    /** Newer roles are written to the recorder before it is asked about any. */
    const isOutdated = () =>
      asked !== connection || (identity.management !== undefined && identity !== begun);
    const isDone = begun.management === undefined || (await manage(asked));
    if (isOutdated()) return undefined;
    const all = [...identity.roles.keys()].filter(isAskable);
    const waiting = [...all];
    while (waiting.length > 0) {
      const roles = waiting.splice(0, askedAtOnce);
      const answers = await Promise.all(roles.map((role) => ask(asked, role)));
      if (isOutdated()) return undefined;
      roles.forEach((role, i) => heard.set(role, answers[i] as Heard));
      // The others would hear nothing either, each after its time.
      const silence = answers.find(({ isSilence }) => isSilence);
      if (silence !== undefined) for (const role of waiting.splice(0)) heard.set(role, silence);
      for (const role of all) if (!identity.roles.has(role)) heard.delete(role);
      compare();
    }
    if (isDone === undefined) return undefined;
    tell();
    return isDone && all.every((role) => verified.has(role) || !identity.roles.has(role));
  };
  /** Roles that are never written to the recorder stay unverified, whatever it answers. */
  const isAskable = (role: string) => {
    const fault = faultOf(role);
    return fault === undefined || fault === 'change_refused';
  };

  const tell = () => {
    const findings = [...identity.roles.keys()].map((role) => {
      const told = heard.get(role);
      const found = roleAtRecorder(role);
      const isRefused = found.state === 'unverified' && found.reason === 'change_refused';
      const detail = isRefused
        ? identity.management?.refusalOf(role)
        : told && 'detail' in told
          ? told.detail
          : undefined;
      return { role, found, detail };
    });
    logNews(findings);
  };

  let failures = 0;
  const isSomethingToAsk = () =>
    connection !== undefined && (identity.roles.size > 0 || identity.management !== undefined);
  const pausesAfter = (isGood: boolean | undefined): Pauses => {
    const { interval } = identity;
    if (isGood !== false) {
      failures = 0;
      return { regular: isGood === undefined ? 0 : interval, early: 0 };
    }
    failures += 1;
    const regular = Math.min(interval, afterFailure * 2 ** Math.min(failures - 1, 20));
    return { regular, early: Math.min(afterFailure, regular) };
  };
  const rounds = createRounds(timers, () => {
    if (connection === undefined || !isSomethingToAsk()) return undefined;
    return round(connection).then((isGood) => (connection === undefined ? undefined : pausesAfter(isGood)));
  });

  return {
    verify: (wanted) => {
      if (!isDeepStrictEqual(wanted.recorder, identity.recorder)) {
        connection?.close();
        connection = wanted.recorder && connect(wanted.recorder);
        heard.clear();
        identity.management?.forget();
      }
      identity = wanted;
      for (const role of heard.keys()) if (!wanted.roles.has(role)) heard.delete(role);
      // Its answers about these roles are outdated: the change is written before it is asked again.
      if (wanted.management !== undefined)
        for (const [role, told] of heard)
          if ('cameras' in told && !isWithin(role, told.cameras)) heard.delete(role);
      compare();
      tell();
      if (isSomethingToAsk()) rounds.soon(failures > 0 ? afterFailure : 0);
    },
    isVerified: (role) => timers.elapsed() < (verified.get(role) ?? Number.NEGATIVE_INFINITY),
    verified: () => {
      const now = timers.elapsed();
      return [...verified].flatMap(([role, until]) => (now < until ? [role] : [])).join(' ');
    },
    roleAtRecorder,
    askAgain: () => {
      if (isSomethingToAsk()) rounds.soon(afterFailure);
    },
    tryAgain: async () => {
      if (!isSomethingToAsk()) return;
      identity.management?.tryAgain();
      await rounds.next(afterFailure);
    },
    close: () => {
      connection?.close();
      connection = undefined;
      rounds.stop();
    },
  };
}

function nameOf({ address }: Recorder): string {
  return 'socketPath' in address ? `unix:${address.socketPath}` : address.origin;
}

interface Finding {
  readonly role: string;
  readonly found: RecorderRole;
  readonly detail: string | undefined;
}

/** @returns logs what has changed since the last call, in one line for all roles with the same result */
function logChanges(logger: Pick<Logger, 'info' | 'warn'>): (findings: readonly Finding[]) => void {
  let known = new Map<string, string>();
  return (findings) => {
    const isNews = ({ role, found }: Finding) =>
      wordOf(found) !== 'not_asked' && wordOf(found) !== known.get(role);
    const byWord = Map.groupBy(findings.filter(isNews), ({ found }) => wordOf(found));
    for (const [word, news] of byWord) {
      const roles = news.map(({ role }) => role);
      if (word === 'verified') logger.info({ roles }, 'the recorder shows these roles only their cameras');
      else
        logger.warn(
          { roles, reason: word, detail: news[0]?.detail },
          `these roles get only lists that are narrowed to their cameras (recorder_role_unverified): ${unverifiedReasons[word]}`,
        );
    }
    known = new Map(findings.map(({ role, found }) => [role, wordOf(found)]));
  };
}

function wordOf(found: RecorderRole): UnverifiedReason | 'verified' {
  return found.state === 'verified' ? 'verified' : found.reason;
}
