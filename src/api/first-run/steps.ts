import type { FirstRun } from '../../accounts/first-run.ts';
import type { Settings } from '../../settings/settings.ts';
import { checksOf, type ChecksDependencies } from '../doctor/checks.ts';

/** What leads from a new gate to one that is used, in this order. */
export const stepNames = ['password', 'recorder', 'person', 'check'] as const;

type StepName = (typeof stepNames)[number];

interface Step {
  readonly name: StepName;
  /** By what the gate finds, and not by what somebody has pressed. */
  readonly done: boolean;
}

export interface StepsDependencies extends ChecksDependencies {
  readonly settings: Pick<Settings, 'mode' | 'ownFront' | 'rules' | 'roleAtRecorder'>;
  readonly firstRun: FirstRun;
}

/** @returns the steps that this gate has: behind a single sign-on there are no accounts to care for */
export async function findSteps(dependencies: StepsDependencies): Promise<readonly Step[]> {
  const { settings, firstRun } = dependencies;
  const [{ checked }, accounts] = await Promise.all([firstRun.facts(), firstRun.accounts()]);
  const checks = checksOf(dependencies);
  const done: Readonly<Record<StepName, boolean>> = {
    password: accounts.generated === null,
    recorder: checks.some(({ name, result }) => name === 'recorder' && result === 'ok'),
    person: !accounts.isOnePerson,
    check: checked && checks.every(({ result }) => result !== 'fault'),
  };
  const hasAccounts = settings.mode === 'session';
  return stepNames
    .filter((name) => hasAccounts || (name !== 'password' && name !== 'person'))
    .map((name) => ({ name, done: done[name] }));
}
