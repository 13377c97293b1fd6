import type { CamerasByRole } from '../policy/grant.ts';
import { obstacleTo } from '../policy/names.ts';
import { readConfigurationAnswer, type UnreadReason } from './configuration-answer.ts';
import type { RecorderConnection } from './connect-recorder.ts';
import { type MadeRoles, changesOf, type RoleChange } from './role-changes.ts';
import { isEveryoneAdmin, type UnverifiedReason, refusalIn } from './role-answers.ts';
import { reasonOf, askWithTimeout } from './recorder-client.ts';
import type { Timers } from '../clock.ts';

/** The result of a change. */
export interface ChangeOutcome extends RoleChange {
  readonly result: 'written' | 'refused' | 'unanswered';
  /** The recorder's answer, or why there was none. */
  readonly detail: string | undefined;
  /** The previous attempt had the same result. */
  readonly isRepeated: boolean;
}

/** The recorder's roles, as read last. */
interface RecorderView {
  /** Why they are not known. */
  readonly fault: UnreadReason | undefined;
  readonly roles: CamerasByRole;
  readonly cameras: ReadonlySet<string>;
}

/** Writes the gate's roles to the recorder. */
export interface RoleManagement {
  /**
   * Writes what differs, one change after the other. After a failure, a change waits twice as long as the last time, up to
   * the interval.
   * @param recorder its address
   * @param interval milliseconds between two rounds of verification
   * @param isCurrent whether these are still the roles of the gate
   * @returns whether everything is as it should be, or `undefined` if there is more to do
   * @throws what `made` and `mayWrite` throw
   */
  bringAbout(
    asked: RecorderConnection,
    wanted: { readonly recorder: string; readonly roles: CamerasByRole; readonly interval: number },
    isCurrent: () => boolean,
  ): Promise<boolean | undefined>;
  /** Why a role cannot be verified, whatever the recorder returns, or `undefined` if the recorder decides. */
  faultOf(role: string, cameras: ReadonlySet<string>): UnverifiedReason | undefined;
  /** The recorder's words when it refused the last change of a role. */
  refusalOf(role: string): string | undefined;
  /** The roles of the recorder that was asked last. */
  view(): RecorderView | undefined;
  /** Tries failed changes in the next round, without waiting. */
  tryAgain(): void;
  /** Forgets everything: the recorder is another one. */
  forget(): void;
}

export interface RoleManagementOptions {
  readonly made: MadeRoles;
  /**
   * Whether this process may write to the recorder now, and for longer than a change takes. One of several processes may; the
   * others only read.
   */
  readonly mayWrite: (recorder: string) => Promise<boolean>;
  readonly timers: Timers;
  /** Called for each attempted change. */
  readonly onChange: (outcome: ChangeOutcome) => void;
}

// Milliseconds.
const timeoutMs = 5_000;
// A recorder reads its whole file again with each change, and may probe cameras.
const changeTimeoutMs = 10_000;
const afterFailure = 1_000;

// Roles are verified in between.
const changesAtOnce = 8;

interface Attempt {
  readonly wanted: string;
  readonly outcome: ChangeOutcome;
  readonly count: number;
  /** A time by `elapsed`. */
  readonly notBefore: number;
}

export function createRoleManagement(options: RoleManagementOptions): RoleManagement {
  const { made, mayWrite, timers, onChange } = options;
  /** The last attempt of each role whose change the recorder does not show yet. */
  const attempts = new Map<string, Attempt>();
  let seen: RecorderView | undefined;

  const write = async (asked: RecorderConnection, change: RoleChange, interval: number) => {
    const { role, cameras } = change;
    const last = attempts.get(role);
    const wanted = keyOf(cameras);
    const told = await askWithTimeout(timers, changeTimeoutMs, (signal) =>
      asked.setRole(role, cameras, signal),
    );
    const tried =
      'silence' in told
        ? ({ result: 'unanswered', detail: told.silence } as const)
        : outcomeOf(refusalIn(told.answer));
    const count = last?.wanted === wanted ? last.count + 1 : 1;
    const isRepeated = last?.wanted === wanted && last.outcome.result === tried.result;
    const outcome = { ...change, ...tried, isRepeated };
    const wait = Math.min(interval, afterFailure * 2 ** Math.min(count - 1, 20));
    attempts.set(role, { wanted, outcome, count, notBefore: timers.elapsed() + wait });
    onChange(outcome);
    return outcome;
  };

  /** A recorder that treats everyone as an admin cannot distinguish users: nothing is written there. */
  const knowsWhoAsks = async (asked: RecorderConnection) => {
    const told = await askWithTimeout(timers, timeoutMs, (signal) => asked.askProfile('admin', signal));
    return 'answer' in told && !isEveryoneAdmin(told.answer, 'admin');
  };

  return {
    bringAbout: async (asked, { recorder, roles, interval }, isCurrent) => {
      const writable = [...roles]
        .filter(([role, cameras]) => obstacleTo(role, cameras) === undefined)
        .map(([role]) => role);
      const isWriter = await mayWrite(recorder);
      // Stored before the first request: if a role is deleted in the gate while the recorder is down, it is still known
      // as the gate's.
      const own = new Set(isWriter ? [...(await made.at(recorder)), ...writable] : writable);
      if (isWriter) await made.keep(recorder, own);
      if (!isCurrent()) return undefined;
      const told = await askWithTimeout(timers, timeoutMs, asked.askConfiguration);
      const read =
        'silence' in told ? { fault: reasonOf(told.silence) } : readConfigurationAnswer(told.answer);
      if (!isCurrent()) return undefined;
      if ('fault' in read) {
        seen = { roles: new Map(), cameras: new Set(), ...seen, fault: read.fault };
        return false;
      }
      const atRecorder = new Map(
        [...read.configuration.roles].filter(([role]) => role !== 'admin' && role !== 'viewer'),
      );
      seen = { fault: undefined, roles: atRecorder, cameras: new Set(read.configuration.cameras.keys()) };
      // Names that are deleted on both sides are forgotten.
      if (isWriter) await made.keep(recorder, own.intersection(new Set([...writable, ...atRecorder.keys()])));
      const changes = changesOf(roles, own, atRecorder);
      const differing = new Set(changes.map(({ role }) => role));
      for (const role of attempts.keys()) if (!differing.has(role)) attempts.delete(role);
      const due = changes.filter(({ role, cameras }) => {
        const last = attempts.get(role);
        return last === undefined || last.wanted !== keyOf(cameras) || last.notBefore <= timers.elapsed();
      });
      if (due.length === 0) return changes.length === 0;
      if (!(await knowsWhoAsks(asked)) || !isCurrent()) return isCurrent() ? false : undefined;
      let isGood = due.length === changes.length;
      for (const change of due.slice(0, changesAtOnce)) {
        if (!(await mayWrite(recorder))) return false;
        const { result } = await write(asked, change, interval);
        if (result === 'unanswered') return false;
        isGood &&= result === 'written';
        if (!isCurrent()) return undefined;
      }
      return due.length > changesAtOnce ? undefined : isGood;
    },
    faultOf: (role, cameras) => {
      const obstacle = obstacleTo(role, cameras);
      if (obstacle !== undefined) return obstacle;
      const last = attempts.get(role);
      const isRefused = last?.outcome.result === 'refused' && last.wanted === keyOf([...cameras].sort());
      return isRefused ? 'change_refused' : undefined;
    },
    refusalOf: (role) => {
      const outcome = attempts.get(role)?.outcome;
      return outcome?.result === 'refused' ? outcome.detail : undefined;
    },
    view: () => seen,
    tryAgain: () => {
      for (const [role, attempt] of attempts) attempts.set(role, { ...attempt, count: 0, notBefore: 0 });
    },
    forget: () => {
      attempts.clear();
      seen = undefined;
    },
  };
}

function outcomeOf(refusal: string | undefined) {
  return refusal === undefined
    ? ({ result: 'written', detail: undefined } as const)
    : ({ result: 'refused', detail: refusal } as const);
}

function keyOf(cameras: readonly string[] | undefined): string {
  return JSON.stringify(cameras ?? '');
}
